/* A rank that has no memory, or is switched off, has an empty list: then no file is shared by all, and everything else
   goes on. */
#include "runtime/finalize/survey.h"

#include <string.h>

#include "runtime/core/core.h"
#include "runtime/pack/deflate.h"
#include "runtime/core/heatmap.h"
#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/pack/layout.h"
#include "runtime/lustre/lustre.h"
#include "runtime/finalize/memory.h"
#include "runtime/finalize/report.h"

enum {
    MAGIC = 0x46494f49, /* another Iolite, of another layout, is not to be understood */
    VERSION = 3,
    BUSY_BYTES = 64 << 10,   /* of a rank, on average */
    AHEAD = 16,              /* records, whose ids are fetched: they are far from each other */
    RATIO = 12,              /* records shrink to this part, about */
    WRITER_BYTES = 32 << 20, /* compressed, of one writer */
    WRITER_MOST = 512 << 20, /* and raw: what it must have memory for, should nothing shrink */
};

/* Lists ------------------------------------------------------------------------------------------------------------ */

/* Byte by byte from the lowest on. */
void iol__sort_ids(uint64_t *ids, uint32_t *with, void *scratch, size_t count) {
    uint64_t *ids_to = scratch;
    uint32_t *with_to = (uint32_t *)(void *)(ids_to + count);
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t starts[257] = {0};
        for (size_t i = 0; i < count; i++) starts[(ids[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) starts[i + 1] += starts[i];
        for (size_t i = 0; i < count; i++) {
            const size_t at = starts[ids[i] >> shift & 255]++;
            ids_to[at] = ids[i];
            with_to[at] = with[i];
        }
        uint64_t *ids_from = ids;
        uint32_t *with_from = with;
        ids = ids_to;
        with = with_to;
        ids_to = ids_from;
        with_to = with_from;
    }
}

static size_t find(const uint64_t *ids, size_t count, uint64_t id) {
    size_t low = 0;
    for (size_t left = count; left > 0;) {
        const size_t half = left / 2;
        const bool behind = ids[low + half] < id;
        low = behind ? low + half + 1 : low;
        left = behind ? left - half - 1 : half;
    }
    return low < count && ids[low] == id ? low : SIZE_MAX;
}

size_t iol__own_file(const iol__own_files *files, uint64_t id, size_t *guess) {
    if (*guess < files->count && files->ids[*guess] == id) return (*guess)++;
    const size_t at = find(files->sorted, files->count, id);
    if (at == SIZE_MAX) return SIZE_MAX;
    *guess = (size_t)files->places[at] + 1;
    return files->places[at];
}

static size_t list_ids(uint64_t *ids) {
    const iol__area *names = &iol__store_state.names;
    const uint8_t *base = iol__store_state.base + names->at;
    size_t n = 0;
    for (size_t at = 0; at + sizeof *ids < names->used; n++) {
        memcpy(&ids[n], base + at, sizeof *ids);
        at += sizeof *ids + strlen((const char *)base + at + sizeof *ids) + 1;
    }
    return n;
}

/* At least 9 bytes stand for a file among the names. */
static bool list_files(iol__own_files *files) {
    const size_t most = iol__store_state.names.used / 9 + 1;
    uint64_t *ids = iol__memory_take(most * (4 * sizeof *ids + 2 * sizeof(uint32_t)));
    if (!ids) return false;
    const size_t count = list_ids(ids);
    uint64_t *sorted = ids + count, *scratch = sorted + count;
    uint32_t *places = (uint32_t *)(void *)(scratch + 2 * count), *shared = places + count;
    memcpy(sorted, ids, count * sizeof *ids);
    for (size_t i = 0; i < count; i++) places[i] = (uint32_t)i;
    iol__sort_ids(sorted, places, scratch, count);
    *files = (iol__own_files){count, ids, sorted, places, shared};
    return true;
}

/* Which modules have a record of which file. */
static void mark(const iol__own_files *files, uint32_t *masks, int slot) {
    const iol__area *area = &iol__store_state.modules[slot];
    const iol__layout *layout = iol__layout_of(slot);
    const uint8_t *at = iol__store_state.base + area->at, *end = at + area->used;
    size_t guess = 0;
    if (!layout && slot != IOL_SLOT_LUSTRE) return;
    while (at < end) {
        uint64_t id;
        memcpy(&id, at, sizeof id);
        if (layout) __builtin_prefetch(at + AHEAD * 8 * (size_t)layout->words);
        const size_t file = iol__own_file(files, id, &guess);
        if (file != SIZE_MAX && (layout || iol__lustre_packed(at))) masks[file] |= UINT32_C(1) << slot;
        at += layout ? 8 * (size_t)layout->words : iol__lustre_stored(at);
    }
}

/* The message: totals, ids, masks. */
static size_t message_bytes(size_t files) {
    return sizeof(iol__rt_totals) + files * (sizeof(uint64_t) + sizeof(uint32_t));
}

static iol__file_list list_in(uint8_t *message, size_t head, size_t count) {
    uint64_t *ids = (uint64_t *)(void *)(message + head);
    return (iol__file_list){ids, (uint32_t *)(void *)(ids + count), count};
}

static uint8_t *own_list(const iol__own_files *files, iol__file_list *list) {
    uint8_t *message = iol__memory_take(message_bytes(files->count) + 16);
    if (!message) return NULL;
    uint32_t *masks = files->shared; /* until that is known */
    for (size_t i = 0; i < files->count; i++) masks[i] = 1;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) mark(files, masks, slot);
    *list = list_in(message, sizeof(iol__rt_totals), files->count);
    size_t n = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (n > 0 && list->ids[n - 1] == files->sorted[i]) continue;
        list->ids[n] = files->sorted[i];
        list->masks[n++] = masks[files->places[i]];
    }
    uint32_t *moved = (uint32_t *)(void *)(list->ids + n);
    memmove(moved, list->masks, n * sizeof *moved);
    *list = (iol__file_list){list->ids, moved, n};
    return message;
}

