/* The order of a diagnosis: facts, phases, values of the job, matches, suppression, findings, and what is left to say
   about the data. Everything the result points at is in one arena; facts and traces go before it returns. */
#include "insight/findings/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "insight/findings/case.h"
#include "insight/facts/log_words.h"
#include "insight/facts/places.h"
#include "insight/facts/regions.h"
#include "insight/language/sections.h"
#include "log/merge/launcher.h"
#include "log/old/old.h"
#include "log/read/log_internal.h"
#include "text/number.h"

/* The diagnosis that the caller sees, and its memory. */
typedef struct owned {
    iol__diagnosis diagnosis;
    iol__arena arena;
    iol__case *job; /* NULL if it was not kept */
} owned;

/* What this log cannot tell ----------------------------------------------------------------------------------- */

typedef struct sentences {
    const char **list;
    size_t count;
} sentences;

static void say(iol__case *job, sentences *s, const char *text) {
    s->list = iol__arena_grow(&job->arena, s->list, s->count, sizeof *s->list);
    s->list[s->count++] = text;
}

static bool has_module(const iol__case *job, int slot) { return job->facts.modules[slot].module.length > 0; }

/* Whether a file is on Lustre; that it is mounted says nothing about the job. */
static bool on_lustre(const iol__case *job) {
    const char *point, *type;
    bool mounted = false;
    for (size_t i = 0; iol_log_mount(job->facts.log, i, &point, &type) == IOL_OK; i++)
        mounted |= strcmp(type, "lustre") == 0;
    for (size_t i = 0; mounted && i < job->facts.n_files; i++) {
        iol__facts_mount(&job->facts, &job->facts.file[i], &point, &type);
        if (strcmp(type, "lustre") == 0) return true;
    }
    return false;
}

static bool known_slow_ost(const iol__case *job) {
    for (size_t r = 0; r < job->book->n_rules; r++)
        if (job->fired[r] && strcmp(job->book->rules[r]->id, "lustre.ost.slow") == 0) return true;
    return false;
}

/* What versions before 3.x did not know, as the log's notes say. */
static void list_old_blind_spots(iol__case *job, sentences *s) {
    if (!iol__old_version_of(job->facts.log)) return;
    for (size_t i = 0; iol__log_note(job->facts.log, i); i++)
        say(job, s, iol__arena_copy(&job->arena, iol__log_note(job->facts.log, i)));
    if (job->metrics.posix && !job->metrics.extents)
        say(job, s,
            "Offsets of this log end at 2 GiB: how far files reach, and whether bytes were read or written again, is "
            "unknown.");
}

static void list_blind_spots(iol__case *job, iol__diagnosis *out) {
    sentences s = {0};
    bool traced = job->tracing.count > 0;
    list_old_blind_spots(job, &s);
    if (!traced)
        say(job, &s,
            "There is no trace: the order, overlap and duration of single requests are unknown (iolite run --trace "
            "records "
            "them).");
    if (!job->phases.source)
        say(job, &s, "There is no heat map and no trace: phases, bursts and stragglers over time are unknown.");
    if (on_lustre(job) && !has_module(job, IOL_SLOT_LUSTRE))
        say(job, &s, "Files are on Lustre, but their striping is not in the log.");
    if (strcmp(job->nodes_from, "guess") == 0 && job->facts.processes > 1)
        say(job, &s, "The number of nodes is guessed from the number of processes.");
    if (isnan(job->job[IOL_JOB_site_load]) && isnan(job->job[IOL_JOB_site_coverage]))
        say(job, &s,
            known_slow_ost(job)
                ? "There is no data from the servers: why an OST is slow, a disk, a rebuild or the load "
                  "of other jobs, is unknown."
                : "There is no data from the servers: load by other jobs, contention on a storage "
                  "target and slow disks are unknown.");
    const bool mapped = job->job[IOL_JOB_map_length] > 0;
    if (has_module(job, IOL_SLOT_MPIIO) || has_module(job, IOL_SLOT_POSIX))
        say(job, &s,
            iol__arena_print(&job->arena, "%s page cache %s not in the log.",
                             has_module(job, IOL_SLOT_MPIIO) && !job->hints ? "MPI-IO hints, the" : "The",
                             mapped ? "and the times of what was done through memory maps are"
                                    : "and the contents of memory maps are"));
    if (job->facts.run_time <= 0)
        say(job, &s, "The run time is unknown, so that costs have nothing to be compared with.");
    if (job->tracing.seen > job->tracing.count)
        say(job, &s, "The trace is very large: only its first part was looked at.");
    out->cannot_tell = s.list;
    out->n_cannot_tell = s.count;
}

