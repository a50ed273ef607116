/* Any bytes as the input of one connector, whose name is IOL_FUZZ_TARGET. Trees that come out are printed, as JSON and
   as a table. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "site/connect/connect.h"
#include "site/connect/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void print(iol__arena *arena, const iol__value *tree, const char *key) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 1);
    iol__value_json(&json, arena, tree);
    iol__value_csv(&out, arena, tree, key);
    iol__out_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static int input = -1;
    static char path[64];
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    iol__site_silent = true;
    if (input < 0) input = memfd_create("input", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    if (ftruncate(input, 0) != 0 || pwrite(input, bytes, length, 0) != (ssize_t)length) return 0;
    const char *paths[] = {path};
    iol__request request = {.arena = &arena, .paths = paths, .n_paths = 1, .total = true, .base = true, .perf = true};
    const iol__connector *connector = iol__connector_find(IOL_FUZZ_TARGET);
    iol__value *tree = NULL;
    if (!setjmp(exhausted) && connector->read(&request, &tree) == IOL_OK) print(&arena, tree, connector->key);
    iol__arena_free(&arena);
    return 0;
}
