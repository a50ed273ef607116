/* Findings as JSON. Nothing is rounded, what is not known is null, and the same log gives the same bytes but for
   "elapsed_s". */
#include <math.h>
#include <string.h>

#include "report/custom_json.h"
#include "report/findings/findings.h"
#include "report/log_json.h"

static void put_findings_json_words(iol__json *json, const char *key, const char *const *words) {
    iol__json_put_open(json, key, '[');
    for (; words && *words; words++) iol__json_text(json, *words);
    iol__json_close(json, ']');
}

/* "user,developer" as an array. */
static void put_split(iol__json *json, const char *key, const char *text) {
    char word[32];
    iol__json_put_open(json, key, '[');
    while (*text) {
        size_t n = strcspn(text, ",");
        size_t kept = n < sizeof word ? n : sizeof word - 1;
        memcpy(word, text, kept);
        word[kept] = 0;
        iol__json_text(json, word);
        text += n + (text[n] == ',');
    }
    iol__json_close(json, ']');
}

static void put_findings_json_figures(iol__json *json, const char *key, const iol__figure *figures, size_t count) {
    iol__json_put_open(json, key, '{');
    for (size_t i = 0; i < count; i++) {
        if (figures[i].text)
            iol__json_put_text(json, figures[i].name, figures[i].text);
        else
            iol__json_put_real(json, figures[i].name, figures[i].value);
    }
    iol__json_close(json, '}');
}

static void put_subject(iol__json *json, const iol__finding *f) {
    iol__json_put_open(json, "subject", '{');
    iol__json_put_text(json, "kind", f->subject_kind);
    bool file = strncmp(f->subject_kind, "file", 4) == 0;
    if (file) {
        iol__json_put_id(json, "file_id", f->subject_id);
        iol__json_put_text(json, "name", f->subject_name);
        iol__json_put_real(json, "files", f->subject_count);
    }
    iol__json_close(json, '}');
}

static void put_cost(iol__json *json, const iol__finding *f) {
    if (!f->costed) return;
    const iol__cost_range *c = &f->cost;
    iol__json_put_open(json, "cost", '{');
    iol__json_put_real(json, "lost_s", c->known ? c->best : NAN);
    iol__json_put_real(json, "lost_s_lo", c->known ? c->low : NAN);
    iol__json_put_real(json, "lost_s_hi", c->known ? c->high : NAN);
    iol__json_put_real(json, "share_of_runtime", c->known ? c->share : NAN);
    iol__json_put_real(json, "lost_node_h", c->known ? c->node_h : NAN);
    iol__json_put_text(json, "model", c->model);
    iol__json_close(json, '}');
}

