/* Finding functions of libraries that may come at any time. The next one in the order of the loader is what the program
   would have called; a library that was loaded for somebody alone is asked by its name, without loading it. */
#include "runtime/posix/late.h"

#include <dlfcn.h>
#include <errno.h>

iol__late_functions iol__late;

/* Both libraries give errors as negative results. */
static long missing(void) { return -ENOSYS; }

void iol__late_find(void *into, const char *name, const char *library) {
    const int saved = errno;
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        if (handle) {
            found = dlsym(handle, name);
            dlclose(handle);
        }
    }
    dlerror(); /* our failures are not the program's */
    *(void **)into = found ? found : (void *)missing;
    errno = saved;
}