/* "POSIX and STDIO", or NULL for none. */
static const char *names_of(iol__case *job, uint64_t slots) {
    const char *list = NULL;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!(slots >> slot & 1)) continue;
        bool last = !(slots >> slot >> 1);
        const char *name = iol__modules[slot].name;
        list = list ? iol__arena_print(&job->arena, "%s%s %s", list, last ? " and" : ",", name) : name;
    }
    return list;
}

static bool names_damaged(const iol__facts *facts) {
    const iol_error *error;
    uint64_t from = facts->log->name_offset, length = facts->info->name_bytes;
    for (size_t i = 0; (error = iol_log_error(facts->log, i)); i++)
        if (error->slot < 0 && error->status == IOL_DAMAGED && error->offset >= from && error->offset - from <= length)
            return true;
    return false;
}

/* "The log is damaged: of POSIX only a part can be read, LUSTRE and STDIO cannot be read, names of files are missing."
   */
static const char *damage_of(iol__case *job) {
    const iol__facts *facts = &job->facts;
    const char *some = names_of(job, facts->damaged & ~facts->unreadable);
    const char *none = names_of(job, facts->damaged & facts->unreadable);
    const char *parts[] = {
        some ? iol__arena_print(&job->arena, "of %s only a part can be read", some) : NULL,
        none ? iol__arena_print(&job->arena, "%s cannot be read", none) : NULL,
        names_damaged(facts) ? "names of files are missing" : NULL,
        facts->info->job_damaged ? "who ran what and when is unknown" : NULL,
    };
    const char *text = NULL;
    for (size_t i = 0; i < IOL_COUNT(parts); i++) {
        if (!parts[i]) continue;
        text = iol__arena_print(&job->arena, "%s%s", text ? iol__arena_print(&job->arena, "%s, ", text) : "", parts[i]);
    }
    return iol__arena_print(&job->arena, "The log is damaged: %s.",
                            text ? text : "a part beside the records is missing");
}

/* "Not recorded, statically linked: busybox (3)." */
static void list_unseen(iol__case *job, sentences *s) {
    enum { SHOWN = 8 };
    iol__unseen unseen = {0};
    char programs[1024];
    iol__unseen_add(job->facts.log, &unseen);
    for (int why = 1; why < IOL_UNSEEN_REASONS; why++)
        if (iol__unseen_programs(&unseen, (iol__unseen_why)why, SHOWN, programs, sizeof programs))
            say(job, s,
                iol__arena_print(&job->arena, "Not recorded, %s: %s.", iol__unseen_text((iol__unseen_why)why),
                                 programs));
}

/* "Rank 1 of 4 was killed by signal 11 (SIGSEGV) at 12.3 s, with /scratch/a open; 3 others were ended." */
static void list_ended(iol__case *job, sentences *s) {
    iol__ended ended;
    char text[1024];
    iol__ended_read(job->facts.log, &ended);
    const iol__facts_file *file = ended.file ? iol__facts_find(&job->facts, ended.file) : NULL;
    if (iol__ended_text(&ended, file ? iol__case_name(job, file) : NULL, text, sizeof text))
        say(job, s, iol__arena_print(&job->arena, "%s.", text));
}

