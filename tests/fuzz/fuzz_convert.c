/* The fuzzer of rewriting: any log into any form, as it is or under pseudonyms, whole or in part. What comes out
   must be readable without a complaint, but for parts that nobody knows and that are copied. The first byte chooses. */
#include <stdlib.h>
#include <unistd.h>

#include "log/write/rewrite.h"
#include "tests/support/frame.h"
#include "tests/support/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool keeps_even(void *context, uint64_t id, const char *name) {
    (void)context;
    (void)name;
    return id % 2 == 0;
}

static void rewrite(iol_log *log, unsigned choice) {
    static const iol_compression methods[4] = {IOL_UNCOMPRESSED, IOL_ZLIB, IOL_UNCOMPRESSED, IOL_ARCHIVE};
    static const char *const lines[] = {"added=line"};
    bool hide = choice & 4, reference = choice & 8;
    const iol__rewrite how = {
        .disguise = {.uid = hide, .job_id = hide, .exe = hide, .names = hide, .reference = reference, .seed = 5},
        .keeps = choice & 16 ? keeps_even : NULL,
        .reset_metadata = choice & 32,
        .annotations = lines,
        .n_annotations = 1};
    iol_write_options options = {
        .compression = methods[choice & 3], .level = 1, .one_stream = (choice & 3) == 2, .replace = true};
    if (choice & 64) iol__rewrite_versions(log, &options);
    iol_writer *writer;
    iol_error error;
    if (iol_writer_open(scratch_path(0), &options, &writer, &error) != IOL_OK) return;
    if (iol__rewrite_log(log, writer, &how) == IOL_OK && iol_writer_finish(writer) == IOL_OK)
        scratch_must_be_clean(0);
    else
        iol_writer_abort(writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t length;
    uint8_t *file = frame_log(IOL_FUZZ_TARGET, data, size, &length);
    iol_log *log;
    if (iol_log_open_memory(file, length, "fuzz.darshan", &log, NULL) == IOL_OK) {
        rewrite(log, data[0]);
        iol_log_close(log);
    }
    free(file);
    return 0;
}
