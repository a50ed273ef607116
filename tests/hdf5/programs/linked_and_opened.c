/* A program that is linked with HDF5 opens another copy by itself, and uses that one first, by its handle. Each call goes
   to the copy that was asked; the first one is recorded.
   LINK -ldl
   EXPECT H5F opened.h5 H5F_OPENS = 1
   ABSENT H5F linked.h5
   EXPECT POSIX linked.h5 POSIX_BYTES_WRITTEN > 0 */
#include <dlfcn.h>

#include "tests/hdf5/programs/program.h"

int main(void) {
    char command[1024];
    snprintf(command, sizeof command, "cp %s ./other.so", HDF5_LIBRARY);
    CHECK(system(command) == 0);
    void *other = dlopen("./other.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    CHECK(other && unlink("./other.so") == 0);
    __typeof__(H5Fcreate) *create = (__typeof__(create))dlsym(other, "H5Fcreate");
    __typeof__(H5Fclose) *end = (__typeof__(end))dlsym(other, "H5Fclose");
    __typeof__(H5Iis_valid) *valid = (__typeof__(valid))dlsym(other, "H5Iis_valid");
    CHECK(create && end && valid);
    hid_t file = create("opened.h5", H5F_ACC_TRUNC, 0, 0);
    say("opened: %d %d", valid(file), H5Iis_valid(file));
    CHECK(end(file) >= 0);
    file = H5Fcreate("linked.h5", H5F_ACC_TRUNC, 0, 0);
    say("linked: %d %d", valid(file), H5Iis_valid(file));
    CHECK(H5Fclose(file) >= 0);
    return 0;
}
