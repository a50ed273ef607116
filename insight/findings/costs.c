/* The cost models. Savings are computed in seconds of all ranks and divided by the parallelism of the file: the time of
   all ranks over that of the slowest. Each model is one small function in a table. */
#include "insight/findings/costs.h"

#include <math.h>
#include <string.h>

#include "insight/facts/carriers.h"
#include "insight/language/rule_eval.h"

static double limited(double value) { return isnan(value) || value < 0 ? 0 : value; }

/* What the models ask of a file. */
typedef struct iol__cost_case {
    const iol__subject *s;
    const iol__facts_use *use;
    int direction;  /* 0: both */
    double time;    /* in that direction, all ranks */
    double ops;     /* in that direction */
    double bytes;   /* in that direction */
    double p;       /* parallelism */
    double slowest; /* seconds of the slowest rank */
    double target;  /* a good request size here */
    double floor;   /* seconds that moving the bytes takes */
} cost_case;

static iol__facts_layer layer_of(const iol__rule *rule) {
    if (strcmp(rule->layer, "stdio") == 0) return IOL_LAYER_STDIO;
    if (strcmp(rule->layer, "mpiio") == 0) return IOL_LAYER_MPIIO;
    return IOL_LAYER_POSIX;
}

/* Bandwidth that a file could have: its stripes, or the nodes that use it. */
static double bandwidth(const iol__subject *s) {
    const iol__case *job = s->job;
    double rate = fmax(1, job->job[IOL_JOB_nodes]) * iol__subject_threshold(s, "site.node_bandwidth");
    double fs = iol__subject_threshold(s, "site.fs_bandwidth");
    if (fs > 0) rate = fmin(rate, fs);
    double stripes = s->raw[IOL_MAX_stripe_count];
    if (stripes > 0) {
        double better = iol__recommended_stripes(s);
        rate = fmin(rate, fmax(stripes, better) * iol__subject_threshold(s, "site.ost_bandwidth"));
    }
    return rate;
}

/* What POSIX counts as writing and is none: fewer or larger writes do not save it. */
static double sync_time(const cost_case *c) {
    return c->use == c->s->file->layer[IOL_LAYER_POSIX] ? c->s->raw[IOL_SUM_sync_time] : 0;
}

static bool prepare(const iol__rule *rule, const iol__subject *s, cost_case *c) {
    *c = (cost_case){.s = s, .direction = rule->direction};
    c->use = s->file->layer[layer_of(rule)];
    if (!c->use) c->use = iol__facts_top(s->file, NULL);
    if (!c->use || iol__facts_time(c->use) <= 0) return false;
    const iol__facts_traffic *r = c->use->direction[IOL_READ], *w = c->use->direction[IOL_WRITE];
    if (rule->direction != 2) c->time += r->time, c->ops += (double)r->ops, c->bytes += (double)r->bytes;
    if (rule->direction != 1) c->time += w->time - sync_time(c), c->ops += (double)w->ops, c->bytes += (double)w->bytes;
    c->slowest = iol__waited(s->job, c->use);
    c->p = c->slowest > 0 ? fmax(1, iol__facts_time(c->use) / c->slowest) : 1;
    c->target = s->raw[IOL_MAX_stripe_size] > 0 ? s->raw[IOL_MAX_stripe_size] : 4 * 1048576.0;
    double rate = bandwidth(s);
    c->floor = rate > 0 ? c->bytes / rate : 0;
    return true;
}

/* The models -------------------------------------------------------------------------------------------------- */

static const double begin_bytes = IOL_BEGIN_BYTES;

/* What small requests take of a time that they share with large ones. */
static double time_share(const cost_case *c, double n, double n_bytes) {
    const double all = c->ops * begin_bytes + c->bytes;
    return all > 0 ? fmin(1, (n * begin_bytes + n_bytes) / all) : 0;
}

/* What is saved when requests of this size become as large as the target: the bytes are moved all the same. */
static double saved_by_merging(const cost_case *c, double mean) {
    const double now = begin_bytes + mean, then = mean * (1 + begin_bytes / c->target);
    return fmax(0, 1 - then / now);
}

/* The page cache of the client merges what comes one after the other; then only the calls are left, which cost as much as
   a copy of 4 KiB. */
static double merged(const cost_case *c, double mean, double consecutive) {
    if (c->ops <= 0 || consecutive / c->ops <= 0.8) return 1;
    return fmax(0.5, 4096 / (4096 + mean));
}

