/* Reading and writing of CUTS. Names rather than numbers, so that a reader with other slots understands them. */
#include "log/trailer/cuts.h"

#include <string.h>

#include "log/read/log_internal.h"

static bool read_cuts_names(iol_log *log, char *text, size_t length, void *context) {
    uint64_t *slots = context;
    (void)log, (void)length;
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        int slot = *line ? iol__module_find(line) : -1;
        if (slot >= 0) *slots |= UINT64_C(1) << slot;
    }
    return true;
}

uint64_t iol__cuts_of(iol_log *log) {
    uint64_t slots = 0;
    iol__section_each(log, IOL_TAG_CUTS, read_cuts_names, &slots);
    return slots;
}

iol_status iol__cuts_write(iol_writer *writer, uint64_t slots) {
    char text[IOL_SLOTS_KNOWN * 32];
    size_t length = 0;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        size_t name = strlen(iol__modules[slot].name);
        if (!(slots >> slot & 1) || length + name + 1 > sizeof text) continue;
        memcpy(text + length, iol__modules[slot].name, name);
        text[length + name] = '\n';
        length += name + 1;
    }
    return length ? iol_writer_trailer(writer, IOL_TAG_CUTS, text, length) : IOL_OK;
}
