/* A child reads through the handles that it inherited, and writes a file of its own; the parent goes on.
   PROCESSES 2
   EXPECT H5D f.h5:/x H5D_OPENS = 1
   EXPECT H5D f.h5:/x H5D_READS = 3
   EXPECT H5D f.h5:/x H5D_BYTES_READ = 48
   RECORDS H5D f.h5:/x 2
   EXPECT H5D f.h5:/x H5D_DATASPACE_NPOINTS = 8
   EXPECT H5D child.h5:/y H5D_BYTES_WRITTEN = 16
   EXPECT H5F f.h5 H5F_OPENS = 2
   EXPECT H5F child.h5 H5F_OPENS = 1 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    hid_t file = new_file("f.h5"), dataset;
    CHECK(H5Fclose(file) >= 0);
    file = H5Fopen("f.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    dataset = new_line(file, "x", 4);
    CHECK(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
    read_all(dataset, numbers);
    pid_t pid = fork();
    if (pid == 0) {
        read_all(dataset, numbers);
        hid_t own = new_file("child.h5"), y = new_line(own, "y", 4);
        write_all(y, numbers);
        CHECK(H5Dclose(y) >= 0 && H5Fclose(own) >= 0);
        _exit(0);
    }
    collect(pid);
    read_all(dataset, numbers);
    CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