/* Many requests where few would do. */
static iol__range fewer(const cost_case *c, double n, double n_bytes, double consecutive) {
    double share = c->ops > 0 ? fmin(1, n / c->ops) : 0, mean = n > 0 ? n_bytes / n : 0;
    double byte_share = c->bytes > 0 ? fmin(1, n_bytes / c->bytes) : share;
    double reduction = saved_by_merging(c, mean);
    double full = merged(c, mean, consecutive) * c->time / c->p;
    double best = full * time_share(c, n, n_bytes) * reduction;
    return (iol__range){true, best, fmin(best, full * byte_share * reduction), full * share};
}

/* What MPI-IO takes for file views, where one is set for every call or two: HDF5 does so. */
static double in_views(const cost_case *c, const iol__facts_use *above, double calls) {
    const double *raw = c->s->raw, all = raw[IOL_SUM_mpiio_reads] + raw[IOL_SUM_mpiio_writes];
    return all > 0 && raw[IOL_SUM_mpiio_views] >= 0.5 * all ? above->meta_time * calls / all : 0;
}

/* Where MPI-IO was asked for small pieces too, what the ranks wait for in its calls goes with their number. */
static cost_case as_asked_for(const cost_case *c) {
    const iol__facts_use *above = c->s->file->layer[IOL_LAYER_MPIIO];
    cost_case asked = *c;
    if (!above || c->use != c->s->file->layer[IOL_LAYER_POSIX]) return asked;
    const iol__facts_traffic *calls = above->direction[c->direction == 1 ? IOL_READ : IOL_WRITE];
    double waited = iol__waited(c->s->job, above), all = iol__facts_time(above);
    if (calls->ops <= 0 || (double)calls->bytes >= begin_bytes * (double)calls->ops || waited <= 0) return asked;
    double in_calls = calls->time + in_views(c, above, (double)calls->ops);
    asked.time = fmax(c->time, in_calls / fmax(1, all / waited) * c->p);
    return asked;
}

static iol__range small_request(const cost_case *posix) {
    const double *raw = posix->s->raw;
    const cost_case c = as_asked_for(posix);
    if (c.use == c.s->file->layer[IOL_LAYER_STDIO]) return fewer(&c, c.ops, c.bytes, 0);
    return c.direction == 1
               ? fewer(&c, raw[IOL_SUM_small_reads], raw[IOL_SUM_small_read_bytes], raw[IOL_SUM_consec_reads])
               : fewer(&c, raw[IOL_SUM_small_writes], raw[IOL_SUM_small_write_bytes], raw[IOL_SUM_consec_writes]);
}

/* What counts as sequential includes every jump forward, which costs as much as one back. */
static iol__range random_access(const cost_case *c) {
    const double *raw = c->s->raw;
    double back = raw[c->direction == 1 ? IOL_SUM_random_reads : IOL_SUM_random_writes];
    double apart = c->ops - raw[c->direction == 1 ? IOL_SUM_consec_reads : IOL_SUM_consec_writes] - raw[IOL_SUM_opens];
    double n = fmax(back, apart);
    return fewer(c, n, c->ops > 0 ? n * c->bytes / c->ops : 0, 0);
}

/* Work that could be spread over all ranks. */
static iol__range imbalance(const cost_case *c) {
    iol__carriers who = iol__carriers_of(&c->s->job->facts, c->use);
    double mean = who.ranks > 0 ? iol__facts_time(c->use) / who.ranks : 0;
    return (iol__range){true, limited(who.slowest_s - mean), limited(who.slowest_s - 2 * mean),
                        limited(who.slowest_s - who.fastest_s)};
}

/* One that lags behind the others that carry data. */
static iol__range straggler(const cost_case *c) {
    iol__carriers who = iol__carriers_of(&c->s->job->facts, c->use);
    double lag = who.slowest_s - who.mean_s;
    return (iol__range){true, limited(lag), limited(lag - who.mean_s), limited(lag)};
}

/* Ranks of one node that read the same bytes have them in one page cache, and at the same time: half of what they wait is
   a guess between all of it, where the storage is the limit, and nothing, where each could read alone as fast. */
static double share_in_turn(const cost_case *c) {
    const iol__subject *s = c->s;
    bool together = c->direction == 1 && s->job->job[IOL_JOB_network] == 0 && s->job->job[IOL_JOB_process_tree] == 0;
    return together && s->raw[IOL_SUM_uses] > 1 && s->raw[IOL_MAX_own_excess] == 0 ? 0.5 : 1;
}

