/* Any bytes as what is inside a log of Darshan 1.x or 2.x, and as the stream around it. The first byte chooses: the version
   and byte order, or that the rest is a whole file, compressed or not. */
#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "tests/support/bytes.h"
#include "tests/support/oldmaker.h"
#include "tests/support/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What every reader checks first is right, so that the fuzzer gets behind it. */
static void set_head(uint8_t *file, size_t size, const om_version *v, bool big) {
    bytes head = {.big = big};
    bytes_text(&head, v->text, 8);
    if (v->generation == 2) bytes_i64(&head, 6567223);
    memcpy(file, head.data, head.length < size ? head.length : size);
    bytes_free(&head);
}

static void read_flat_records(const uint8_t *file, size_t size) {
    iol_log *log;
    iol__old_record record;
    if (iol_log_open_memory(file, size, "fuzz.darshan", &log, NULL) != IOL_OK) return;
    for (uint64_t i = 0; log->old && iol__old_record_at(log, i, &record) == IOL_OK; i++) {
        char name[IOL_OLD_NAME];
        if (iol__old_name(log->old->version, &record, name) >= sizeof name) abort();
    }
    iol_log_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    uint8_t *file = need(size);
    memcpy(file, data + 1, --size);
    const unsigned choice = data[0] & 31;
    if (choice < 2 * om_versions()) set_head(file, size, om_version_at(choice / 2), choice & 1);
    read_all(file, size, "fuzz.darshan");
    read_flat_records(file, size);
    free(file);
    return 0;
}
