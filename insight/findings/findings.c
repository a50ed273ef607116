/* From matches to findings: a second pass over the files that something was found in adds up costs and keeps the most
   costly ones as evidence; then each finding gets its words, figures, confidence and advice. */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "insight/findings/advice.h"
#include "insight/findings/case.h"
#include "insight/findings/confidence.h"
#include "insight/findings/costs.h"
#include "insight/findings/evidence.h"
#include "insight/language/rule_eval.h"

/* The most costly files --------------------------------------------------------------------------------------- */

static bool worse(const iol__culprit *a, const iol__culprit *b) {
    if (a->range.best != b->range.best) return a->range.best > b->range.best;
    if (a->key != b->key) return a->key > b->key;
    return a->file < b->file;
}

/* Sorted, worst first; beyond the room the least costly goes. */
static void keep(iol__gathered *g, iol__arena *arena, size_t room, const iol__culprit *new) {
    if (room && g->count == room) {
        if (!worse(new, &g->worst[g->count - 1])) return;
        g->count--;
    } else {
        g->worst = iol__arena_grow(arena, g->worst, g->count, sizeof *g->worst);
    }
    size_t at = g->count++;
    for (; at > 0 && worse(new, &g->worst[at - 1]); at--) g->worst[at] = g->worst[at - 1];
    g->worst[at] = *new;
}

static int by_cost(const void *a, const void *b) { return worse(a, b) ? -1 : worse(b, a) ? 1 : 0; }

static void add_file(iol__case *job, size_t r, iol__gathered *g, iol__subject *file, size_t index) {
    const iol__rule *rule = job->book->rules[r];
    iol__culprit new = {.file = index, .key = file->raw[IOL_SUM_top_bytes]};
    iol__eval_lets(rule, file);
    if (rule->order) new.key = iol__eval(rule->order, file);
    if (isnan(new.key)) new.key = 0;
    if (rule->model != IOL_MODEL_NONE) {
        new.range = iol__cost_of_file(rule, file);
        iol__cost_add(&g->total, job, file->file, &new.range);
    }
    size_t room = job->options->evidence;
    if (room) {
        keep(g, &job->arena, room, &new);
    } else { /* all of them: sorted at the end */
        g->worst = iol__arena_grow(&job->arena, g->worst, g->count, sizeof *g->worst);
        g->worst[g->count++] = new;
    }
}

/* By rule; the few that are about files have something of their own, the others the first. */
static iol__gathered **gather(iol__case *job) {
    size_t rules = job->book->n_rules, live = 0;
    size_t *which = iol__arena_alloc(&job->arena, rules + 1, sizeof *which);
    for (size_t r = 0; r < rules; r++)
        if (job->matches[r].fired && !job->matches[r].suppressed && job->matches[r].files) which[live++] = r;
    iol__gathered *room = iol__arena_alloc(&job->arena, live + 1, sizeof *room);
    iol__gathered **gathered = iol__arena_alloc(&job->arena, rules + 1, sizeof *gathered);
    for (size_t r = 0; r < rules; r++) gathered[r] = room;
    for (size_t k = 0; k < live; k++) gathered[which[k]] = &room[k + 1];
    iol__subject file = {0};
    for (size_t i = 0; live && i < job->facts.n_files; i++) {
        bool filled = false;
        for (size_t k = 0; k < live; k++) {
            if (!iol__match_has(&job->matches[which[k]], i)) continue;
            if (!filled) iol__subject_fill(&file, job, &job->facts.file[i]);
            filled = true;
            add_file(job, which[k], gathered[which[k]], &file, i);
        }
    }
    for (size_t k = 0; k < live && !job->options->evidence; k++)
        qsort(gathered[which[k]]->worst, gathered[which[k]]->count, sizeof(iol__culprit), by_cost);
    return gathered;
}

/* One finding ------------------------------------------------------------------------------------------------- */

static const iol__figure *figures_of(iol__case *job, const iol__rule *rule, const iol__subject *subject) {
    iol__figure *list = iol__arena_alloc(&job->arena, (size_t)rule->n_figures + 1, sizeof *list);
    for (int i = 0; i < rule->n_figures; i++)
        list[i] = (iol__figure){.name = rule->figures[i].name, .value = iol__eval(rule->figures[i].value, subject)};
    return list;
}