/* A program that moves a file again mostly opens it again; that cost goes too. */
static double opened_again(const cost_case *c) {
    const double *raw = c->s->raw, opens = raw[IOL_SUM_opens], uses = raw[IOL_SUM_uses];
    bool posix = c->use == c->s->file->layer[IOL_LAYER_POSIX];
    return posix && opens > 2 * uses && uses > 0 ? raw[IOL_SUM_meta_time] * (1 - uses / opens) / c->p : 0;
}

/* What is read again is understood again, between the open and the close. */
static double understood_again(const cost_case *c, double excess) {
    bool posix = c->use == c->s->file->layer[IOL_LAYER_POSIX];
    return posix && c->direction == 1 && c->bytes > 0 ? c->s->raw[IOL_SUM_around_s] * fmin(1, excess / c->bytes) : 0;
}

static iol__range redundant(const cost_case *c) {
    const double *raw = c->s->raw;
    bool stdio = c->use == c->s->file->layer[IOL_LAYER_STDIO];
    double excess = stdio ? raw[c->direction == 1 ? IOL_SUM_stdio_redundant_read : IOL_SUM_stdio_redundant_write]
                          : raw[c->direction == 1 ? IOL_SUM_redundant_read : IOL_SUM_redundant_write];
    double moved = c->bytes > 0 ? c->time * fmin(1, excess / c->bytes) / c->p : 0;
    double all = moved + opened_again(c), best = all * share_in_turn(c), around = understood_again(c, excess);
    return (iol__range){true, best + 0.9 * around, 0.5 * best, all + around};
}

/* Everything but one open and close a file and rank; at least the repeated opens and the stats. */
static iol__range unneeded(double seconds, double opens, double uses, double stats, double seeks) {
    double ops = 2 * opens + stats + seeks;
    double needed = fmin(ops, 2 * fmin(uses, opens));
    double best = ops > 0 ? seconds * (1 - needed / ops) : 0;
    double low = ops > 0 ? seconds * fmin(1, (2 * limited(opens - uses) + stats) / ops) : 0;
    return (iol__range){true, best, fmin(best, low), seconds};
}

static iol__range metadata(const cost_case *c) {
    const double *raw = c->s->raw;
    return unneeded(raw[IOL_SUM_meta_time] / c->p, raw[IOL_SUM_opens], raw[IOL_SUM_uses], raw[IOL_SUM_stats],
                    raw[IOL_SUM_seeks]);
}

static iol__range stripe_scale(const cost_case *c) {
    const double *raw = c->s->raw;
    const iol__facts_use *top = iol__facts_top(c->s->file, NULL);
    double t = iol__facts_slowest_time(top), now = raw[IOL_MAX_stripe_count];
    double better = iol__recommended_stripes(c->s);
    double best = now > 0 && better > now ? t * (1 - now / better) : 0;
    return (iol__range){true, best, 0.5 * best, best > 0 ? limited(t - c->floor) : 0};
}

static iol__range misaligned(const cost_case *c) {
    const double *raw = c->s->raw;
    double share = c->ops > 0 ? fmin(1, raw[IOL_SUM_file_unaligned] / (raw[IOL_SUM_reads] + raw[IOL_SUM_writes])) : 0;
    double all = (raw[IOL_SUM_write_time] - raw[IOL_SUM_sync_time]) * share / c->p;
    return (iol__range){true, 0.3 * all, 0, 0.6 * all};
}

/* Sync time is part of write time; how much of it a profile does not say, and only Iolite's logs tell. */
static iol__range syncing(const cost_case *c) {
    const double *raw = c->s->raw;
    bool known = raw[IOL_SUM_sync_time] > 0;
    double syncs = raw[IOL_SUM_syncs], needed = fmin(syncs, fmax(1, raw[IOL_SUM_uses]));
    double seconds = known ? raw[IOL_SUM_sync_time] : raw[IOL_SUM_write_time];
    double best = syncs > 0 ? seconds / c->p * (1 - needed / syncs) : 0;
    return (iol__range){true, best, (known ? 0.5 : 0.3) * best, best};
}

