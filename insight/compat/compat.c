/* The formulas of the compatible mode, as they are, not as they should be. All comparisons are strict, all arithmetic
   is in doubles. One direction is written once and used for reads and writes. */
#include "insight/compat/compat.h"

#include <math.h>
#include <string.h>

#include "base/strings.h"

typedef enum needs { NEEDS_NOTHING, NEEDS_LUSTRE, NEEDS_HDF5 } needs;

static const needs needs_of[IOL_COMPAT_CODES] = {
#define COMPAT(code, id, level, audience, panel, needs, ...) [IOL_##code] = needs,
#include "insight/compat/compat.def"
#undef COMPAT
};

const iol__compat_rule iol__compat_rules[IOL_COMPAT_CODES] = {
#define COMPAT(code, id, level, audience, panel, needs, title, ...) \
    [IOL_##code] = {#code, id, IOL_LEVEL_##level, audience, IOL_PANEL_##panel, title, {__VA_ARGS__}},
#include "insight/compat/compat.def"
#undef COMPAT
};

/* The thresholds of the reference, under its names. Some act on other inputs than profiles only. */
#define UNBALANCED_OPS 0.10
#define STDIO_SHARE 0.10
#define SMALL_SHARE 0.10
#define MISALIGNED 0.10
#define RANDOM_SHARE 0.20
#define UNEVEN_RANKS 0.15
#define UNEVEN_RECORDS 0.30
#define MANY 1000.0
#define SLOW_METADATA 30.0
enum { SMALL_BINS = 5 };

const iol__figure iol__compat_thresholds[] = {
    {.name = "imbalance.operations", .value = UNBALANCED_OPS}, {.name = "small.bytes", .value = 1048576},
    {.name = "small.requests", .value = SMALL_SHARE},          {.name = "small.requests_absolute", .value = MANY},
    {.name = "misaligned.requests", .value = MISALIGNED},      {.name = "metadata.time_rank", .value = SLOW_METADATA},
    {.name = "random.operations", .value = RANDOM_SHARE},      {.name = "random.operations_absolute", .value = MANY},
    {.name = "imbalance.stragglers", .value = UNEVEN_RANKS},   {.name = "imbalance.size", .value = UNEVEN_RECORDS},
    {.name = "interface.stdio", .value = STDIO_SHARE},         {.name = "collective.operations", .value = 0.5},
    {.name = "collective.operations_absolute", .value = MANY}, {.name = NULL}};

typedef struct evaluation {
    const iol__facts *facts;
    iol__compat *compat;
    const iol__facts_sums *posix, *shared, *mpiio, *stdio;
    bool hdf5, lustre;
} evaluation;

/* Findings ------------------------------------------------------------------------------------------------------ */

static iol__compat_finding *compat_emit(evaluation *e, iol__compat_code code) {
    iol__compat *compat = e->compat;
    const iol__compat_rule *rule = &iol__compat_rules[code];
    iol__compat_finding *finding = &compat->finding[compat->count++];
    *finding = (iol__compat_finding){.rule = rule};
    while (finding->advice < IOL_COMPAT_ADVICE && rule->advice[finding->advice]) finding->advice++;
    bool lacking = (needs_of[code] == NEEDS_LUSTRE && !e->lustre) || (needs_of[code] == NEEDS_HDF5 && !e->hdf5);
    finding->advice -= lacking;
    compat->recommendations += finding->advice;
    compat->high += rule->level == IOL_LEVEL_HIGH;
    compat->warn += rule->level == IOL_LEVEL_WARN;
    return finding;
}

static void emit_figures(evaluation *e, iol__compat_code code, iol__figure first, iol__figure second) {
    iol__compat_finding *finding = compat_emit(e, code);
    finding->figure[0] = first;
    finding->figure[1] = second;
}

static iol__figure compat_figure(const char *name, double value) { return (iol__figure){.name = name, .value = value}; }

/* Keep a detail if it is among the first in the reference's order. */
static void keep(iol__compat_finding *finding, iol__compat_detail detail) {
    size_t held = finding->n_details < IOL_FACTS_DETAILS ? (size_t)finding->n_details : IOL_FACTS_DETAILS;
    finding->n_details++;
    size_t at = held;
    while (at > 0 && finding->detail[at - 1].order > detail.order) at--;
    if (at == IOL_FACTS_DETAILS) return;
    size_t move = (held < IOL_FACTS_DETAILS ? held : IOL_FACTS_DETAILS - 1) - at;
    memmove(&finding->detail[at + 1], &finding->detail[at], move * sizeof detail);
    finding->detail[at] = detail;
}

/* Sums ---------------------------------------------------------------------------------------------------------- */

/* As the reference adds up: what is not measured (-1) counts as nothing, all else as it is. */
static double compat_sum_of(const iol__facts_sums *sums, int counter) {
    return (double)sums->ints[counter] + sums->impossible[counter];
}

static double posix(const evaluation *e, int counter) { return compat_sum_of(e->posix, counter); }
static double mpiio(const evaluation *e, int counter) { return compat_sum_of(e->mpiio, counter); }

static double small_sum(const iol__facts_sums *sums, int direction) {
    int first = direction == IOL_READ ? IOL_POSIX_SIZE_READ_0_100 : IOL_POSIX_SIZE_WRITE_0_100;
    double small = 0;
    for (int bin = 0; bin < SMALL_BINS; bin++) small += compat_sum_of(sums, first + bin);
    return small;
}

static const int calls[IOL_DIRECTIONS] = {IOL_POSIX_READS, IOL_POSIX_WRITES};

/* Interfaces ---------------------------------------------------------------------------------------------------- */

static void interfaces(evaluation *e) {
    double stdio = compat_sum_of(e->stdio, IOL_STDIO_BYTES_READ) + compat_sum_of(e->stdio, IOL_STDIO_BYTES_WRITTEN);
    double px = posix(e, IOL_POSIX_BYTES_READ) + posix(e, IOL_POSIX_BYTES_WRITTEN);
    double mp = mpiio(e, IOL_MPIIO_BYTES_READ) + mpiio(e, IOL_MPIIO_BYTES_WRITTEN);
    if (px > 0 && px >= mp) px -= mp;
    double total = stdio + px + mp;
    if (total > 0 && stdio / total > STDIO_SHARE)
        emit_figures(e, IOL_S01, compat_figure("share", stdio / total), compat_figure("bytes", stdio));
    if (!e->facts->modules[IOL_SLOT_MPIIO].listed) compat_emit(e, IOL_M01);
}

/* POSIX --------------------------------------------------------------------------------------------------------- */

/* Requests are compared only where there are some. Bytes are not asked: no bytes in all, because one side is as far
   below zero as the other is above, are infinitely far apart. */
static void mix(evaluation *e, double read, double written, bool asked, iol__compat_code more_written,
                iol__compat_code more_read) {
    double all = read + written;
    if (written == read || (asked && !(all > 0)) || !(fabs(written - read) / all > UNBALANCED_OPS)) return;
    emit_figures(e, written > read ? more_written : more_read, compat_figure("write_share", written / all),
                 compat_figure("read_share", read / all));
}

static void small_details(evaluation *e, iol__compat_finding *finding, int direction, double all, bool shared) {
    const iol__facts *facts = e->facts;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[IOL_LAYER_POSIX];
        if (!use || (shared && !use->whole)) continue;
        int64_t small = shared ? use->whole->small[direction] : iol__facts_small(use->direction[direction]);
        if (!((double)small > SMALL_SHARE / 2 * all)) continue;
        keep(finding, (iol__compat_detail){.id = facts->file[i].id,
                                           .rank = -1,
                                           .count = small,
                                           .percent = 100 * (double)small / all,
                                           .order = shared ? use->whole->number : facts->file[i].id});
    }
}