/* Those that are in both. */
static void intersect(iol__file_list *list, const iol__file_list *other) {
    size_t n = 0;
    uint32_t *masks = list->masks;
    for (size_t i = 0, j = 0; i < list->count && j < other->count;) {
        if (list->ids[i] == other->ids[j]) {
            list->ids[n] = list->ids[i];
            masks[n++] = masks[i] & other->masks[j];
            j++;
            i++;
        } else if (list->ids[i] < other->ids[j]) {
            i++;
        } else {
            j++;
        }
    }
    list->count = n;
    list->masks = (uint32_t *)(void *)(list->ids + n);
    memmove(list->masks, masks, n * sizeof *masks);
}

/* Totals ----------------------------------------------------------------------------------------------------------- */

static void count_store(iol__rt_totals *t) {
    const iol__rt_store *store = &iol__store_state;
    const iol__log_header *header = iol__store_header();
    const iol__mapped *facts = iol__store_facts();
    t->partial = header->partial;
    t->bytes = store->names.used + store->trace.used;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        t->bytes += store->modules[slot].used;
        t->versions[slot] = header->versions[slot];
        t->folded[slot] = facts->folded[slot];
        if (header->versions[slot]) t->modules |= UINT64_C(1) << slot;
    }
    if (iol__heat_expected()) {
        t->versions[IOL_SLOT_HEATMAP] = IOL_HEAT_VERSION;
        t->modules |= UINT64_C(1) << IOL_SLOT_HEATMAP;
    }
    t->trace_lost = facts->trace_lost;
    t->lost = facts->lost;
    t->ring_unseen = facts->ring_unseen;
    t->calls_unseen = facts->calls_unseen;
    t->spaces_unseen = facts->spaces_unseen;
    t->stopped = facts->stopped;
    memcpy(t->lustre, facts->lustre, sizeof t->lustre);
    t->records = 1; /* there is a store because there was something to record */
    t->most = t->bytes;
}

int64_t iol__survey_zero(void) { return iol__core_state.zero_s * 1000000000 + iol__core_state.zero_ns; }

/* A job begins when its first process does, whatever that one's times count from. */
static void count_own(iol__rt_totals *t) {
    const iol__core *core = &iol__core_state;
    iol__operation all[IOL_OPERATIONS_ROOM];
    const double end = iol__store_state.made ? iol__store_facts()->end : iol__now();
    *t = (iol__rt_totals){.magic = MAGIC, .version = VERSION, .ranks = 1};
    t->zero = iol__survey_zero() + (int64_t)(core->start * 1e9);
    t->end = iol__survey_zero() + (int64_t)(end * 1e9);
    iol__operations_total(all); /* also of a rank that has no store because it did nothing else */
    memcpy(t->operations, all, sizeof t->operations);
    if (iol__store_state.made)
        count_store(t);
    else
        t->silent = iol__store_state.failed;
}