static const struct {
    const char *name;
    iol__range (*of_file)(const cost_case *c);
    bool direction;
} models[IOL_MODELS] = {
    [IOL_MODEL_NONE] = {"none", NULL, false},
    [IOL_MODEL_SMALL] = {"small_request", small_request, true},
    [IOL_MODEL_IMBALANCE] = {"imbalance", imbalance, false},
    [IOL_MODEL_STRAGGLER] = {"straggler", straggler, false},
    [IOL_MODEL_REDUNDANT] = {"redundant", redundant, true},
    [IOL_MODEL_METADATA] = {"metadata", metadata, false},
    [IOL_MODEL_STRIPE] = {"stripe_scale", stripe_scale, false},
    [IOL_MODEL_MISALIGNED] = {"misaligned", misaligned, false},
    [IOL_MODEL_RANDOM] = {"random", random_access, true},
    [IOL_MODEL_OVERLAP] = {"overlap", NULL, false},
    [IOL_MODEL_SYNC] = {"sync", syncing, false},
    [IOL_MODEL_SECONDS] = {"seconds", NULL, false},
};

int iol__model_find(const char *name) {
    for (int i = 1; i < IOL_MODELS; i++)
        if (strcmp(models[i].name, name) == 0) return i;
    return -1;
}

bool iol__model_needs_direction(iol__model model) { return models[model].direction; }

/* Applying them ----------------------------------------------------------------------------------------------- */

static iol__range spoken(const iol__rule *rule, const iol__subject *s) {
    double best = limited(iol__eval(rule->cost[0], s));
    double low = rule->cost[1] ? limited(iol__eval(rule->cost[1], s)) : 0.5 * best;
    double high = rule->cost[2] ? limited(iol__eval(rule->cost[2], s)) : best;
    return (iol__range){s->job->job[IOL_JOB_run_time] > 0 || best > 0, best, fmin(low, best), fmax(high, best)};
}

static void cap(iol__range *range, double most) {
    most = limited(most);
    range->best = fmin(limited(range->best), most);
    range->low = fmin(limited(range->low), range->best);
    range->high = fmax(range->best, fmin(limited(range->high), most));
}

iol__range iol__cost_of_file(const iol__rule *rule, const iol__subject *s) {
    cost_case c;
    double spent = s->job->spent ? s->job->spent[s->file - s->job->facts.file] : 0; /* by causes that came before */
    if (rule->model == IOL_MODEL_SECONDS) {
        iol__range range = spoken(rule, s);
        double time = fmax(s->raw[IOL_MAX_top_slowest_s], s->raw[IOL_MAX_slowest_s]);
        /* The library computes too, and so does Python around each call. */
        if (strcmp(rule->layer, "hdf5") == 0) time = fmax(time, iol__dataset_span(s));
        time += s->raw[IOL_SUM_around_s];
        cap(&range, time - spent);
        return range;
    }
    if (!models[rule->model].of_file || !prepare(rule, s, &c)) return (iol__range){0};
    iol__range range = models[rule->model].of_file(&c);
    const double not_gained = rule->cost[0] ? limited(iol__eval(rule->cost[0], s)) : 0;
    range.best -= not_gained;
    range.low -= not_gained;
    double time = fmax(c.slowest, s->raw[IOL_MAX_top_slowest_s]);
    /* Less data needs less time, so that the floor does not bind bytes that need not have moved. */
    const bool redundant_bytes = rule->model == IOL_MODEL_REDUNDANT;
    const double floor = redundant_bytes ? 0 : c.floor;
    if (redundant_bytes) time += s->raw[IOL_SUM_around_s];
    cap(&range, fmin(time - floor, time - spent));
    return range;
}

/* What is traced of a file or a rank in one phase: times are those of its slowest rank already. */
static iol__range of_pair(const iol__rule *rule, const iol__subject *s) {
    const iol__pair *p = s->pair;
    if (rule->model == IOL_MODEL_IMBALANCE)
        return (iol__range){true, limited(p->slowest_s - p->mean_s), limited(p->slowest_s - 2 * p->mean_s),
                            p->slowest_s};
    int direction = rule->direction == 1 ? IOL_READ : IOL_WRITE;
    bool small = rule->model == IOL_MODEL_SMALL;
    double n = small ? p->small[direction] : p->random[direction], ops = p->requests[direction];
    cost_case c = {
        .time = p->seconds[direction], .ops = ops, .bytes = p->bytes[direction], .p = 1, .target = 4 * 1048576.0};
    if (s->raw[IOL_MAX_stripe_size] > 0 && s->file) c.target = s->raw[IOL_MAX_stripe_size];
    return fewer(&c, n, small ? p->small_bytes[direction] : ops > 0 ? n * p->bytes[direction] / ops : 0, 0);
}

