/* The comparison as JSON: both logs, then all that was compared, each as a, b, delta and ratio. */
#include "report/compare/two_logs_json.h"

#include <math.h>

#include "report/log_json.h"

static void values(iol__json *json, iol__compared_pair pair) {
    iol__json_put_real(json, "a", pair.a);
    iol__json_put_real(json, "b", pair.b);
}

static void pair_members(iol__json *json, iol__compared_pair pair) {
    values(json, pair);
    iol__json_put_real(json, "delta", iol__pair_delta(pair));
    iol__json_put_real(json, "ratio", iol__pair_ratio(pair));
}

static void put_two_logs_json_pair(iol__json *json, const char *key, iol__compared_pair pair) {
    iol__json_put_open(json, key, '{');
    pair_members(json, pair);
    iol__json_close(json, '}');
}

static void put_two_logs_json_log(iol__json *json, const char *key, const iol__summary *summary) {
    iol_log *log = summary->log;
    iol_log_name_count(log); /* what is wrong with the names is to be among the errors */
    iol__json_put_open(json, key, '{');
    iol__json_log_facts(json, log);
    iol__json_figures(json, summary->figures.value);
    iol__json_log_errors(json, log);
    iol__json_close(json, '}');
}

static void put_only(iol__json *json, bool in_a, bool in_b) {
    iol__json_key(json, "only_in");
    iol__json_text(json, in_a && in_b ? NULL : in_a ? "a" : "b");
}

static void put_texts(iol__json *json, const char *key, const char *a, const char *b) {
    iol__json_put_open(json, key, '{');
    iol__json_put_text(json, "a", a);
    iol__json_put_text(json, "b", b);
    iol__json_close(json, '}');
}

static void two_logs_json_job(iol__json *json, const iol__two_logs *c) {
    iol__json_put_open(json, "job", '{');
    put_texts(json, "exe", iol_log_job(c->a->log)->exe, iol_log_job(c->b->log)->exe);
    for (int i = 0; i < IOL_FACTS; i++) {
        iol__json_put_open(json, iol__fact_keys[i], '{');
        if (i == IOL_FACT_USER)
            values(json, c->facts[i]);
        else
            pair_members(json, c->facts[i]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void two_logs_json_layers(iol__json *json, const iol__two_logs *c) {
    iol__json_put_open(json, "layers", '[');
    for (size_t i = 0; i < c->n_layers; i++) {
        const iol__layer_change *change = &c->layers[i];
        const iol__layer *layer = change->a ? change->a : change->b;
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", layer->module.name);
        iol__json_put_i64(json, "slot", layer->module.slot);
        put_only(json, change->a, change->b);
        iol__json_put_bool(json, "differs", change->differs);
        for (int f = 0; f < IOL_FIGURES; f++)
            if (layer->traffic || f == IOL_FIGURE_RECORDS)
                put_two_logs_json_pair(json, iol__figure_keys[f], change->figures[f]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

/* Ranks that a combined record stands for cannot be seen from it. */
static double ranks_of(const iol__file_total *cost) {
    return !cost || cost->shared ? (double)NAN : (double)cost->ranks;
}

static void put_shared(iol__json *json, const iol__file_change *file) {
    const iol__file_total *const totals[] = {file->a, file->b};
    static const char *const keys[] = {"a", "b"};
    iol__json_put_open(json, "shared", '{');
    for (int i = 0; i < 2; i++) {
        iol__json_key(json, keys[i]);
        if (totals[i])
            iol__json_bool(json, totals[i]->shared);
        else
            iol__json_text(json, NULL);
    }
    iol__json_close(json, '}');
}

static void put_two_logs_json_file(iol__json *json, const iol__two_logs *c, const iol__file_change *file) {
    const iol__file_total *a = file->a, *b = file->b, *cost = iol__changed_file(file);
    const char *name = iol_log_name(c->a->log, cost->id);
    iol__json_open(json, '{');
    iol__json_put_id(json, "id", cost->id);
    iol__json_put_text(json, "name", name ? name : iol_log_name(c->b->log, cost->id));
    iol__json_put_text(json, "module", iol__modules[cost->slot].name);
    put_only(json, a, b);
    iol__json_put_bool(json, "differs", file->differs);
    put_two_logs_json_pair(json, "time", iol__file_time(file));
    put_two_logs_json_pair(json, "bytes_read", (iol__compared_pair){a ? a->bytes_read : NAN, b ? b->bytes_read : NAN});
    put_two_logs_json_pair(json, "bytes_written",
                           (iol__compared_pair){a ? a->bytes_written : NAN, b ? b->bytes_written : NAN});
    put_two_logs_json_pair(json, "ranks", (iol__compared_pair){ranks_of(a), ranks_of(b)});
    put_shared(json, file);
    iol__json_close(json, '}');
}

static void two_logs_json_counters(iol__json *json, const iol__two_logs *c) {
    iol__json_put_open(json, "counters", '[');
    for (size_t i = 0; i < c->n_counters; i++) {
        const iol__counter_change *change = &c->counters[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", iol__modules[change->slot].name);
        iol__json_put_text(json, "counter", change->counter->name);
        iol__json_put_text(json, "unit", change->counter->unit);
        iol__json_put_bool(json, "differs", change->differs);
        pair_members(json, change->value);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__json_two_logs(iol__json *json, const iol__two_logs *c) {
    iol__json_open(json, '{');
    put_two_logs_json_log(json, "a", c->a);
    put_two_logs_json_log(json, "b", c->b);
    iol__json_put_bool(json, "differs", c->differs);
    two_logs_json_job(json, c);
    two_logs_json_layers(json, c);
    iol__json_put_bool(json, "files_approximate", c->a->top_lossy || c->b->top_lossy);
    iol__json_put_open(json, "files", '[');
    for (size_t i = 0; i < c->n_files; i++) put_two_logs_json_file(json, c, &c->files[i]);
    iol__json_close(json, ']');
    two_logs_json_counters(json, c);
    iol__json_close(json, '}');
}
