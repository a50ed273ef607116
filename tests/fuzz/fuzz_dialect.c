/* Any bytes as records in a compressed region: the search for forms that no version number tells. */
#include <stdlib.h>

#include "tests/support/dialectmaker.h"
#include "tests/support/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t length;
    lm_log *log = dm_frame(data, size);
    uint8_t *file = lm_finish(log, &length);
    lm_free(log);
    read_all(file, length, "fuzz.darshan");
    free(file);
    return 0;
}
