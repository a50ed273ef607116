/* The comparison as JSON: runs with their figures, what may be claimed, every figure on both sides with its test, and
   findings. */
#include <math.h>

#include "report/compare/compare.h"

static const char *const unit_names[IOL_UNITS] = {
    [IOL_UNIT_SECONDS] = "s",   [IOL_UNIT_SHARE] = "share", [IOL_UNIT_RATE] = "bytes/s",
    [IOL_UNIT_BYTES] = "bytes", [IOL_UNIT_COUNT] = "count", [IOL_UNIT_NUMBER] = "number",
};

static const char *const group_keys[2] = {"a", "b"};

static void put_run(iol__json *json, const iol__job_run *run) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "log", run->log);
    iol__json_put_i64(json, "job_id", run->job_id);
    iol__json_put_i64(json, "start", run->start);
    iol__json_put_i64(json, "processes", run->processes);
    iol__json_put_text(json, "exe", run->exe);
    iol__json_put_text(json, "program", run->program);
    iol__json_put_bool(json, "damaged", run->damaged);
    iol__json_put_bool(json, "partial", run->partial);
    iol__json_put_bool(json, "left_out", run->left_out);
    iol__json_put_open(json, "values", '{');
    for (int m = 0; m < IOL_METRICS; m++) iol__json_put_real(json, iol__compare_metrics[m].name, run->values[m]);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_compare_json_group(iol__json *json, int g, const iol__job_group *group) {
    iol__json_put_open(json, group_keys[g], '{');
    iol__json_put_u64(json, "runs_used", group->used);
    iol__json_put_open(json, "runs", '[');
    for (size_t i = 0; i < group->n; i++) put_run(json, &group->runs[i]);
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void put_verdict(iol__json *json, const iol__contrast *c) {
    char answer[IOL_ANSWERS][IOL_SENTENCE];
    iol__answer_text(answer, c);
    iol__json_put_open(json, "verdict", '{');
    iol__json_put_text(json, "claim", iol__claim_names[c->claim]);
    iol__json_put_text(json, "metric", iol__compare_metrics[c->claimed].name);
    iol__json_put_u64(json, "tested", c->n_tested);
    iol__json_put_open(json, "sentences", '[');
    for (int i = 0; i < IOL_ANSWERS; i++)
        if (*answer[i]) iol__json_text(json, answer[i]);
    iol__json_close(json, ']');
    if (c->usual.known) {
        iol__json_put_open(json, "usual_variation", '{');
        iol__json_put_real(json, "runs", c->usual.runs);
        iol__json_put_real(json, "log_rate_sd", c->usual.deviation);
        iol__json_put_real(json, "log_rate_change", c->usual.change);
        iol__json_put_bool(json, "beyond_two_sd", c->usual.beyond);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void put_spread(iol__json *json, const char *key, const iol__spread *s) {
    iol__json_put_open(json, key, '{');
    iol__json_put_u64(json, "n", s->n);
    iol__json_put_real(json, "mean", s->mean);
    iol__json_put_real(json, "median", s->median);
    iol__json_put_real(json, "min", s->min);
    iol__json_put_real(json, "max", s->max);
    iol__json_put_real(json, "sd", s->deviation);
    iol__json_close(json, '}');
}

static void put_welch(iol__json *json, const iol__change *c) {
    if (!c->has_welch) return;
    iol__json_put_open(json, "welch", '{');
    iol__json_put_real(json, "t", c->welch.t);
    iol__json_put_real(json, "degrees_of_freedom", c->welch.freedom);
    iol__json_put_real(json, "p", c->welch.p);
    iol__json_put_real(json, "ratio", c->welch.ratio);
    iol__json_put_real(json, "ratio_low", c->welch.low);
    iol__json_put_real(json, "ratio_high", c->welch.high);
    iol__json_close(json, '}');
}

static void put_test(iol__json *json, const iol__change *c) {
    if (!c->tested) {
        iol__json_put_text(json, "test", NULL);
        iol__json_put_text(json, "no_test", c->no_test);
        return;
    }
    iol__json_put_open(json, "test", '{');
    put_welch(json, c);
    iol__json_put_open(json, "mann_whitney", '{');
    iol__json_put_real(json, "u", c->ranks.u);
    iol__json_put_real(json, "p", c->ranks.p);
    iol__json_put_bool(json, "exact", c->ranks.exact);
    iol__json_close(json, '}');
    iol__json_put_real(json, "p", c->p);
    iol__json_put_real(json, "p_holm", c->holm);
    iol__json_put_bool(json, "significant", c->significant);
    iol__json_close(json, '}');
}

static void put_change(iol__json *json, int metric, const iol__change *c) {
    const iol__metric *m = &iol__compare_metrics[metric];
    iol__json_open(json, '{');
    iol__json_put_text(json, "metric", m->name);
    iol__json_put_text(json, "label", m->label);
    iol__json_put_text(json, "unit", unit_names[m->unit]);
    iol__json_put_text(json, "kind", m->aspect == IOL_ASPECT_TIME ? "measured" : "counted");
    iol__json_put_bool(json, "fact", c->fact);
    iol__json_put_bool(json, "differs", c->differs);
    put_spread(json, "a", &c->side[0]);
    put_spread(json, "b", &c->side[1]);
    iol__json_put_real(json, "delta", c->side[1].mean - c->side[0].mean);
    iol__json_put_real(json, "ratio", c->ratio);
    put_test(json, c);
    iol__json_close(json, '}');
}

static void put_pair(iol__json *json, const char *key, double a, double b) {
    iol__json_put_open(json, key, '{');
    iol__json_put_real(json, "a", a);
    iol__json_put_real(json, "b", b);
    iol__json_close(json, '}');
}

static void put_finding(iol__json *json, const iol__contrast *contrast, const iol__finding_change *f) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "id", f->id);
    iol__json_put_text(json, "state", iol__fate_words[f->fate]);
    iol__json_put_text(json, "title", f->title);
    iol__json_put_open(json, "level", '{');
    for (int g = 0; g < 2; g++)
        iol__json_put_text(json, group_keys[g], f->runs[g] ? iol__level_name(f->level[g]) : NULL);
    iol__json_close(json, '}');
    put_pair(json, "runs", (double)f->runs[0], (double)f->runs[1]);
    put_pair(json, "lost_s", f->lost[0], f->lost[1]);
    iol__json_put_real(json, "lost_s_change", f->lost[1] - f->lost[0]);
    iol__json_put_open(json, "foretold", '[');
    for (size_t i = 0; i < f->n_foretold; i++) {
        const iol__change *c = &contrast->changes[f->foretold[i].metric];
        iol__json_open(json, '{');
        iol__json_put_text(json, "action", f->foretold[i].action);
        iol__json_put_text(json, "metric", iol__compare_metrics[f->foretold[i].metric].name);
        iol__json_put_text(json, "direction", f->foretold[i].rises ? "rises" : "falls");
        iol__json_put_real(json, "a", c->side[0].mean);
        iol__json_put_real(json, "b", c->side[1].mean);
        iol__json_put_bool(json, "came_true", f->foretold[i].came);
        iol__json_put_bool(json, "advice_came_true", f->foretold[i].advice_came);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void put_behaviour(iol__json *json, const iol__contrast *c) {
    char text[IOL_SENTENCE];
    iol__json_put_open(json, "changed", '[');
    for (int i = 0; i < IOL_ASPECTS; i++)
        if (c->aspects[i]) iol__json_text(json, iol__aspect_words[i]);
    iol__json_close(json, ']');
    iol__json_put_text(json, "explanation", iol__explanation_text(text, c) ? text : NULL);
}

/* Where both sides recorded them. */
static void put_lines(iol__json *json, const iol__contrast *c) {
    iol__json_put_open(json, "lines", '[');
    for (size_t i = 0; c->lined[0] && c->lined[1] && i < c->n_lines; i++) {
        const iol__line_change *l = &c->lines[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "line", l->line);
        for (int g = 0; g < 2; g++) {
            iol__json_put_open(json, g ? "b" : "a", '{');
            iol__json_put_real(json, "calls", l->calls[g]);
            iol__json_put_real(json, "bytes", l->bytes[g]);
            iol__json_put_real(json, "seconds", l->seconds[g]);
            iol__json_close(json, '}');
        }
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__compare_json(iol__json *json, const iol__contrast *c) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "schema", "iolite.comparison/1");
    put_verdict(json, c);
    iol__json_put_open(json, "warnings", '[');
    for (size_t i = 0; i < c->n_warnings; i++) iol__json_text(json, c->warnings[i]);
    iol__json_close(json, ']');
    put_behaviour(json, c);
    iol__json_put_open(json, "metrics", '[');
    for (int m = 0; m < IOL_METRICS; m++)
        if (c->changes[m].side[0].n || c->changes[m].side[1].n) put_change(json, m, &c->changes[m]);
    iol__json_close(json, ']');
    iol__json_put_open(json, "findings", '[');
    for (size_t i = 0; i < c->n_findings; i++) put_finding(json, c, &c->findings[i]);
    iol__json_close(json, ']');
    put_lines(json, c);
    for (int g = 0; g < 2; g++) put_compare_json_group(json, g, &c->group[g]);
    iol__json_close(json, '}');
}
