/* A message begins with the rank that it is of, or -1 if it is of several. Of one rank, its records follow as they came
   in the store, behind a list of where they are: so they are packed where they will be sent from, in the order that is
   best for reading. Of several, they are in order. */
#include "runtime/finalize/shared.h"

#include <string.h>

enum {
    USUAL = 56, /* bytes of a record */
    AHEAD = 4,  /* records that are fetched */
    ADDED = 64, /* and this much more once it is one of several: extremes, sums, common values */
};

static bool is_in(const iol__shared *s, int slot, size_t file) { return s->files->masks[file] >> slot & 1; }

/* Own records ------------------------------------------------------------------------------------------------------ */

/* Where the modules have their places, and where records begin. */
static void set_out(iol__shared *s, const iol__file_list *files) {
    size_t at = sizeof s->rank;
    uint32_t some = 0;
    for (size_t i = 0; i < files->count; i++) some |= files->masks[i];
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__shared_module *m = &s->modules[slot];
        const iol__layout *layout = iol__layout_of(slot);
        if (!(some >> slot & 1) || !layout || !layout->shareable) continue;
        for (size_t i = 0; i < files->count; i++) m->count += is_in(s, slot, i);
        iol__combining_start(&m->how, slot, s->rank == 0);
        m->places = at;
        at += files->count * sizeof(uint32_t);
        s->records += m->count;
    }
    s->records_at = at;
}

bool iol__shared_start(iol__shared *s, const iol__file_list *files, int64_t rank, double shift, size_t front) {
    *s = (iol__shared){.files = files, .rank = rank, .shift = shift, .front = front};
    set_out(s, files);
    const size_t room = front + s->records_at + s->records * USUAL + IOL_COMBINED_MOST;
    s->own = (iol__buffer){.bytes = s->records ? iol__memory_filled(room) : iol__memory_take(room), .room = room};
    if (!s->own.bytes) return false;
    s->own.used = front + s->records_at;
    memcpy(s->own.bytes + front, &rank, sizeof rank);
    return true;
}

/* Without what follows from it, and without what others do not need. */
void iol__shared_take(iol__shared *s, int slot, size_t file, const uint64_t *record) {
    const iol__shared_module *m = &s->modules[slot];
    if (m->count == 0 || !is_in(s, slot, file)) return;
    s->damaged |= !iol__buffer_room(&s->own, IOL_COMBINED_MOST) || s->own.used > UINT32_MAX;
    if (s->damaged) return;
    uint8_t *begin = s->own.bytes + s->front;
    const uint32_t at = (uint32_t)(s->own.used - s->front);
    memcpy(begin + m->places + file * sizeof at, &at, sizeof at);
    s->own.used = s->front + (size_t)(iol__combined_pack(&m->how, record, s->shift, begin + at) - begin);
}

static iol__shared_message own_message(const iol__shared *s) {
    const uint8_t *begin = s->own.bytes + s->front, *end = s->own.bytes + s->own.used;
    return (iol__shared_message){begin, end, end, s->rank};
}

/* Combining -------------------------------------------------------------------------------------------------------- */

static uint32_t place_of(const iol__shared_module *m, const iol__shared_message *message, size_t file) {
    uint32_t place;
    memcpy(&place, message->begin + m->places + file * sizeof place, sizeof place);
    return place;
}

/* Those of one rank are anywhere, and fetched some time before they are needed. */
static bool next_record(const iol__shared *s, const iol__shared_module *m, iol__shared_message *message, size_t file,
                        iol__combined *c) {
    if (message->rank < 0) return iol__combined_read(&m->how, c, &message->at, message->end, -1);
    const size_t length = (size_t)(message->end - message->begin), place = place_of(m, message, file);
    if (file + AHEAD < s->files->count) __builtin_prefetch(message->begin + place_of(m, message, file + AHEAD));
    if (place > length) return false;
    const uint8_t *at = message->begin + place;
    return place > 0 && iol__combined_read(&m->how, c, &at, message->end, message->rank);
}

