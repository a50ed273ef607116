/* What chains did to which files: a row of small counters in the store for each, found by the row that the chain used
   last, else in a table. Rows and the names that belong to them are made when they are first needed, in forked children
   again. What comes before there is a store waits in the row. */
#include "runtime/where/where.h"

#include <errno.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/custom/custom.h"
#include "runtime/core/store.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"
#include "runtime/where/chain.h"

enum {
    ROWS = 8192,
    DETAILED = ROWS / 2, /* rows for single files; the others are for all files of a chain */
    SLOTS = 2 * ROWS,
    WHATS = IOL_WHERE_LAYERS * IOL_WHERE_KINDS,
    NAME = 2048,
};

typedef struct iol__row {
    iol__node *leaf;
    uint64_t id;
    uint32_t what;
    iolite_record *record;
    iol__where_values *values; /* of the record, in this process; NULL: not there yet */
    iol__where_values early;
} iol__row;

typedef struct table {
    iol__row rows[ROWS];
    iol__row *slots[SLOTS];
} table;

bool iol__where_on;
static iolite_module *module;
static table *all;
static uint32_t n_rows;
static char name_text[NAME]; /* of the record that is being made; inside the lock */

/* Calls of which nothing is known, and those whose chain or row had no room: until the end. */
static iol__where_values missed[WHATS], folded[WHATS];

static const char *const layers[] = {
#define LAYER(NAME, name) name,
#define KIND(NAME, name)
#include "record/where.def"
#undef LAYER
#undef KIND
};
static const char *const kinds[] = {
#define LAYER(NAME, name)
#define KIND(NAME, name) name,
#include "record/where.def"
#undef LAYER
#undef KIND
};

/* Names ------------------------------------------------------------------------------------------------------------ */

/* A module cannot be registered before recording has begun. */
static iolite_module *registered(void) {
    static const iolite_counter counters[] = {
        {"WHERE_CALLS", "", "", IOLITE_INT, IOLITE_SUM},
        {"WHERE_BYTES", "", "", IOLITE_INT, IOLITE_SUM},
        {"WHERE_TIME", "ns", "", IOLITE_INT, IOLITE_SUM},
    };
    static const iolite_definition definition = {.bytes = sizeof definition,
                                                 .name = IOL_WHERE_MODULE,
                                                 .meaning = "lines of code: iolite where",
                                                 .version = IOL_WHERE_VERSION,
                                                 .counters = counters,
                                                 .n_counters = 3,
                                                 .record_bytes = sizeof(iol__where_values)};
    if (!module) module = iol__custom_register(&definition);
    return module;
}

iolite_record *iol__where_record(const char *name) { return iol__custom_record_of(registered(), name, 0); }

