/* Programs ask the loader where Iolite is (include/iolite/iolite.f90). A static one has no loader that knows, so that
   this member of libiolite.a, to which the linker's --wrap leads, answers for it. All else is libc's affair. */
#include <string.h>

#include "iolite/iolite.h"

void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);

void *__wrap_dlsym(void *handle, const char *name) {
    if (strcmp(name, "iolite_interface") == 0) return (void *)&iolite_interface;
    return __real_dlsym(handle, name);
}
