/* See kept.h. Half of a module helps nobody: one that does not fit, is damaged or was not read to its end is let go. */
#include "log/read/kept.h"

#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"

static void let_go(iol__kept *kept, struct iol__kept_module *m) {
    kept->left += m->room;
    free(m->bytes);
    m->bytes = NULL;
    m->length = m->room = 0;
}

static bool make_kept_room(iol__kept *kept, struct iol__kept_module *m, size_t length) {
    if (m->room - m->length >= length) return true;
    const size_t needed = m->length + length, most = m->room + kept->left;
    if (needed > most) return false;
    const size_t room = needed + needed / 2 < most ? needed + needed / 2 : most;
    uint8_t *grown = realloc(m->bytes, room);
    if (!grown) return false;
    kept->left -= room - m->room;
    m->bytes = grown;
    m->room = room;
    return true;
}

void iol__kept_add(iol__kept *kept, int slot, const uint8_t *bytes, size_t length) {
    struct iol__kept_module *m = &kept->modules[slot];
    if (m->large) return;
    if (!make_kept_room(kept, m, length)) {
        m->large = true;
        let_go(kept, m);
        return;
    }
    memcpy(m->bytes + m->length, bytes, length);
    m->length += length;
}

void iol__kept_end(iol__kept *kept, int slot, bool whole) {
    struct iol__kept_module *m = &kept->modules[slot];
    m->taken = false;
    m->whole = whole && m->bytes;
    if (!m->whole) let_go(kept, m);
}

void iol__log_keep(iol_log *log, size_t budget) {
    if (!log->kept) log->kept = calloc(1, sizeof *log->kept);
    if (log->kept) log->kept->left = budget;
}

void iol__kept_free(iol__kept *kept) {
    if (!kept) return;
    for (int slot = 0; slot < IOL_SLOTS; slot++) free(kept->modules[slot].bytes);
    free(kept);
}