/* In hexadecimal, without zeros in front. */
static void add_hex(iol__text *text, uint64_t value) {
    char digits[16];
    int at = sizeof digits;
    do digits[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    iol__text_bytes(text, digits + at, sizeof digits - (size_t)at);
}

static void name_object(const iol__object *o, iol__text *text) {
    static char path[IOL_OBJECT_PATH];
    iol__text_add(text, "o ");
    add_hex(text, o->key);
    iol__text_add(text, " ");
    for (int i = 0; i < o->build_bytes; i++) {
        char digits[2] = {"0123456789abcdef"[o->build[i] >> 4], "0123456789abcdef"[o->build[i] & 15]};
        iol__text_bytes(text, digits, 2);
    }
    iol__object_path(o, path, sizeof path);
    iol__text_add(text, o->build_bytes ? " " : "- ");
    iol__text_add(text, path);
}

static void add_frame(iol__text *text, const iol__node *node) {
    if (node->is == IOL_NODE_CODE && node->object && node->object->ours) return;
    iol__text_add(text, " ");
    if (node->is == IOL_NODE_PYTHON) {
        add_hex(text, node->key);
        iol__text_add(text, ":");
        iol__text_number(text, node->line);
    } else if (node->object) {
        add_hex(text, node->key);
        iol__text_add(text, "+");
        add_hex(text, node->offset);
    }
    if (node->unknown) iol__text_add(text, node->object ? " ?" : "?");
}

/* The frames of a chain from the call on, in the middle of the text if there is something before. The root has no parent. */
static void add_frames(iol__text *text, const iol__node *leaf) {
    const iol__node *path[IOL_WHERE_FRAMES + 32];
    unsigned depth = 0;
    for (; leaf->parent && depth < sizeof path / sizeof *path; leaf = leaf->parent) path[depth++] = leaf;
    while (depth > 0) add_frame(text, path[--depth]);
}

/* The hash of the frames comes first. */
static uint64_t name_chain(const iol__node *leaf, iol__text *text) {
    enum { HASH = 16 };
    iol__text_add(text, "c 0123456789abcdef");
    const size_t from = text->length;
    add_frames(text, leaf);
    const uint64_t hash = iol__hash(text->to + from, text->length - from, 0);
    iol__text digits = {text->to + from - HASH, HASH + 1, 0};
    const char behind = text->to[from];
    iol__text_hex(&digits, hash);
    text->to[from] = behind;
    return hash;
}

static void name_row(iol__text *text, const char *chain, uint32_t what, uint64_t id) {
    iol__text_add(text, "r ");
    iol__text_add(text, chain);
    iol__text_add(text, " ");
    iol__text_add(text, layers[what / IOL_WHERE_KINDS]);
    iol__text_add(text, " ");
    iol__text_add(text, kinds[what % IOL_WHERE_KINDS]);
    iol__text_add(text, " ");
    add_hex(text, id);
}

/* Records ---------------------------------------------------------------------------------------------------------- */

/* With the lock held, all of these. The chain and what it consists of are in the log before the row that refers to it. */
static bool publish_chain(iol__node *leaf, uint64_t *hash) {
    for (iol__node *node = leaf; node->parent; node = node->parent) {
        if (!node->named && node->object && !node->object->ours) {
            iol__text text = {name_text, sizeof name_text, 0};
            name_object(node->object, &text);
            node->named = iol__where_record(name_text);
        }
        if (node->named) iol__custom_values(node->named);
    }
    iol__text text = {name_text, sizeof name_text, 0};
    *hash = name_chain(leaf, &text);
    if (!leaf->chain) leaf->chain = iol__where_record(name_text);
    return leaf->chain && iol__custom_values(leaf->chain);
}

static iol__where_values *publish(iol__row *row) {
    char chain[17];
    uint64_t hash;
    if (!publish_chain(row->leaf, &hash)) return NULL;
    iol__text digits = {chain, sizeof chain, 0};
    iol__text_hex(&digits, hash);
    iol__text text = {name_text, sizeof name_text, 0};
    name_row(&text, chain, row->what, row->id);
    if (!row->record) row->record = iol__where_record(name_text);
    iol__where_values *values = row->record ? iol__custom_values(row->record) : NULL;
    __atomic_store_n(&row->values, values, __ATOMIC_RELEASE);
    return values;
}

static inline __attribute__((always_inline)) void add_values(iol__where_values *to, int64_t calls, int64_t bytes,
                                                             int64_t time) {
    if (IOL_LIKELY(iol__alone())) {
        to->calls += calls; /* an instruction each, which no signal handler comes between */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        to->bytes += bytes;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        to->time += time;
        return;
    }
    __atomic_fetch_add(&to->calls, calls, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->bytes, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->time, time, __ATOMIC_RELAXED);
}

/* The record of the row is not there yet, or not in this process. */
static __attribute__((noinline)) void add_first(iol__row *row, int64_t bytes, int64_t time) {
    const int saved = errno;
    iol__where_values *values = NULL;
    if (iol__store_state.made && iol__chains_enter()) {
        values = publish(row);
        if (values) add_values(values, row->early.calls, row->early.bytes, row->early.time);
        if (values) row->early = (iol__where_values){0};
        iol__chains_leave();
    }
    add_values(values ? values : &row->early, 1, bytes, time);
    errno = saved;
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

static uint32_t slot_of(const iol__node *leaf, uint32_t what, uint64_t id) {
    const uint64_t mixed = ((uint64_t)(uintptr_t)leaf ^ id ^ (uint64_t)what << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) % SLOTS;
}

static iol__row *find_row(const iol__node *leaf, uint32_t what, uint64_t id) {
    for (uint32_t i = slot_of(leaf, what, id);; i = (i + 1) % SLOTS) {
        iol__row *row = __atomic_load_n(&all->slots[i], __ATOMIC_ACQUIRE);
        if (!row || (row->leaf == leaf && row->what == what && row->id == id)) return row;
    }
}

static iol__row *add_row(iol__node *leaf, uint32_t what, uint64_t id) {
    iol__row *row = &all->rows[n_rows++];
    *row = (iol__row){.leaf = leaf, .what = what, .id = id};
    uint32_t i = slot_of(leaf, what, id);
    while (all->slots[i]) i = (i + 1) % SLOTS;
    __atomic_store_n(&all->slots[i], row, __ATOMIC_RELEASE);
    return row;
}

/* A file that comes when there is no more room for single files counts with the others. */
static __attribute__((noinline)) iol__row *row_of(iol__node *leaf, uint32_t what, uint64_t id) {
    iol__row *row = find_row(leaf, what, id);
    if (!row && n_rows >= DETAILED) row = find_row(leaf, what, id = 0);
    if (!row && iol__chains_enter()) {
        row = find_row(leaf, what, id);
        if (!row && n_rows < ROWS) row = add_row(leaf, what, id);
        iol__chains_leave();
    }
    if (row) __atomic_store_n(&leaf->row, row, __ATOMIC_RELEASE);
    return row;
}

/* Anything but a chain that was here last, with the row that it used last. */
static __attribute__((noinline)) int64_t add_slowly(const uintptr_t *frame, uint64_t id, unsigned what, int64_t size,
                                                    int64_t time) {
    iol__where_thread *own = &iol__where_own;
    if (own->inside != 0 && (uintptr_t)frame < own->inside) {
        add_values(&missed[what], 1, size, time);
        return size;
    }
    own->inside = (uintptr_t)frame;
    own->span = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    iol__node *leaf = iol__chain_find((uintptr_t)(frame + 2), frame[0], frame[1]);
    iol__row *row = leaf ? __atomic_load_n(&leaf->row, __ATOMIC_ACQUIRE) : NULL;
    if (leaf && (!row || row->id != id || row->what != what)) row = row_of(leaf, what, id);
    iol__where_values *values = row ? __atomic_load_n(&row->values, __ATOMIC_ACQUIRE) : NULL;
    if (values)
        add_values(values, 1, size, time);
    else if (row)
        add_first(row, size, time);
    else
        add_values(leaf ? &folded[what] : &missed[what], 1, size, time);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->span = own->high - own->low;
    own->inside = 0;
    return size;
}

/* The address of its own frame is what a chain begins with: where the frame pointer of the caller was saved, and then the
   return address. As where records are filled, nothing is called but what returns in our place. */
__attribute__((noinline)) int64_t iol__where_add(uint64_t id, unsigned what, int64_t size, double begin, double end) {
    const uintptr_t *frame = __builtin_frame_address(0);
    const int64_t time = (int64_t)((end - begin) * 1e9);
    const iol__where_thread *own = &iol__where_own;
    const iol__node *leaf = __atomic_load_n(iol__where_site(frame[1]), __ATOMIC_ACQUIRE);
    if (IOL_UNLIKELY(!iol__chain_is(leaf, own->low, own->span, (uintptr_t)(frame + 2), frame[1])))
        return add_slowly(frame, id, what, size, time);
    iol__row *row = __atomic_load_n(&leaf->row, __ATOMIC_ACQUIRE);
    iol__where_values *values = row ? __atomic_load_n(&row->values, __ATOMIC_ACQUIRE) : NULL;
    if (IOL_UNLIKELY(!values || row->id != id || row->what != what)) return add_slowly(frame, id, what, size, time);
    add_values(values, 1, size, time);
    return size;
}

/* Traced requests -------------------------------------------------------------------------------------------------- */

static uint32_t turn = 1; /* of forked children, whose log has none of the chains yet */

static uint32_t mark_of(iol__node *leaf) {
    uint64_t hash;
    if (leaf->marked == turn) return leaf->mark;
    if (!iol__store_state.made || !iol__chains_enter()) return 0;
    const bool good = publish_chain(leaf, &hash);
    if (good) {
        leaf->mark = iol__where_mark_of_chain(hash);
        __atomic_store_n(&leaf->marked, turn, __ATOMIC_RELEASE);
    }
    iol__chains_leave();
    return good ? leaf->mark : 0;
}

__attribute__((noinline)) uint32_t iol__where_mark_here(void) {
    const uintptr_t *frame = __builtin_frame_address(0);
    iol__where_thread *own = &iol__where_own;
    if (own->inside != 0 && (uintptr_t)frame < own->inside) return 0;
    const int saved = errno;
    own->inside = (uintptr_t)frame;
    own->span = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    iol__node *leaf = iol__chain_find((uintptr_t)(frame + 2), frame[0], frame[1]);
    const uint32_t mark = leaf ? mark_of(leaf) : 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->span = own->high - own->low;
    own->inside = 0;
    errno = saved;
    return mark;
}

iol__where_absence iol__where_leave_out(void) {
    const iol__where_absence before = {iol__where_own.inside};
    iol__where_own.inside = UINTPTR_MAX;
    iol__where_own.span = 0;
    return before;
}

void iol__where_put_back(const iol__where_absence *before) {
    iol__where_own.inside = before->inside;
    if (before->inside == 0) iol__where_own.span = iol__where_own.high - iol__where_own.low;
}

/* Turns ------------------------------------------------------------------------------------------------------------ */

static void start(void) {
    if (!IOL_WHERE_WALKS || !iol__setting_flag(&iol__core_state.config, IOL_SET_WHERE)) return;
    all = iol__sys_memory(sizeof *all);
    iol__where_on = all && iol__chains_start();
}

static void reset(void) {
    if (!iol__where_on) return;
    iol__chains_reset();
    turn++;
    for (uint32_t i = 0; i < n_rows; i++) {
        all->rows[i].early = (iol__where_values){0};
        all->rows[i].values = NULL;
    }
    memset(missed, 0, sizeof missed);
    memset(folded, 0, sizeof folded);
}

static void finish_without_row(const char *chain, iol__where_values of[WHATS]) {
    for (uint32_t what = 0; what < WHATS; what++) {
        if (of[what].calls == 0) continue;
        iol__text text = {name_text, sizeof name_text, 0};
        name_row(&text, chain, what, 0);
        iolite_record *record = iol__where_record(name_text);
        iol__where_values *values = record ? iol__custom_values(record) : NULL;
        if (values) add_values(values, of[what].calls, of[what].bytes, of[what].time);
        of[what] = (iol__where_values){0};
    }
}

/* What had to wait. */
static void finish(void) {
    if (!iol__where_on || !iol__store_state.made || !iol__chains_enter()) return;
    for (uint32_t i = 0; i < n_rows; i++) {
        iol__row *row = &all->rows[i];
        iol__where_values *values = row->early.calls ? publish(row) : NULL;
        if (values) add_values(values, row->early.calls, row->early.bytes, row->early.time);
        row->early = (iol__where_values){0};
    }
    finish_without_row(IOL_WHERE_UNKNOWN, missed);
    finish_without_row(IOL_WHERE_FOLDED, folded);
    iol__chains_leave();
}

iol__runtime_module iol__where_module = {.start = start, .reset = reset, .finish = finish};
