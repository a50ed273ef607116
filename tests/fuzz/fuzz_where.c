/* The fuzzer of lines of code: any bytes as the names and values of their records, one per line. The first byte of a line is its
   rank and how large its values are, the rest its name. What is read is summed up by line, and written again in little room, by
   which no call may be lost or made up. */
#include <stdlib.h>
#include <string.h>

#include "iolite/module.h"
#include "log/trailer/where_pack.h"
#include "record/hash.h"
#include "record/trailer.h"
#include "tests/support/bytes.h"
#include "tests/support/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAME_MOST = 2000 };

static void add_schema(bytes *to) {
    static const char texts[] = IOL_WHERE_MODULE "\0m\0A\0\0a\0B\0\0b\0C\0\0c"; /* name, unit and meaning of each */
    static const uint8_t zeros[8];
    const uint8_t kinds[6] = {IOLITE_INT, IOLITE_INT, IOLITE_INT, IOLITE_SUM, IOLITE_SUM, IOLITE_SUM};
    const size_t used = sizeof(iol__custom_schema) + sizeof kinds + sizeof texts;
    const iol__custom_schema schema = {
        .head = {IOL_CUSTOM_SCHEMA, iol__custom_round(used)}, .version = IOL_WHERE_VERSION, .counters = 3};
    bytes_raw(to, &schema, sizeof schema);
    bytes_raw(to, kinds, sizeof kinds);
    bytes_raw(to, texts, sizeof texts);
    bytes_raw(to, zeros, schema.head.bytes - used);
}

static void add_record(bytes *to, const uint8_t *line, size_t length) {
    static const uint8_t zeros[8];
    const int64_t large = line[0] & 64 ? INT64_MAX : line[0];
    const iol__where_values values = {line[0] & 128 ? -1 : large, large, large};
    const iol__custom_rank rank = {{IOL_CUSTOM_RANK, sizeof rank}, (line[0] & 7) - 1};
    const size_t used = sizeof(iol__custom_record) + sizeof values + length;
    const iol__custom_record record = {.head = {IOL_CUSTOM_RECORD, iol__custom_round(used)},
                                       .id = iol__hash(line + 1, length - 1, 0)};
    bytes_raw(to, &rank, sizeof rank);
    bytes_raw(to, &record, sizeof record);
    bytes_raw(to, &values, sizeof values);
    bytes_raw(to, line + 1, length - 1);
    bytes_raw(to, zeros, record.head.bytes - used + 1);
}

static void add_records(bytes *to, const uint8_t *data, size_t size) {
    const uint32_t words[2] = {IOL_CUSTOM_MARK, IOL_CUSTOM_VERSION};
    bytes_raw(to, words, sizeof words);
    add_schema(to);
    for (const uint8_t *at = data, *end = data + size; at < end;) {
        const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        const size_t length = (size_t)(stop - at);
        if (length > 1 && length < NAME_MOST && !memchr(at + 1, 0, length - 1)) add_record(to, at, length);
        at = stop + 1;
    }
}

static uint64_t packed_calls(const iol__custom_table *table) {
    uint64_t sum = 0;
    for (size_t i = 0; i < table->n_lines; i++) {
        iol__where_values values;
        memcpy(&values, table->lines[i].values, sizeof values);
        sum += (uint64_t)values.calls;
    }
    return sum;
}

static void use(iol_log *log) {
    iol__where_all all;
    iol__where_line *lines = NULL;
    iol__where_packed packed = {0};
    size_t count = 0;
    char text[64];
    if (!iol__where_make(log, &all)) abort();
    if (!iol__where_lines(&all, NULL, &lines, &count)) abort();
    uint64_t by_line = 0, by_row = 0, in_all = 0;
    for (size_t i = 0; i < count; i++) {
        by_line += (uint64_t)lines[i].values.calls;
        iol__where_line_text(&lines[i], text, sizeof text);
    }
    bool large = false; /* sums of these end at the largest number */
    for (size_t i = 0; i < all.n_rows; i++) {
        if (IOL_WHERE_EACH_ONCE >> all.rows[i].layer & 1) by_row += (uint64_t)all.rows[i].values.calls;
        in_all += (uint64_t)all.rows[i].values.calls;
        large |= all.rows[i].values.calls == INT64_MAX;
    }
    const iol__custom *custom = iol__custom_of(log);
    if ((by_line != by_row && !large) || custom->count != 1) abort();
    if (!iol__where_pack(&all, custom->tables[0], 4, count % 2, &packed)) abort();
    if (packed_calls(&packed.table) != in_all && !large) abort();
    iol__where_packed_free(&packed);
    iol__where_free(&all);
    free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes section = {0}, all = {0};
    uint8_t head[IOL_TRAILER_HEAD];
    size_t length;
    iol_log *log;
    add_records(&section, data, size);
    iol__trailer_head(head, IOL_TAG_CUSTOM, IOL_TRAILER_STORED, section.length, section.length);
    bytes_raw(&all, head, sizeof head);
    bytes_raw(&all, section.data, section.length);
    uint8_t *file = frame_log(FRAME_TRAILER, all.data, all.length, &length);
    if (iol_log_open_memory(file, length, "fuzz.darshan", &log, NULL) == IOL_OK) {
        use(log);
        iol_log_close(log);
    }
    free(file);
    bytes_free(&section);
    bytes_free(&all);
    return 0;
}
