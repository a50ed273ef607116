/* The section LUST, and the same facts in mapped files. Every process of a job says the same: the first one counts, but
   for numbers that it did not know. */
#include "log/trailer/lustre.h"

#include <string.h>

#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"

static void lustre_add(iol__lustre_list *list, const iol__lustre_total *total) {
    size_t i = 0;
    if (total->name[0] == 0) return;
    while (i < list->count && strcmp(list->of[i].name, total->name) != 0) i++;
    if (i == IOL_LUSTRE_MOST) return;
    if (i == list->count) list->of[list->count++] = *total;
    iol__lustre_total *known = &list->of[i];
    if (known->osts == 0) known->osts = total->osts;
    if (known->mdts == 0) known->mdts = total->mdts;
}

static void take_lustre_text(char *to, size_t room, const char *from) {
    size_t length = strlen(from);
    if (length >= room) length = room - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

static bool read_lustre_count(iol__plain_json *json, int32_t *to) {
    int64_t value;
    if (!iol__plain_integer(json, &value) || value < 0 || value > INT32_MAX) return false;
    *to = (int32_t)value;
    return true;
}

static bool lustre_total_value(iol__plain_json *json, void *object, const char *key) {
    iol__lustre_total *total = object;
    char *text;
    if (strcmp(key, "osts") == 0) return read_lustre_count(json, &total->osts);
    if (strcmp(key, "mdts") == 0) return read_lustre_count(json, &total->mdts);
    if (strcmp(key, "mount") != 0) return iol__plain_skip(json);
    if (!iol__plain_text(json, &text)) return false;
    take_lustre_text(total->mount, sizeof total->mount, text);
    return true;
}

static bool section_value(iol__plain_json *json, void *list, const char *key) {
    iol__lustre_total total = {0};
    take_lustre_text(total.name, sizeof total.name, key);
    if (!iol__plain_object(json, &total, lustre_total_value)) return false;
    lustre_add(list, &total);
    return true;
}

static bool add_lustre_section(iol_log *log, char *text, size_t length, void *list) {
    iol__plain_json json = {text, text + length};
    if (!iol__plain_object(&json, list, section_value))
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the list of Lustre file systems cannot be understood");
    return true;
}

static int32_t not_negative(int32_t value) { return value < 0 ? 0 : value; }

static void add_lustre_mapped(const iol__mapped *facts, iol__lustre_list *list) {
    for (int i = 0; i < IOL_LUSTRE_TOTALS; i++) {
        const iol__lustre_total *stored = &facts->lustre[i];
        iol__lustre_total total = {.osts = not_negative(stored->osts), .mdts = not_negative(stored->mdts)};
        memcpy(total.name, stored->name, sizeof total.name - 1); /* bytes of a file: they may not end */
        memcpy(total.mount, stored->mount, sizeof total.mount - 1);
        lustre_add(list, &total);
    }
}

void iol__lustre_add(iol_log *log, iol__lustre_list *list) {
    if (log->facts)
        add_lustre_mapped(log->facts, list);
    else
        iol__section_each(log, IOL_TAG_LUSTRE, add_lustre_section, list);
}

void iol__lustre_print(FILE *to, const iol__lustre_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const iol__lustre_total *total = &list->of[i];
        putc(i ? ',' : '{', to);
        iol__plain_print_text(to, total->name);
        fputs(":{\"mount\":", to);
        iol__plain_print_text(to, total->mount);
        if (total->osts) fprintf(to, ",\"osts\":%d", (int)total->osts);
        if (total->mdts) fprintf(to, ",\"mdts\":%d", (int)total->mdts);
        putc('}', to);
    }
    fputs(list->count ? "}\n" : "{}\n", to);
}
