/* Loading libpq. */
#include "site/store/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static bool find_libpq_functions(void *library, iol__libpq *pq) {
    void *found;
#define PQ(result, name, arguments) \
    found = dlsym(library, #name);  \
    if (!found) return false;       \
    memcpy((void *)&pq->name, &found, sizeof pq->name);
#include "site/store/libpq.def"
#undef PQ
    return true;
}

static iol__libpq loaded;
static bool there;

static void libpq_load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libpq.so", RTLD_NOW | RTLD_LOCAL);
    there = library && find_libpq_functions(library, &loaded);
}

/* Threads of a server may want it at the same time. */
const iol__libpq *iol__libpq_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, libpq_load);
    return there ? &loaded : NULL;
}
