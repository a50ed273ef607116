/* A message is a head, the shared records, the lists, and the piles; a rank that writes keeps its piles. */
#include "runtime/finalize/gather.h"

#include <string.h>

#include "record/record.h"
#include "runtime/core/core.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/finalize/memory.h"

typedef struct head {
    uint64_t shared;
    struct {
        uint64_t bytes, dropped;
    } lists[IOL_LISTS];
    uint64_t piles[IOL_SLOTS_KNOWN];
    uint64_t partial, communicators;
    iol__pack_spread communication, synchronisation;
} head;

enum { WORTH_IT = IOL_SHARED_MESSAGES - 1 };

static size_t filled(size_t bytes) { return (bytes + 15) & ~(size_t)15; }
_Static_assert(sizeof(head) % 16 == 0, "what follows it is aligned");

/* How long the rows of each region are. */
static void set_rows(iol__rt_gathered *g) {
    const iol__plan *plan = &g->survey->plan;
    const bool threads = iol__setting_flag(&iol__core_state.config, IOL_SET_TRACE_THREADS);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__layout *layout = iol__layout_of(slot);
        if (layout) g->piles[slot].shape.row = 8u * layout->words;
    }
    g->piles[0].shape.names = true;
    const double end = (double)(plan->end - plan->zero) * 1e-9;
    g->piles[IOL_SLOT_HEATMAP].shape.row =
        (uint32_t)(offsetof(iol__heat_record, bytes) + 16 * (size_t)iol__heat_bins(end));
    g->piles[IOL_SLOT_APMPI].shape.row =
        iol__version_find(IOL_SLOT_APMPI, iol__modules[IOL_SLOT_APMPI].current)->fixed_bytes;
    g->piles[IOL_SLOT_DXT_POSIX].shape.row = g->piles[IOL_SLOT_DXT_MPIIO].shape.row = threads ? 40 : 32;
}

void iol__gather_own(iol__rt_gathered *g, const iol__survey *survey, const iol__rt_exchange *x, const char *host) {
    /* In steps of the clock, so that times stay what they are: sums are exact, and small. */
    const double shift = (double)iol__spread_time((double)(iol__survey_zero() - survey->plan.zero) * 1e-9) * 0x1p-28;
    *g = (iol__rt_gathered){.rank = x->rank, .shift = shift, .survey = survey};
    g->exact_times = iol__setting_flag(&iol__core_state.config, IOL_SET_EXACT_TIMES);
    set_rows(g);
    if (!iol__shared_start(&g->shared, &survey->shared, x->rank, shift, sizeof(head))) {
        g->unable = true;
        g->partial = survey->own.modules;
        return;
    }
    iol__unique_records(g, host);
    iol__lists_own(&g->lists, x->rank, shift, host, survey->own.silent > 0);
}

/* Taking in -------------------------------------------------------------------------------------------------------- */

static bool enough(size_t *left, uint64_t bytes) {
    if (bytes > *left || filled(bytes) > *left) return false;
    *left -= filled(bytes);
    return true;
}

bool iol__gather_waits(const iol__rt_gathered *g, int slot) {
    return g->rank == 0 && (g->shared.modules[slot].count || slot == IOL_SLOT_APMPI);
}

/* All messages but the last ones. */
static void forget_heard(iol__rt_gathered *g, int needed) {
    const int gone = g->n_heard > needed ? g->n_heard - needed : 0;
    for (int i = 0; i < gone; i++) iol__message_free(&g->heard[i]);
    memmove(g->heard, g->heard + gone, (size_t)(g->n_heard - gone) * sizeof *g->heard);
    g->n_heard -= gone;
}

static iol__rt_pile *pile_for(iol__rt_gathered *g, int slot) {
    const bool apart = iol__gather_waits(g, slot);
    if (apart) g->behind[slot].shape.row = g->piles[slot].shape.row;
    return apart ? &g->behind[slot] : &g->piles[slot];
}

static bool take_child(iol__rt_gathered *g, const iol__message *message) {
    head h;
    size_t left = message->length;
    if (left < sizeof h) return false;
    memcpy(&h, message->bytes, sizeof h);
    left -= sizeof h;
    const uint8_t *at = message->bytes + sizeof h;
    if (!enough(&left, h.shared)) return false;
    if (h.shared >= sizeof(uint64_t)) iol__shared_hear(&g->shared, at, h.shared);
    at += filled(h.shared);
    for (int i = 0; i < IOL_LISTS; at += filled(h.lists[i++].bytes)) {
        if (!enough(&left, h.lists[i].bytes)) return false;
        iol__lists_merge(&g->lists, i, at, h.lists[i].bytes, h.lists[i].dropped);
    }
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; at += filled(h.piles[slot++])) {
        const int64_t before = iol__clock_monotonic();
        if (!enough(&left, h.piles[slot]) || !iol__pile_append(pile_for(g, slot), at, h.piles[slot])) return false;
        g->took[slot] += iol__clock_monotonic() - before;
    }
    g->partial |= h.partial;
    g->communicators += h.communicators;
    iol__spread_join(&g->communication, &h.communication);
    iol__spread_join(&g->synchronisation, &h.synchronisation);
    return true;
}

/* Sending on ------------------------------------------------------------------------------------------------------- */

/* Behind what is there, filled up. */
static bool put(iol__buffer *to, const void *bytes, size_t length) {
    const size_t at = filled(to->used), end = at + length;
    if (!iol__buffer_room(to, end - to->used)) return false;
    if (length) memcpy(to->bytes + at, bytes, length);
    to->used = end;
    return true;
}

