/* OSTs. A log has bytes and times by file. Bytes are put where the trace says, else spread over the stripes that hold
   data. Times of files that one rank alone used are spread in the same way: over many files a slow OST stands out,
   because what lies on it is slow whoever uses it. */
#include "insight/facts/osts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/order.h"
#include "insight/findings/case.h"

enum { MOST_OSTS = 1 << 16 };

/* One more than the highest number that a layout of the job has: tables are as long as that, because most jobs use a
   few OSTs and a table for all that could be costs more than everything else about a small log. */
static int64_t count_osts(const iol__facts *facts) {
    int64_t count = 0;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_lustre *lustre = facts->file[i].lustre;
        for (uint32_t c = 0; lustre && c < lustre->components; c++)
            for (int64_t o = 0; o < lustre->stripes[c].count; o++) {
                int64_t ost = lustre->stripes[c].osts[o];
                if (ost >= count && ost < MOST_OSTS) count = ost + 1;
            }
    }
    return count;
}

/* Where a file is ------------------------------------------------------------------------------------------------ */

static double osts_bytes_of(const iol__facts_file *file) {
    return iol__facts_file_bytes(file, IOL_READ) + iol__facts_file_bytes(file, IOL_WRITE);
}

/* How far a file reaches, at least as far as its bytes go when they are put one after the other. */
static double osts_size_of(const iol__facts_file *file) {
    double size = osts_bytes_of(file);
    for (int l = IOL_LAYER_POSIX; l <= IOL_LAYER_STDIO; l++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
            if (file->layer[l]) size = fmax(size, (double)file->layer[l]->direction[direction]->max_byte + 1);
    return size;
}

/* Bytes of the file's first `size` that a component holds. */
static double osts_held(const iol__facts_stripes *s, double size) {
    double start = s->start > 0 ? (double)s->start : 0, end = s->end < 0 ? INFINITY : (double)s->end;
    return s->count > 0 ? fmax(fmin(size, end) - start, 0) : 0;
}

/* A file that reaches less far than one round leaves stripes empty. */
static int64_t stripes_used(const iol__facts_stripes *s, double bytes) {
    double needed = s->size > 0 ? ceil(bytes / (double)s->size) : (double)s->count;
    return needed < (double)s->count ? (int64_t)fmax(needed, 1) : s->count;
}

/* One stripe that holds data, and the part of the file that is on it. */
typedef void (*stripe_visitor)(void *context, int64_t ost, double part);

static void each_stripe(const iol__facts_file *file, stripe_visitor visit, void *context) {
    if (!file->lustre) return;
    const iol__facts_lustre *lustre = file->lustre;
    double size = osts_size_of(file), whole = 0;
    for (uint32_t c = 0; c < lustre->components; c++) whole += osts_held(&lustre->stripes[c], size);
    for (uint32_t c = 0; whole > 0 && c < lustre->components; c++) {
        const iol__facts_stripes *s = &lustre->stripes[c];
        double bytes = osts_held(s, size);
        int64_t used = bytes > 0 ? stripes_used(s, bytes) : 0;
        for (int64_t i = 0; i < used; i++)
            if (s->osts[i] >= 0 && s->osts[i] < MOST_OSTS) visit(context, s->osts[i], bytes / whole / (double)used);
    }
}

/* Bytes ---------------------------------------------------------------------------------------------------------- */

typedef struct osts_share {
    double *bytes; /* by OST */
    double amount; /* of the file */
} osts_share;

static void add_share(void *context, int64_t ost, double part) {
    osts_share *s = context;
    s->bytes[ost] += s->amount * part;
}

static const iol__facts_stripes *last_component(const iol__facts_file *file) {
    if (!file->lustre || !file->lustre->components) return NULL;
    const iol__facts_stripes *s = &file->lustre->stripes[file->lustre->components - 1];
    return s->count > 0 ? s : NULL;
}

/* Whether the trace has all requests of a file whose stripes are known. */
static bool traced_whole(const iol__case *job, size_t file) {
    const iol__facts_use *use = job->facts.file[file].layer[IOL_LAYER_POSIX];
    const iol__facts_use *stream = iol__facts_layer_of(&job->facts.file[file], IOL_LAYER_STDIO);
    const iol__facts_stripes *s = last_component(&job->facts.file[file]);
    if (!job->traced.files || !use || !s || stream->direction[IOL_READ]->ops || stream->direction[IOL_WRITE]->ops)
        return false;
    const iol__traced_direction *direction = job->traced.files[file].direction;
    return s->size > 0 && direction[IOL_READ].requests == use->direction[IOL_READ]->ops &&
           direction[IOL_WRITE].requests == use->direction[IOL_WRITE]->ops;
}

static void add_to_ost(double *bytes, const iol__facts_stripes *s, int64_t stripe, double part) {
    int64_t ost = s->osts[stripe % s->count];
    if (ost >= 0 && ost < MOST_OSTS) bytes[ost] += part;
}

/* Request by request, where it really went; one that goes round all stripes puts the same on each. */
static void count_traced(const iol__case *job, double *bytes) {
    for (size_t i = 0; i < job->tracing.count; i++) {
        const iol__traced_request *r = &job->tracing.requests[i];
        if (!traced_whole(job, r->file)) continue;
        const iol__facts_stripes *s = last_component(&job->facts.file[r->file]);
        int64_t at = r->offset, end = r->offset + r->length;
        if (r->length / s->size >= s->count) {
            for (int64_t o = 0; o < s->count; o++) add_to_ost(bytes, s, o, (double)r->length / (double)s->count);
            continue;
        }
        while (at < end) {
            int64_t left = s->size - at % s->size, part = left < end - at ? left : end - at;
            add_to_ost(bytes, s, at / s->size, (double)part);
            at += part;
        }
    }
}

static void count_bytes(iol__case *job, double *bytes, int64_t osts) {
    for (size_t i = 0; i < job->facts.n_files; i++) {
        const iol__facts_file *file = &job->facts.file[i];
        if (traced_whole(job, i)) continue;
        osts_share s = {bytes, osts_bytes_of(file)};
        each_stripe(file, add_share, &s);
    }
    count_traced(job, bytes);
    double sum = 0, most = 0, count = 0;
    for (int64_t i = 0; i < osts; i++) {
        count += bytes[i] > 0;
        sum += bytes[i];
        most = fmax(most, bytes[i]);
    }
    if (count <= 0) return;
    job->job[IOL_JOB_ost_count] = count;
    job->job[IOL_JOB_ost_most] = most * count / sum;
}

/* Time ----------------------------------------------------------------------------------------------------------- */

/* The use of a file that one rank alone has, and that took time; else NULL. */
static const iol__facts_use *of_one_rank(const iol__facts_file *file) {
    const iol__facts_use *top = iol__facts_top(file, NULL);
    if (!top || !file->lustre || top->whole || top->records != 1 || top->rank < 0) return NULL;
    return osts_bytes_of(file) > 0 && iol__facts_file_time(file) > 0 ? top : NULL;
}

/* What files of single ranks did on one OST. */
typedef struct osts_target {
    double files, seconds, longest, bytes;
    int32_t rank; /* the first of its files' ranks */
    bool ranks;   /* there are others */
} osts_target;

typedef struct osts_adding {
    osts_target *targets;
    double seconds, bytes;
    int32_t rank;
} osts_adding;

static void add_osts_time(void *context, int64_t ost, double part) {
    osts_adding *a = context;
    osts_target *t = &a->targets[ost];
    if (t->files == 0) t->rank = a->rank;
    t->ranks = t->ranks || t->rank != a->rank;
    t->files++;
    t->seconds += a->seconds * part;
    t->bytes += a->bytes * part;
    t->longest = fmax(t->longest, a->seconds * part);
}

/* Whether a file has data on an OST that is marked; on how many OSTs it has some. */
typedef struct touching {
    const uint8_t *slow;
    double stripes;
    bool touched;
} touching;

static void osts_look(void *context, int64_t ost, double part) {
    touching *t = context;
    (void)part;
    t->stripes++;
    t->touched = t->touched || t->slow[ost];
}

static touching touch(const iol__facts_file *file, const uint8_t *marks) {
    touching t = {.slow = marks};
    each_stripe(file, osts_look, &t);
    return t;
}

/* Files on OSTs that are known to be slow are left out. */
static void count_time(const iol__case *job, const uint8_t *marks, osts_target *targets, int64_t osts) {
    memset(targets, 0, (size_t)osts * sizeof *targets);
    for (size_t i = 0; i < job->facts.n_files; i++) {
        const iol__facts_file *file = &job->facts.file[i];
        const iol__facts_use *use = of_one_rank(file);
        if (!use || touch(file, marks).touched) continue;
        osts_adding a = {targets, iol__facts_file_time(file), osts_bytes_of(file), use->rank};
        each_stripe(file, add_osts_time, &a);
    }
}

static double mean_s(const osts_target *t) { return t->seconds / t->files; }

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, iol__by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The usual time of a file and the usual bytes, over the OSTs that have any. Returns how many those are. */
static size_t usual_of(const osts_target *targets, int64_t osts, double *seconds, double *bytes) {
    double *values = malloc(2 * (size_t)osts * sizeof *values);
    size_t n = 0;
    for (int64_t i = 0; values && i < osts; i++) {
        if (targets[i].files <= 0) continue;
        values[n] = mean_s(&targets[i]);
        values[(size_t)osts + n++] = targets[i].bytes;
    }
    if (n) {
        *seconds = median(values, n);
        *bytes = median(values + osts, n);
    }
    free(values);
    return n;
}

/* How many times the usual time a file takes there. An OST that got more bytes than others may take longer for them; a
   single slow file, or a single rank, may be slow for a reason of its own: the others there must be slow without it. */
static double slowness(const iol__case *job, const osts_target *t, double seconds, double bytes) {
    if (t->files < 2 || (!t->ranks && job->facts.processes > 1) || seconds <= 0) return 0;
    double others = (t->seconds - t->longest) / (t->files - 1);
    return others / seconds / fmax(1, bytes > 0 ? t->bytes / bytes : 1);
}

static int64_t slowest_of(const iol__case *job, const osts_target *targets, int64_t osts, double seconds,
                          double bytes) {
    double most = fmax(1.5, iol__case_threshold(job, "lustre.slow"));
    int64_t worst = -1;
    for (int64_t i = 0; i < osts; i++) {
        double factor = targets[i].files > 0 ? slowness(job, &targets[i], seconds, bytes) : 0;
        if (factor < most || (worst >= 0 && factor == most)) continue;
        most = factor;
        worst = i;
    }
    return worst;
}

static int64_t fastest_of(const osts_target *targets, int64_t osts) {
    int64_t best = -1;
    for (int64_t i = 0; i < osts; i++)
        if (targets[i].files > 0 && (best < 0 || mean_s(&targets[i]) < mean_s(&targets[best]))) best = i;
    return best;
}

static void keep_worst(iol__case *job, int64_t ost, const osts_target *t, double usual_bytes) {
    double *v = job->job;
    job->slow_osts.worst = ost;
    v[IOL_JOB_ost_slow] = (double)ost;
    v[IOL_JOB_ost_slow_files] = t->files;
    v[IOL_JOB_ost_slow_s] = mean_s(t);
    v[IOL_JOB_ost_slow_bytes] = t->bytes;
    v[IOL_JOB_ost_usual_s] = job->slow_osts.usual_s;
    v[IOL_JOB_ost_usual_bytes] = usual_bytes;
}

/* One after the other, the worst first: files with stripes on it make its neighbours look slow, so that each is judged
   without the files of those found before. */
static void find_slow(iol__case *job, osts_target *targets, int64_t osts) {
    enum { MOST_SLOW = 32 };
    iol__slow_osts *found = &job->slow_osts;
    double usual_bytes = 0, slow = 0;
    uint8_t *marks = iol__arena_alloc(&job->arena, (size_t)osts, sizeof *marks);
    count_time(job, marks, targets, osts);
    job->job[IOL_JOB_ost_timed] = (double)usual_of(targets, osts, &found->usual_s, &usual_bytes);
    found->well = fastest_of(targets, osts);
    while (slow < MOST_SLOW) {
        int64_t worst = slowest_of(job, targets, osts, found->usual_s, usual_bytes);
        if (worst < 0) break;
        if (slow == 0) keep_worst(job, worst, &targets[worst], usual_bytes);
        marks[worst] = 1;
        slow++;
        count_time(job, marks, targets, osts);
    }
    if (slow == 0) return;
    found->slow = marks;
    job->job[IOL_JOB_ost_slow_count] = slow;
}

/* Ranks ---------------------------------------------------------------------------------------------------------- */

double iol__slow_ost_excess(const iol__case *job, const iol__facts_file *file) {
    const iol__facts_use *use = job->slow_osts.slow ? of_one_rank(file) : NULL;
    if (!use) return NAN;
    touching t = touch(file, job->slow_osts.slow);
    return t.touched ? fmax(0, iol__facts_file_time(file) - t.stripes * job->slow_osts.usual_s) : NAN;
}

/* The ranks that wait for the slow ones, and how long the slowest of the others took. */
static void count_waiting(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double *v = job->job, *excess = calloc(facts->n_top + 1, sizeof *excess), waiting = 0, worst = 0, other = 0;
    uint8_t *waits = calloc(facts->n_top + 1, 1);
    for (size_t i = 0; excess && waits && i < facts->n_files; i++) {
        double seconds = iol__slow_ost_excess(job, &facts->file[i]);
        const iol__facts_use *use = isnan(seconds) ? NULL : of_one_rank(&facts->file[i]);
        if (!use || (size_t)use->rank >= facts->n_top) continue;
        excess[use->rank] += seconds;
        waits[use->rank] = 1;
    }
    for (size_t r = 0; excess && waits && r < facts->n_top; r++) {
        waiting += waits[r];
        if (!waits[r]) other = fmax(other, facts->top_time[r]);
        if (excess[r] <= worst) continue;
        worst = excess[r];
        v[IOL_JOB_ost_slow_rank] = (double)r;
    }
    v[IOL_JOB_ost_slow_ranks] = waiting;
    v[IOL_JOB_ost_slow_excess_s] = worst;
    v[IOL_JOB_ost_other_s] = other;
    free(excess);
    free(waits);
}

void iol__case_osts(iol__case *job) {
    static const int unknown[] = {IOL_JOB_ost_count,      IOL_JOB_ost_most,          IOL_JOB_ost_timed,
                                  IOL_JOB_ost_slow,       IOL_JOB_ost_slow_count,    IOL_JOB_ost_slow_files,
                                  IOL_JOB_ost_slow_s,     IOL_JOB_ost_slow_bytes,    IOL_JOB_ost_slow_rank,
                                  IOL_JOB_ost_slow_ranks, IOL_JOB_ost_slow_excess_s, IOL_JOB_ost_other_s,
                                  IOL_JOB_ost_usual_s,    IOL_JOB_ost_usual_bytes};
    for (size_t i = 0; i < IOL_COUNT(unknown); i++) job->job[unknown[i]] = NAN;
    int64_t osts = count_osts(&job->facts);
    if (osts == 0) return;
    double *bytes = calloc((size_t)osts, sizeof *bytes);
    osts_target *targets = calloc((size_t)osts, sizeof *targets);
    if (bytes) count_bytes(job, bytes, osts);
    if (targets) find_slow(job, targets, osts);
    free(targets);
    free(bytes);
    if (job->slow_osts.slow) count_waiting(job);
}
