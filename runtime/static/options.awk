# The options for the linker: every wrapped name, and those that are taken from libiolite.a, and from the C library,
# whether the program calls them or not. The C library, and those of C++ and Fortran, stand behind ours on the command
# line and call them too; by then it would be too late. What this C library does not have, and what only old objects
# call and a later one may not have any more, is taken when it is called.
# Input: what nm says of libc.a, and the wrapped names.

FILENAME == "libc" { if (NF == 3 && $2 ~ /^[TWi]$/) there[$3] = 1; next }

{ print "--wrap=" $1 }

$1 in there && $1 !~ /^(__[lf]?x|_IO_)/ { print "--undefined=" $1 "\n--undefined=__wrap_" $1 }

# The libraries of gcc's languages use the functions of threads where they find them. If one of them is there, because
# something that is taken here needs it, they expect all.
END {
    split("once getspecific setspecific create join equal self detach cancel mutex_lock mutex_trylock mutex_timedlock " \
          "mutex_unlock mutex_init mutex_destroy cond_init cond_broadcast cond_signal cond_wait cond_timedwait " \
          "cond_destroy key_create key_delete mutexattr_init mutexattr_settype mutexattr_destroy rwlock_rdlock " \
          "rwlock_wrlock rwlock_unlock rwlock_tryrdlock rwlock_trywrlock", threads, " ")
    for (i = 1; i in threads; i++) print "--undefined=pthread_" threads[i]
}
