/* Modules that a site wants in every recorded program: shared objects that register themselves when they are loaded.
   One that cannot be loaded is reported once and is otherwise as if it had not been named. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "runtime/core/custom.h"
#include "runtime/lazy/loader.h"

static void load(const char *path) {
    if (iol__loader_functions()->open(path, RTLD_NOW | RTLD_LOCAL)) return;
    const char *why = iol__loader_functions()->error();
    iol__trouble("a module is left out: ", why ? why : path);
}

void iol__custom_load(const iol__config *config) {
    static char path[1024];
    const int saved = errno;
    unsigned at = 0;
    const char *list;
    while ((list = iol__setting_list(config, IOL_SET_MODULES, &at)) != NULL)
        for (size_t length; (list += strspn(list, ", \t"), length = strcspn(list, ", \t")) != 0; list += length) {
            if (length >= sizeof path) continue;
            memcpy(path, list, length);
            path[length] = 0;
            load(path);
        }
    errno = saved;
}
