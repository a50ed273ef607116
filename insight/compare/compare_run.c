/* One log becomes one run: its figures from the facts, its findings in short. */
#include <math.h>
#include <string.h>

#include "insight/compare/compare_internal.h"
#include "insight/facts/metrics.h"

const iol__metric iol__compare_metrics[IOL_METRICS] = {
#define TIMED(name, label, unit, better) \
    {#name, label, IOL_UNIT_##unit, IOL_BETTER_##better, IOL_ASPECT_TIME, -1, {-1, -1}},
#define COUNTED(name, label, unit, aspect) \
    {#name, label, IOL_UNIT_##unit, IOL_BETTER_NEITHER, IOL_ASPECT_##aspect, -1, {-1, -1}},
#define SUMMED(name, label, unit, aspect, module, first, second) \
    {#name, label, IOL_UNIT_##unit, IOL_BETTER_NEITHER, IOL_ASPECT_##aspect, IOL_SLOT_##module, {first, second}},
#include "insight/compare/compare_metrics.def"
};

/* Figures ------------------------------------------------------------------------------------------------------- */

/* A module that is not in the log was not used: nothing went through it. One that cannot be read, or only
   in part, may have been. */
static double compare_run_sum_of(const iol__facts *facts, const iol__metric *metric) {
    const iol__facts_module *module = &facts->modules[metric->slot];
    if ((facts->unreadable | facts->damaged) >> metric->slot & 1) return NAN;
    if (!module->all.records) return 0;
    double sum = 0;
    for (int i = 0; i < 2; i++)
        if (metric->counters[i] >= 0) sum += (double)module->all.ints[metric->counters[i]];
    return sum;
}

/* Sums over files of what the counters alone do not give. */
typedef struct habits {
    double opens, small, random, unaligned, switches;
    double stripe_count, stripe_size;
} habits;

static habits habits_of(const iol__facts *facts) {
    habits h = {0};
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = iol__facts_layer_of(&facts->file[i], IOL_LAYER_POSIX);
        h.opens += (double)use->opens;
        h.unaligned += (double)use->file_not_aligned;
        h.switches += (double)use->rw_switches;
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            h.small += (double)use->direction[direction]->below_mib;
            h.random += (double)use->direction[direction]->random;
        }
        const iol__facts_lustre *lustre = facts->file[i].lustre;
        for (uint32_t c = 0; lustre && c < lustre->components; c++) {
            h.stripe_count = fmax(h.stripe_count, (double)lustre->stripes[c].count);
            h.stripe_size = fmax(h.stripe_size, (double)lustre->stripes[c].size);
        }
    }
    return h;
}

/* A share of nothing is not known. */
static double share(double part, double whole) { return whole > 0 ? part / whole : NAN; }

static void fill_counts(double *v, const iol__facts *facts) {
    for (int m = 0; m < IOL_METRICS; m++)
        if (iol__compare_metrics[m].slot >= 0) v[m] = compare_run_sum_of(facts, &iol__compare_metrics[m]);
    habits h = habits_of(facts);
    double requests = v[IOL_METRIC_requests];
    v[IOL_METRIC_mean_write] = share(v[IOL_METRIC_bytes_written], v[IOL_METRIC_writes]);
    v[IOL_METRIC_mean_read] = share(v[IOL_METRIC_bytes_read], v[IOL_METRIC_reads]);
    v[IOL_METRIC_small_share] = share(h.small, requests);
    v[IOL_METRIC_random_share] = share(h.random, requests);
    v[IOL_METRIC_unaligned_share] = share(h.unaligned, requests);
    v[IOL_METRIC_switch_share] = share(h.switches, requests);
    v[IOL_METRIC_opens] = isnan(requests) ? NAN : h.opens;
    v[IOL_METRIC_files] = (double)facts->n_files;
    v[IOL_METRIC_stripe_count] = h.stripe_count > 0 ? h.stripe_count : NAN;
    v[IOL_METRIC_stripe_size] = h.stripe_size > 0 ? h.stripe_size : NAN;
}

static void fill_metrics(double *v, const iol__facts *facts) {
    iol__metrics m;
    iol__metrics_make(facts, &iol__metric_limits_usual, &m);
    v[IOL_METRIC_meta_s_per_rank] = m.meta_s_per_proc;
    v[IOL_METRIC_time_excess] = m.time_excess;
    v[IOL_METRIC_effective_ranks] = m.effective_ranks;
    v[IOL_METRIC_redundant_read_bytes] = m.posix ? (double)m.redundant_read_bytes : NAN;
    v[IOL_METRIC_redundant_write_bytes] = m.posix ? (double)m.redundant_write_bytes : NAN;
}

static void fill_times(double *v, const iol__diagnosis *d) {
    v[IOL_METRIC_run_time] = d->run_time > 0 ? d->run_time : NAN;
    const bool doubtful = iol__figures_impossible(d->io_waited, d->run_time);
    v[IOL_METRIC_io_time] = doubtful ? NAN : d->io_time;
    v[IOL_METRIC_io_share] = doubtful ? NAN : d->io_share;
    v[IOL_METRIC_rate] = doubtful ? NAN : d->rate;
    v[IOL_METRIC_phases] = d->phases.source ? (double)d->phases.count : NAN;
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static const char *const *actions_of(const iol__finding *finding, iol__arena *arena) {
    const char **actions = iol__arena_alloc(arena, finding->n_advice + 1, sizeof *actions);
    for (size_t i = 0; i < finding->n_advice; i++) actions[i] = iol__arena_copy(arena, finding->advice[i].action);
    return actions;
}

/* A good finding is not a problem that could be fixed or appear. */
static void fill_findings(iol__job_run *run, const iol__diagnosis *d, iol__arena *arena) {
    iol__job_finding *list = iol__arena_alloc(arena, d->n_findings + 1, sizeof *list);
    for (size_t i = 0; i < d->n_findings; i++) {
        const iol__finding *f = &d->findings[i];
        if (f->level == IOL_LEVEL_OK) continue;
        list[run->n_findings++] = (iol__job_finding){
            .id = iol__arena_copy(arena, f->id),
            .title = iol__arena_copy(arena, f->title),
            .level = f->level,
            .lost = f->costed && f->cost.known ? f->cost.best : NAN,
            .actions = actions_of(f, arena),
        };
    }
    run->findings = list;
}

/* "/home/ana/bin/heat3d --steps 9" -> "heat3d" */
static const char *compare_run_program_of(const char *exe, iol__arena *arena) {
    size_t length = strcspn(exe, " \t\n");
    size_t from = length;
    while (from > 0 && exe[from - 1] != '/') from--;
    return iol__arena_text(arena, exe + from, length - from);
}

void iol__job_run_fill(iol__job_run *run, const iol__diagnosis *d, iol__arena *arena) {
    *run = (iol__job_run){
        .log = iol__arena_copy(arena, d->log_name),
        .exe = iol__arena_copy(arena, d->exe),
        .hash = iol__arena_copy(arena, d->log_hash),
        .program = compare_run_program_of(d->exe, arena),
        .job_id = d->job_id,
        .start = d->start,
        .end = d->end,
        .processes = d->processes,
        .partial = d->facts->partial != 0,
    };
    for (int m = 0; m < IOL_METRICS; m++) run->values[m] = NAN;
    fill_counts(run->values, d->facts);
    fill_metrics(run->values, d->facts);
    fill_times(run->values, d);
    fill_findings(run, d, arena);
}