/* Only the rules about shared files ask whether there are requests at all. The others divide by none, as in records
   whose bins are filled and whose counts are not: the share is infinite then, and they fire. */
static void small_requests(evaluation *e, iol__compat_code code, int direction, bool shared) {
    const iol__facts_sums *sums = shared ? e->shared : e->posix;
    double small = small_sum(sums, direction), all = compat_sum_of(sums, calls[direction]);
    if ((shared && !(all > 0)) || !(small > MANY && small / all > SMALL_SHARE)) return;
    emit_figures(e, code, compat_figure("requests", small), compat_figure("share", small / all));
    small_details(e, &e->compat->finding[e->compat->count - 1], direction, all, shared);
}

static void alignment(evaluation *e, iol__compat_code code, int counter) {
    double all = posix(e, IOL_POSIX_READS) + posix(e, IOL_POSIX_WRITES);
    if (all > 0 && posix(e, counter) / all > MISALIGNED)
        emit_figures(e, code, compat_figure("share", posix(e, counter) / all), compat_figure(NULL, 0));
}

/* The test is the wrong way round, and P10 comes twice: both are what the reference does. */
static void redundancy(evaluation *e) {
    const int64_t *most = e->facts->modules[IOL_SLOT_POSIX].max_ints;
    if ((double)most[IOL_POSIX_MAX_BYTE_READ] > posix(e, IOL_POSIX_BYTES_READ)) compat_emit(e, IOL_P09);
    if (!((double)most[IOL_POSIX_MAX_BYTE_WRITTEN] > posix(e, IOL_POSIX_BYTES_WRITTEN))) return;
    compat_emit(e, IOL_P10);
    compat_emit(e, IOL_P10);
}