static const iol__figure *thresholds_of(iol__case *job, const iol__rule *rule, const iol__subject *subject) {
    iol__figure *list = iol__arena_alloc(&job->arena, (size_t)rule->n_thresholds + 1, sizeof *list);
    for (int i = 0; i < rule->n_thresholds; i++) {
        int index = rule->thresholds[i];
        list[i] =
            (iol__figure){.name = job->book->thresholds[index].path, .value = iol__subject_thresholds(subject)[index]};
    }
    return list;
}

static void set_subject(const iol__case *job, const iol__rule *rule, const iol__match *match, const iol__gathered *g,
                        iol__finding *f) {
    f->subject_kind = rule->scope >= IOL_SCOPE_PHASE ? "phase" : "job";
    f->subject_count = (double)match->n_files;
    if (match->pair && match->pair->file >= 0) {
        f->subject_kind = "file";
        f->subject_count = 1;
        f->subject_id = match->sum->file->id;
        f->subject_name = iol__facts_name(&job->facts, match->sum->file);
    }
    if (!match->files || !g->count) return;
    const iol__facts_file *worst = &job->facts.file[g->worst[0].file];
    f->subject_kind = match->n_files == 1 ? "file" : "files";
    f->subject_id = worst->id;
    f->subject_name = iol__facts_name(&job->facts, worst);
}

/* Several caveats may hold at once; closer looks at single phases stand behind them. */
static const char *notes_of(iol__case *job, size_t r, const iol__subject *subject) {
    const iol__rule *rule = job->book->rules[r];
    const char *note = NULL;
    for (int i = 0; i < rule->n_notes; i++) {
        if (!iol__holds(rule->notes[i].condition, subject)) continue;
        const char *text = iol__eval_sentence(&rule->notes[i], subject, &job->arena);
        note = note ? iol__arena_print(&job->arena, "%s %s", note, text) : text;
    }
    for (size_t k = 0; k < job->book->n_rules; k++) {
        if (job->matches[k].joins != (int)r + 1) continue;
        const iol__rule *look = job->book->rules[k];
        const char *text = iol__eval_first(look->titles, look->n_titles, job->matches[k].sum, &job->arena);
        if (text) note = iol__arena_print(&job->arena, "%s%s%s.", note ? note : "", note ? " " : "", text);
    }
    return note;
}

/* A finding that is hardly sure asks instead of telling. */
static void doubt(iol__case *job, iol__finding *f) {
    if (f->confidence.value >= 0.3 || f->level == IOL_LEVEL_INFO || f->level == IOL_LEVEL_OK) return;
    f->level = IOL_LEVEL_INFO;
    f->title = iol__arena_print(&job->arena, "Is this so? %s", f->title);
    const char *why = "The data is too doubtful to say.";
    f->note = f->note ? iol__arena_print(&job->arena, "%s %s", f->note, why) : why;
}

/* The file that took longest and has a path: what is found about the whole job is shown by the example of it. */
static const iol__facts_file *main_file(const iol__case *job) {
    const iol__facts_file *longest = NULL;
    double most = -1;
    for (size_t i = 0; i < job->facts.n_files; i++) {
        const iol__facts_file *file = &job->facts.file[i];
        const double time = iol__facts_file_slowest(file);
        if (time <= most) continue;
        const char *name = iol__facts_name(&job->facts, file);
        if (!name || *name == '<') continue; /* standard streams, files that were folded together */
        longest = file;
        most = time;
    }
    return longest;
}

static const iol__facts_file *shown_file(const iol__case *job, const iol__rule *rule) {
    const iol__example *example = iol__evidence_example(job, rule->id);
    return example ? &job->facts.file[example->a.file] : main_file(job);
}

static bool is_listed(const iol__finding *f, const char *id) {
    for (size_t i = 0; i < f->n_symptoms; i++)
        if (strcmp(f->symptoms[i].id, id) == 0) return true;
    return false;
}

/* The tree of what a rule explains, cause by cause. Each is charged at the root only. */
static void add_symptoms(iol__case *job, size_t r, int depth, iol__finding *f) {
    enum { DEEPEST = 4 };
    iol__symptom *list = (iol__symptom *)(uintptr_t)f->symptoms;
    for (int i = 0; i < IOL_IDS && job->matches[r].suppressed_ids[i]; i++) {
        const char *id = job->matches[r].suppressed_ids[i];
        size_t k = 0;
        while (k < job->book->n_rules && strcmp(job->book->rules[k]->id, id) != 0) k++;
        if (k == job->book->n_rules || !job->matches[k].sum || is_listed(f, id)) continue;
        const iol__rule *rule = job->book->rules[k];
        const char *title = iol__eval_first(rule->titles, rule->n_titles, job->matches[k].sum, &job->arena);
        list = iol__arena_grow(&job->arena, list, f->n_symptoms, sizeof *list);
        list[f->n_symptoms++] = (iol__symptom){id, title ? title : id, job->book->rules[r]->id, depth};
        f->symptoms = list;
        if (depth < DEEPEST) add_symptoms(job, k, depth + 1, f);
        list = (iol__symptom *)(uintptr_t)f->symptoms;
    }
}