iol__range iol__cost_of_job(const iol__rule *rule, const iol__subject *s) {
    const double *job = s->job->job;
    iol__range range = {0};
    if (s->pair && rule->model != IOL_MODEL_SECONDS) range = of_pair(rule, s);
    if (rule->model == IOL_MODEL_SECONDS) range = spoken(rule, s);
    if (rule->model == IOL_MODEL_OVERLAP && !isnan(job[IOL_JOB_overlap_s]))
        range = (iol__range){true, job[IOL_JOB_overlap_s], 0.3 * job[IOL_JOB_overlap_s], job[IOL_JOB_overlap_s]};
    if (rule->model == IOL_MODEL_METADATA && job[IOL_JOB_meta_wait_s] > 0)
        range = unneeded(job[IOL_JOB_meta_wait_s], s->raw[IOL_SUM_opens], s->raw[IOL_SUM_uses], s->raw[IOL_SUM_stats],
                         s->raw[IOL_SUM_seeks]);
    if (range.known && job[IOL_JOB_run_time] > 0) cap(&range, job[IOL_JOB_run_time]);
    return range;
}

void iol__cost_add(iol__cost_total *total, iol__case *job, const iol__facts_file *file, const iol__range *range) {
    if (!range->known) return;
    total->all.known = true;
    const iol__facts_use *top = iol__facts_top(file, NULL);
    bool alone = top && !top->whole && top->records == 1 && top->rank >= 0 && (size_t)top->rank < job->n_by_rank;
    if (alone && !total->by_rank) {
        total->by_rank = iol__arena_alloc(&job->arena, 3 * job->n_by_rank, sizeof *total->by_rank);
        total->ranks = job->n_by_rank;
    }
    total->concurrency = job->concurrency;
    double *to = alone ? total->by_rank + 3 * (size_t)top->rank : NULL;
    *(to ? &to[0] : &total->all.best) += range->best;
    *(to ? &to[1] : &total->all.low) += range->low;
    *(to ? &to[2] : &total->all.high) += range->high;
    if (job->spent) job->spent[file - job->facts.file] += range->best;
}

iol__range iol__cost_finish(const iol__cost_total *total) {
    iol__range range = total->all;
    const double *worst = NULL;
    double sum[3] = {0};
    for (size_t i = 0; total->by_rank && i < total->ranks; i++) {
        if (!worst || total->by_rank[3 * i] > worst[0]) worst = total->by_rank + 3 * i;
        for (int k = 0; k < 3 && total->concurrency > 0; k++) sum[k] += total->by_rank[3 * i + (size_t)k];
    }
    if (!worst) return range;
    double share = total->concurrency > 0 ? 1 / total->concurrency : 0;
    range.best += fmax(worst[0], share * sum[0]);
    range.low += fmax(worst[1], share * sum[1]);
    range.high += fmax(worst[2], share * sum[2]);
    return range;
}

iol__cost_range iol__cost_judge(const iol__case *job, const iol__rule *rule, const iol__range *range) {
    iol__cost_range cost = {.known = range->known, .model = models[rule->model].name};
    if (!range->known) return cost;
    double run = job->job[IOL_JOB_run_time];
    iol__range capped = *range;
    if (run > 0) cap(&capped, run);
    cost.best = capped.best;
    cost.low = capped.low;
    cost.high = capped.high;
    cost.share = run > 0 ? cost.best / run : NAN;
    cost.node_h = cost.best * job->job[IOL_JOB_nodes] / 3600;
    return cost;
}

iol__level iol__cost_level(const iol__case *job, const iol__rule *rule, const iol__cost_range *cost) {
    iol__level level = rule->level;
    bool timed = rule->by_cost && cost->known && !isnan(cost->share);
    bool large = job->job[IOL_JOB_run_time] >= iol__case_threshold(job, "level.least_run") &&
                 cost->share >= iol__case_threshold(job, "level.least_share");
    if (timed && cost->best < iol__case_threshold(job, "level.least_seconds") && !large) {
        level = IOL_LEVEL_INFO;
    } else if (timed) {
        bool short_job = job->job[IOL_JOB_run_time] < iol__case_threshold(job, "level.short_job");
        bool high = (cost->share >= iol__case_threshold(job, "level.high_share") && !short_job) ||
                    cost->node_h >= iol__case_threshold(job, "level.high_node_hours");
        bool warn = cost->share >= iol__case_threshold(job, "level.warn_share") ||
                    cost->node_h >= iol__case_threshold(job, "level.warn_node_hours");
        level = high ? IOL_LEVEL_HIGH : warn ? IOL_LEVEL_WARN : IOL_LEVEL_INFO;
    }
    return rule->ceiling && level > rule->most ? rule->most : level;
}
