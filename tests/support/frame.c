/* Between the bytes of a fuzzer and a log, in both directions. */
#include "tests/support/frame.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/logrecords.h"
#include "tests/support/runmaker.h"

static const int minors[8] = {41, 0, 10, 20, 21, 41, 41, 41};

static uint8_t selector(bool big, unsigned choice) { return (uint8_t)((choice & 7) << 1 | (big ? 1 : 0)); }

static unsigned minor_choice(int minor) {
    unsigned choice = 0;
    while (minors[choice] != minor) choice++;
    return choice;
}

/* Log from input ---------------------------------------------------------------------------------------------- */

static uint8_t *finish(lm_log *log, size_t *length) {
    uint8_t *file = lm_finish(log, length);
    lm_free(log);
    return file;
}

static uint8_t *whole_file(const uint8_t *input, size_t size, size_t *length) {
    uint8_t *file = need(size);
    if (size > 0) memcpy(file, input, size);
    *length = size;
    return file;
}

static uint8_t *mapped_file(const uint8_t *input, size_t size, size_t *length) {
    uint8_t *file = whole_file(input, size, length);
    if (size < 1328) return file;
    bool big = file[8] == 0; /* the first byte of the magic number is zero only in this order */
    memcpy(file, "3.41\0\0\0", 8);
    put_u64(file + 8, 6567223, big);
    file[16] = LM_NONE;
    return file;
}

static uint8_t *trailer_log(const uint8_t *input, size_t size, size_t *length) {
    lm_log *log = lm_new(41, false, LM_NONE);
    bytes_raw(&log->trailer, input, size);
    return finish(log, length);
}

/* Names are good, so that blocks can refer to them. The checksum of the block itself cannot be known, but is looked at
   only after the body has been decoded. */
static uint8_t *archive_log(const uint8_t *input, size_t size, size_t *length) {
    enum { HEAD = 5 };
    if (size < HEAD) return whole_file(input, size, length);
    lm_log *log = lm_new(41, input[0] & 1, LM_NONE);
    bytes names = {.big = log->big};
    int slot = LM_POSIX + input[1] % (LM_KNOWN - LM_POSIX);
    for (uint64_t id = 1; id <= 16; id++) {
        bytes_u64(&names, id);
        bytes_text(&names, "/name", 6);
    }
    lm_archive_plain(&log->names.payload, names.data, names.length);
    lm_archive_block(lm_records(log, slot, lm_newest(slot)), input[2] & 3, input + HEAD, size - HEAD,
                     input[3] | (uint32_t)input[4] << 8, 0);
    bytes_free(&names);
    uint8_t *file = finish(log, length);
    file[16] = LM_ARCHIVE;
    return file;
}

static bytes *payload_of(lm_log *log, int target, unsigned choice) {
    if (target == FRAME_NAMES) return &log->names.payload;
    if (target == FRAME_JOB) return &log->job;
    return lm_records(log, target - FRAME_RECORDS, choice);
}

static uint8_t *payload_log(int target, const uint8_t *input, size_t size, size_t *length) {
    if (size == 0) return whole_file(input, size, length);
    unsigned choice = input[0] >> 1 & 7;
    lm_log *log = lm_new(target < FRAME_RECORDS ? minors[choice] : 41, input[0] & 1, LM_NONE);
    bytes_raw(payload_of(log, target, choice), input + 1, size - 1);
    return finish(log, length);
}

uint8_t *frame_log(int target, const uint8_t *input, size_t size, size_t *length) {
    switch (target) {
    case FRAME_OPEN: return whole_file(input, size, length);
    case FRAME_MAPPED: return mapped_file(input, size, length);
    case FRAME_CONVERT: return mapped_file(input + (size > 0), size - (size > 0), length);
    case FRAME_TRAILER: return trailer_log(input, size, length);
    case FRAME_ARCHIVE: return archive_log(input, size, length);
    default: return payload_log(target, input, size, length);
    }
}

/* Input from log ---------------------------------------------------------------------------------------------- */

static bool payload_input(const lm_log *log, const bytes *payload, unsigned choice, bytes *input) {
    if (payload->length == 0) return false;
    bytes_fill(input, selector(log->big, choice), 1);
    bytes_raw(input, payload->data, payload->length);
    return true;
}

static void file_input(lm_log *log, bytes *input) {
    size_t length;
    input->data = lm_finish(log, &length);
    input->length = input->capacity = length;
}

