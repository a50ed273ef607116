/* Merging in three steps, with memory that grows with the number of inputs and files, not with their records:
     survey   open each input once for its job record: who is which rank, when did the job start and end
     gather   read each input once, in order of rank, and spool its records by module into nameless logs, with ranks
              and times of the merged job; count which files every rank has (merge_gather.c, merge_rank.c)
     write    names, then module by module: shared files combined, all other records as they are (merge_write.c)
   Who the processes of a run of Iolite were is known beyond their records (merge_processes.c). */
#include "log/merge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/merge_internal.h"

void iol__merge_complain(merger *m, const char *format, ...) {
    char message[600];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (m->merge->complain) m->merge->complain(m->merge->context, message);
}

iol_status iol__merge_out_of_memory(merger *m) {
    return iol__error_set(m->error, IOL_SYSTEM, "merge", IOL_NO_OFFSET, "out of memory");
}

void iol__merge_progress(merger *m, double fraction) {
    if (m->merge->progress) m->merge->progress(m->merge->context, fraction);
}

/* Survey ---------------------------------------------------------------------------------------------------------- */

static int by_instant(const merge_input *x, const merge_input *y) {
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* Ranks of MPI jobs: those of one job stand together and in order. Then all others. */
static int by_job(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    bool x_run = x->listed || x->process != MERGE_NO_PROCESS, y_run = y->listed || y->process != MERGE_NO_PROCESS;
    if (x_run != y_run) return x_run ? 1 : -1;
    if (x->job_id != y->job_id) return x->job_id < y->job_id ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return by_instant(x, y);
}

/* Records are combined in the order of their ranks, and those of one process in order of time. */
static int by_rank(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    if (x->first_rank != y->first_rank) return x->first_rank < y->first_rank ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return by_instant(x, y);
}

/* The rank of the first record that has one; 0 if none does. */
static int64_t rank_of(iol_log *log) {
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol_records *records;
        const iol_record *record;
        if (log->modules[slot].length == 0 || iol_records_open(log, slot, &records) != IOL_OK) continue;
        int64_t rank = iol_records_next(records, &record) == IOL_OK ? record->rank : -1;
        iol_records_close(records);
        if (rank >= 0) return rank;
    }
    return 0;
}

static bool earlier(int64_t s1, int64_t ns1, int64_t s2, int64_t ns2) { return s1 < s2 || (s1 == s2 && ns1 < ns2); }

void iol__merge_note_times(merger *m, const merge_input *in) {
    merge_input *whole = &m->whole;
    if (in->end == 0) m->unfinished = true;
    if (!m->timed || earlier(in->start, in->start_ns, whole->start, whole->start_ns)) {
        whole->start = in->start;
        whole->start_ns = in->start_ns;
    }
    m->timed = true;
    if (earlier(whole->end, whole->end_ns, in->end, in->end_ns)) {
        whole->end = in->end;
        whole->end_ns = in->end_ns;
    }
}

int64_t iol__merge_instant(int64_t seconds, int64_t nanoseconds, double offset) {
    if (!(fabs(offset) < 9e9)) offset = 0;
    double about = (double)seconds + (double)nanoseconds / 1e9 + offset;
    if (!(fabs(about) < 9e9)) return about < 0 ? INT64_MIN : INT64_MAX;
    /* Parts of it may be larger than the sum; modulo 2^64 that comes out right. */
    return (int64_t)((uint64_t)seconds * 1000000000 + (uint64_t)nanoseconds + (uint64_t)(int64_t)(offset * 1e9));
}

/* Thread identities in any finished input stay in the output. Mapped files of Iolite always have them; nobody has asked
   for them yet. */
static void note_versions(merger *m, const iol_log *log) {
    iol_write_options found = {0};
    if (log->facts) return;
    iol__rewrite_versions(log, &found);
    if (found.dxt_posix) m->options.dxt_posix = found.dxt_posix;
    if (found.dxt_mpiio) m->options.dxt_mpiio = found.dxt_mpiio;
}

iol_status iol__merge_system_error(merger *m, const iol_log *log) {
    const iol_error *error;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++)
        if (error->status == IOL_SYSTEM) {
            *m->error = *error;
            return IOL_SYSTEM;
        }
    return IOL_OK;
}

iol_status iol__merge_refuse(merger *m, const iol_error *error) {
    m->merge->damaged++;
    if (m->merge->strict) {
        *m->error = *error;
        return error->status;
    }
    iol__merge_complain(m, "%s", error->message);
    return IOL_OK;
}

bool iol__merge_wanted(merger *m, const merge_input *in) {
    const iol__merge *merge = m->merge;
    if (!merge->one_job || (!in->unknown && in->job_id == merge->job_id)) return true;
    if (in->unknown) {
        iol__merge_complain(m, "%s: the job record is damaged, so its job is not known; left out",
                            m->found.all[in->number].path);
        m->merge->damaged++;
    } else {
        m->merge->skipped++;
    }
    return false;
}