static void list_quality(iol__case *job, iol__diagnosis *out) {
    sentences s = {0};
    const iol__facts *facts = &job->facts;
    char count[IOL_HUMAN];
    out->damaged = iol__facts_damaged(facts);
    if (job->job[IOL_JOB_launcher_log] > 0) say(job, &s, IOL_LAUNCHER_SENTENCE);
    if (out->damaged) say(job, &s, damage_of(job));
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (facts->partial >> slot & 1)
            say(job, &s, iol__arena_print(&job->arena, "The data of %s is incomplete.", iol__modules[slot].name));
        if ((facts->unreadable & ~facts->damaged) >> slot & 1)
            say(job, &s, iol__arena_print(&job->arena, "The data of %s cannot be read.", iol__modules[slot].name));
    }
    if (iol_log_custom_damaged(facts->log))
        say(job, &s, "A module wrote over the records of modules: some of them are missing.");
    list_ended(job, &s);
    list_unseen(job, &s);
    if (job->job[IOL_JOB_names_missing] > 0)
        say(job, &s,
            iol__arena_print(&job->arena, "%s file%s no name.",
                             iol__human_number(count, job->job[IOL_JOB_names_missing]),
                             job->job[IOL_JOB_names_missing] == 1 ? " has" : "s have"));
    if (facts->odd)
        say(job, &s,
            iol__arena_print(&job->arena, "%s record%s impossible values.",
                             iol__human_number(count, (double)facts->odd), facts->odd == 1 ? " holds" : "s hold"));
    if (facts->run_time > 0 && facts->io_time > 1.05 * facts->run_time)
        say(job, &s, "I/O times add up to more than the run time, as with threads.");
    out->quality = s.list;
    out->n_quality = s.count;
}

/* The head of the report -------------------------------------------------------------------------------------- */

/* The same log gives the same number, whatever its file is called and however it is compressed. */
static const char *hash_of(iol__case *job) {
    const iol__facts *facts = &job->facts;
    uint64_t hash = (uint64_t)iol__own_job_id(facts->log) ^ (uint64_t)facts->job->start_seconds << 20 ^
                    (uint64_t)facts->processes << 44;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__facts_sums *sums = &facts->modules[slot].all;
        if (!sums->records) continue;
        uint64_t parts[4] = {hash, sums->records, (uint64_t)slot, 0}; /* of modules without counters that is all */
        if (sums->ints) {
            parts[2] = iol_name_id(sums->ints, (size_t)iol__modules[slot].ints * sizeof *sums->ints);
            parts[3] = iol_name_id(sums->reals, (size_t)iol__modules[slot].reals * sizeof *sums->reals);
        }
        hash = iol_name_id(parts, sizeof parts);
    }
    return iol__arena_print(&job->arena, "%016llx", (unsigned long long)hash);
}

static const char *copy(iol__case *job, const char *text) { return iol__arena_copy(&job->arena, text ? text : ""); }

static void fill_head(iol__case *job, iol__diagnosis *out) {
    const iol__facts *facts = &job->facts;
    out->log_name = copy(job, facts->info->path);
    out->log_bytes = facts->info->file_bytes;
    out->log_hash = hash_of(job);
    out->job_id = facts->job->job_id;
    out->job_id_known = iol__job_id_known(facts->log);
    out->start_known = iol__start_known(facts->log);
    out->uid = facts->job->uid;
    out->processes = facts->processes;
    out->start = facts->job->start_seconds;
    out->end = facts->job->end_seconds;
    out->exe = copy(job, facts->job->exe);
    out->run_time = facts->run_time;
    out->nodes = job->job[IOL_JOB_nodes];
    out->nodes_from = job->nodes_from;
    out->system = job->system ? copy(job, job->system) : NULL;
    out->thresholds = job->thresholds;
    memcpy(out->figures, facts->figures.value, sizeof out->figures);
    out->io_waited = facts->figures.waited;
    out->io_time = out->figures[IOL_FIGURE_io_time];
    out->io_share = out->figures[IOL_FIGURE_io_share];
    out->rate = out->figures[IOL_FIGURE_rate];
    out->bytes_read = out->figures[IOL_FIGURE_bytes_read];
    out->bytes_written = out->figures[IOL_FIGURE_bytes_written];
    out->rulebook = job->book;
}