static iol__finding make_finding(iol__case *job, size_t r, const iol__gathered *g) {
    const iol__rule *rule = job->book->rules[r];
    const iol__match *match = &job->matches[r];
    iol__range range = {0};
    if (match->files)
        range = iol__cost_finish(&g->total);
    else if (rule->model != IOL_MODEL_NONE)
        range = iol__cost_of_job(rule, match->sum);
    const iol__facts_file *worst = g->count ? &job->facts.file[g->worst[0].file] : NULL;
    iol__finding f = {.id = rule->id,
                      .rule_version = rule->version,
                      .aliases = rule->aliases,
                      .audience = rule->audience,
                      .figures = figures_of(job, rule, match->sum),
                      .n_figures = (size_t)rule->n_figures,
                      .thresholds = thresholds_of(job, rule, match->sum),
                      .n_thresholds = (size_t)rule->n_thresholds,
                      .costed = rule->model != IOL_MODEL_NONE,
                      .cost = iol__cost_judge(job, rule, &range),
                      .confidence = iol__confidence_of(job, rule, worst),
                      .suppresses = match->suppressed_ids,
                      .related = rule->related};
    f.level = iol__cost_level(job, rule, &f.cost);
    f.title = iol__eval_first(rule->titles, rule->n_titles, match->sum, &job->arena);
    if (!f.title) f.title = rule->id;
    f.note = notes_of(job, r, match->sum);
    set_subject(job, rule, match, g, &f);
    add_symptoms(job, r, 1, &f);
    if (job->options->brief) return f;
    iol__subject culprit;
    if (worst) iol__subject_fill(&culprit, job, worst);
    const iol__facts_file *shown = worst || !rule->n_advise ? worst : shown_file(job, rule);
    f.advice = iol__advice_make(rule, match->sum, worst ? &culprit : NULL, shown, &job->arena, &f.n_advice);
    iol__evidence_make(job, r, g, &f);
    return f;
}

/* All of them ------------------------------------------------------------------------------------------------- */

static bool in_globs(const char *const *globs, const iol__rule *rule) {
    for (; globs && *globs; globs++) {
        if (fnmatch(*globs, rule->id, FNM_CASEFOLD) == 0) return true;
        for (int i = 0; rule->aliases[i]; i++)
            if (fnmatch(*globs, rule->aliases[i], FNM_CASEFOLD) == 0) return true;
    }
    return false;
}

static bool wanted(const iol__case *job, size_t r) {
    const iol__diagnose_options *o = job->options;
    const iol__match *match = &job->matches[r];
    if (!match->fired || match->suppressed) return false;
    if (o->only && o->only[0] && !in_globs(o->only, job->book->rules[r])) return false;
    return !in_globs(o->skip, job->book->rules[r]);
}

static double score(const iol__finding *f) { return f->cost.known ? f->cost.best * f->confidence.value : -1; }

/* Who is charged first: serious ones by what they cost; then INFO, then OK. What is equal keeps the order of the rules,
   which is why each finding's place is compared last. */
