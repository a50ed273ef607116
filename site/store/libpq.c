/* Loading libpq. */
#include "site/store/libpq.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static bool find_functions(void *library, iol__libpq *pq) {
    void *found;
#define PQ(result, name, arguments) \
    found = dlsym(library, #name);  \
    if (!found) return false;       \
    memcpy((void *)&pq->name, &found, sizeof pq->name);
#include "site/store/libpq.def"
#undef PQ
    return true;
}

const iol__libpq *iol__libpq_load(void) {
    static iol__libpq loaded;
    static bool tried, there;
    if (tried) return there ? &loaded : NULL;
    tried = true;
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libpq.so", RTLD_NOW | RTLD_LOCAL);
    there = library && find_functions(library, &loaded);
    return there ? &loaded : NULL;
}
