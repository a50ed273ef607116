/* What a program sees of HDF5 1.8, as far as one test calls it: every result depends on all arguments. */
int H5get_libversion(unsigned *major, unsigned *minor, unsigned *patch);
int H5Fopen(const char *path, unsigned flags, int fapl);
int H5Dopen2(int place, const char *name, int dapl);
int H5Dread(int dataset, int type, int memory, int space, int dxpl, void *to);
int H5Fclose(int file);

int H5get_libversion(unsigned *major, unsigned *minor, unsigned *patch) {
    *major = 1, *minor = 8, *patch = 21;
    return 0;
}

int H5Fopen(const char *path, unsigned flags, int fapl) { return path[0] * 100 + (int)flags * 10 + fapl; }
int H5Dopen2(int place, const char *name, int dapl) { return place + name[0] + dapl; }
int H5Dread(int dataset, int type, int memory, int space, int dxpl, void *to) {
    *(int *)to = dataset + type + memory + space + dxpl;
    return -type;
}
int H5Fclose(int file) { return file > 0 ? 0 : -1; }
