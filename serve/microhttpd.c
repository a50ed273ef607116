/* Loading libmicrohttpd. */
#if IOL_HAVE_MICROHTTPD
#include "serve/microhttpd.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

const iol__mhd *iol__mhd_load(void) {
    static iol__mhd loaded;
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL), *found;
    bool all = library != NULL;
#define LOAD(name)                                        \
    if (all && (found = dlsym(library, "MHD_" #name)))    \
        memcpy(&loaded.name, &found, sizeof loaded.name); \
    else                                                  \
        all = false;
    IOL_MHD(LOAD)
#undef LOAD
    return all ? &loaded : NULL;
}
#endif
