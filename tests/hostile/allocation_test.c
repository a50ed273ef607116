/* Memory that runs out: every seed log is read again and again, and each time the next one of the reader's allocations
   fails, first that one alone, then all from there on. The reader may fail, but not crash, leak or keep quiet.
   The linker sends the allocations of our own code through the functions below; libraries keep theirs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bytes.h"
#include "tests/support/read_all.h"
#include "tests/support/seeds.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);

enum { NEVER = -1, MOST_ALLOCATIONS = 10000 };

static long until_failure = NEVER; /* allocations that still succeed */
static bool once;
static bool failed;

static bool fails(void) {
    if (until_failure == NEVER) return false;
    if (until_failure > 0) {
        until_failure--;
        return false;
    }
    if (once) until_failure = NEVER;
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *block, size_t size) { return fails() ? NULL : __real_realloc(block, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

/* Read with the allocation of this number failing; false when there is none of that number. */
static bool read_with_failure(const uint8_t *file, size_t length, const char *name, long number, bool only_once) {
    char described[200];
    snprintf(described, sizeof described, "%s:%s:%ld", name, only_once ? "once" : "on", number);
    once = only_once;
    failed = false;
    until_failure = number;
    read_all_result result = read_all(file, length, described);
    until_failure = NEVER;
    if (failed && result.opened == IOL_OK && result.errors == 0) {
        fprintf(stderr, "%s: memory ran out and nobody said so\n", described);
        abort();
    }
    return failed;
}

static long read_with_every_failure(const uint8_t *file, size_t length, const char *name) {
    long number = 0;
    while (read_with_failure(file, length, name, number, true)) {
        read_with_failure(file, length, name, number, false);
        if (++number == MOST_ALLOCATIONS) {
            fprintf(stderr, "%s: allocations without end\n", name);
            abort();
        }
    }
    return number;
}

int main(void) {
    long allocations = 0;
    for (size_t i = 0; i < seeds_count(); i++) {
        lm_log *log = seeds_log(i);
        if (log == NULL) continue;
        size_t length;
        uint8_t *file = lm_finish(log, &length);
        allocations += read_with_every_failure(file, length, seeds_name(i));
        free(file);
        lm_free(log);
    }
    printf("%ld allocations failed\n", allocations);
    return allocations > 0 ? 0 : 1;
}
