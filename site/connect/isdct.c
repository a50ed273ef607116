/* Wear of SSDs: the print-outs of Intel's tool in a directory per node, and JSON of smartctl and nvme, all as
   {serial: {node_name, timestamp, counter: value}}. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/strings.h"
#include "site/connect/connect.h"

/* Keys in snake case: "PCILinkGenSpeed" is pci_link_gen_speed. */
static char *snake(iol__arena *arena, const char *text) {
    size_t length = strlen(text), used = 0;
    char *plain = iol__arena_alloc(arena, length + 1, 1), *key = iol__arena_alloc(arena, 2 * length + 2, 1);
    for (size_t i = 0; i < length; i++) {
        bool nvme = strncmp(text + i, "NVMe", 4) == 0, smbus = strncmp(text + i, "SMBus", 5) == 0;
        if (text[i] == '-') continue;
        size_t word = nvme ? 4 : smbus ? 5 : 1;
        for (size_t k = 0; k < word; k++)
            plain[used++] = word > 1 ? (char)tolower((unsigned char)text[i + k]) : text[i] == ' ' ? '_' : text[i];
        i += word - 1;
    }
    length = used;
    used = 0;
    for (size_t i = 0; i < length; i++) {
        bool capital = isupper((unsigned char)plain[i]), before = i && isupper((unsigned char)plain[i - 1]);
        bool starts = capital && i && (!before || islower((unsigned char)plain[i + 1]));
        if (starts && key[used ? used - 1 : 0] != '_') key[used++] = '_';
        if (plain[i] != '_' || used == 0 || key[used - 1] != '_') key[used++] = (char)tolower((unsigned char)plain[i]);
    }
    return key;
}

/* "27 Celsius" is a number and a unit, for the few counters that are printed so. */
static void put_counter(iol__arena *arena, iol__value *device, const char *key, const char *text, bool hexadecimal) {
    char *end;
    if (hexadecimal && *text && text[strspn(text, "0123456789abcdefABCDEF")] == 0) {
        iol__map_put_integer(arena, device, key, strtoll(text, NULL, 16));
        return;
    }
    double number = strtod(text, &end);
    bool measured = iol__ends_with(key, "temperature") || iol__ends_with(key, "throttle_status") ||
                    iol__ends_with(key, "endurance_analyzer");
    if (measured && end != text && *end == ' ' && isfinite(number)) {
        iol__map_put(arena, device, key, iol__value_of_text(arena, iol__arena_text(arena, text, (size_t)(end - text))));
        iol__map_put_text(arena, device, iol__arena_print(arena, "%s_unit", key), end + 1);
    } else {
        iol__map_put(arena, device, key, iol__value_of_text(arena, text));
    }
}

/* Print-outs of Intel's tool -------------------------------------------------------------------------------------- */

