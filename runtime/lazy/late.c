/* Functions that older C libraries (before 2.34) have in librt, which a program may load long after the start, for one of its
   plugins: they are found when they are called. Where libc has them, nobody comes here. */
#include "runtime/lazy/late.h"

#include <dlfcn.h>
#include <errno.h>

#include "runtime/core/real.h"
#include "runtime/lazy/loader.h"
#include "runtime/lazy/next.h"

#define FUNCTIONS(FUNCTION)                                                                             \
    FUNCTION(int, aio_read, (struct aiocb * block), (block))                                            \
    FUNCTION(int, aio_read64, (struct aiocb64 * block), (block))                                        \
    FUNCTION(int, aio_write, (struct aiocb * block), (block))                                           \
    FUNCTION(int, aio_write64, (struct aiocb64 * block), (block))                                       \
    FUNCTION(ssize_t, aio_return, (struct aiocb * block), (block))                                      \
    FUNCTION(ssize_t, aio_return64, (struct aiocb64 * block), (block))                                  \
    FUNCTION(int, lio_listio, (int mode, struct aiocb *const *list, int n, struct sigevent *event),     \
             (mode, list, n, event))                                                                    \
    FUNCTION(int, lio_listio64, (int mode, struct aiocb64 *const *list, int n, struct sigevent *event), \
             (mode, list, n, event))                                                                    \
    FUNCTION(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))

/* It must not go any more: its functions are in our hands. */
static void *in_librt(const char *name) {
    const int saved = errno;
    const iol__loader *loader = iol__loader_functions();
    void *librt = loader->open("librt.so.1", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    void *found = librt ? loader->symbol(librt, name) : NULL;
    if (librt) loader->close(librt);
    loader->error(); /* our failures are not the program's */
    errno = found ? saved : ENOSYS;
    return found;
}

#define FUNCTION(type, name, parameters, arguments)                    \
    static type late_##name parameters {                               \
        type(*found) parameters = (type(*) parameters)in_librt(#name); \
        if (!found) return -1;                                         \
        __atomic_store_n(&iol__real.name, found, __ATOMIC_RELAXED);    \
        return found arguments;                                        \
    }
FUNCTIONS(FUNCTION)
#undef FUNCTION

void *iol__late(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } late[] = {
#define FUNCTION(type, name, parameters, arguments) {#name, (void *)late_##name},
        FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        if (iol__same_name(late[i].name, name)) return late[i].function;
    return NULL;
}
