/* What datasets are called: the file, a colon, the place that the program gave, and the name as it gave it.
   EXPECT H5D f.h5:/top H5D_WRITES = 1
   EXPECT H5D f.h5://abs H5D_OPENS = 1
   EXPECT H5D f.h5:/grpinner H5D_OPENS = 1
   EXPECT H5D f.h5:/grpinner H5D_WRITES = 1
   EXPECT H5D f.h5:/grp/subdeep H5D_OPENS = 1
   EXPECT H5D f.h5:/grp/sub/deep H5D_OPENS = 1
   EXPECT H5D f.h5:/a\sb H5D_OPENS = 1
   RECORDS H5D f.h5:* 8
   RECORDS H5D *:/nnnnnnnnnn* 1
   EXPECT H5F elsewhere/g.h5 H5F_OPENS = 1
   EXPECT H5D elsewhere/g.h5:/grplater H5D_OPENS = 1
   ABSENT H5D work/g.h5
   EXPECT H5F prefixed.h5 H5F_OPENS = 1
   EXPECT H5D prefixed.h5:/x H5D_OPENS = 1
   EXPECT H5F u:one.h5 H5F_OPENS = 1
   RECORDS H5F * 4 */
#include "tests/hdf5/programs/program.h"

static hid_t group_in(hid_t place, const char *name) {
    hid_t group = H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(group >= 0);
    return group;
}

static void make(hid_t place, const char *name) { CHECK(H5Dclose(new_line(place, name, 2)) >= 0); }

static void in_one_file(void) {
    static const int two[2] = {1, 2};
    char long_name[301];
    hid_t file = new_file("./f.h5"), group = group_in(file, "grp"), sub = group_in(group, "sub");
    hid_t top = new_line(file, "top", 2), inner = new_line(group, "inner", 2);
    write_all(top, two);
    write_all(inner, two);
    CHECK(H5Dclose(top) >= 0 && H5Dclose(inner) >= 0);
    make(file, "/abs");
    make(sub, "deep");
    CHECK(H5Dclose(H5Dopen2(sub, "/grp/sub/deep", H5P_DEFAULT)) >= 0); /* another spelling, another record */
    CHECK(H5Dclose(H5Dopen2(file, "grp/sub/deep", H5P_DEFAULT)) >= 0);
    make(file, "a b");
    memset(long_name, 'n', 300);
    long_name[300] = 0;
    make(file, long_name);
    CHECK(H5Gclose(sub) >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
}

/* A name that was relative when the file was opened does not change with the directory. */
static void after_chdir(void) {
    CHECK(mkdir("elsewhere", 0755) == 0 && chdir("elsewhere") == 0);
    hid_t file = new_file("g.h5"), group = group_in(file, "grp");
    CHECK(chdir("..") == 0);
    make(group, "later");
    CHECK(H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
}

int main(void) {
    in_one_file();
    after_chdir();
    hid_t file = new_file("ufs:prefixed.h5");
    make(file, "x");
    CHECK(H5Fclose(file) >= 0);
    CHECK(H5Fclose(new_file("u:one.h5")) >= 0);
    return 0;
}