static void put_confidence(iol__json *json, const iol__confidence *c) {
    iol__json_put_open(json, "confidence", '{');
    iol__json_put_real(json, "value", c->value);
    iol__json_put_text(json, "label", c->label);
    iol__json_put_open(json, "factors", '{');
    iol__json_put_real(json, "data", c->data);
    iol__json_put_real(json, "attribution", c->attribution);
    iol__json_put_real(json, "model", c->model);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_findings_json_file(iol__json *json, const iol__evidence *e) {
    iol__json_put_id(json, "file_id", e->file_id);
    iol__json_put_text(json, "name", e->name);
}

static void put_evidence(iol__json *json, const iol__evidence *e) {
    static const char *const kinds[] = {"file", "record", "segment", "timerange"};
    iol__json_open(json, '{');
    iol__json_put_text(json, "kind", kinds[e->kind]);
    if (e->module) iol__json_put_text(json, "module", e->module);
    if (e->kind != IOL_EVIDENCE_TIMERANGE || e->name) put_findings_json_file(json, e);
    switch (e->kind) {
    case IOL_EVIDENCE_FILE:
        iol__json_put_real(json, "lost_s", e->lost_s);
        put_findings_json_figures(json, "figures", e->figures, e->n_figures);
        break;
    case IOL_EVIDENCE_RECORD:
        iol__json_put_i64(json, "rank", e->rank);
        put_findings_json_figures(json, "counters", e->figures, e->n_figures);
        break;
    case IOL_EVIDENCE_SEGMENT:
        iol__json_put_i64(json, "rank", e->rank);
        iol__json_put_u64(json, "index", e->segment);
        iol__json_put_text(json, "direction", e->is_write ? "write" : "read");
        iol__json_put_i64(json, "offset", e->offset);
        iol__json_put_i64(json, "length", e->length);
        iol__json_put_real(json, "t0", e->t0);
        iol__json_put_real(json, "t1", e->t1);
        break;
    case IOL_EVIDENCE_TIMERANGE:
        iol__json_put_real(json, "t0", e->t0);
        iol__json_put_real(json, "t1", e->t1);
        iol__json_put_text(json, "ranks", e->ranks);
        break;
    }
    iol__json_close(json, '}');
}

static void put_advice(iol__json *json, const iol__advice *a) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "action", a->action);
    iol__json_put_text(json, "text", a->text);
    iol__json_put_text(json, "applies_to", a->applies_to);
    iol__json_put_text(json, "effort", a->effort);
    iol__json_put_text(json, "check", a->check);
    if (a->code) {
        iol__json_put_open(json, "snippet", '{');
        iol__json_put_text(json, "lang", a->lang);
        iol__json_put_text(json, "code", a->code);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void put_finding_places(iol__json *json, const iol__finding *f) {
    if (f->n_places == 0) return;
    iol__json_put_open(json, "places", '[');
    for (size_t i = 0; i < f->n_places; i++) {
        const iol__finding_place *at = &f->places[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "text", at->text);
        iol__json_put_text(json, "file", at->file);
        if (at->line)
            iol__json_put_i64(json, "line", at->line);
        else
            iol__json_put_text(json, "line", NULL);
        iol__json_put_text(json, "function", at->function);
        iol__json_put_real(json, "share", at->share);
        iol__json_put_real(json, "calls", at->calls);
        iol__json_put_real(json, "bytes", at->bytes);
        iol__json_put_real(json, "time", at->time);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void put_symptoms(iol__json *json, const iol__finding *f) {
    iol__json_put_open(json, "symptoms", '[');
    for (size_t i = 0; i < f->n_symptoms; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "id", f->symptoms[i].id);
        iol__json_put_text(json, "title", f->symptoms[i].title);
        iol__json_put_text(json, "parent", f->symptoms[i].parent);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void findings_json_finding_members(iol__json *json, const iol__finding *f) {
    iol__json_put_text(json, "schema", "iolite.finding/1");
    iol__json_put_text(json, "id", f->id);
    iol__json_put_i64(json, "rule_version", f->rule_version);
    put_findings_json_words(json, "aliases", f->aliases);
    iol__json_put_text(json, "level", iol__level_name(f->level));
    put_split(json, "audience", f->audience);
    iol__json_put_text(json, "title", f->title);
    if (f->note) iol__json_put_text(json, "note", f->note);
    put_subject(json, f);
    if (f->region) {
        iol__json_put_text(json, "region", f->region->name);
        iol__json_put_real(json, "region_io_share", f->region->io_share);
    }
    put_finding_places(json, f);
    put_findings_json_figures(json, "figures", f->figures, f->n_figures);
    put_findings_json_figures(json, "thresholds", f->thresholds, f->n_thresholds);
    put_cost(json, f);
    put_confidence(json, &f->confidence);
    iol__json_put_open(json, "evidence", '[');
    for (size_t i = 0; i < f->n_evidence; i++) put_evidence(json, &f->evidence[i]);
    iol__json_close(json, ']');
    if (f->n_evidence_left_out) iol__json_put_u64(json, "evidence_left_out", f->n_evidence_left_out);
    iol__json_put_open(json, "advice", '[');
    for (size_t i = 0; i < f->n_advice; i++) put_advice(json, &f->advice[i]);
    iol__json_close(json, ']');
    put_findings_json_words(json, "suppresses", f->suppresses);
    put_symptoms(json, f);
    put_findings_json_words(json, "related", f->related);
}

/* One finding, with the members of section "finding" in docs/json.md. */
static void findings_finding_json(iol__json *json, const iol__finding *finding) {
    iol__json_open(json, '{');
    findings_json_finding_members(json, finding);
    iol__json_close(json, '}');
}

/* The report around them -------------------------------------------------------------------------------------- */

static void put_if_known(iol__json *json, const char *key, int64_t value, bool known) {
    if (known)
        iol__json_put_i64(json, key, value);
    else
        iol__json_put_real(json, key, NAN);
}

static void put_findings_json_head(iol__json *json, const iol__diagnosis *d) {
    iol__json_put_open(json, "log", '{');
    iol__json_put_text(json, "name", d->log_name);
    iol__json_put_u64(json, "bytes", d->log_bytes);
    iol__json_put_text(json, "hash", d->log_hash);
    iol__json_close(json, '}');
    iol__json_put_open(json, "job", '{');
    put_if_known(json, "job_id", d->job_id, d->job_id_known);
    iol__json_put_i64(json, "uid", d->uid);
    iol__json_put_text(json, "exe", d->exe);
    put_if_known(json, "start_time", d->start, d->start_known);
    put_if_known(json, "end_time", d->end, d->start_known);
    iol__json_put_real(json, "run_time", d->run_time);
    iol__json_put_i64(json, "processes", d->processes);
    iol__json_put_text(json, "system", d->system);
    iol__json_put_real(json, "nodes", d->nodes);
    iol__json_put_text(json, "nodes_from", d->nodes_from);
    iol__json_close(json, '}');
    iol__json_figures(json, d->figures);
    iol__json_put_open(json, "io", '{');
    iol__json_put_bool(json, "time_known", !iol__figures_impossible(d->io_waited, d->run_time));
    iol__json_put_real(json, "time", d->io_time);
    iol__json_put_real(json, "share", d->io_share);
    iol__json_put_real(json, "bytes_read", d->bytes_read);
    iol__json_put_real(json, "bytes_written", d->bytes_written);
    iol__json_put_real(json, "rate", d->rate);
    iol__json_put_real(json, "wall_time", d->phases.wall_io);
    iol__json_close(json, '}');
}

static void put_phase(iol__json *json, const iol__phase *p) {
    iol__json_open(json, '{');
    iol__json_put_real(json, "t0", p->start);
    iol__json_put_real(json, "t1", p->end);
    iol__json_put_real(json, "bytes_read", p->bytes_read);
    iol__json_put_real(json, "bytes_written", p->bytes_written);
    iol__json_put_real(json, "reads", p->reads);
    iol__json_put_real(json, "writes", p->writes);
    iol__json_put_real(json, "ranks", p->ranks);
    iol__json_put_real(json, "effective_ranks", p->effective_ranks);
    iol__json_put_real(json, "files", p->files);
    if (p->slowest_rank >= 0) {
        iol__json_put_i64(json, "slowest_rank", p->slowest_rank);
        iol__json_put_i64(json, "fastest_rank", p->fastest_rank);
        iol__json_put_real(json, "straggle_s", p->straggle);
    }
    iol__json_close(json, '}');
}

/* Files that account for the busy time, the longest first. */
static void put_covering(iol__json *json, const iol__phases *p) {
    iol__json_put_open(json, "covering", '{');
    iol__json_put_u64(json, "count", p->n_covering);
    iol__json_put_open(json, "files", '[');
    for (size_t i = 0; i < p->kept_covering; i++) {
        iol__json_open(json, '{');
        iol__json_put_id(json, "file_id", p->covering[i].file_id);
        iol__json_put_text(json, "name", p->covering[i].name);
        iol__json_put_real(json, "seconds", p->covering[i].seconds);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void put_phases(iol__json *json, const iol__phases *p) {
    iol__json_put_open(json, "phases", '{');
    iol__json_put_text(json, "source", p->source);
    iol__json_put_real(json, "resolution_s", p->resolution);
    iol__json_put_u64(json, "count", p->count);
    iol__json_put_real(json, "stretches", p->stretches);
    iol__json_put_real(json, "period_s", p->period);
    iol__json_put_real(json, "periods", p->periods);
    iol__json_put_text(json, "period_from", p->period_from);
    iol__json_put_real(json, "period_confidence", p->period_confidence);
    iol__json_put_real(json, "duty", p->duty);
    iol__json_put_real(json, "idle_ranks", p->idle_ranks);
    iol__json_put_open(json, "largest", '[');
    for (size_t i = 0; i < p->kept; i++) put_phase(json, &p->phases[i]);
    iol__json_close(json, ']');
    put_covering(json, p);
    iol__json_close(json, '}');
}

/* Parts that the program marked; not there if it marked none. */
static void put_regions(iol__json *json, const iol__diagnosis *d) {
    if (d->n_regions == 0) return;
    iol__json_put_open(json, "regions", '[');
    for (size_t i = 0; i < d->n_regions; i++) iol__json_region(json, &d->regions[i]);
    iol__json_close(json, ']');
}

static void put_sentences(iol__json *json, const char *key, const char *const *list, size_t count) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < count; i++) iol__json_text(json, list[i]);
    iol__json_close(json, ']');
}

static void put_thresholds(iol__json *json, const iol__diagnosis *d) {
    iol__json_put_open(json, "thresholds", '{');
    for (size_t i = 0; i < iol__rulebook_thresholds(d->rulebook); i++) {
        const iol__threshold *t = iol__rulebook_threshold(d->rulebook, i);
        iol__json_key_text(json, t->path);
        iol__json_real(json, d->thresholds[i]);
    }
    iol__json_close(json, '}');
}

void iol__findings_json(iol__json *json, const iol__diagnosis *d) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "schema", "iolite.diagnosis/1");
    iol__json_put_text(json, "mode", "native");
    put_findings_json_head(json, d);
    iol__json_put_open(json, "totals", '{');
    for (int level = IOL_LEVEL_HIGH; level >= IOL_LEVEL_INFO; level--)
        iol__json_put_u64(json, iol__level_name((iol__level)level), d->count[level]);
    iol__json_close(json, '}');
    put_sentences(json, "quality", d->quality, d->n_quality);
    put_sentences(json, "cannot_tell", d->cannot_tell, d->n_cannot_tell);
    put_phases(json, &d->phases);
    put_regions(json, d);
    iol__json_put_open(json, "findings", '[');
    for (size_t i = 0; i < d->n_findings; i++) findings_finding_json(json, &d->findings[i]);
    iol__json_close(json, ']');
    put_thresholds(json, d);
    iol__json_put_real(json, "elapsed_s", d->elapsed);
    iol__json_close(json, '}');
}

void iol__findings_ndjson(iol__out *out, const iol__diagnosis *d) {
    for (size_t i = 0; i < d->n_findings; i++) {
        iol__json json;
        iol__json_start(&json, out, 0);
        iol__json_open(&json, '{');
        iol__json_put_text(&json, "path", d->log_name);
        put_if_known(&json, "job_id", d->job_id, d->job_id_known);
        findings_json_finding_members(&json, &d->findings[i]);
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    }
}
