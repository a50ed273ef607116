/* What programs that were compiled with a released header rely on: sizes and places in the structs of include/iolite/, and
   the values of its enums. The compiler checks them; a line changes only with a promise of docs/stability.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "iolite/iolite.h"
#include "iolite/log.h"
#include "iolite/module.h"
#include "iolite/site.h"

#if UINTPTR_MAX == UINT64_MAX
/* A struct that programs have room for: it stays as it is. */
#define FIXED(type, bytes, last, place) \
    _Static_assert(sizeof(type) == (bytes) && offsetof(type, last) == (place), #type " is not as it was released")
/* One that carries its size, or that only the library makes: members are added behind this one. */
#define GROWS(type, last, place) _Static_assert(offsetof(type, last) == (place), #type " is not as it was released")

FIXED(iol_error, 416, message, 16);
FIXED(iol_job, 72, exe, 64);
FIXED(iol_module, 40, partial, 36);
FIXED(iol_custom, 72, failed, 64);
FIXED(iol_custom_record, 24, name, 16);
FIXED(iol_custom_span, 48, end, 40);
FIXED(iol_counter, 32, kind, 24);
FIXED(iol_custom_counter, 48, rule, 40);
FIXED(iol_value, 16, as, 8);
FIXED(iol_stripes, 80, pool, 56);
FIXED(iol_heatmap, 32, read, 24);
FIXED(iol_trace, 96, threads, 88);
FIXED(iol_segment, 40, thread, 32);
FIXED(iol_performance, 64, mib_per_second, 56);
FIXED(iol_files, 24, max_offset, 16);
FIXED(iol_site_connector, 32, read, 24);
FIXED(iolite_counter, 32, rule, 28);
GROWS(iol_info, job_damaged, 64);
GROWS(iol_write_options, dxt_mpiio, 28);
GROWS(iol_site_series, units, 48);
GROWS(iol_site_request, fs, 64);
GROWS(iolite_definition, context, 72);
GROWS(iolite_functions, record_span, 56);
#endif

_Static_assert(IOL_INVALID == 7 && IOL_ZSTD == 128 && IOL_ARCHIVE == 129 && IOL_REAL == 2, "values of enums");
_Static_assert(IOL_TEXT == 3 && IOL_TABLE_RECORDS == 0 && IOL_TABLE_PARTS == 1, "values of enums");
_Static_assert(IOL_FILES_ALL == 0 && IOL_FILES_UNIQUE == 4 && IOL_FILES_PART_SHARED == 6, "values of enums");
_Static_assert(IOLITE_INSTANT == 2 && IOLITE_KEEP == 4, "values of enums");

static void the_library_is_of_this_release(void **state) {
    (void)state;
    assert_int_equal(iol_version(), IOL_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_library_is_of_this_release)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
