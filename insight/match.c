/* Asking the rules. One pass over the files asks all rules about files, in the order of the rulebook, so that a rule
   may leave a file to an earlier one; then come the rules about sums, the job and its phases. */
#include <fnmatch.h>
#include <string.h>

#include "insight/case.h"
#include "insight/rule_eval.h"

static bool about_files(const iol__rule *rule) {
    return rule->scope == IOL_SCOPE_FILE || rule->scope == IOL_SCOPE_FILES;
}

static void take_file(iol__case *job, iol__match *match, const iol__subject *file, size_t index) {
    if (!match->sum) {
        match->files = iol__arena_alloc(&job->arena, job->facts.n_files / 64 + 1, sizeof *match->files);
        match->sum = iol__arena_alloc(&job->arena, 1, sizeof *match->sum);
        match->sum->job = job;
        if (job->book->n_counters)
            match->sum->counters = iol__arena_alloc(&job->arena, job->book->n_counters, sizeof(double));
    }
    match->files[index / 64] |= (uint64_t)1 << (index % 64);
    match->n_files++;
    iol__subject_add(match->sum, file);
    double *counters = (double *)(uintptr_t)match->sum->counters;
    for (size_t i = 0; counters && file->counters && i < job->book->n_counters; i++) counters[i] += file->counters[i];
}

static bool rule_matches(const iol__rule *rule, iol__subject *subject) {
    iol__eval_lets(rule, subject);
    return iol__holds(rule->when, subject) && !(rule->unless && iol__holds(rule->unless, subject));
}

/* A rule about a layer is asked only of files that have its records. */
static bool has_layer(const iol__rule *rule, const iol__facts_file *file) {
    switch (rule->records) {
    case IOL_RECORDS_STDIO: return file->layer[IOL_LAYER_STDIO];
    case IOL_RECORDS_MPIIO: return file->layer[IOL_LAYER_MPIIO];
    case IOL_RECORDS_PNETCDF: return file->pnetcdf;
    case IOL_RECORDS_LUSTRE: return file->lustre;
    default: return true;
    }
}

static void ask_of_files(iol__case *job) {
    const iol__rulebook *book = job->book;
    uint8_t *fired = iol__arena_alloc(&job->arena, book->n_rules + 1, 1);
    iol__subject file = {0};
    for (size_t i = 0; i < job->facts.n_files; i++) {
        iol__subject_fill(&file, job, &job->facts.file[i]);
        memset(fired, 0, book->n_rules);
        file.fired = fired;
        for (size_t r = 0; r < book->n_rules; r++) {
            const iol__rule *rule = book->rules[r];
            if (!about_files(rule) || !has_layer(rule, file.file) || !iol__holds(rule->where, &file)) continue;
            if (rule->scope == IOL_SCOPE_FILE && !rule_matches(rule, &file)) continue;
            fired[r] = rule->scope == IOL_SCOPE_FILE;
            take_file(job, &job->matches[r], &file, i);
        }
    }
}

static void ask_of_sums(iol__case *job) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        const iol__rule *rule = job->book->rules[r];
        iol__match *match = &job->matches[r];
        if (!about_files(rule) || !match->sum) continue;
        if (match->n_files == 1) /* names and mounts have a meaning then */
            for (size_t i = 0; i < job->facts.n_files; i++)
                if (iol__match_has(match, i)) match->sum->file = &job->facts.file[i];
        if (rule->scope == IOL_SCOPE_FILES) {
            match->fired = rule_matches(rule, match->sum);
        } else {
            iol__eval_lets(rule, match->sum);
            match->fired = true;
        }
        job->fired[r] = match->fired;
    }
}

static void ask_of_phases(iol__case *job, const iol__rule *rule, iol__match *match) {
    iol__subject subject = job->total;
    double worst = -1;
    for (size_t i = 0; i < job->phases.kept; i++) {
        subject.phase = &job->phases.phases[i];
        if (!iol__holds(rule->where, &subject) || !rule_matches(rule, &subject)) continue;
        match->n_phases++;
        double length = subject.phase->end - subject.phase->start;
        if (length <= worst) continue;
        worst = length;
        match->phase = subject.phase;
    }
    if (!match->phase) return;
    match->fired = true;
    match->sum = iol__arena_alloc(&job->arena, 1, sizeof *match->sum);
    *match->sum = job->total;
    match->sum->phase = match->phase;
    iol__eval_lets(rule, match->sum);
}

static void ask_of_job(iol__case *job, const iol__rule *rule, iol__match *match) {
    iol__subject subject = job->total;
    match->fired = rule_matches(rule, &subject);
    if (!match->fired) return;
    match->sum = iol__arena_alloc(&job->arena, 1, sizeof *match->sum);
    *match->sum = subject;
}

void iol__match_all(iol__case *job) {
    size_t rules = job->book->n_rules;
    job->matches = iol__arena_alloc(&job->arena, rules + 1, sizeof *job->matches);
    job->fired = iol__arena_alloc(&job->arena, rules + 1, 1);
    ask_of_files(job);
    ask_of_sums(job);
    for (size_t r = 0; r < rules; r++) {
        const iol__rule *rule = job->book->rules[r];
        if (rule->scope == IOL_SCOPE_JOB) ask_of_job(job, rule, &job->matches[r]);
        if (rule->scope == IOL_SCOPE_PHASE) ask_of_phases(job, rule, &job->matches[r]);
        job->fired[r] = job->matches[r].fired;
    }
}

/* Suppression ------------------------------------------------------------------------------------------------- */

/* Whether one finding is mostly about the files of another; what is about the whole job always is. */
static bool covers(const iol__case *job, const iol__match *cause, const iol__match *effect) {
    if (!cause->files || !effect->files) return true;
    size_t both = 0;
    for (size_t i = 0; i <= job->facts.n_files / 64; i++)
        both += (size_t)__builtin_popcountll(cause->files[i] & effect->files[i]);
    return 2 * both >= effect->n_files;
}

static void suppress_one(iol__case *job, iol__match *cause, const char *id) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        iol__match *effect = &job->matches[r];
        if (!effect->fired || effect == cause || fnmatch(id, job->book->rules[r]->id, 0) != 0) continue;
        if (!covers(job, cause, effect)) continue;
        effect->suppressed = true;
        int n = 0;
        while (n < IOL_IDS && cause->suppressed_ids[n]) n++;
        if (n < IOL_IDS) cause->suppressed_ids[n] = job->book->rules[r]->id;
    }
}

void iol__match_suppress(iol__case *job) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        iol__match *cause = &job->matches[r];
        if (!cause->fired || cause->suppressed) continue;
        for (int i = 0; job->book->rules[r]->suppresses[i]; i++)
            suppress_one(job, cause, job->book->rules[r]->suppresses[i]);
    }
}
