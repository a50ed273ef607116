/* Modules that a site wants in every recorded program: shared objects that register themselves when they are loaded.
   One that cannot be loaded is reported once and is otherwise as if it had not been named. What is not a file is not
   opened by the loader, which would wait for a pipe. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "runtime/custom/custom.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"
#include "runtime/core/trust.h"
#include "runtime/lazy/loader.h"

static void leave_out(const char *path, const char *why) {
    static char text[1024 + 128];
    iol__text to = {text, sizeof text, 0};
    iol__text_add(&to, path);
    iol__text_add(&to, ": ");
    iol__text_add(&to, why);
    iol__trouble("a module is left out: ", text);
}

static void load(const char *path) {
    static iol__trusted object;
    iol__trust_object(path, &object);
    if (object.refused) {
        leave_out(path, object.refused);
    } else if (!iol__loader_functions()->open(object.name, RTLD_NOW | RTLD_LOCAL)) {
        const char *why = iol__loader_functions()->error();
        iol__trouble("a module is left out: ", why ? why : path);
    }
    if (object.fd >= 0) sys(close, object.fd);
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