static void add_lustre(iol__lustre_total *to, const iol__lustre_total *more) {
    for (int i = 0; i < IOL_LUSTRE_TOTALS && more[i].name[0]; i++)
        for (int j = 0; j < IOL_LUSTRE_TOTALS; j++) {
            if (strncmp(to[j].name, more[i].name, sizeof to[j].name) == 0) break;
            if (to[j].name[0]) continue;
            to[j] = more[i];
            break;
        }
}

static void add_totals(iol__rt_totals *to, const iol__rt_totals *more) {
    to->ranks += more->ranks;
    to->silent += more->silent;
    if (more->zero < to->zero) to->zero = more->zero;
    if (more->end > to->end) to->end = more->end;
    to->partial |= more->partial;
    to->modules |= more->modules;
    to->records += more->records;
    to->bytes += more->bytes;
    if (more->most > to->most) to->most = more->most;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        to->folded[slot] += more->folded[slot];
        if (more->versions[slot] > to->versions[slot]) to->versions[slot] = more->versions[slot];
    }
    to->trace_lost += more->trace_lost;
    to->lost += more->lost;
    to->ring_unseen += more->ring_unseen;
    to->calls_unseen += more->calls_unseen;
    to->spaces_unseen += more->spaces_unseen;
    to->stopped += more->stopped;
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        to->operations[i].count += more->operations[i].count;
        to->operations[i].failed += more->operations[i].failed;
        to->operations[i].time += more->operations[i].time;
        if (more->operations[i].slowest > to->operations[i].slowest)
            to->operations[i].slowest = more->operations[i].slowest;
    }
    add_lustre(to->lustre, more->lustre);
}

/* The plan --------------------------------------------------------------------------------------------------------- */

/* What each rank has of files that all have, about: it becomes one record, and needs no writers. Rank 0 has all of them. */
static uint64_t shared_bytes(const iol__file_list *shared, size_t own_files) {
    uint64_t bytes = own_files ? iol__store_state.names.used * shared->count / own_files : 0;
    for (size_t i = 0; i < shared->count; i++)
        for (uint32_t slots = shared->masks[i] & ~1u; slots; slots &= slots - 1) {
            const iol__layout *layout = iol__layout_of(__builtin_ctz(slots));
            if (layout) bytes += 8 * (uint64_t)layout->words;
        }
    return bytes;
}

static uint64_t less(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }

/* One writer, unless there is more than one can hold. Groups are whole branches of the tree. */
static uint32_t group_size(const iol__rt_totals *all, uint64_t shared, uint32_t size) {
    const uint64_t bytes = less(all->bytes, shared * size), most = less(all->most, shared);
    const uint32_t wanted = (uint32_t)iol__setting_number(&iol__core_state.config, IOL_SET_AGGREGATORS);
    const uint64_t ratio = iol__deflate_compresses() ? RATIO : 1;
    uint64_t group = 1;
    while (group < size) group *= IOL_BRANCHES;
    for (; group > 1; group /= IOL_BRANCHES) {
        const uint64_t writers = (size + group - 1) / group;
        const uint64_t held = most * group < bytes ? most * group : bytes;
        const bool fits = bytes / ratio / writers <= WRITER_BYTES && held <= WRITER_MOST;
        if (wanted ? writers >= wanted : fits) break;
    }
    return (uint32_t)group;
}

static void make_plan(iol__plan *plan, const iol__rt_totals *all, iol__file_list *shared, size_t own_files,
                      uint32_t size) {
    const iol__config *config = &iol__core_state.config;
    const bool reduce =
        iol__setting_flag(config, IOL_SET_SHARED_REDUCTION) && !iol__setting_flag(config, IOL_SET_NO_SHARED_REDUCTION);
    *plan = (iol__plan){.zero = all->zero, .end = all->end, .shared = shared->count};
    if (all->records || iol__operations_matter(all->operations)) plan->flags |= IOL_PLAN_WRITE;
    if (reduce) plan->flags |= IOL_PLAN_REDUCE;
    if (all->bytes / size > BUSY_BYTES) plan->flags |= IOL_PLAN_BUSY;
    if (iol__setting_flag(config, IOL_SET_INTERNAL_TIMING) || iol__report_phases) plan->flags |= IOL_PLAN_TIMES;
    for (size_t i = 0; !reduce && i < shared->count; i++) shared->masks[i] = 1;
    plan->group = group_size(all, reduce ? shared_bytes(shared, own_files) : 0, size);
    if (sys(getrandom, &plan->nonce, sizeof plan->nonce, 1 /* GRND_NONBLOCK */) != (long)sizeof plan->nonce)
        plan->nonce = (uint64_t)iol__clock_monotonic() ^ iol__ticks() << 20;
}