static void order(evaluation *e, int direction, iol__compat_code random, iol__compat_code sequential) {
    double all = posix(e, calls[direction]);
    double seq = posix(e, direction == IOL_READ ? IOL_POSIX_SEQ_READS : IOL_POSIX_SEQ_WRITES);
    double consec = posix(e, direction == IOL_READ ? IOL_POSIX_CONSEC_READS : IOL_POSIX_CONSEC_WRITES);
    double apart = all - seq;
    if (!(all > 0)) return;
    if (apart > 0 && apart / all > RANDOM_SHARE && apart > MANY)
        emit_figures(e, random, compat_figure("requests", apart), compat_figure("share", apart / all));
    else
        emit_figures(e, sequential, compat_figure("consecutive_share", consec / all),
                     compat_figure("sequential_share", (seq - consec) / all));
}

/* How far the slowest and the fastest rank of a shared file are apart, in bytes or in time. */
static double rank_gap(const iol__facts *facts, const iol__facts_whole *whole, bool time) {
    double bytes = (double)whole->bytes[IOL_READ] + (double)whole->bytes[IOL_WRITE];
    double meta = iol__facts_reference_meta(facts, whole->meta_time);
    double seconds = whole->time[IOL_READ] + whole->time[IOL_WRITE] + meta;
    double all = time ? seconds : bytes;
    double gap =
        time ? whole->slowest_time - whole->fastest_time : (double)whole->slowest_bytes - (double)whole->fastest_bytes;
    return all > 0 ? fabs(gap) / all : 0;
}

static double record_gap(const iol__facts_ranks *ranks, int direction) {
    double most = (double)ranks->max_bytes[direction], least = (double)ranks->min_bytes[direction];
    return most > 0 ? (most - least) / most : 0;
}

/* What the balance rules ask of a file; 0 where it is none of theirs. */
static double gap_of(const iol__facts *facts, const iol__facts_use *use, iol__compat_code code) {
    if (code == IOL_P18 || code == IOL_P19) return use->whole ? rank_gap(facts, use->whole, code == IOL_P19) : 0;
    return use->ranks ? record_gap(use->ranks, code == IOL_P21 ? IOL_WRITE : IOL_READ) : 0;
}

static void balance(evaluation *e, iol__compat_code code, double limit) {
    const iol__facts *facts = e->facts;
    iol__compat_finding *finding = NULL;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[IOL_LAYER_POSIX];
        if (!use) continue;
        double gap = gap_of(facts, use, code);
        if (!(gap > limit)) continue;
        if (!finding) finding = compat_emit(e, code);
        bool by_record = code == IOL_P18 || code == IOL_P19;
        keep(finding, (iol__compat_detail){.id = facts->file[i].id,
                                           .rank = -1,
                                           .count = -1,
                                           .percent = 100 * gap,
                                           .order = by_record ? use->whole->number : facts->file[i].id});
    }
    if (finding) finding->figure[0] = compat_figure("files", (double)finding->n_details);
}