static iol_status survey_log(merger *m, size_t number) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(m->found.all[number].path, &log, &error) != IOL_OK) return iol__merge_refuse(m, &error);
    const iol_job *job = iol_log_job(log);
    merge_input in = {.number = number,
                      .start = job->start_seconds,
                      .start_ns = job->start_nanoseconds,
                      .end = job->end_seconds,
                      .end_ns = job->end_nanoseconds,
                      .processes = job->processes < INT32_MAX ? job->processes : INT32_MAX,
                      .job_id = job->job_id,
                      .process = MERGE_NO_PROCESS,
                      .instant = iol__merge_instant(job->start_seconds, job->start_nanoseconds, 0),
                      .unknown = log->info.job_damaged};
    bool keep = iol__merge_wanted(m, &in);
    if (keep) {
        in.listed = !in.unknown && !log->facts && iol__processes_any(log);
        if (!in.listed && (in.processes > 1 || in.unknown)) in.rank = rank_of(log);
        note_versions(m, log);
        if (!in.unknown) iol__merge_note_times(m, &in);
        if (!iol__source_regular(log->source)) in.log = log;
        m->inputs[m->n_inputs++] = in;
    }
    /* What the system refused now it may grant when the input is read; if so, nobody else tells. */
    iol_error none = {.status = IOL_OK}, *before = m->error;
    m->error = &none;
    if (iol__merge_system_error(m, log) != IOL_OK) iol__merge_complain(m, "%s", none.message);
    m->error = before;
    if (!in.log) iol_log_close(log);
    return IOL_OK;
}

static iol_status survey_input(merger *m, size_t number) {
    uint8_t head[IOL_MAPPED_HEAD];
    const iol__input *input = &m->found.all[number];
    iol_error error;
    if (iol__merge_is_mapped(input, head)) return iol__merge_survey_mapped(m, number, head);
    if (input->length == 0) return survey_log(m, number);
    iol__error_set(&error, IOL_NOT_A_LOG, input->path, input->offset, "the frame of a spool holds no records");
    return iol__merge_refuse(m, &error);
}

/* Inputs whose job record is damaged are taken for more of the first one that is sound. */
static void adopt_unknown(merger *m) {
    const merge_input *sound = NULL;
    for (size_t i = 0; i < m->n_inputs && !sound; i++)
        if (!m->inputs[i].unknown) sound = &m->inputs[i];
    for (size_t i = 0; sound && i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        if (!in->unknown) continue;
        in->job_id = sound->job_id;
        in->processes = sound->processes;
        in->start = m->whole.start;
        in->start_ns = m->whole.start_ns;
        in->instant = iol__merge_instant(in->start, in->start_ns, 0);
    }
}

static void complain_of_inputs(void *context, const char *message) {
    merger *m = context;
    iol__error_set(m->error, IOL_DAMAGED, "merge", IOL_NO_OFFSET, "%s", message);
    m->merge->damaged++;
    if (!m->merge->strict) iol__merge_complain(m, "%s", message);
}

static iol_status find_inputs(merger *m, const char *output) {
    iol__merge *merge = m->merge;
    m->found.complain = complain_of_inputs;
    m->found.context = m;
    for (size_t i = 0; i < merge->n_inputs; i++)
        if (!iol__inputs_add(&m->found, merge->inputs[i])) return iol__merge_out_of_memory(m);
    if (merge->strict && m->error->status != IOL_OK) return m->error->status;
    *m->error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    if (iol__inputs_have(&m->found, output))
        return iol__error_set(m->error, IOL_INVALID, output, IOL_NO_OFFSET,
                              "is one of the inputs; write to another file");
    m->inputs = calloc(m->found.count + 1, sizeof *m->inputs);
    m->groups = calloc(m->found.n_groups + 1, sizeof *m->groups);
    return m->inputs && m->groups ? IOL_OK : iol__merge_out_of_memory(m);
}

static iol_status survey(merger *m) {
    iol__merge *merge = m->merge;
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < m->found.count; i++) {
        status = survey_input(m, i);
        iol__merge_progress(m, 0.1 * (double)(i + 1) / (double)m->found.count);
    }
    if (status == IOL_OK) status = iol__merge_survey_starts(m);
    if (status != IOL_OK) return status;
    adopt_unknown(m);
    if (m->n_inputs || m->n_people) return IOL_OK;
    if (merge->skipped)
        return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET,
                              "no input is of job %lld; %zu are of others", (long long)merge->job_id, merge->skipped);
    return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET, "no input could be used");
}

/* Ranks ----------------------------------------------------------------------------------------------------------- */

static double shift_of(const merger *m, const merge_input *in) {
    return ((double)in->start - (double)m->whole.start) + ((double)in->start_ns - (double)m->whole.start_ns) / 1e9;
}

