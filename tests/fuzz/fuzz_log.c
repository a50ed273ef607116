/* The fuzzer of one way into the reader. IOL_FUZZ_TARGET says which: the build compiles this file once for the whole
   file and once for each part of the format. */
#include <stdlib.h>

#include "tests/support/frame.h"
#include "tests/support/logrecords.h"
#include "tests/support/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t length;
    uint8_t *file = frame_log(IOL_FUZZ_TARGET, data, size, &length);
    read_all(file, length, "fuzz.darshan");
    free(file);
    return 0;
}
