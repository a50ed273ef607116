/* The factors are conventions, not measurements: they order findings and keep a doubtful one from shouting. */
#include "insight/findings/confidence.h"

#include <math.h>
#include <string.h>

#include "base/count.h"

static const struct {
    const char *layer;
    int slot;
} layers[] = {{"posix", IOL_SLOT_POSIX},    {"stdio", IOL_SLOT_STDIO},          {"mpiio", IOL_SLOT_MPIIO},
              {"hdf5", IOL_SLOT_H5D},       {"pnetcdf", IOL_SLOT_PNETCDF_FILE}, {"lustre", IOL_SLOT_LUSTRE},
              {"trace", IOL_SLOT_DXT_POSIX}};

/* Rules about no layer of their own rest on all of them: damage anywhere is theirs. What a writer had no room for is
   in the totals. */
static bool layer_partial(const iol__case *job, const iol__rule *rule) {
    uint64_t lacking = job->facts.partial | job->facts.damaged;
    for (size_t i = 0; i < IOL_COUNT(layers); i++)
        if (strcmp(layers[i].layer, rule->layer) == 0) return lacking >> layers[i].slot & 1;
    return job->facts.damaged != 0;
}

static double data_factor(const iol__case *job, const iol__rule *rule) {
    if (strcmp(rule->layer, "data") == 0) return 1;
    const double *values = job->job;
    double factor = 1;
    if (layer_partial(job, rule)) factor = 0.6;
    bool timed = rule->by_cost || rule->model != IOL_MODEL_NONE;
    double over = values[IOL_JOB_run_time] > 0 ? values[IOL_JOB_rank_time_worst] / values[IOL_JOB_run_time] : 0;
    /* More threads than a node has processors are none, but a clock that jumped. */
    const bool threads = over <= iol__case_threshold(job, "data.threads") && values[IOL_JOB_odd_records] == 0;
    if (timed && over > 1.05) factor = fmin(factor, threads ? 0.9 : 0.3);
    if (rule->uses_names && values[IOL_JOB_hash_names] > 0) factor = fmin(factor, 0.8);
    return factor;
}

static double attribution_factor(const iol__rule *rule, const iol__facts_file *worst) {
    if (rule->attribution > 0) return rule->attribution;
    if (strcmp(rule->layer, "trace") == 0) return 1;
    if (rule->scope >= IOL_SCOPE_PHASE) return 1; /* and pairs */
    if (rule->scope == IOL_SCOPE_JOB || !worst) return 0.6;
    const iol__facts_use *top = iol__facts_top(worst, NULL);
    return top && top->whole ? 0.8 : 0.9;
}

iol__confidence iol__confidence_of(const iol__case *job, const iol__rule *rule, const iol__facts_file *worst) {
    iol__confidence c = {.data = data_factor(job, rule), .attribution = attribution_factor(rule, worst)};
    c.model = rule->model_trust > 0 ? rule->model_trust : rule->model == IOL_MODEL_NONE ? 1 : 0.7;
    c.value = c.data * c.attribution * c.model;
    c.label = c.value >= 0.75 ? "high" : c.value >= 0.45 ? "medium" : "low";
    return c;
}
