/* The table of files: what each layer did to each file, and each rank to all of its files.
   Most files have one record and one direction, so the rest is allocated when it comes up. */
#include <stdlib.h>
#include <string.h>

#include "insight/facts/facts_internal.h"
#include "log/figures/calls.h"

enum { MIB = 1 << 20, BELOW_MIB_BINS = 5, SAME = 4 };

/* Where the counters of a layer are, plus 1, so that 0 is one it does not have. Lists are added up and end with 0. */
typedef struct counters {
    int16_t ops[IOL_DIRECTIONS][SAME];
    int16_t opens[SAME], other_opens[SAME]; /* the latter are in the former, and no opens of the program */
    int16_t stats[SAME], seeks[SAME], syncs[SAME], renames[SAME], mmaps[SAME], rw_switches[SAME];
    int16_t seq[IOL_DIRECTIONS], consec[IOL_DIRECTIONS];
    int16_t mem_not_aligned, file_not_aligned, mem_alignment, file_alignment;
    int16_t slowest_size[IOL_DIRECTIONS];
    /* doubles */
    int16_t slowest[IOL_DIRECTIONS], first[IOL_DIRECTIONS], last[IOL_DIRECTIONS];
    int16_t first_open, last_open, first_close, last_close;
} counters;

#define N(name) (IOL_##name + 1)
#define SPANS(p)                                                                                                      \
    .first = {N(p##_F_READ_START_TIMESTAMP), N(p##_F_WRITE_START_TIMESTAMP)},                                         \
    .last = {N(p##_F_READ_END_TIMESTAMP), N(p##_F_WRITE_END_TIMESTAMP)}, .first_open = N(p##_F_OPEN_START_TIMESTAMP), \
    .last_open = N(p##_F_OPEN_END_TIMESTAMP), .first_close = N(p##_F_CLOSE_START_TIMESTAMP),                          \
    .last_close = N(p##_F_CLOSE_END_TIMESTAMP)
#define SLOWEST(p)                                                \
    .slowest = {N(p##_F_MAX_READ_TIME), N(p##_F_MAX_WRITE_TIME)}, \
    .slowest_size = {N(p##_MAX_READ_TIME_SIZE), N(p##_MAX_WRITE_TIME_SIZE)}

static const counters counters_of[IOL_LAYERS] = {
    [IOL_LAYER_MPIIO] = {.ops = {{N(MPIIO_INDEP_READS), N(MPIIO_COLL_READS), N(MPIIO_SPLIT_READS), N(MPIIO_NB_READS)},
                                 {N(MPIIO_INDEP_WRITES), N(MPIIO_COLL_WRITES), N(MPIIO_SPLIT_WRITES),
                                  N(MPIIO_NB_WRITES)}},
                         .opens = {N(MPIIO_INDEP_OPENS), N(MPIIO_COLL_OPENS)},
                         .syncs = {N(MPIIO_SYNCS)},
                         .rw_switches = {N(MPIIO_RW_SWITCHES)},
                         SLOWEST(MPIIO),
                         SPANS(MPIIO)},
    [IOL_LAYER_POSIX] = {.ops = {{N(POSIX_READS)}, {N(POSIX_WRITES)}},
                         .opens = {N(POSIX_OPENS)},
                         .other_opens = {N(POSIX_FILENOS), N(POSIX_DUPS)},
                         .stats = {N(POSIX_STATS)},
                         .seeks = {N(POSIX_SEEKS)},
                         .syncs = {N(POSIX_FSYNCS), N(POSIX_FDSYNCS)},
                         .renames = {N(POSIX_RENAME_SOURCES)},
                         .mmaps = {N(POSIX_MMAPS)},
                         .rw_switches = {N(POSIX_RW_SWITCHES)},
                         .seq = {N(POSIX_SEQ_READS), N(POSIX_SEQ_WRITES)},
                         .consec = {N(POSIX_CONSEC_READS), N(POSIX_CONSEC_WRITES)},
                         .mem_not_aligned = N(POSIX_MEM_NOT_ALIGNED),
                         .file_not_aligned = N(POSIX_FILE_NOT_ALIGNED),
                         .mem_alignment = N(POSIX_MEM_ALIGNMENT),
                         .file_alignment = N(POSIX_FILE_ALIGNMENT),
                         SLOWEST(POSIX),
                         SPANS(POSIX)},
    [IOL_LAYER_STDIO] = {.ops = {{N(STDIO_READS)}, {N(STDIO_WRITES)}},
                         .opens = {N(STDIO_OPENS)},
                         .other_opens = {N(STDIO_FDOPENS)},
                         .seeks = {N(STDIO_SEEKS)},
                         .syncs = {N(STDIO_FLUSHES)},
                         SPANS(STDIO)},
    [IOL_LAYER_DFS] = {.ops = {{N(DFS_READS), N(DFS_READXS)}, {N(DFS_WRITES), N(DFS_WRITEXS)}},
                       .opens = {N(DFS_OPENS), N(DFS_GLOBAL_OPENS)},
                       .stats = {N(DFS_STATS), N(DFS_GET_SIZES)},
                       .rw_switches = {N(DFS_RW_SWITCHES)},
                       SLOWEST(DFS),
                       SPANS(DFS)},
    [IOL_LAYER_DAOS] = {.ops = {{N(DAOS_OBJ_FETCHES), N(DAOS_ARRAY_READS), N(DAOS_KV_GETS)},
                                {N(DAOS_OBJ_UPDATES), N(DAOS_ARRAY_WRITES), N(DAOS_KV_PUTS)}},
                        .opens = {N(DAOS_OBJ_OPENS), N(DAOS_ARRAY_OPENS), N(DAOS_KV_OPENS)},
                        .stats = {N(DAOS_ARRAY_STATS), N(DAOS_ARRAY_GET_SIZES)},
                        .rw_switches = {N(DAOS_RW_SWITCHES)},
                        SLOWEST(DAOS),
                        SPANS(DAOS)},
};
#undef N

static const iol__facts_traffic no_traffic = {.max_byte = -1};
static const iol__facts_common none_common[IOL_COMMON];
const iol__facts_use iol__facts_unused = {
    .direction = {&no_traffic, &no_traffic}, .sizes = none_common, .strides = none_common, .rank = -1};

/* One record, with what several steps need worked out. */
typedef struct facts_files_reading {
    iol__facts *facts;
    const iol_record *record;
    const iol__roles *roles;
    const counters *counters;
    int64_t bytes[IOL_DIRECTIONS], ops[IOL_DIRECTIONS], opens;
    double time[IOL_DIRECTIONS], meta_time;
    double all_time;
    bool odd;
} facts_files_reading;

/* Values -------------------------------------------------------------------------------------------------------- */

static int64_t int_at(const facts_files_reading *r, int16_t place) {
    return place && r->record->ints[place - 1] > 0 ? r->record->ints[place - 1] : 0;
}

static double facts_files_real_at(const facts_files_reading *r, int16_t place) {
    return place ? iol__sane(r->record->reals[place - 1]) : 0;
}

static int64_t list_at(const facts_files_reading *r, const int16_t list[SAME]) {
    int64_t sum = 0;
    for (int i = 0; i < SAME && list[i]; i++) sum = iol__facts_plus(sum, r->record->ints[list[i] - 1]);
    return sum;
}

static int64_t sane_count(facts_files_reading *r, int index) {
    int64_t value = r->record->ints[index];
    r->odd |= value < -1;
    return value > 0 ? value : 0;
}

static double sane_time(facts_files_reading *r, int index) {
    double value = r->record->reals[index];
    r->odd |= iol__odd(value);
    return iol__sane(value);
}

static void facts_files_prepare(facts_files_reading *r) {
    const iol__roles *roles = r->roles;
    r->bytes[IOL_READ] = sane_count(r, roles->bytes_read);
    r->bytes[IOL_WRITE] = sane_count(r, roles->bytes_written);
    r->time[IOL_READ] = sane_time(r, roles->read_time);
    r->time[IOL_WRITE] = sane_time(r, roles->write_time);
    r->meta_time = sane_time(r, roles->meta_time);
    r->all_time = r->time[IOL_READ] + r->time[IOL_WRITE] + r->meta_time;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        r->ops[direction] = list_at(r, r->counters->ops[direction]);
    r->opens = list_at(r, r->counters->opens) - list_at(r, r->counters->other_opens);
    if (r->opens < 0) r->opens = 0;
}

static double facts_files_earlier(double x, double y) { return x <= 0 || (y > 0 && y < x) ? y : x; }
static double later(double x, double y) { return x > y ? x : y; }
static int64_t facts_files_larger(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t smaller(int64_t x, int64_t y) { return x < y ? x : y; }

/* The table ----------------------------------------------------------------------------------------------------- */

/* The table only grows at its end, and what was found stays where it is until then. */
static bool grow_facts_files_table(iol__facts *facts) {
    iol__facts_store *store = facts->store;
    if (facts->n_files < store->file_room) return true;
    size_t room = store->file_room ? store->file_room + store->file_room / 2 : 64;
    iol__facts_file *grown = realloc(facts->file, room * sizeof *grown);
    if (!grown) return false;
    facts->file = grown;
    store->file_room = room;
    return true;
}

iol__facts_file *iol__facts_enter(iol__facts *facts, uint64_t id) {
    iol__facts_store *store = facts->store;
    size_t number = iol__idmap_find(&store->ids, id);
    if (number != IOL_IDMAP_NONE) return &facts->file[number];
    uint64_t cost = IOL_IDMAP_COST + sizeof *facts->file * 3 / 2;
    if (store->budget < cost) {
        facts->no_file++;
        return NULL;
    }
    store->budget -= cost;
    if (!grow_facts_files_table(facts) || iol__idmap_add(&store->ids, id) == IOL_IDMAP_NONE)
        longjmp(store->exhausted, 1);
    facts->file[facts->n_files] = (iol__facts_file){.id = id};
    return &facts->file[facts->n_files++];
}

/* What callers get is read only; here it is still being made. */
static iol__facts_use *use_of(iol__facts *facts, iol__facts_file *file, iol__facts_layer layer) {
    if (!file->layer[layer]) {
        iol__facts_use *made = iol__facts_alloc(facts, 1, sizeof *made);
        *made = iol__facts_unused;
        file->layer[layer] = made;
    }
    return (iol__facts_use *)file->layer[layer];
}

static iol__facts_traffic *traffic_of(iol__facts *facts, iol__facts_use *use, int direction) {
    if (use->direction[direction] == &no_traffic) {
        iol__facts_traffic *made = iol__facts_alloc(facts, 1, sizeof *made);
        *made = no_traffic;
        use->direction[direction] = made;
    }
    return (iol__facts_traffic *)use->direction[direction];
}

/* Directions ---------------------------------------------------------------------------------------------------- */

static int facts_files_bins_of(const facts_files_reading *r, int direction) {
    return direction == IOL_READ ? r->roles->read_buckets : r->roles->write_buckets;
}

static int64_t bin_at(const facts_files_reading *r, int direction, int bin) {
    int first = facts_files_bins_of(r, direction);
    return first < 0 ? 0 : facts_files_larger(0, r->record->ints[first + bin]);
}

static int64_t small_of(const facts_files_reading *r, int direction) {
    int64_t small = 0;
    for (int bin = 0; bin < BELOW_MIB_BINS; bin++) small = iol__facts_plus(small, bin_at(r, direction, bin));
    return small;
}

/* The table of common sizes; strides come first where a module has both. */
static const iol__common *size_table(const facts_files_reading *r) {
    const iol__common *tables = r->roles->common;
    return tables[1].values >= 0 ? &tables[1] : &tables[0];
}

/* Requests of exactly 1 MiB fall into the last bin below. The table of common sizes does not tell reads from writes, so
   they are split as that bin is. */
static int64_t exactly_mib(const facts_files_reading *r, int direction) {
    const iol__common *table = size_table(r);
    int64_t exact = 0;
    if (table->values < 0) return 0;
    for (int i = 0; i < IOL_COMMON; i++)
        if (r->record->ints[table->values + i * table->width] == MIB)
            exact = iol__facts_plus(exact, r->record->ints[table->counts + i]);
    double mine = (double)bin_at(r, direction, BELOW_MIB_BINS - 1);
    double both = mine + (double)bin_at(r, 1 - direction, BELOW_MIB_BINS - 1);
    if (both <= 0) return 0;
    double part = (double)exact * (mine / both);
    return part < mine ? (int64_t)(part + 0.5) : bin_at(r, direction, BELOW_MIB_BINS - 1);
}

static void add_order(const facts_files_reading *r, int direction, iol__facts_traffic *t) {
    int16_t place = r->counters->seq[direction];
    if (!place) return;
    int64_t seq = int_at(r, place), apart = facts_files_larger(0, r->ops[direction] - seq);
    t->seq = iol__facts_plus(t->seq, seq);
    t->consec = iol__facts_plus(t->consec, int_at(r, r->counters->consec[direction]));
    /* -1 says that order was not watched: nothing is known to be random then. */
    if (r->record->ints[place - 1] >= 0) t->random = iol__facts_plus(t->random, apart - smaller(apart, r->opens));
}

static int64_t highest_byte(const facts_files_reading *r, int direction) {
    int index = direction == IOL_READ ? r->roles->max_byte_read : r->roles->max_byte_written;
    const int64_t highest = index < 0 ? -1 : r->record->ints[index];
    return highest == INT32_MAX && r->facts->narrow ? IOL_EXTENT_UNKNOWN : highest;
}

static void add_extent(const facts_files_reading *r, int direction, iol__facts_traffic *t) {
    int64_t highest = highest_byte(r, direction);
    const bool unknown = highest == IOL_EXTENT_UNKNOWN || t->max_byte == IOL_EXTENT_UNKNOWN;
    t->max_byte = unknown ? IOL_EXTENT_UNKNOWN : facts_files_larger(t->max_byte, highest);
    if (highest >= 0 && r->record->rank >= 0 && r->bytes[direction] > highest)
        t->excess = facts_files_larger(t->excess, r->bytes[direction] - highest - 1);
}

static void add_direction(const facts_files_reading *r, int direction, iol__facts_use *use) {
    const counters *c = r->counters;
    double slowest = facts_files_real_at(r, c->slowest[direction]);
    bool calls = r->ops[direction] || r->bytes[direction] || small_of(r, direction);
    if (!calls && r->time[direction] == 0 && highest_byte(r, direction) <= 0) return;
    iol__facts_traffic *t = traffic_of(r->facts, use, direction);
    t->ops = iol__facts_plus(t->ops, r->ops[direction]);
    t->bytes = iol__facts_plus(t->bytes, r->bytes[direction]);
    t->time += r->time[direction];
    for (int bin = 0; bin < IOL_SIZE_BUCKETS; bin++)
        t->bins[bin] = iol__facts_plus(t->bins[bin], bin_at(r, direction, bin));
    t->below_mib = iol__facts_plus(t->below_mib, small_of(r, direction) - exactly_mib(r, direction));
    add_order(r, direction, t);
    add_extent(r, direction, t);
    if (slowest > t->slowest) {
        t->slowest = slowest;
        t->slowest_size = int_at(r, c->slowest_size[direction]);
    }
    t->first = facts_files_earlier(t->first, facts_files_real_at(r, c->first[direction]));
    t->last = later(t->last, facts_files_real_at(r, c->last[direction]));
}

/* Common values ------------------------------------------------------------------------------------------------- */

/* Four are kept of what may be more: a value that is rare in every record may be missing though it is common in all. */
static void count_common(iol__facts_common *table, int64_t value, int64_t count) {
    int at = 0;
    while (at < IOL_COMMON - 1 && table[at].count && table[at].value != value) at++;
    if (table[at].count && table[at].value != value) {
        if (count <= table[at].count) return;
        table[at].count = 0;
    }
    table[at] = (iol__facts_common){value, iol__facts_plus(table[at].count, count)};
    for (; at > 0 && table[at].count > table[at - 1].count; at--) {
        iol__facts_common lower = table[at - 1];
        table[at - 1] = table[at];
        table[at] = lower;
    }
}

static void add_common(const facts_files_reading *r, const iol__common *from, const iol__facts_common **to) {
    for (int i = 0; from->values >= 0 && i < IOL_COMMON; i++) {
        int64_t count = r->record->ints[from->counts + i];
        if (count <= 0) continue;
        if (*to == none_common) *to = iol__facts_alloc(r->facts, IOL_COMMON, sizeof **to);
        count_common((iol__facts_common *)*to, r->record->ints[from->values + i * from->width], count);
    }
}

/* Ranks --------------------------------------------------------------------------------------------------------- */

static void add_whole(const facts_files_reading *r, iol__facts_use *use, uint64_t number) {
    const iol_record *record = r->record;
    const iol__roles *roles = r->roles;
    iol__facts_whole *w = (iol__facts_whole *)use->whole;
    if (!w) use->whole = w = iol__facts_alloc(r->facts, 1, sizeof *w);
    const double slowest = iol__record_slowest_time(r->facts->log, record);
    *w = (iol__facts_whole){
        .number = number,
        .bytes = {record->ints[roles->bytes_read], record->ints[roles->bytes_written]},
        .ops = {r->ops[IOL_READ], r->ops[IOL_WRITE]},
        .small = {small_of(r, IOL_READ), small_of(r, IOL_WRITE)},
        .time = {record->reals[roles->read_time], record->reals[roles->write_time]},
        .meta_time = record->reals[roles->meta_time],
        .fastest_rank = record->ints[roles->fastest_rank],
        .slowest_rank = record->ints[roles->slowest_rank],
        .fastest_bytes = record->ints[roles->fastest_bytes],
        .slowest_bytes = record->ints[roles->slowest_bytes],
        .fastest_time = slowest == record->reals[roles->slowest_time] ? record->reals[roles->fastest_time] : slowest,
        .slowest_time = slowest,
        .variance_time = roles->variance_time < 0 ? 0 : record->reals[roles->variance_time],
        .variance_bytes = roles->variance_bytes < 0 ? NAN : record->reals[roles->variance_bytes],
    };
}

/* One rank's part of a file. */
typedef struct facts_files_part {
    int64_t rank, bytes[IOL_DIRECTIONS];
    double time;
    bool opened;
} facts_files_part;

static void add_facts_files_part(iol__facts_ranks *ranks, const facts_files_part *p, bool first) {
    double bytes = (double)p->bytes[IOL_READ] + (double)p->bytes[IOL_WRITE];
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        double mine = (double)p->bytes[direction];
        ranks->min_bytes[direction] =
            first ? p->bytes[direction] : smaller(ranks->min_bytes[direction], p->bytes[direction]);
        ranks->max_bytes[direction] = facts_files_larger(ranks->max_bytes[direction], p->bytes[direction]);
        ranks->direction_bytes[direction] += mine;
        ranks->direction_squares[direction] += mine * mine;
        ranks->movers[direction] += mine > 0;
    }
    ranks->openers += p->opened;
    ranks->bytes += bytes;
    ranks->squares += bytes * bytes;
    ranks->time += p->time;
    ranks->time_squares += p->time * p->time;
    if (first || p->time < ranks->fastest_time) {
        ranks->fastest_time = p->time;
        ranks->fastest_rank = p->rank;
        ranks->fastest_bytes = iol__facts_plus(p->bytes[IOL_READ], p->bytes[IOL_WRITE]);
    }
    if (first || p->time > ranks->slowest_time) {
        ranks->slowest_time = p->time;
        ranks->slowest_rank = p->rank;
        ranks->slowest_bytes = iol__facts_plus(p->bytes[IOL_READ], p->bytes[IOL_WRITE]);
    }
}

/* What the one earlier record held: everything so far, but for a record of all ranks that may be there as well. */
static facts_files_part first_part(const iol__facts_use *use) {
    const iol__facts_whole *w = use->whole;
    facts_files_part p = {.rank = use->rank, .time = iol__facts_time(use), .opened = use->opens > 0};
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        p.bytes[direction] = use->direction[direction]->bytes;
    if (!w) return p;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        p.bytes[direction] -= facts_files_larger(0, w->bytes[direction]);
        p.time -= iol__sane(w->time[direction]);
    }
    p.time -= iol__sane(w->meta_time);
    return p;
}

static void add_single(const facts_files_reading *r, iol__facts_use *use) {
    use->records++;
    if (use->records == 1) {
        use->rank = r->record->rank > INT32_MAX ? INT32_MAX : (int32_t)r->record->rank;
        return;
    }
    iol__facts_ranks *ranks = (iol__facts_ranks *)use->ranks;
    if (!ranks) {
        use->ranks = ranks = iol__facts_alloc(r->facts, 1, sizeof *ranks);
        facts_files_part first = first_part(use);
        add_facts_files_part(ranks, &first, true);
    }
    facts_files_part p = {.rank = r->record->rank, .time = r->all_time, .opened = r->opens > 0};
    memcpy(p.bytes, r->bytes, sizeof p.bytes);
    add_facts_files_part(ranks, &p, false);
}

/* An array by rank that reaches to `rank`, zeroed where it is new. */
static void *facts_files_reach(iol__facts *facts, void *array, size_t *room, size_t size, size_t rank) {
    if (rank < *room) return array;
    size_t more = rank < 32 ? 32 : rank * 2;
    if (more > IOL_FACTS_RANKS) more = IOL_FACTS_RANKS;
    char *grown = realloc(array, more * size);
    if (!grown) longjmp(facts->store->exhausted, 1);
    memset(grown + *room * size, 0, (more - *room) * size);
    *room = more;
    return grown;
}

static void add_rank(const facts_files_reading *r, iol__facts_layer layer) {
    iol__facts_store *store = r->facts->store;
    if (r->record->rank < 0 || r->record->rank >= IOL_FACTS_RANKS) {
        r->facts->no_rank++;
        return;
    }
    size_t rank = (size_t)r->record->rank;
    store->ranks[layer] =
        facts_files_reach(r->facts, store->ranks[layer], &store->rank_room[layer], sizeof *store->ranks[layer], rank);
    iol__facts_layer_ranks *ranks = &r->facts->ranks[layer];
    if (rank >= ranks->count) ranks->count = rank + 1;
    iol__facts_rank *mine = &store->ranks[layer][rank];
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        mine->time[direction] += r->time[direction];
        mine->bytes[direction] = iol__facts_plus(mine->bytes[direction], r->bytes[direction]);
        mine->ops[direction] = iol__facts_plus(mine->ops[direction], r->ops[direction]);
    }
    mine->meta_time += r->meta_time;
    mine->files++;
}

static void add_whole_times(const facts_files_reading *r, iol__facts_layer layer) {
    iol__facts_layer_ranks *ranks = &r->facts->ranks[layer];
    double slowest = iol__sane(iol__record_slowest_time(r->facts->log, r->record));
    ranks->whole_meta += r->meta_time;
    ranks->whole_meta_capped += r->meta_time < slowest ? r->meta_time : slowest;
    ranks->whole_slowest += slowest;
}

/* A record ------------------------------------------------------------------------------------------------------ */

static void add_calls(const facts_files_reading *r, iol__facts_use *use) {
    const counters *c = r->counters;
    use->opens = iol__facts_plus(use->opens, r->opens);
    use->stats = iol__facts_plus(use->stats, list_at(r, c->stats));
    use->seeks = iol__facts_plus(use->seeks, list_at(r, c->seeks));
    use->syncs = iol__facts_plus(use->syncs, list_at(r, c->syncs));
    use->renames = iol__facts_plus(use->renames, list_at(r, c->renames));
    use->mmaps = iol__facts_plus(use->mmaps, list_at(r, c->mmaps));
    use->rw_switches = iol__facts_plus(use->rw_switches, list_at(r, c->rw_switches));
    use->mem_not_aligned = iol__facts_plus(use->mem_not_aligned, int_at(r, c->mem_not_aligned));
    use->file_not_aligned = iol__facts_plus(use->file_not_aligned, int_at(r, c->file_not_aligned));
    use->mem_alignment = facts_files_larger(use->mem_alignment, int_at(r, c->mem_alignment));
    use->file_alignment = facts_files_larger(use->file_alignment, int_at(r, c->file_alignment));
    use->meta_time += r->meta_time;
    double close_start = facts_files_real_at(r, c->first_close), close_end = facts_files_real_at(r, c->last_close);
    use->first_open = facts_files_earlier(use->first_open, facts_files_real_at(r, c->first_open));
    use->last_open = later(use->last_open, facts_files_real_at(r, c->last_open));
    use->last_close = later(use->last_close, close_end);
    if (close_start > 0) use->close_span = later(use->close_span, close_end - close_start);
}

static void add_kinds(const facts_files_reading *r, iol__facts_file *file) {
    iol__facts_mpiio *m = (iol__facts_mpiio *)file->mpiio;
    const int64_t *ints = r->record->ints;
    if (!m) file->mpiio = m = iol__facts_alloc(r->facts, 1, sizeof *m);
    m->indep_opens = iol__facts_plus(m->indep_opens, ints[IOL_MPIIO_INDEP_OPENS]);
    m->coll_opens = iol__facts_plus(m->coll_opens, ints[IOL_MPIIO_COLL_OPENS]);
    m->hints = iol__facts_plus(m->hints, ints[IOL_MPIIO_HINTS]);
    m->views = iol__facts_plus(m->views, ints[IOL_MPIIO_VIEWS]);
    for (int direction = 0; direction < IOL_DIRECTIONS;
         direction++) { /* the write counter follows the read counter in each pair */
        m->indep[direction] = iol__facts_plus(m->indep[direction], ints[IOL_MPIIO_INDEP_READS + direction]);
        m->coll[direction] = iol__facts_plus(m->coll[direction], ints[IOL_MPIIO_COLL_READS + direction]);
        m->split[direction] = iol__facts_plus(m->split[direction], ints[IOL_MPIIO_SPLIT_READS + direction]);
        m->nonblocking[direction] = iol__facts_plus(m->nonblocking[direction], ints[IOL_MPIIO_NB_READS + direction]);
    }
}

static void add_to_file(const facts_files_reading *r, iol__facts_file *file, iol__facts_layer layer, uint64_t number) {
    iol__facts_use *use = use_of(r->facts, file, layer);
    if (r->record->rank != -1) add_single(r, use); /* first: it may need what is there so far */
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) add_direction(r, direction, use);
    add_calls(r, use);
    add_common(r, size_table(r), &use->sizes);
    if (r->roles->common[1].values >= 0) add_common(r, &r->roles->common[0], &use->strides);
    if (r->record->rank == -1) add_whole(r, use, number);
    if (layer == IOL_LAYER_MPIIO) add_kinds(r, file);
}

bool iol__facts_add_traffic(iol__facts *facts, iol__facts_layer layer, const iol_record *record, uint64_t number) {
    facts_files_reading r = {
        .facts = facts,
        .record = record,
        .roles = iol__modules[record->slot].roles,
        .counters = &counters_of[layer],
    };
    facts_files_prepare(&r);
    iol__facts_file *file = iol__facts_enter(facts, record->id);
    if (file) add_to_file(&r, file, layer, number);
    if (record->rank == -1)
        add_whole_times(&r, layer);
    else
        add_rank(&r, layer);
    return !r.odd;
}
