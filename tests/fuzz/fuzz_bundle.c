/* The fuzzer of bundles. The first byte chooses: a whole file; a recipe; a directory with correct checksums around any entries
   and any stored bytes; or any bytes as a log, which has to come back from packing as it was. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log/bundle/bundle.h"
#include "log/read/log_internal.h"

enum { OUT = 1 << 16, SMALL = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool look(void *context, const iol__bundle_entry *entry) {
    iol__bundle *bundle = context;
    uint8_t *bytes;
    iol_log *log;
    iol_error error;
    if (entry->size > SMALL) return true;
    if (iol__bundle_restore(bundle, entry, &bytes, &error) == IOL_OK) free(bytes);
    if (iol__bundle_log(bundle, entry, &log, &error) == IOL_OK) iol_log_close(log);
    return true;
}

static void ignore(void *context, const char *what) {
    (void)context;
    (void)what;
}

static void read_bundle(const uint8_t *data, size_t size) {
    iol__bundle *bundle;
    iol_error error;
    const int fd = memfd_create("bundle", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    if (iol__bundle_open_file(fd, "fuzz.bundle", &bundle, &error) == IOL_OK) {
        iol__bundle_each(bundle, look, bundle, &error);
        iol__bundle_verify(bundle, ignore, NULL);
        iol__bundle_close(bundle);
    }
    close(fd);
}

static void follow_recipe(const uint8_t *data, size_t size) {
    iol__encoders *encoders = iol__encoders_new();
    uint8_t *out = malloc(OUT);
    if (size > 2) iol__recipe_follow(encoders, data + 2, size - 2, NULL, out, (size_t)data[0] << 8 | data[1]);
    iol__body content;
    if (size > 2) {
        iol__recipe_content(data + 2, size - 2, &content);
        free(content.bytes);
    }
    free(out);
    iol__encoders_free(encoders);
}

/* [length of the page, 2 bytes] [page] [stored bytes] in a bundle whose frame is right. */
static void read_entries(const uint8_t *data, size_t size) {
    if (size < 3) return;
    size_t page_bytes = (size_t)data[0] << 8 | data[1];
    if (page_bytes > size - 2) page_bytes = size - 2;
    iol__framer *framer = iol__framer_new();
    iol__body file = {0}, directory = {0}, table = {0};
    uint8_t head[IOL_BUNDLE_HEAD], foot_bytes[IOL_BUNDLE_FOOT];
    iol__bundle_foot foot = {.logs = 1};
    char first[] = "a";
    iol__bundle_head(head);
    iol__body_put(&file, head, sizeof head);
    iol__body_put(&file, data + 2 + page_bytes, size - 2 - page_bytes);
    iol__frame_pack(framer, NULL, data + 2, page_bytes, &directory);
    const iol__bundle_page page = {.stored = (uint32_t)directory.length,
                                   .raw = (uint32_t)page_bytes,
                                   .check = iol__bundle_check(0, directory.bytes, directory.length),
                                   .entries = IOL_BUNDLE_PAGE,
                                   .first = first};
    iol__body_varint(&table, 0);
    iol__bundle_page_put(&table, &page);
    foot.directory = (iol__bundle_span){.offset = file.length, .copy = file.length, .raw = directory.length};
    foot.table_raw = table.length;
    iol__frame_pack(framer, NULL, table.bytes, table.length, &directory);
    foot.directory.stored = directory.length;
    foot.directory.check =
        iol__bundle_check(0, directory.bytes + foot.directory.raw, directory.length - foot.directory.raw);
    iol__body_put(&file, directory.bytes, directory.length);
    foot.bytes = file.length + 2 * IOL_BUNDLE_FOOT;
    iol__bundle_foot_write(&foot, foot_bytes);
    for (int i = 0; i < 2; i++) iol__body_put(&file, foot_bytes, sizeof foot_bytes);
    read_bundle(file.bytes, file.length);
    free(file.bytes);
    free(directory.bytes);
    free(table.bytes);
    iol__framer_free(framer);
}

static void there_and_back(const uint8_t *data, size_t size) {
    iol__bundle_packing packing;
    iol__packed packed;
    if (!iol__packing_open(&packing, NULL)) return;
    if (iol__pack_log(&packing, data, size, &packed)) {
        uint8_t *again = malloc(size + 1);
        if (packed.form != IOL_PACKED_AS_IT_IS &&
            (iol__unpack_log(&packing, &packed, again, size) || memcmp(again, data, size) != 0))
            abort();
        free(again);
        iol__packed_free(&packed);
    }
    iol__packing_close(&packing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    switch (data[0] % 4) {
    case 0: read_bundle(data + 1, size - 1); break;
    case 1: follow_recipe(data + 1, size - 1); break;
    case 2: read_entries(data + 1, size - 1); break;
    default: there_and_back(data, size); break; /* logs begin with a 3 */
    }
    return 0;
}
