/* Offsets from Greenwich, against the C library: every zone that this machine has, and rules as text. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "record/zone.h"

static const char *given; /* a file that is not there */
static size_t given_bytes;

static long read_whole(const char *path, char *to, size_t room) {
    if (given && strcmp(path, "/given") == 0) {
        memcpy(to, given, given_bytes < room ? given_bytes : room);
        return (long)given_bytes;
    }
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    const size_t got = fread(to, 1, room, file);
    const int failed = ferror(file);
    fclose(file);
    return failed ? -1 : (long)got;
}

static int64_t here(const char *zone, int64_t seconds) {
    char variable[600];
    snprintf(variable, sizeof variable, "TZ=%s", zone);
    return iol__utc_offset((char *[]){variable, NULL}, seconds, read_whole);
}

static int64_t by_library(const char *zone, int64_t seconds) {
    const time_t instant = (time_t)seconds;
    struct tm local;
    setenv("TZ", zone, 1);
    tzset();
    assert_non_null(localtime_r(&instant, &local));
    return local.tm_gmtoff;
}

/* Around the changes of 2026. */
static void assert_agrees_now(const char *zone) {
    for (int64_t seconds = 1767225600 - 86400; seconds < 1798761600 + 86400; seconds += 7 * 3600 + 1800)
        if (here(zone, seconds) != by_library(zone, seconds))
            fail_msg("TZ=%s at %lld: %lld, and not %lld", zone, (long long)seconds, (long long)here(zone, seconds),
                     (long long)by_library(zone, seconds));
}

/* And in years that have rules only. */
static void assert_agrees(const char *zone) {
    assert_agrees_now(zone);
    for (int64_t seconds = 0; seconds < 4294967296 + 31536000; seconds += 8640000)
        if (here(zone, seconds) != by_library(zone, seconds))
            fail_msg("TZ=%s at %lld: %lld, and not %lld", zone, (long long)seconds, (long long)here(zone, seconds),
                     (long long)by_library(zone, seconds));
}

static void rules_as_text_are_those_of_the_library(void **state) {
    (void)state;
    static const char *const zones[] = {"UTC0",
                                        "CET-1CEST,M3.5.0,M10.5.0/3",
                                        "EST5EDT,M3.2.0,M11.1.0",
                                        "<+0530>-5:30",
                                        "NZST-12NZDT,M9.5.0,M4.1.0/3",
                                        "<-03>3<-02>,M3.5.0/-1,M10.5.0/0",
                                        "AAA3BBB,J60/2,J300/2",
                                        "AAA3BBB1:30,59/2,299/26",
                                        "XYZ+3:15:20",
                                        "",
                                        ":",
                                        "no such zone",
                                        "ABC",
                                        "AB3",
                                        "CET-1CEST,M3.5.0",
                                        "CET-1CEST,M13.5.0,M10.5.0"};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        const bool valid = i < 11;
        if (valid) assert_agrees(zones[i]);
        if (!valid && i < 14) assert_int_equal(here(zones[i], 1767225600), 0);
    }
    assert_agrees_now("EST5EDT"); /* what it was long ago depends on the files that a system has */
}

static unsigned tried;
static int try_zone(const char *path, const struct stat *found, int type, struct FTW *where) {
    (void)found, (void)where;
    char head[4] = "";
    if (type != FTW_F || read_whole(path, head, sizeof head) != 4 || memcmp(head, "TZif", 4) != 0) return 0;
    if (strstr(path, "/right/")) return 0; /* it counts leap seconds */
    if (tried++ % 9 == 0) assert_agrees(path);
    return 0;
}

static void files_are_read_as_the_library_does(void **state) {
    (void)state;
    if (nftw("/usr/share/zoneinfo", try_zone, 16, FTW_PHYS) != 0 || tried == 0) {
        fprintf(stderr, "skipped: there is no /usr/share/zoneinfo\n");
        skip();
    }
    assert_agrees("Europe/Berlin");
    assert_agrees(":America/St_Johns");
    unsetenv("TZ");
    tzset();
    const time_t now = 1794725733;
    struct tm local;
    localtime_r(&now, &local);
    assert_int_equal(iol__utc_offset((char *[]){NULL}, now, read_whole), local.tm_gmtoff);
    assert_int_equal(
        iol__utc_offset((char *[]){(char[]){"TZ=Berlin"}, (char[]){"TZDIR=/usr/share/zoneinfo/Europe"}, NULL}, now,
                        read_whole),
        3600);
}

/* A file that is cut, or whose numbers are wrong, is none: nothing behind its end is looked at. */
static void damaged_files_give_no_offset(void **state) {
    (void)state;
    static char bytes[16384];
    const long length = read_whole("/usr/share/zoneinfo/Europe/Berlin", bytes, sizeof bytes);
    if (length <= 0) {
        fprintf(stderr, "skipped: there is no /usr/share/zoneinfo/Europe/Berlin\n");
        skip();
    }
    for (long cut = 0; cut < length; cut++) {
        char *exact = malloc((size_t)cut + 1); /* so that a sanitizer sees reading too far */
        memcpy(exact, bytes, (size_t)cut);
        given = exact, given_bytes = (size_t)cut;
        const int64_t offset = here("/given", 1794725733);
        assert_true(offset == 0 || offset == 3600);
        free(exact);
    }
    given = bytes, given_bytes = (size_t)length;
    for (long at = 0; at < length; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
            here("/given", 1794725733);
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
        }
    assert_int_equal(here("/given", 1794725733), 3600);
    given = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_as_text_are_those_of_the_library),
        cmocka_unit_test(files_are_read_as_the_library_does),
        cmocka_unit_test(damaged_files_give_no_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
