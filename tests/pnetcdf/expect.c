/* A list of counters, which is short. */
#include "tests/pnetcdf/expect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static struct {
    char record[512], counter[64];
    long long value;
    bool sum;
} list[MOST];
static size_t count;

static long long *value_of(const char *record, const char *counter, bool sum) {
    size_t i = 0;
    while (i < count && (strcmp(list[i].record, record) != 0 || strcmp(list[i].counter, counter) != 0)) i++;
    if (i == MOST) exit(3);
    if (i == count) {
        snprintf(list[i].record, sizeof list[i].record, "%s", record);
        snprintf(list[i].counter, sizeof list[i].counter, "%s", counter);
        list[count++].sum = sum;
    }
    return &list[i].value;
}

void expect_more(const char *record, const char *counter, long long more) { *value_of(record, counter, true) += more; }
void expect_is(const char *record, const char *counter, long long value) { *value_of(record, counter, false) = value; }

void expect_of_all(const char *record, const char *counter, long long more) {
    *value_of(record, counter, false) += more;
}

void expect_print(int ranks) {
    for (size_t i = 0; i < count; i++)
        printf("%s\t%s\t%lld\n", list[i].record, list[i].counter, list[i].value * (list[i].sum ? ranks : 1));
}

void must(int result, int expected, const char *what) {
    if (result == expected) return;
    fprintf(stderr, "%s: %d, not %d\n", what, result, expected);
    exit(1);
}
