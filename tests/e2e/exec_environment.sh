#!/usr/bin/env bash
# Programs whose environment was cleared, or has an LD_PRELOAD of its own: they are recorded, and do not see how.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
cd "$work" || exit 99
echo content >in.dat

# same COMMAND...: output, messages and status of a run are those of the plain command. Each leaves one log.
same() {
    local plain recorded
    rm -rf logs copy*.dat
    timeout 60 "$@" >plain.out 2>plain.err </dev/null
    plain=$?
    rm -f copy*.dat
    timeout 60 "$iolite" run -q --log-dir logs -- "$@" >recorded.out 2>recorded.err </dev/null
    recorded=$?
    [ $plain = $recorded ] || fail "status $recorded, plain $plain: $*: $(head -n 2 recorded.err)"
    cmp -s plain.out recorded.out || fail "another output: $*: $(diff plain.out recorded.out | head -n 4)"
    cmp -s plain.err recorded.err || fail "other messages: $*: $(head -n 2 recorded.err)"
    [ "$(find logs -type f 2>/dev/null | wc -l)" = 1 ] || fail "not one log: $*"
}
# recorded NAME: the log has a record of this file. unrecorded NAME: it has none.
recorded() { "$iolite" dump --module POSIX logs/* 2>/dev/null | grep -q "^POSIX .*/$1 " || fail "$1 is not in the log"; }
unrecorded() { ! "$iolite" dump logs/* 2>/dev/null | grep -q "/$1 " || fail "$1 is in the log"; }

# The program sees the environment that it was given, byte for byte and in its order.
env=$(type -P env) cp=$(type -P cp) sh=$(type -P sh)
same env -i "$env"
same env -i B=2 A=1 "$env" -0
same env -i "$env" -i C=3 "$sh" -c "$env; exec $env -i D=4 $env"
same env -i "LD_PRELOAD=libdl.so.2" A=1 "$env"
same env -i A=1 "LD_PRELOAD=: libdl.so.2  " Z=9 "$env"
same env -i "LD_PRELOAD=" "$env"
same env -i PATH="$PATH" "$sh" -c 'env | sort; (env; set) | grep -e PRELOAD -e IOLITE -e ASAN'
! command -v perl >/dev/null || same perl -e '%ENV = (A => 1); print `env`; system "env"; exec "env"'
! command -v python3 >/dev/null || same python3 -c "
import os, subprocess
subprocess.run(['$env'], env={'B': '2', 'A': '1'})
subprocess.run(['env'], env={'PATH': '/bin:/usr/bin'})
os.environ.clear()
os.system('$env | grep -v -e PWD -e SHLVL -e _=')
os.posix_spawn('$env', ['env'], {'X': 'y'})
os.wait()"
! command -v awk >/dev/null || same env -i PATH="$PATH" awk 'BEGIN { system("env | sort"); "env | sort" | getline x; print x }'

# What is left of the environment in a shell that gave up the preload, is all of it.
same sh -c "unset \${IOLITE_RUN+LD_PRELOAD \$($env | sed -n 's/^\\(IOLITE_[A-Z_]*\\)=.*/\\1/p') ASAN_OPTIONS}
    IOLITE_LIBRARY= IOLITE_MMAP_DIR= env | grep -v _="

# It is recorded.
same env -i "$cp" in.dat copy.dat
recorded copy.dat
same sh -c 'unset LD_PRELOAD; cp in.dat copy.dat; exec cp in.dat copy2.dat'
recorded copy.dat
recorded copy2.dat
same sh -c "LD_PRELOAD=libdl.so.2 cp in.dat copy.dat; env -u LD_PRELOAD $sh -c 'cp in.dat copy2.dat'"
recorded copy.dat
recorded copy2.dat
same env -i "$sh" -c "$env -i $sh -c '$cp in.dat copy.dat'"
recorded copy.dat
if command -v awk >/dev/null; then
    same env -i PATH="$PATH" awk 'BEGIN { system("cp in.dat copy.dat") }'
    recorded copy.dat
fi

# Nor without the variable that leads to the run, whatever else is left.
# shellcheck disable=SC2016 # for the inner shell
same env -i PATH="$PATH" bash -c 'unset "${!IOLITE_@}"; cp in.dat copy.dat'
recorded copy.dat
for name in IOLITE_RUN IOLITE_LOG_DIR; do
    same env -u IOLITE_RUN -u "$name" "$cp" in.dat copy.dat
    recorded copy.dat
done
same env -u IOLITE_RUN "$sh" -c "$env | grep -c ^IOLITE_RUN=; $env -i $cp in.dat copy.dat"
recorded copy.dat
# One that leads nowhere is replaced: an empty one, junk, a run that is over.
gone=$("$iolite" run -q -o log -- sh -c 'echo "$IOLITE_RUN"')
for value in "" junk "$gone"; do
    rm -rf one copy*.dat
    mkdir one
    status 0 "$iolite" run -o one/log -- sh -c "IOLITE_RUN=$value $cp in.dat copy.dat; $env -i IOLITE_RUN=$value $cp in.dat copy2.dat"
    [ "$(ls one)" = log ] || fail "IOLITE_RUN=$value: $(ls one)"
    for name in copy.dat copy2.dat; do
        "$iolite" dump --module POSIX one/log | grep -q "/$name " || fail "IOLITE_RUN=$value: $name is not in the log"
    done
done
rm -f log
status 0 "$iolite" run -o log -- env -u IOLITE_RUN "$sh" -c "$cp in.dat copy.dat; $cp copy.dat copy2.dat"
status 0 "$iolite" dump log
has copy.dat
has copy2.dat

# Opting out stays possible, for a program and all that it starts.
same env -i IOLITE_DISABLE=1 "$cp" in.dat copy.dat
unrecorded copy.dat
same env -i IOLITE_DISABLE=yes "$sh" -c "$cp in.dat copy.dat; $env"
unrecorded copy.dat
same env -i IOLITE=0 "$sh" -c "$env -i $cp in.dat copy.dat; $env"
unrecorded copy.dat

# AddressSanitizer insists on being the first library.
echo 'int main(void) { return 3; }' >three.c
if gcc -fsanitize=address -o three three.c 2>/dev/null && ./three 2>/dev/null; [ $? = 3 ]; then
    same env -i ./three
    same env -i ASAN_OPTIONS=detect_leaks=0 ./three
    [ "$("$iolite" dump --json logs/* | grep -c '"command": "./three"')" = 1 ] || fail "./three is not in the log"
fi

# A library that cannot be reached from where the program runs is left out, and nobody complains.
if [ "$(id -u)" = 0 ] && command -v chroot >/dev/null && mkdir -p jail/bin && cp "$env" jail/bin/ &&
    ldd "$env" | grep -o '/[^ ]*' | xargs -I{} cp --parents -L {} jail/ && chroot jail /bin/env >/dev/null 2>&1; then
    same env -i "$(command -v chroot)" jail /bin/env
    same chroot jail /bin/env -i A=1 /bin/env
    same sh -c 'chroot jail /bin/env -u LD_PRELOAD /bin/env | grep -c PRELOAD'
fi

# A plain LD_PRELOAD, without a run: taking it out is opting out (e2e/opting_out).
rm -rf copy.dat
LD_PRELOAD=$IOLITE_LIBRARY env -i "$cp" in.dat copy.dat >out 2>err || fail "plain: $(head -n 2 err)"
[ ! -s out ] && [ ! -s err ] || fail "plain: said $(head -n 2 err)"
[ "$(find "$HOME" -name '*_cp_*.darshan' | wc -l)" = 0 ] || fail "plain: a log of cp: $(find "$HOME" -type f)"
finish
