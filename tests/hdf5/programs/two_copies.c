/* Two copies of HDF5 under different names in one program, as two packages of Python may bring them. The first one that
   is used is recorded; the other one works.
   LINK -ldl
   FLAGS -DHDF5_IS_LOADED
   EXPECT H5F one.h5 H5F_OPENS = 2
   EXPECT H5D one.h5:/x H5D_BYTES_WRITTEN = 8
   EXPECT H5D one.h5:/x H5D_BYTES_READ = 8
   ABSENT H5F two.h5
   ABSENT H5D two.h5
   EXPECT POSIX two.h5 POSIX_BYTES_WRITTEN > 0 */
#include <dlfcn.h>

#include "tests/hdf5/programs/program.h"

/* HDF5's own names for them refer to its functions, which this program is not linked with. */
enum { READ_ONLY = 0, TRUNCATE = 2 };

typedef struct copy {
    void *handle;
    hid_t file, dataset;
} copy;

/* The function of one copy. */
#define OF(copy, name) (*(__typeof__(name) *)function((copy)->handle, #name))

static void *function(void *handle, const char *name) {
    void *found = dlsym(handle, name);
    CHECK(found);
    return found;
}

static void load(copy *c, const char *name) {
    char command[1024];
    snprintf(command, sizeof command, "cp %s %s", HDF5_LIBRARY, name);
    CHECK(system(command) == 0);
    c->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    CHECK(c->handle);
    CHECK(unlink(name) == 0);
    CHECK(OF(c, H5open)() >= 0);
}

static void begin(copy *c, const char *path) {
    static const int two[2] = {1, 2};
    const hsize_t extent = 2;
    const hid_t type = *(hid_t *)function(c->handle, "H5T_NATIVE_INT_g");
    c->file = OF(c, H5Fcreate)(path, TRUNCATE, 0, 0);
    CHECK(c->file >= 0);
    hid_t space = OF(c, H5Screate_simple)(1, &extent, NULL);
    hid_t list = OF(c, H5Pcreate)(*(hid_t *)function(c->handle, "H5P_CLS_DATASET_CREATE_ID_g"));
    CHECK(OF(c, H5Pset_obj_track_times)(list, 0) >= 0);
    c->dataset = OF(c, H5Dcreate2)(c->file, "x", type, space, 0, list, 0);
    CHECK(OF(c, H5Dwrite)(c->dataset, type, 0, 0, 0, two) >= 0);
}

static void end(copy *c, const char *path) {
    int two[2] = {0};
    CHECK(OF(c, H5Dread)(c->dataset, *(hid_t *)function(c->handle, "H5T_NATIVE_INT_g"), 0, 0, 0, two) >= 0);
    say("%d %d", two[0], two[1]);
    CHECK(OF(c, H5Dclose)(c->dataset) >= 0);
    CHECK(OF(c, H5Fclose)(c->file) >= 0);
    CHECK(OF(c, H5Fclose)(OF(c, H5Fopen)(path, READ_ONLY, 0)) >= 0);
}

int main(void) {
    copy one, two;
    load(&one, "./one.so");
    load(&two, "./two.so");
    begin(&one, "one.h5");
    begin(&two, "two.h5");
    end(&two, "two.h5");
    end(&one, "one.h5");
    return 0;
}