/* Without memory what others have cannot be passed on; and what the rank itself has is in its mapped file. */
static bool send_nothing(const iol__rt_gathered *g, iol__rt_exchange *x) {
    static head h __attribute__((aligned(16)));
    h = (head){.partial = g->partial | g->survey->own.modules};
    return iol__exchange_send(x, x->parent, IOL_TAG_RECORDS, &h, sizeof h);
}

/* What comes behind the shared records. */
static size_t rest_length(const iol__rt_gathered *g, bool writer) {
    size_t bytes = 16;
    for (int i = 0; i < IOL_LISTS; i++) bytes += filled(g->lists.of[i].used);
    for (int slot = 0; !writer && slot < IOL_SLOTS_KNOWN; slot++) bytes += filled(g->piles[slot].used);
    return bytes;
}

/* False without memory, or if what was heard makes no sense. */
static bool write_message(iol__rt_gathered *g, iol__buffer *to, bool writer) {
    head h = {.partial = g->partial,
              .communicators = g->communicators,
              .communication = g->communication,
              .synchronisation = g->synchronisation};
    if (!iol__shared_write(&g->shared, rest_length(g, writer), to)) return false;
    h.shared = to->used - sizeof h;
    forget_heard(g, 0);
    for (int i = 0; i < IOL_LISTS; i++) {
        h.lists[i].bytes = g->lists.of[i].used;
        h.lists[i].dropped = g->lists.of[i].dropped;
        if (!put(to, g->lists.of[i].bytes, g->lists.of[i].used)) return false;
    }
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__rt_pile *pile = &g->piles[slot];
        if (pile->failed) h.partial |= UINT64_C(1) << slot;
        if (writer) continue;
        h.piles[slot] = pile->used;
        if (!put(to, pile->bytes, pile->used)) return false;
        iol__pile_free(pile);
    }
    if (!put(to, NULL, 0)) return false;
    memcpy(to->bytes, &h, sizeof h);
    return true;
}

static bool send_on(iol__rt_gathered *g, iol__rt_exchange *x, bool writer) {
    iol__buffer message = {0};
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) iol__pile_pack(&g->piles[slot], false);
    if (!write_message(g, &message, writer)) return x->n_children == 0 && !writer && send_nothing(g, x);
    return iol__exchange_send(x, x->parent, IOL_TAG_RECORDS, message.bytes, message.used);
}

/* A rank that waits combines what is there, if that is much: else those who have to wait for the processor would wait
   longer. */
bool iol__gather_pass(iol__rt_gathered *g, iol__rt_exchange *x) {
    if (g->unable) return x->n_children == 0 && x->parent >= 0 && send_nothing(g, x);
    for (int i = 0; i < x->n_children; i++) {
        iol__message message;
        const int child = x->children[i];
        if (g->shared.n_messages >= WORTH_IT && !iol__exchange_there(x, child, IOL_TAG_RECORDS))
            iol__shared_fold(&g->shared);
        if (!iol__exchange_receive(x, child, IOL_TAG_RECORDS, &message) || !take_child(g, &message)) return false;
        g->heard[g->n_heard++] = message;
        forget_heard(g, iol__shared_needed(&g->shared));
    }
    if (x->parent < 0) return true;
    return send_on(g, x, x->rank % (int)g->survey->plan.group == 0);
}

/* How the ranks differ in the time they spent in MPI, in the header of APMPI, which is the first record there. */
static void set_variances(iol__rt_gathered *g) {
    enum { HEADER = 48, VARIANCES = 32 };
    iol__rt_pile *pile = &g->piles[IOL_SLOT_APMPI];
    int64_t mark;
    if (pile->used < sizeof(iol__rt_piece) + HEADER || g->communicators == 0) return;
    uint8_t *record = pile->bytes + sizeof(iol__rt_piece);
    memcpy(&mark, record + 16, sizeof mark);
    const double values[2] = {iol__spread_variance(&g->communication, g->communicators) * 0x1p-56,
                              iol__spread_variance(&g->synchronisation, g->communicators) * 0x1p-56};
    if (mark == IOL_APMPI_MAGIC) memcpy(record + VARIANCES, values, sizeof values);
}

static void add_shared(int slot, const uint64_t *record, void *context) {
    iol__rt_gathered *g = context;
    const iol__layout *layout = iol__layout_of(slot);
    uint64_t *to = iol__record_wanted(slot, record) ? iol__pile_room(&g->piles[slot], 8 * (size_t)layout->words) : NULL;
    if (!to) return;
    memcpy(to, record, 8 * (size_t)layout->words);
    if (!g->exact_times) iol__layout_round(layout, to);
}

bool iol__gather_end(iol__rt_gathered *g, uint64_t ranks) {
    const int64_t before = iol__clock_monotonic();
    if (g->survey->plan.flags & IOL_PLAN_REDUCE) set_variances(g);
    if (!iol__shared_each(&g->shared, ranks, add_shared, g)) return false;
    forget_heard(g, 0);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__pile_pack(&g->behind[slot], false);
        if (g->behind[slot].used) iol__pile_append(&g->piles[slot], g->behind[slot].bytes, g->behind[slot].used);
        iol__pile_free(&g->behind[slot]);
        if (g->shared.modules[slot].count) g->took[slot] += iol__clock_monotonic() - before;
    }
    return true;
}