/* Of many phases the largest are kept for show, in the order of time. */
enum { SHOWN_PHASES = 64 };

static int by_bytes(const void *a, const void *b) {
    const iol__phase *x = a, *y = b;
    double p = x->bytes_read + x->bytes_written, q = y->bytes_read + y->bytes_written;
    if (p != q) return p > q ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static int by_start(const void *a, const void *b) {
    const iol__phase *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void show_phases(iol__case *job, iol__diagnosis *out) {
    out->phases = job->phases;
    if (job->phases.kept <= SHOWN_PHASES) return;
    iol__phase *list = iol__arena_alloc(&job->arena, job->phases.kept, sizeof *list);
    memcpy(list, job->phases.phases, job->phases.kept * sizeof *list);
    qsort(list, job->phases.kept, sizeof *list, by_bytes);
    qsort(list, SHOWN_PHASES, sizeof *list, by_start);
    out->phases.phases = list;
    out->phases.kept = SHOWN_PHASES;
}

/* Names of the log end with it; those in findings are kept. */
static void keep_names(iol__case *job, iol__diagnosis *out) {
    for (size_t i = 0; i < out->n_findings; i++) {
        iol__finding *f = (iol__finding *)(uintptr_t)&out->findings[i];
        if (f->subject_name) f->subject_name = copy(job, f->subject_name);
        for (size_t e = 0; e < f->n_evidence; e++) {
            iol__evidence *evidence = (iol__evidence *)(uintptr_t)&f->evidence[e];
            if (evidence->name) evidence->name = copy(job, evidence->name);
        }
    }
}

/* The whole --------------------------------------------------------------------------------------------------- */

static void look_up_names(iol__case *job) {
    job->names = iol__arena_alloc(&job->arena, job->facts.n_files + 1, sizeof *job->names);
    job->owners = iol__arena_alloc(&job->arena, job->facts.n_files + 1, sizeof *job->owners);
    for (size_t i = 0; i < job->facts.n_files; i++) {
        job->names[i] = iol__facts_name(&job->facts, &job->facts.file[i]);
        job->owners[i] = (uint8_t)iol__owners_by_name(job->names[i]);
    }
}

/* What the trace tells beyond phases. */
static void look_at_trace(iol__case *job) {
    if (!job->tracing.count) return;
    double small = iol__case_threshold(job, "posix.small.bytes");
    double least = iol__case_threshold(job, "pair.share") * job->facts.io_time;
    job->covering = iol__arena_alloc(&job->arena, job->facts.n_files + 1, sizeof *job->covering);
    iol__covering_find(&job->tracing, &job->phases, &job->facts, job->covering, &job->arena);
    job->traced = iol__traced_find(&job->tracing, &job->facts, small, &job->arena);
    job->pairs = iol__pairs_find(&job->tracing, &job->phases, small, fmax(least, 1e-3), &job->arena);
}

static void find_clashes(iol__case *job) {
    if (!job->tracing.count) return;
    bool *hdf5 = iol__arena_alloc(&job->arena, job->facts.n_files + 1, sizeof *hdf5);
    for (size_t i = 0; i < job->facts.n_files; i++) hdf5[i] = iol__is_hdf5(job, &job->facts.file[i]);
    job->clashes = iol__clashes_find(&job->tracing, &job->phases, &job->facts, hdf5);
}

static void diagnose(iol__case *job, iol__diagnosis *out) {
    for (int i = 0; i < IOL_LAYERS; i++)
        if (job->facts.ranks[i].count > job->n_by_rank) job->n_by_rank = job->facts.ranks[i].count;
    iol__context context = iol__context_unknown();
    iol__context_parse(&job->arena, job->options->context, &context);
    iol__case_context(job, &context);
    iol__case_thresholds(job);
    iol__case_counters(job);
    job->phases = iol__phases_find(&job->tracing, &job->facts, &job->arena);
    iol__phases_metadata(&job->phases, &job->facts);
    look_up_names(job);
    look_at_trace(job);
    find_clashes(job);
    job->hints = iol__hints_read(&job->facts, &job->arena);
    iol__case_variables(job);
    if (job->options->surround) {
        job->options->surround(job, &context, job->options->surround_data);
        iol__case_context(job, &context);
    }
    if (job->options->look) job->options->look(job, job->options->look_data);
    iol__match_all(job);
    iol__match_suppress(job);
    iol__findings_make(job, out);
    iol__case_regions(job, out);
    iol__case_places(job, out);
    fill_head(job, out);
    show_phases(job, out);
    list_quality(job, out);
    list_blind_spots(job, out);
    keep_names(job, out);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static iol_status no_memory(iol_error *error) {
    if (error) {
        *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .offset = IOL_NO_OFFSET};
        snprintf(error->message, sizeof error->message, "there is no memory for the diagnosis");
    }
    return IOL_SYSTEM;
}

static void free_case(iol__case *job) {
    if (!job) return;
    iol__tracing_free(&job->tracing);
    iol__facts_free(&job->facts);
    iol__regions_free(&job->regions);
    iol__where_free(&job->where);
    free(job);
}

static void keep_case(owned *result, iol__case *job) {
    result->job = job;
    result->diagnosis.facts = &job->facts;
    result->diagnosis.tracing = &job->tracing;
    result->diagnosis.names = job->names;
    result->diagnosis.all_phases = &job->phases;
}

iol_status iol__diagnose(iol_log *log, const iol__diagnose_options *options, iol__diagnosis **out, iol_error *error) {
    double start = now();
    *out = NULL;
    owned *result = calloc(1, sizeof *result);
    iol__case *job = calloc(1, sizeof *job);
    if (!result || !job ||
        !iol__facts_make_watched(log, iol__tracing_visit, &job->tracing, options->watch, options->watch_data,
                                 &job->facts)) {
        if (job) iol__tracing_free(&job->tracing);
        free(result);
        free(job);
        return no_memory(error);
    }
    job->book = options->rulebook;
    job->options = options;
    jmp_buf exhausted;
    job->arena.exhausted = &exhausted;
    volatile bool failed = true;
    if (!setjmp(exhausted)) {
        diagnose(job, &result->diagnosis);
        failed = false;
    }
    result->arena = job->arena;
    result->arena.exhausted = NULL;
    if (options->keep && !failed)
        keep_case(result, job);
    else
        free_case(job);
    if (failed) {
        iol__arena_free(&result->arena);
        free(result);
        return no_memory(error);
    }
    result->diagnosis.elapsed = now() - start;
    *out = &result->diagnosis;
    return IOL_OK;
}

void iol__diagnosis_free(iol__diagnosis *diagnosis) {
    if (!diagnosis) return;
    owned *o = (owned *)diagnosis; /* its first member */
    free_case(o->job);
    iol__arena_free(&o->arena);
    free(o);
}

const uint64_t *iol__diagnosis_files(const iol__diagnosis *diagnosis, size_t finding) {
    const iol__case *job = ((const owned *)diagnosis)->job;
    for (size_t r = 0; job && r < job->book->n_rules; r++)
        if (strcmp(job->book->rules[r]->id, diagnosis->findings[finding].id) == 0) return job->matches[r].files;
    return NULL;
}