/* Up and down ------------------------------------------------------------------------------------------------------ */

static bool take_child(iol__rt_totals *totals, iol__file_list *list, const iol__message *message) {
    iol__rt_totals theirs;
    if (message->length < sizeof theirs) return false;
    memcpy(&theirs, message->bytes, sizeof theirs);
    const size_t rest = message->length - sizeof theirs, each = sizeof(uint64_t) + sizeof(uint32_t);
    if (theirs.magic != MAGIC || theirs.version != VERSION || rest % each != 0) return false;
    const iol__file_list other = list_in(message->bytes, sizeof theirs, rest / each);
    add_totals(totals, &theirs);
    intersect(list, &other);
    return true;
}

static bool hear_children(iol__rt_exchange *x, iol__rt_totals *totals, iol__file_list *list) {
    for (int i = 0; i < x->n_flat; i++) {
        iol__message message;
        if (!iol__exchange_receive(x, x->first_flat + i, IOL_TAG_SURVEY, &message)) return false;
        const bool good = take_child(totals, list, &message);
        iol__message_free(&message);
        if (!good) return false;
    }
    return true;
}

/* On rank 0 the plan takes the place of the totals before the list. */
static void decide(iol__survey *s, iol__file_list *list, iol__rt_totals *totals, uint8_t *message, int size) {
    _Static_assert(sizeof(iol__plan) <= sizeof(iol__rt_totals), "the list stays where it is");
    s->all = *totals;
    make_plan(&s->plan, &s->all, list, s->files.count, (uint32_t)size);
    s->shared = *list;
    s->message.bytes = message + sizeof(iol__rt_totals) - sizeof(iol__plan);
    s->message.length = message_bytes(list->count) - sizeof(iol__rt_totals) + sizeof(iol__plan);
    memcpy(s->message.bytes, &s->plan, sizeof s->plan);
}

static bool hear_plan(iol__survey *s, iol__rt_exchange *x) {
    if (!iol__exchange_receive(x, x->flat_parent, IOL_TAG_PLAN, &s->message)) return false;
    const iol__message *m = &s->message;
    if (m->length < sizeof s->plan) return false;
    memcpy(&s->plan, m->bytes, sizeof s->plan);
    const size_t each = sizeof(uint64_t) + sizeof(uint32_t);
    if (s->plan.shared > m->length / each || m->length != sizeof s->plan + s->plan.shared * each) return false;
    if (s->plan.group == 0) return false;
    s->shared = list_in(m->bytes, sizeof s->plan, s->plan.shared);
    return true;
}

/* Both are in ascending order. */
static void note_shared(iol__survey *s) {
    const iol__own_files *files = &s->files;
    for (size_t i = 0, j = 0; i < files->count; i++) {
        while (j < s->shared.count && s->shared.ids[j] < files->sorted[i]) j++;
        const bool both = j < s->shared.count && s->shared.ids[j] == files->sorted[i];
        files->shared[files->places[i]] = both ? (uint32_t)j : IOL_NOT_SHARED;
    }
}

static bool up_and_down(iol__survey *s, iol__rt_exchange *x) {
    static uint8_t empty[sizeof(iol__rt_totals) + 64] __attribute__((aligned(16)));
    iol__file_list list = list_in(empty, sizeof(iol__rt_totals), 0);
    uint8_t *message = iol__store_state.made && list_files(&s->files) ? own_list(&s->files, &list) : NULL;
    if (!message) message = empty;
    iol__rt_totals totals = s->own;
    if (!hear_children(x, &totals, &list)) return false;
    memcpy(message, &totals, sizeof totals);
    if (x->parent < 0) {
        decide(s, &list, &totals, message, x->size);
        return true;
    }
    return iol__exchange_send(x, x->flat_parent, IOL_TAG_SURVEY, message, message_bytes(list.count)) && hear_plan(s, x);
}

bool iol__survey_make(iol__survey *s, iol__rt_exchange *x) {
    *s = (iol__survey){0};
    count_own(&s->own);
    iol__exchange_busy(x, s->own.bytes > BUSY_BYTES);
    if (!up_and_down(s, x) || !iol__exchange_send_down(x, IOL_TAG_PLAN, s->message.bytes, s->message.length))
        return false;
    note_shared(s);
    return true;
}