static void posix_rules(evaluation *e) {
    mix(e, posix(e, IOL_POSIX_READS), posix(e, IOL_POSIX_WRITES), true, IOL_P01, IOL_P02);
    mix(e, posix(e, IOL_POSIX_BYTES_READ), posix(e, IOL_POSIX_BYTES_WRITTEN), false, IOL_P03, IOL_P04);
    small_requests(e, IOL_P05, IOL_READ, false);
    small_requests(e, IOL_P06, IOL_WRITE, false);
    alignment(e, IOL_P07, IOL_POSIX_MEM_NOT_ALIGNED);
    alignment(e, IOL_P08, IOL_POSIX_FILE_NOT_ALIGNED);
    redundancy(e);
    order(e, IOL_READ, IOL_P11, IOL_P12);
    order(e, IOL_WRITE, IOL_P13, IOL_P14);
    small_requests(e, IOL_P15, IOL_READ, true);
    small_requests(e, IOL_P16, IOL_WRITE, true);
    double slow = (double)e->facts->slow_meta_records;
    if (slow > 0) emit_figures(e, IOL_P17, compat_figure("records", slow), compat_figure("seconds", SLOW_METADATA));
    balance(e, IOL_P18, UNEVEN_RANKS);
    balance(e, IOL_P19, UNEVEN_RANKS);
    balance(e, IOL_P21, UNEVEN_RECORDS);
    balance(e, IOL_P22, UNEVEN_RECORDS);
}

/* MPI-IO -------------------------------------------------------------------------------------------------------- */

static void collective(evaluation *e, int direction, iol__compat_code none, iol__compat_code used) {
    double indep = mpiio(e, IOL_MPIIO_INDEP_READS + direction), coll = mpiio(e, IOL_MPIIO_COLL_READS + direction);
    double all = indep + coll;
    if (coll > 0) emit_figures(e, used, compat_figure("requests", coll), compat_figure("share", coll / all));
    if (coll != 0 || !(all > MANY)) return;
    emit_figures(e, none, compat_figure("requests", indep), compat_figure("share", indep / all));
    iol__compat_finding *finding = &e->compat->finding[e->compat->count - 1];
    const iol__facts_independent *found = &e->facts->independent[direction];
    finding->n_details = found->count;
    for (uint64_t i = 0; i < found->count && i < IOL_FACTS_DETAILS; i++)
        finding->detail[i] =
            (iol__compat_detail){.id = found->first[i].id,
                                 .rank = found->first[i].rank,
                                 .count = found->first[i].ops,
                                 .percent = 100 * (double)found->first[i].ops / (double)found->first[i].all};
}

static void mpiio_rules(evaluation *e) {
    collective(e, IOL_READ, IOL_M02, IOL_M04);
    collective(e, IOL_WRITE, IOL_M03, IOL_M05);
    if (mpiio(e, IOL_MPIIO_NB_READS) == 0) compat_emit(e, IOL_M06);
    if (mpiio(e, IOL_MPIIO_NB_WRITES) == 0) compat_emit(e, IOL_M07);
}

/* The whole ----------------------------------------------------------------------------------------------------- */

static bool uses_hdf5(const iol__facts *facts) {
    if (facts->modules[IOL_SLOT_H5F].listed) return true;
    for (size_t i = 0; i < facts->n_files; i++) {
        if (!facts->file[i].layer[IOL_LAYER_MPIIO]) continue;
        const char *name = iol__facts_name(facts, &facts->file[i]);
        if (name && (iol__ends_with(name, ".h5") || iol__ends_with(name, ".hdf5"))) return true;
    }
    return false;
}

void iol__compat_make(const iol__facts *facts, iol__compat *compat) {
    const iol__facts_module *modules = facts->modules;
    *compat = (iol__compat){0};
    evaluation e = {
        .facts = facts,
        .compat = compat,
        .posix = &modules[IOL_SLOT_POSIX].all,
        .shared = &modules[IOL_SLOT_POSIX].whole,
        .mpiio = &modules[IOL_SLOT_MPIIO].all,
        .stdio = &modules[IOL_SLOT_STDIO].all,
        .hdf5 = uses_hdf5(facts),
        .lustre = modules[IOL_SLOT_LUSTRE].listed,
    };
    interfaces(&e);
    if (modules[IOL_SLOT_POSIX].all.records) posix_rules(&e);
    if (modules[IOL_SLOT_MPIIO].all.records) mpiio_rules(&e);
}