static char *serial_in(iol__arena *arena, const char *line) {
    if (!strstr(line, "Intel SSD") && !strstr(line, "SMART Attributes") &&
        !strstr(line, "SMART and Health Information"))
        return NULL;
    const char *at = strstr(line, "CVF");
    if (!at) return NULL;
    size_t length = strspn(at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-");
    while (length && at[length - 1] == '-') length--;
    return iol__arena_text(arena, at, length);
}

/* "- AB -" begins the block of a SMART attribute. */
static bool block_id(const char *line, char id[32]) {
    size_t length = strlen(line);
    if (length < 5 || length > 30 || strncmp(line, "- ", 2) != 0 || strcmp(line + length - 2, " -") != 0) return false;
    memcpy(id, line + 2, length - 4);
    id[length - 4] = 0;
    return !strchr(id, ' ');
}

static bool key_and_value(char *line, char **key, char **value) {
    char *colon = strstr(line, " :");
    if (!colon) return false;
    *key = line;
    *value = colon + 2 + (colon[2] == ' ');
    *colon = 0;
    return true;
}

/* A block's counters wait for its description, which names them. */
static void finish_block(iol__arena *arena, iol__value *device, iol__value *block, const char *id) {
    const char *name = iol__map_text(block, "Description");
    for (size_t i = 0; i < block->count; i++) {
        char *key = iol__arena_print(arena, "SMART_%s_%s", name ? name : id, block->keys[i]);
        put_counter(arena, device, snake(arena, key), block->items[i]->text, strcmp(block->keys[i], "ID") == 0);
    }
    *block = (iol__value){.kind = IOL__MAP};
}

static void take_lines(iol__request *request, iol__lines *lines, iol__value *device, bool attributes,
                       const char *name) {
    iol__arena *arena = request->arena;
    iol__value *block = iol__value_new(arena, IOL__MAP);
    char id[32] = "", *key, *value;
    for (char *line; (line = iol__next_line(lines));) {
        if (attributes && block_id(line, id)) {
            finish_block(arena, device, block, id);
        } else if (serial_in(arena, line)) {
            iol__site_say("%s: two devices in one file; the first one gets all", name);
        } else if (key_and_value(line, &key, &value)) {
            if (attributes)
                iol__map_put_text(arena, block, key, value);
            else
                put_counter(arena, device, snake(arena, key), value, false);
        }
    }
    finish_block(arena, device, block, id);
}

static const char *isdct_node_of(iol__arena *arena, const char *name) {
    const char *file = strrchr(name, '/'), *directory = file;
    if (!file) return "";
    while (directory > name && directory[-1] != '/') directory--;
    return iol__arena_text(arena, directory, (size_t)(file - directory));
}

static void put_isdct_times(iol__request *request, iol__value *into, const iol__feed *feed) {
    const char *mark = strstr(feed->name, "timestamp_"), *digits = mark ? strrchr(mark, '_') + 1 : NULL;
    double when;
    iol__value *earliest = iol__map_get(into, " earliest");
    if (digits && iol__parse_compact_time(iol__arena_text(request->arena, digits, strspn(digits, "0123456789")), &when))
        iol__map_put_integer(request->arena, into, " marked", iol__whole(when));
    if (!earliest || feed->modified < earliest->integer)
        iol__map_put_integer(request->arena, into, " earliest", feed->modified);
}

static iol_status take_isdct_text(iol__request *request, iol__feed *feed, iol__value *into) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    char *serial = NULL, *line = NULL;
    bool attributes = false;
    put_isdct_times(request, into, feed);
    if (strstr(feed->name, "timestamp_")) return IOL_OK;
    while (!serial && (line = iol__next_line(&lines))) {
        serial = serial_in(request->arena, line);
        attributes = strstr(line, "SMART Attributes") != NULL;
    }
    if (!serial) {
        iol__site_say("%s: no serial number of a device in it", feed->name);
        request->skipped++;
        return IOL_OK;
    }
    request->understood++;
    iol__value *device = iol__map_open(request->arena, into, serial, IOL__MAP);
    iol__map_put_text(request->arena, device, "node_name", isdct_node_of(request->arena, feed->name));
    take_lines(request, &lines, device, attributes, feed->name);
    return IOL_OK;
}

/* JSON of smartctl and nvme --------------------------------------------------------------------------------------- */

/* A device that does not tell its number: HOST:DEVICE. */
static const char *isdct_device_of(iol__arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *base = iol__base_name(path);
    const char *node = slash ? isdct_node_of(arena, path) : "";
    return iol__arena_print(arena, "%s%s%.*s", node, *node ? ":" : "", (int)strcspn(base, "."), base);
}

/* SATA devices count blocks. */
static void take_blocks(iol__arena *arena, const iol__value *json, iol__value *device) {
    static const char *const keys[][2] = {{"Total_LBAs_Written", "data_units_written_bytes"},
                                          {"Total_LBAs_Read", "data_units_read_bytes"}};
    const iol__value *table = iol__map_get(iol__map_get(json, "ata_smart_attributes"), "table");
    double block = iol__map_number(json, "logical_block_size");
    for (size_t i = 0; table && table->kind == IOL__LIST && i < table->count; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *name = iol__map_text(table->items[i], "name");
            double count = iol__map_number(iol__map_get(table->items[i], "raw"), "value");
            if (name && strcmp(name, keys[k][0]) == 0 && count >= 0)
                iol__map_put_integer(arena, device, keys[k][1], iol__whole(count * (block > 0 ? block : 512)));
        }
}

static bool knows_any(const iol__value *json, const char *const (*keys)[2], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (iol__map_get(json, keys[i][0])) return true;
    return false;
}

