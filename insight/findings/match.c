/* Asking the rules. One pass over the files asks all rules about files, in the order of the rulebook, so that a rule
   may leave a file to an earlier one; then come the rules about sums, the job and its phases. */
#include <fnmatch.h>
#include <string.h>

#include "insight/findings/case.h"
#include "insight/language/rule_eval.h"

static bool about_files(const iol__rule *rule) {
    return rule->scope == IOL_SCOPE_FILE || rule->scope == IOL_SCOPE_FILES;
}

static void take_match_file(iol__case *job, iol__match *match, const iol__subject *file, size_t index) {
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

/* Questions about files are asked of several at once (rule_eval_many.c): a bit for each. */
typedef struct asking {
    iol__case *job;
    iol__subject file[IOL_EVAL_MANY];
    size_t index[IOL_EVAL_MANY]; /* among the files of the job */
    size_t count;
    uint32_t with[IOL_RECORDS_ALL]; /* those that have the records of a layer */
    struct {
        uint32_t asked, yes;
    } * shared;     /* what tests that rules share came to, by number */
    uint8_t *fired; /* by file and rule */
    size_t stride;  /* from file to file */
} asking;

/* A rule about files as it is asked of this job. All of its tests must hold. With a million files this is where the time goes,
   so that what is the same for all of them is asked once. */
typedef struct match_question {
    size_t rule;
    const iol__test **tests;
    size_t count;
} match_question;

/* False if no file can match. */
static bool add_tests(iol__case *job, match_question *q, const iol__rule *rule) {
    for (size_t i = 0; i < rule->n_tests; i++) {
        const iol__test *test = &rule->tests[i];
        if (test->by_job && !(test->by_mount && job->n_mounts)) {
            if (iol__eval(test->condition, &job->total) != 1) return false;
            continue;
        }
        if (!q->tests) q->tests = iol__arena_alloc(&job->arena, rule->n_tests, sizeof *q->tests);
        q->tests[q->count++] = test;
    }
    return true;
}

static size_t make_questions(iol__case *job, match_question *questions) {
    size_t n = 0;
    for (size_t r = 0; r < job->book->n_rules; r++) {
        questions[n] = (match_question){.rule = r};
        if (about_files(job->book->rules[r]) && add_tests(job, &questions[n], job->book->rules[r])) n++;
    }
    return n;
}

/* Which of these files the condition holds for. */
static uint32_t ask_condition(const asking *a, const iol__expr *condition, uint32_t files) {
    const iol__subject *list[IOL_EVAL_MANY];
    double values[IOL_EVAL_MANY];
    size_t n = 0;
    for (uint32_t left = files; left; left &= left - 1) list[n++] = &a->file[__builtin_ctz(left)];
    if (!n) return 0;
    iol__eval_many(condition, list, n, values);
    uint32_t yes = 0;
    n = 0;
    for (uint32_t left = files; left; left &= left - 1, n++)
        if (values[n] == 1) yes |= left & -left;
    return yes;
}

static uint32_t ask_test(asking *a, const iol__test *test, uint32_t files) {
    if (test->shared < 0) return ask_condition(a, test->condition, files);
    const uint32_t open = files & ~a->shared[test->shared].asked;
    a->shared[test->shared].yes |= ask_condition(a, test->condition, open);
    a->shared[test->shared].asked |= open;
    return files & a->shared[test->shared].yes;
}

/* A rule about a layer is asked only of files that have its records. */
static void note_layers(asking *a, const iol__facts_file *file, uint32_t bit) {
    a->with[IOL_RECORDS_ANY] |= bit;
    if (file->layer[IOL_LAYER_STDIO]) a->with[IOL_RECORDS_STDIO] |= bit;
    if (file->layer[IOL_LAYER_MPIIO]) a->with[IOL_RECORDS_MPIIO] |= bit;
    if (file->pnetcdf) a->with[IOL_RECORDS_PNETCDF] |= bit;
    if (file->lustre) a->with[IOL_RECORDS_LUSTRE] |= bit;
}

/* The next files of the job, from the one at `next`; where those behind them begin. */
static size_t take_files(asking *a, size_t next) {
    const iol__case *job = a->job;
    memset(a->with, 0, sizeof a->with);
    memset(a->shared, 0, (job->book->n_tests + 1) * sizeof *a->shared);
    for (a->count = 0; next < job->facts.n_files && a->count < IOL_EVAL_MANY; next++) {
        const iol__facts_file *file = &job->facts.file[next];
        if (iol__is_folded(file->id)) continue;
        iol__subject_fill(&a->file[a->count], job, file);
        a->file[a->count].fired = a->fired + a->count * a->stride;
        note_layers(a, file, UINT32_C(1) << a->count);
        a->index[a->count++] = next;
    }
    memset(a->fired, 0, a->count * a->stride);
    return next;
}

static void ask_question(asking *a, const match_question *q) {
    const iol__rule *rule = a->job->book->rules[q->rule];
    uint32_t files = a->with[rule->records];
    for (size_t i = 0; files && i < q->count; i++) files = ask_test(a, q->tests[i], files);
    for (; files; files &= files - 1) {
        const unsigned i = (unsigned)__builtin_ctz(files);
        if (rule->scope == IOL_SCOPE_FILE && !rule_matches(rule, &a->file[i])) continue;
        a->fired[i * a->stride + q->rule] = rule->scope == IOL_SCOPE_FILE;
        take_match_file(a->job, &a->job->matches[q->rule], &a->file[i], a->index[i]);
    }
}

static void match_ask_of_files(iol__case *job) {
    const iol__rulebook *book = job->book;
    match_question *questions = iol__arena_alloc(&job->arena, book->n_rules + 1, sizeof *questions);
    const size_t n_questions = make_questions(job, questions);
    asking a;
    a.job = job;
    a.shared = iol__arena_alloc(&job->arena, book->n_tests + 1, sizeof *a.shared);
    a.stride = iol__fired_bytes(book);
    a.fired = iol__arena_alloc(&job->arena, a.stride, IOL_EVAL_MANY);
    for (size_t next = 0; next < job->facts.n_files;) {
        next = take_files(&a, next);
        for (size_t q = 0; q < n_questions; q++) ask_question(&a, &questions[q]);
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

/* The worst pair is the one that took longest. */
static void ask_of_pairs(iol__case *job, const iol__rule *rule, iol__match *match) {
    bool files = rule->scope == IOL_SCOPE_FILE_PHASE;
    const iol__pair *pairs = files ? job->pairs.files : job->pairs.ranks;
    size_t count = files ? job->pairs.n_files : job->pairs.n_ranks;
    iol__subject subject = job->total;
    for (size_t i = 0; i < count; i++) {
        if (match->pair && pairs[i].slowest_s <= match->pair->slowest_s) continue;
        if (files) iol__subject_fill(&subject, job, &job->facts.file[pairs[i].file]);
        subject.pair = &pairs[i];
        subject.phase = pairs[i].phase;
        if (!iol__holds(rule->where, &subject) || !rule_matches(rule, &subject)) continue;
        match->pair = &pairs[i];
        match->phase = pairs[i].phase;
        match->n_phases = 1;
        if (!match->sum) match->sum = iol__arena_alloc(&job->arena, 1, sizeof *match->sum);
        *match->sum = subject;
    }
    match->fired = match->pair != NULL;
}

/* `subject` is the job's total; a rule leaves nothing in it but its lets. */
static void ask_of_job(iol__case *job, const iol__rule *rule, iol__match *match, iol__subject *subject) {
    match->fired = rule_matches(rule, subject);
    if (!match->fired) return;
    match->sum = iol__arena_alloc(&job->arena, 1, sizeof *match->sum);
    *match->sum = *subject;
}

void iol__match_all(iol__case *job) {
    size_t rules = job->book->n_rules;
    job->matches = iol__arena_alloc(&job->arena, rules + 1, sizeof *job->matches);
    job->fired = iol__arena_alloc(&job->arena, iol__fired_bytes(job->book), 1);
    match_ask_of_files(job);
    ask_of_sums(job);
    iol__subject total = job->total;
    for (size_t r = 0; r < rules; r++) {
        const iol__rule *rule = job->book->rules[r];
        if (rule->scope == IOL_SCOPE_JOB) ask_of_job(job, rule, &job->matches[r], &total);
        if (rule->scope == IOL_SCOPE_PHASE) ask_of_phases(job, rule, &job->matches[r]);
        if (rule->scope > IOL_SCOPE_PHASE) ask_of_pairs(job, rule, &job->matches[r]);
        job->fired[r] = job->matches[r].fired;
    }
}

/* Suppression ------------------------------------------------------------------------------------------------- */

/* Whether one finding is mostly about the files of another; what is about the whole job always is. A phase explains the
   job if it is at least a third of its I/O: then both would be charged for the same seconds. */
static bool covers(const iol__case *job, const iol__match *cause, const iol__match *effect) {
    if (cause->phase && 3 * (cause->phase->end - cause->phase->start) < job->job[IOL_JOB_io_time]) return false;
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

/* What is found of one phase may be a closer look at what was found of the whole run: then it goes with that. */
static bool closer_look(const iol__case *job, const iol__match *match, size_t other) {
    const iol__match *whole = &job->matches[other];
    if (!whole->fired || whole->suppressed || whole == match || job->book->rules[other]->scope >= IOL_SCOPE_PHASE)
        return false;
    if (!match->pair || match->pair->file < 0 || !whole->files) return true;
    return iol__match_has(whole, (size_t)match->pair->file);
}

static void join_closer_looks(iol__case *job) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        const iol__rule *rule = job->book->rules[r];
        iol__match *match = &job->matches[r];
        if (rule->scope < IOL_SCOPE_PHASE || !match->fired || match->suppressed) continue;
        for (size_t other = 0; other < job->book->n_rules && !match->suppressed; other++) {
            for (int i = 0; rule->related[i] && !match->suppressed; i++) {
                if (strcmp(rule->related[i], job->book->rules[other]->id) != 0) continue;
                if (!closer_look(job, match, other)) continue;
                match->suppressed = true;
                match->joins = (int)other + 1;
            }
        }
    }
}

void iol__match_suppress(iol__case *job) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        iol__match *cause = &job->matches[r];
        if (!cause->fired || cause->suppressed) continue;
        for (int i = 0; job->book->rules[r]->suppresses[i]; i++)
            suppress_one(job, cause, job->book->rules[r]->suppresses[i]);
    }
    join_closer_looks(job);
}