/* The ranks of an MPI job stay, behind those of jobs before it. Returns the first input that is of no such job. */
static size_t number_jobs(merger *m) {
    size_t from = 0, to;
    for (; from < m->n_inputs; from = to) {
        int64_t largest = 1;
        if (m->inputs[from].listed || m->inputs[from].process != MERGE_NO_PROCESS) break;
        for (to = from; to < m->n_inputs && m->inputs[to].job_id == m->inputs[from].job_id; to++) {
            if (m->inputs[to].listed || m->inputs[to].process != MERGE_NO_PROCESS) break;
            if (m->inputs[to].processes > largest) largest = m->inputs[to].processes;
        }
        bool single = largest == 1 && m->n_inputs > 1;
        for (size_t i = from; i < to; i++) {
            merge_input *in = &m->inputs[i];
            in->single = single;
            in->first_rank = single ? m->processes++ : m->processes;
            if (single) in->shift = shift_of(m, in);
        }
        if (!single) m->processes += largest;
    }
    return from;
}

/* Ranks: processes are numbered in order of their start, behind the ranks of MPI jobs. */
static iol_status assign_ranks(merger *m) {
    bool mpi = false;
    for (size_t i = 0; i < m->n_inputs; i++) {
        const merge_input *in = &m->inputs[i];
        mpi = mpi || (in->processes > 1 && !in->listed && in->process == MERGE_NO_PROCESS);
    }
    if (mpi) qsort(m->inputs, m->n_inputs, sizeof *m->inputs, by_job);
    size_t from = mpi ? number_jobs(m) : 0;
    for (size_t i = from; i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        in->single = !in->listed && (m->n_inputs > 1 || in->process != MERGE_NO_PROCESS || m->n_people > 0);
        in->rank = 0;
        in->shift = shift_of(m, in);
    }
    iol_status status = iol__merge_number(m, from);
    qsort(m->inputs, m->n_inputs, sizeof *m->inputs, by_rank);
    iol__merge_reduce wish = m->merge->reduce;
    bool several = m->n_inputs > 1 || m->n_people > 1;
    m->reduce = several && (wish == IOL_MERGE_REDUCE || (wish == IOL_MERGE_AUTO && mpi));
    return status;
}

/* The whole ------------------------------------------------------------------------------------------------------- */

static void free_merger(merger *m) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        spool *s = &m->spools[slot];
        iol_writer_abort(s->writer);
        iol_log_close(s->log);
        iol__idmap_free(&s->ids);
        free(s->users);
    }
    for (size_t i = 0; i < m->n_sections; i++) free(m->sections[i].bytes);
    iol_writer_abort(m->name_writer);
    iol_log_close(m->name_log);
    iol_log_close(m->first);
    iol_log_close(m->mounted);
    iol__idmap_free(&m->names);
    iol__idmap_free(&m->section_hashes);
    for (size_t i = 0; i < m->n_inputs; i++) iol_log_close(m->inputs[i].log);
    iol__merge_free_kept(m);
    iol__merge_free_processes(m);
    iol__inputs_free(&m->found);
    free(m->name_hashes);
    free(m->sections);
    free(m->inputs);
    free(m);
}

static void remove_used(const merger *m) {
    for (size_t i = 0; i < m->found.count; i++)
        if (m->found.all[i].mapped && m->found.all[i].fate == IOL_INPUT_USED) unlink(m->found.all[i].path);
}

static iol_status write_log(merger *m, const char *output) {
    iol_writer *writer;
    /* Opened early: a target that cannot be written is told before the work and not after. */
    iol_status status = iol_writer_open(output, &m->options, &writer, m->error);
    if (status == IOL_OK) status = iol__merge_gather(m);
    if (status == IOL_OK) status = iol__merge_write(m, writer);
    if (status == IOL_OK) status = iol_writer_finish(writer);
    if (status == IOL_OK) return IOL_OK;
    if (writer && m->error->status == IOL_OK) {
        *m->error = *iol_writer_error(writer);
        if (m->error->status == IOL_OK) iol__merge_out_of_memory(m);
    }
    iol_writer_abort(writer);
    return status;
}

iol_status iol__merge_logs(iol__merge *merge, const char *output, const iol_write_options *options, iol_error *error) {
    static const char *const standard[3] = {"<STDIN>", "<STDOUT>", "<STDERR>"};
    merger *m = calloc(1, sizeof *m);
    *error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    if (!m) return iol__error_set(error, IOL_SYSTEM, output, IOL_NO_OFFSET, "out of memory");
    m->merge = merge;
    m->error = error;
    m->options = *options;
    for (int i = 0; i < 3; i++) m->standard[i] = iol_name_id(standard[i], strlen(standard[i]));
    iol_status status = find_inputs(m, output);
    if (status == IOL_OK) status = survey(m);
    if (status == IOL_OK) status = assign_ranks(m);
    if (status == IOL_OK) status = write_log(m, output);
    if (status == IOL_OK && merge->remove_used) remove_used(m);
    free_merger(m);
    return status;
}
