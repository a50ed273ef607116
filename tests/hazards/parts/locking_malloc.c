/* An allocator with one plain lock, which does all kinds of I/O while it holds it: in its first allocation, as
   jemalloc does, and now and then later. A caller that allocates inside of these calls would wait for ever; here
   the program ends. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { POOL = 32 << 20, OFTEN = 50 };

int locking_malloc_rounds(void);

static _Alignas(64) char pool[POOL];
static size_t used;
static uintptr_t owner;
static unsigned allocations, rounds;

static void enter(void) {
    static const char why[] = "the allocator was called while it held its lock\n";
    const uintptr_t me = (uintptr_t)__builtin_thread_pointer();
    if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) == me) {
        syscall(SYS_write, 2, why, sizeof why - 1);
        syscall(SYS_exit_group, 99);
    }
    for (uintptr_t nobody = 0; !__atomic_compare_exchange_n(&owner, &nobody, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
         nobody = 0)
        syscall(SYS_sched_yield);
}

static void leave(void) { __atomic_store_n(&owner, 0, __ATOMIC_RELEASE); }

static void look_around(void) {
    char text[64];
    struct stat facts;
    const int fd = open("allocator.dat", O_RDWR | O_CREAT, 0600), other = openat(AT_FDCWD, "/proc/self/maps", O_RDONLY);
    long sum = write(fd, "abcd", 4) + read(other, text, sizeof text) + pread(fd, text, 4, 0);
    sum += lseek(fd, 0, SEEK_SET) + readlink("/etc/malloc.conf", text, sizeof text) + access("/nowhere", F_OK);
    sum += stat("allocator.dat", &facts) + fstat(fd, &facts);
    void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map != MAP_FAILED) munmap(map, 4096);
    close(other);
    close(fd);
    rounds += sum != 0;
}

/* Sizes are kept before the blocks; nothing is ever given back. */
void *malloc(size_t size) {
    enter();
    if (allocations++ % OFTEN == 0) look_around();
    const size_t room = (size + 15) / 16 * 16 + 16;
    char *block = room < size || room > POOL - used ? NULL : pool + used + 16;
    if (block) used += room;
    leave();
    return block ? memcpy(block - 16, &size, sizeof size), block : NULL;
}

void free(void *block) { (void)block; }

void *calloc(size_t count, size_t size) {
    if (size && count > POOL / size) return NULL;
    return malloc(count * size); /* the pool is fresh */
}

void *realloc(void *old, size_t size) {
    size_t before = 0;
    void *block = malloc(size);
    if (old) memcpy(&before, (char *)old - 16, sizeof before);
    return old && block ? memcpy(block, old, before < size ? before : size) : block;
}

/* Libraries that a program is linked with start before those that are preloaded. */
__attribute__((constructor)) static void start(void) { free(malloc(1)); }

int locking_malloc_rounds(void) { return (int)rounds; }