static void take_json(iol__request *request, const iol__value *json, const iol__feed *feed, iol__value *into) {
    static const char *const keys[][2] = {{"data_units_read", "data_units_read"},
                                          {"data_units_written", "data_units_written"},
                                          {"host_reads", "host_read_commands"},
                                          {"host_read_commands", "host_read_commands"},
                                          {"host_writes", "host_write_commands"},
                                          {"host_write_commands", "host_write_commands"},
                                          {"media_errors", "media_errors"},
                                          {"percentage_used", "percentage_used"},
                                          {"percent_used", "percentage_used"},
                                          {"power_on_hours", "power_on_hours"},
                                          {"unsafe_shutdowns", "unsafe_shutdowns"},
                                          {"num_err_log_entries", "num_err_log_entries"},
                                          {"critical_warning", "critical_warning"},
                                          {"available_spare", "avail_spare"},
                                          {"avail_spare", "avail_spare"}};
    static const char *const inner[][3] = {{"user_capacity", "bytes", "physical_size"},
                                           {"power_on_time", "hours", "power_on_hours"},
                                           {"temperature", "current", "temperature"}};
    iol__arena *arena = request->arena;
    const iol__value *log = iol__map_get(json, "nvme_smart_health_information_log");
    const char *serial = iol__map_text(json, "serial_number");
    if (!serial && !log && !knows_any(json, keys, IOL_COUNT(keys))) {
        request->skipped++;
        return;
    }
    request->understood++;
    iol__value *device = iol__map_open(arena, into, serial ? serial : isdct_device_of(arena, feed->name), IOL__MAP);
    iol__map_put_text(arena, device, "node_name", isdct_node_of(arena, feed->name));
    for (size_t i = 0; i < IOL_COUNT(keys); i++) {
        iol__value *value = iol__map_get(log ? log : json, keys[i][0]);
        if (value) iol__map_put(arena, device, keys[i][1], value);
    }
    for (size_t i = 0; i < IOL_COUNT(inner); i++) {
        iol__value *value = iol__map_get(iol__map_get(json, inner[i][0]), inner[i][1]);
        if (value && !iol__map_get(device, inner[i][2])) iol__map_put(arena, device, inner[i][2], value);
    }
    take_blocks(arena, json, device);
    double stamp = iol__map_number(iol__map_get(json, "local_time"), "time_t");
    iol__feed at = *feed;
    if (stamp > 0) at.modified = iol__whole(stamp);
    put_isdct_times(request, into, &at);
}

/* All of it ------------------------------------------------------------------------------------------------------- */

static void put_derived(iol__arena *arena, iol__value *device) {
    static const struct {
        const char *from, *to;
        int64_t factor;
    } rules[] = {{"data_units_read", "data_units_read_bytes", 512000},
                 {"data_units_written", "data_units_written_bytes", 512000},
                 {"smart_nand_bytes_written_raw", "smart_nand_bytes_written_bytes", 33554432},
                 {"smart_host_bytes_written_raw", "smart_host_bytes_written_bytes", 33554432}};
    for (size_t i = 0; i < IOL_COUNT(rules); i++) {
        const iol__value *value = iol__map_get(device, rules[i].from);
        int64_t bytes;
        if (value && value->kind == IOL__INTEGER && !__builtin_mul_overflow(value->integer, rules[i].factor, &bytes))
            iol__map_put_integer(arena, device, rules[i].to, bytes);
    }
    double nand = iol__map_number(device, "smart_nand_bytes_written_raw");
    double host = iol__map_number(device, "smart_host_bytes_written_raw");
    if (host > 0 && !isnan(nand)) iol__map_put_real(arena, device, "write_amplification_factor", nand / host);
}

typedef struct isdct_reading {
    iol__request *request;
    iol__value *into, *cached;
    iol_status status;
} isdct_reading;

static bool take_isdct_member(void *context, const iol__feed *member) {
    isdct_reading *on = context;
    iol__feed feed = *member;
    iol__value *json = iol__request_json(on->request, &feed);
    if (json && json->kind == IOL__MAP && json->count && json->items[0]->kind == IOL__MAP &&
        iol__map_get(json->items[0], "node_name"))
        on->cached = json, on->request->understood++;
    else if (json && json->kind == IOL__MAP)
        take_json(on->request, json, &feed, on->into);
    else
        on->status = take_isdct_text(on->request, &feed, on->into);
    return on->status == IOL_OK && !on->cached;
}

static void finish_devices(iol__request *request, const iol__value *into, iol__value *devices) {
    const iol__value *when = iol__map_get(into, " marked");
    if (!when) when = iol__map_get(into, " earliest");
    for (size_t i = 0; i < into->count; i++) {
        if (into->keys[i][0] == ' ') continue;
        if (when) iol__map_put_integer(request->arena, into->items[i], "timestamp", when->integer);
        put_derived(request->arena, into->items[i]);
        iol__map_put(request->arena, devices, into->keys[i], into->items[i]);
    }
}

iol_status iol__read_isdct(iol__request *request, iol__value **out) {
    isdct_reading on = {.request = request, .into = iol__value_new(request->arena, IOL__MAP)};
    if (request->n_paths == 0) return iol__refuse(request, IOL_INVALID, "an input file is missing");
    for (size_t i = 0; i < request->n_paths && on.status == IOL_OK; i++) {
        iol_status status = iol__feed_each(request->paths[i], take_isdct_member, &on, request->why);
        if (on.status == IOL_OK) on.status = status;
        if (on.status == IOL_OK && *request->why) iol__partial(request, "%s", request->why);
        if (on.status == IOL_OK) *request->why = 0;
    }
    *out = on.cached ? on.cached : iol__value_new(request->arena, IOL__MAP);
    if (!on.cached) finish_devices(request, on.into, *out);
    return on.status == IOL_OK ? iol__expect_form(request, "wear of an SSD from isdct, smartctl or nvme") : on.status;
}
