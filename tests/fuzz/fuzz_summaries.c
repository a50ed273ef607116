/* Any bytes as a table of job summaries, through UMAMI and the correlation table; IOL_FUZZ_TARGET does not matter. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "site/analyze/correlate.h"
#include "site/analyze/summaries.h"
#include "site/analyze/umami.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void analyse(iol__arena *arena, const iol__value *rows) {
    iol__out out;
    iol__selection all = {0};
    const iol__value *kept = iol__summaries_select(arena, rows, &all);
    if (kept->count == 0) return;
    iol__umami umami = iol__umami_make(arena, kept, kept->count - 1, NULL);
    iol__out_open(&out, -1);
    iol__umami_svg(&out, &umami);
    iol__umami_text(&out, &umami, true);
    const iol__correlating how = {0};
    iol__correlate_text(&out, arena, iol__correlate(arena, kept, &how), &how, true);
    iol__out_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static int input = -1;
    char path[64], why[400];
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    iol__value *rows;
    iol__site_silent = true;
    if (input < 0) input = memfd_create("input", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    if (ftruncate(input, 0) != 0 || pwrite(input, bytes, length, 0) != (ssize_t)length) return 0;
    if (!setjmp(exhausted) && iol__summaries_read(&arena, path, &rows, why) == IOL_OK) analyse(&arena, rows);
    iol__arena_free(&arena);
    return 0;
}