/* The next record of all messages, and this rank's own before them. */
static bool combine(iol__shared *s, const iol__shared_module *m, size_t file, iol__shared_message *own,
                    iol__combined *c) {
    static iol__combined theirs; /* large */
    int i = 0;
    if (!next_record(s, m, own ? own : &s->messages[i++], file, c)) return false;
    iol__combined_open(&m->how, c);
    for (; i < s->n_messages; i++) {
        if (!next_record(s, m, &s->messages[i], file, &theirs)) return false;
        iol__combined_merge(&m->how, c, &theirs);
    }
    return true;
}

static bool all_read(const iol__shared *s) {
    for (int i = 0; i < s->n_messages; i++)
        if (s->messages[i].at != s->messages[i].end) return false;
    return true;
}

static size_t likely_length(const iol__shared *s) {
    size_t longest = s->own.used - s->front;
    for (int i = 0; i < s->n_messages; i++) {
        const size_t length = (size_t)(s->messages[i].end - s->messages[i].begin);
        if (length > longest) longest = length;
    }
    return longest + s->records * ADDED + IOL_COMBINED_MOST;
}

static bool write_combined(iol__shared *s, iol__shared_message *own, size_t behind, iol__buffer *to) {
    static iol__combined c;
    const int64_t several = -1;
    if (s->damaged || !iol__buffer_room(to, likely_length(s) + behind)) return false;
    memcpy(to->bytes + to->used, &several, sizeof several);
    to->used += sizeof several;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files->count; file++) {
            if (!is_in(s, slot, file)) continue;
            if (!iol__buffer_room(to, IOL_COMBINED_MOST) || !combine(s, m, file, own, &c)) return false;
            to->used = (size_t)(iol__combined_write(&m->how, &c, to->bytes + to->used) - to->bytes);
        }
    }
    return all_read(s);
}

bool iol__shared_write(iol__shared *s, size_t behind, iol__buffer *to) {
    iol__shared_message own = own_message(s);
    if (s->n_messages > 0) {
        *to = (iol__buffer){0};
        if (!iol__buffer_room(to, s->front + likely_length(s) + behind)) return false;
        to->used = s->front;
        return write_combined(s, &own, behind, to);
    }
    *to = s->own;
    return !s->damaged && iol__buffer_room(to, behind);
}

void iol__shared_fold(iol__shared *s) {
    iol__buffer before = s->folded, now = {0};
    if (s->damaged) return;
    s->damaged |= !write_combined(s, NULL, 0, &now);
    iol__memory_back(before.bytes, before.room);
    s->folded = now;
    s->messages[0] = (iol__shared_message){now.bytes, now.bytes + sizeof(int64_t), now.bytes + now.used, -1};
    s->n_messages = 1;
}

void iol__shared_hear(iol__shared *s, const uint8_t *bytes, size_t length) {
    iol__shared_message heard = {bytes, bytes + sizeof heard.rank, bytes + length, -1};
    if (s->records == 0) return;
    if (s->n_messages == IOL_SHARED_MESSAGES) iol__shared_fold(s);
    s->damaged |= length < sizeof heard.rank;
    if (s->damaged) return;
    memcpy(&heard.rank, bytes, sizeof heard.rank);
    if (heard.rank >= 0) heard.at = heard.end;
    s->damaged |= heard.rank >= 0 && length < s->records_at;
    s->messages[s->n_messages++] = heard;
}

bool iol__shared_each(iol__shared *s, uint64_t ranks, void (*use)(int slot, const uint64_t *record, void *context),
                      void *context) {
    static iol__combined c;
    iol__shared_message own = own_message(s);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN && !s->damaged; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files->count; file++) {
            if (!is_in(s, slot, file)) continue;
            if (!combine(s, m, file, &own, &c)) return false;
            c.record[0] = s->files->ids[file];
            c.record[1] = (uint64_t)-1;
            iol__combined_finish(&m->how, &c, ranks);
            use(slot, c.record, context);
        }
    }
    s->damaged |= !all_read(s);
    return !s->damaged;
}