static int by_weight(const void *a, const void *b) {
    static const int group[IOL_LEVELS] = {
        [IOL_LEVEL_HIGH] = 0, [IOL_LEVEL_WARN] = 0, [IOL_LEVEL_INFO] = 1, [IOL_LEVEL_OK] = 2};
    const iol__finding *x = *(const iol__finding *const *)a, *y = *(const iol__finding *const *)b;
    if (group[x->level] != group[y->level]) return group[x->level] - group[y->level];
    if (score(x) != score(y)) return score(x) > score(y) ? -1 : 1;
    if (x->level != y->level) return x->level > y->level ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* How they are read: worst first, so that no warning stands above what is called serious. */
static int by_level(const void *a, const void *b) {
    const iol__finding *x = *(const iol__finding *const *)a, *y = *(const iol__finding *const *)b;
    bool serious = x->level >= IOL_LEVEL_WARN && y->level >= IOL_LEVEL_WARN;
    if (serious && x->level != y->level) return x->level > y->level ? -1 : 1;
    return by_weight(a, b);
}

/* Seconds that the job was in calls: its files' time, and that of calls which are in no file's record. Syncs of files are
   part of their time, those of memory maps are not. */
static double time_in_calls(const iol__case *of) {
    const double *job = of->job, *sum = of->total.raw;
    /* What lies around calls: between open and close, in short processes, in the library for each dataset. */
    double starts = fmax(job[IOL_JOB_short_span_s], job[IOL_JOB_interpreters] * job[IOL_JOB_interpreter_least_s]);
    double around = fmax(sum[IOL_SUM_around_s], fmax(starts, iol__dataset_span(&of->total)));
    double files = fmax(job[IOL_JOB_io_time], fmax(job[IOL_JOB_lookup_wait_s], job[IOL_JOB_sync_wait_s]));
    return files + job[IOL_JOB_name_wait_s] + job[IOL_JOB_resize_wait_s] + job[IOL_JOB_page_wait_s] +
           job[IOL_JOB_dataset_wait_s] + around;
}

/* Together the findings cannot have cost more than that. */
static void cap_together(iol__case *job, iol__finding **list, const size_t *rules, iol__finding *first, size_t count) {
    double left = time_in_calls(job);
    if (left <= 0) return;
    for (size_t i = 0; i < count; i++) {
        iol__finding *f = list[i];
        if (!f->cost.known) continue;
        iol__range range = {true, fmin(f->cost.best, left), fmin(f->cost.low, left), fmin(f->cost.high, left)};
        left -= range.best;
        const iol__rule *rule = job->book->rules[rules[f - first]];
        bool doubted = f->level == IOL_LEVEL_INFO;
        f->cost = iol__cost_judge(job, rule, &range);
        if (!doubted) f->level = iol__cost_level(job, rule, &f->cost);
    }
}

/* The first finding that has an advice gives it; those behind it do not repeat it word for word, but each keeps one. */
static bool given(const iol__finding *list, size_t count, const iol__advice *advice) {
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < list[i].n_advice; a++)
            if (strcmp(list[i].advice[a].action, advice->action) == 0 &&
                strcmp(list[i].advice[a].text, advice->text) == 0)
                return true;
    return false;
}

static void give_once(iol__finding *list, size_t count) {
    for (size_t i = 1; i < count; i++) {
        iol__advice *advice = (iol__advice *)(uintptr_t)list[i].advice;
        size_t kept = 0;
        for (size_t a = 0; a < list[i].n_advice; a++)
            if (!given(list, i, &advice[a])) advice[kept++] = advice[a];
        if (kept || !list[i].n_advice)
            list[i].n_advice = kept;
        else
            list[i].n_advice = 1;
    }
}

void iol__findings_make(iol__case *job, iol__diagnosis *out) {
    size_t rules = job->book->n_rules, count = 0, most = 0;
    job->spent = iol__arena_alloc(&job->arena, job->facts.n_files + 1, sizeof *job->spent);
    iol__gathered *const *gathered = gather(job);
    for (size_t r = 0; r < rules; r++) most += job->matches[r].fired;
    iol__finding *all = iol__arena_alloc(&job->arena, most + 1, sizeof *all);
    iol__finding **sorted = iol__arena_alloc(&job->arena, most + 1, sizeof *sorted);
    size_t *of_rule = iol__arena_alloc(&job->arena, most + 1, sizeof *of_rule);
    for (size_t r = 0; r < rules; r++) {
        if (!wanted(job, r)) continue;
        of_rule[count] = r;
        all[count] = make_finding(job, r, gathered[r]);
        sorted[count] = &all[count];
        count++;
    }
    qsort(sorted, count, sizeof *sorted, by_weight);
    cap_together(job, sorted, of_rule, all, count);
    for (size_t i = 0; i < count; i++) doubt(job, sorted[i]);
    qsort(sorted, count, sizeof *sorted, by_level);
    iol__finding *list = iol__arena_alloc(&job->arena, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        if (sorted[i]->level < job->options->min_level) continue;
        out->count[sorted[i]->level]++;
        list[out->n_findings++] = *sorted[i];
    }
    give_once(list, out->n_findings);
    out->findings = list;
    iol__evidence_counters(job, list, out->n_findings);
}
