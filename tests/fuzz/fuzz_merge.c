/* The fuzzer of merging: up to three logs into one, which must be readable without a complaint. The first byte
   chooses what happens to shared files. */
#include <stdlib.h>
#include <unistd.h>

#include "log/merge.h"
#include "tests/support/frame.h"
#include "tests/support/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOGS = 3, OUTPUT = 7 };

/* The next log; false if nothing is left. */
static bool take_log(const uint8_t **data, size_t *size, int number, const char **path) {
    if (*size < 2) return false;
    size_t length = (*data)[0] | (size_t)(*data)[1] << 8, framed;
    *data += 2;
    *size -= 2;
    if (length > *size || number == LOGS - 1) length = *size;
    uint8_t *file = frame_log(FRAME_MAPPED, *data, length, &framed);
    *path = scratch_write(number, file, framed);
    free(file);
    *data += length;
    *size -= length;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    uint8_t choice = *data++;
    const char *paths[LOGS];
    int count = 0;
    size--;
    while (count < LOGS && take_log(&data, &size, count, &paths[count])) count++;
    iol__merge merge = {.inputs = paths,
                        .n_inputs = (size_t)count,
                        .reduce = (iol__merge_reduce)(choice % 3),
                        .end_seconds = choice & 64 ? 5 : 0};
    iol_error error;
    const iol_write_options options = {.compression = IOL_UNCOMPRESSED, .replace = true};
    if (count && iol__merge_logs(&merge, scratch_path(OUTPUT), &options, &error) == IOL_OK)
        scratch_must_be_clean(OUTPUT);
    for (int i = 0; i < count; i++) unlink(paths[i]);
    return 0;
}