/* The job region is what stands behind the header of a log that has nothing else. */
static bool job_input(const lm_log *log, bytes *input) {
    lm_log *bare = lm_new(log->minor, log->big, LM_NONE);
    bare->text = log->text;
    bare->metadata = log->metadata;
    size_t length, header = lm_header_bytes(log->minor);
    uint8_t *file = lm_finish(bare, &length);
    bytes_fill(input, selector(log->big, minor_choice(log->minor)), 1);
    bytes_raw(input, file + header, length - header);
    free(file);
    lm_free(bare);
    return true;
}

/* The whole log, not compressed; for merging it comes twice. */
static bool writing_input(int target, lm_log *log, bytes *input) {
    if (log->minor != 41) return false;
    uint8_t compression = log->compression;
    bytes file = {0};
    log->compression = LM_NONE;
    file_input(log, &file);
    log->compression = compression;
    bool folder = target == FRAME_MERGE && log->facts.length > 0;
    bytes_fill(input, folder ? 128 : 0, 1);
    for (int i = 0; target == FRAME_MERGE && i < 2 && file.length <= UINT16_MAX; i++) {
        const uint8_t head[2] = {(uint8_t)file.length, (uint8_t)(file.length >> 8)};
        bytes_raw(input, head, sizeof head);
        bytes_raw(input, file.data, file.length);
    }
    if (target == FRAME_CONVERT) bytes_raw(input, file.data, file.length);
    if (folder) rm_process(input, &(iol__mapped){.pid = 701, .parent = 700, .born = 5001, .start = 0.5}, "sleep 1", 0);
    bytes_free(&file);
    return true;
}

static bool trailer_input(const lm_log *log, bytes *input) {
    bytes_raw(input, log->trailer.data, log->trailer.length);
    return input->length > 0;
}

bool frame_input(int target, lm_log *log, bytes *input) {
    switch (target) {
    case FRAME_MAPPED:
        if (!log->mapped) return false;
        file_input(log, input);
        return true;
    case FRAME_OPEN: file_input(log, input); return true;
    case FRAME_NAMES: return payload_input(log, &log->names.payload, minor_choice(log->minor), input);
    case FRAME_JOB: return job_input(log, input);
    case FRAME_TRAILER: return trailer_input(log, input);
    case FRAME_ARCHIVE: return false; /* seeds are not in this form */
    case FRAME_CONVERT:
    case FRAME_MERGE: return writing_input(target, log, input);
    default: {
        const lm_region *region = &log->slots[target - FRAME_RECORDS];
        return payload_input(log, &region->payload, region->version, input);
    }
    }
}

int frame_targets(void) { return FRAME_RECORDS + LM_KNOWN; }

const char *frame_name(int target) {
    static const char *const names[] = {
        [FRAME_OPEN] = "open",
        [FRAME_NAMES] = "names",
        [FRAME_JOB] = "job",
        [FRAME_MAPPED] = "mapped",
        [FRAME_TRAILER] = "trailer",
        [FRAME_ARCHIVE] = "archive",
        [FRAME_CONVERT] = "convert",
        [FRAME_MERGE] = "merge",
        [FRAME_RECORDS + LM_NULL] = NULL,
        [FRAME_RECORDS + LM_POSIX] = "records-posix",
        [FRAME_RECORDS + LM_MPIIO] = "records-mpiio",
        [FRAME_RECORDS + LM_H5F] = "records-h5f",
        [FRAME_RECORDS + LM_H5D] = "records-h5d",
        [FRAME_RECORDS + LM_PNETCDF_FILE] = "records-pnetcdf-file",
        [FRAME_RECORDS + LM_PNETCDF_VAR] = "records-pnetcdf-var",
        [FRAME_RECORDS + LM_BGQ] = "records-bgq",
        [FRAME_RECORDS + LM_LUSTRE] = "records-lustre",
        [FRAME_RECORDS + LM_STDIO] = "records-stdio",
        [FRAME_RECORDS + LM_DXT_POSIX] = "records-dxt-posix",
        [FRAME_RECORDS + LM_DXT_MPIIO] = "records-dxt-mpiio",
        [FRAME_RECORDS + LM_MDHIM] = "records-mdhim",
        [FRAME_RECORDS + LM_APXC] = "records-apxc",
        [FRAME_RECORDS + LM_APMPI] = "records-apmpi",
        [FRAME_RECORDS + LM_HEATMAP] = "records-heatmap",
        [FRAME_RECORDS + LM_DFS] = "records-dfs",
        [FRAME_RECORDS + LM_DAOS] = "records-daos",
    };
    return names[target];
}
