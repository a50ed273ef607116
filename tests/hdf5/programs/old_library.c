/* A library that says it is HDF5 1.8, whose handles are 32 bits wide: it is left alone.
   PART hdf5_18
   PLAIN
   ABSENT H5F old.h5
   ABSENT H5D old.h5
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int H5Fopen(const char *path, unsigned flags, int fapl);
int H5Dopen2(int place, const char *name, int dapl);
int H5Dread(int dataset, int type, int memory, int space, int dxpl, void *to);
int H5Fclose(int file);

int main(void) {
    int number = 0;
    for (int i = 0; i < 2; i++) {
        const int file = H5Fopen("old.h5", 1, 2), dataset = H5Dopen2(file, "x", -1);
        say("%d %d", file, dataset);
        say("%d %d", H5Dread(dataset, -2, -3, 0, -4, &number), number);
        say("%d", H5Fclose(file));
    }
    put(fresh("out.dat"), 5);
    return 0;
}
