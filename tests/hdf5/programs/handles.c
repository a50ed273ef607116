/* Handles that are closed more than once, that go with their file, or are closed by giving up the last claim; files
   that are opened twice, and flushed through whatever is in them.
   EXPECT H5D f.h5:/x H5D_BYTES_WRITTEN = 24
   EXPECT H5D f.h5:/x H5D_FLUSHES = 2
   EXPECT H5D f.h5:/x H5D_F_CLOSE_END_TIMESTAMP > H5D_F_WRITE_END_TIMESTAMP
   EXPECT H5F f.h5 H5F_OPENS = 2
   EXPECT H5F f.h5 H5F_FLUSHES = 4
   EXPECT H5F strong.h5 H5F_OPENS = 600
   EXPECT H5F strong.h5 H5F_F_CLOSE_END_TIMESTAMP > 0
   EXPECT H5D strong.h5:/x H5D_OPENS = 600
   EXPECT H5D strong.h5:/x H5D_BYTES_WRITTEN = 4800
   EXPECT H5D weak.h5:/x H5D_BYTES_WRITTEN = 8
   RECORDS H5D * 3 */
#include "tests/hdf5/programs/program.h"

static const int numbers[2] = {1, 2};

static void claims(void) {
    hid_t file = new_file("f.h5"), dataset = new_line(file, "x", 2), again = H5Freopen(file);
    hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_all(dataset, numbers);
    CHECK(H5Iinc_ref(dataset) == 2);
    CHECK(H5Dclose(dataset) >= 0);
    write_all(dataset, numbers);
    CHECK(H5Dflush(dataset) >= 0 && H5Dflush(dataset) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && H5Fflush(again, H5F_SCOPE_LOCAL) >= 0);
    CHECK(H5Fflush(dataset, H5F_SCOPE_LOCAL) >= 0 && H5Fflush(group, H5F_SCOPE_LOCAL) >= 0);
    CHECK(H5Iinc_ref(dataset) == 2);
    CHECK(H5Idec_ref(dataset) == 1);
    write_all(dataset, numbers);
    CHECK(H5Idec_ref(dataset) == 0);
    CHECK(H5Gclose(group) >= 0 && H5Fclose(again) >= 0 && H5Fclose(file) >= 0);
}

/* More handles than are open at any time are never given back by their own name. */
static void strong(void) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    CHECK(H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0);
    for (int i = 0; i < 600; i++) {
        hid_t file = H5Fcreate("strong.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
        write_all(new_line(file, "x", 2), numbers);
        CHECK(H5Fclose(file) >= 0);
    }
    CHECK(H5Pclose(list) >= 0);
}

/* The file's handle goes first. */
static void weak(void) {
    hid_t file = new_file("weak.h5"), dataset = new_line(file, "x", 2);
    CHECK(H5Fclose(file) >= 0);
    write_all(dataset, numbers);
    CHECK(H5Dclose(dataset) >= 0);
}

int main(void) {
    claims();
    strong();
    weak();
    return 0;
}
