/* Calls that fail leave the list of errors that they leave without Iolite, and report as much: to nobody, to a function
   of the program, to one of the old kind, and to one that looks at the list. What succeeds does not report anything.
   EXPECT H5F f.h5 H5F_OPENS = 4
   EXPECT H5D f.h5:/x H5D_OPENS = 4
   EXPECT H5D f.h5:/x H5D_READS = 0
   ABSENT H5F missing
   ABSENT H5D missing */
#include "tests/hdf5/programs/program.h"

static int reports;

static herr_t report(hid_t stack, void *data) {
    (void)stack, (void)data;
    reports++;
    return 0;
}

/* HDF5's own function would print the time as well. */
static herr_t say_one(unsigned n, const H5E_error2_t *error, void *data) {
    (void)data;
    say("  %u %s", n, error->func_name);
    return 0;
}

static herr_t say_all(hid_t stack, void *data) { return H5Ewalk2(stack, H5E_WALK_UPWARD, say_one, data); }

static herr_t report_as_before(void *data) {
    (void)data;
    reports++;
    return 0;
}

static void say_errors(const char *what, hid_t result) {
    const int saved = errno;
    say("%s: %s, %ld errors, reported %d", what, result < 0 ? "fails" : "works", (long)H5Eget_num(H5E_DEFAULT),
        reports);
    errno = saved;
}

static void fail_and_succeed(void) {
    int number;
    say_errors("open", H5Fopen("missing.h5", H5F_ACC_RDONLY, H5P_DEFAULT));
    hid_t file = new_file("f.h5");
    say_errors("a file", file);
    say_errors("dataset", H5Dopen2(file, "missing", H5P_DEFAULT));
    say_errors("object", H5Oopen(file, "missing", H5P_DEFAULT));
    hid_t dataset = new_line(file, "x", 3);
    say_errors("a dataset", dataset);
    say_errors("read", H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, NULL));
    say_errors("read from a file", H5Dread(file, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number));
    say_errors("close", H5Dclose(file));
    say_errors("flush", H5Fflush(-1, H5F_SCOPE_LOCAL));
    say_errors("close it", H5Dclose(dataset));
    say_errors("close it again", H5Dclose(dataset));
    say_errors("a group", H5Oclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    CHECK(H5Fclose(file) >= 0);
    say_errors("over", 0);
}

int main(void) {
    H5E_auto2_t function;
    H5E_auto1_t old_function;
    void *data;
    CHECK(H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0);
    fail_and_succeed();
    CHECK(H5Eget_auto2(H5E_DEFAULT, &function, &data) >= 0);
    say("function %d", function == NULL);
    CHECK(H5Eset_auto2(H5E_DEFAULT, report, &reports) >= 0);
    fail_and_succeed();
    CHECK(H5Eget_auto2(H5E_DEFAULT, &function, &data) >= 0);
    say("function %d %d", function == report, data == &reports);
    CHECK(H5Eset_auto1(report_as_before, &reports) >= 0);
    fail_and_succeed();
    CHECK(H5Eget_auto1(&old_function, &data) >= 0);
    say("old function %d %d", old_function == report_as_before, data == &reports);
    CHECK(H5Eset_auto2(H5E_DEFAULT, say_all, NULL) >= 0);
    fail_and_succeed();
    return 0;
}
