/* Merging in three steps, with memory that grows with the number of inputs and files, not with their records:
     survey   open each input once for its job record: who is which rank, when did the job start and end
     gather   read each input once, in order of rank, and spool its records by module into nameless logs, with ranks
              and times of the merged job; count which files every rank has (merge_gather.c, merge_rank.c)
     write    names, then module by module: shared files combined, all other records as they are (merge_write.c)
   Who the processes of a run of Iolite were is known beyond their records (merge_processes.c). */
#include "log/merge/merge.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strings.h"
#include "log/merge/merge_internal.h"

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

/* The rank of the first record that has one; 0 if none does. */
static int64_t merge_rank_of(iol_log *log) {
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

int64_t iol__merge_instant(int64_t seconds, int64_t nanoseconds, double offset) {
    if (!(fabs(offset) < 9e9)) offset = 0;
    double about = (double)seconds + (double)nanoseconds / 1e9 + offset;
    if (!(fabs(about) < 9e9)) return about < 0 ? INT64_MIN : INT64_MAX;
    /* Parts of it may be larger than the sum; modulo 2^64 that comes out right. */
    return (int64_t)((uint64_t)seconds * 1000000000 + (uint64_t)nanoseconds + (uint64_t)(int64_t)(offset * 1e9));
}

/* Thread identities in any finished input stay in the output. Mapped files of Iolite always have them; nobody has asked
   for them yet. */
static void note_versions(merger *m, iol_log *log) {
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

iol_status iol__merge_refuse_input(merger *m, const iol__input *input, const iol_error *error) {
    if (!input->found || error->status != IOL_SYSTEM || errno != ENOENT) return iol__merge_refuse(m, error);
    m->merge->live++;
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

static void note_offset(merge_input *in, double seconds) {
    if (seconds >= 0 && seconds < 1e9 && in->instant > 0) in->run_zero = in->instant - (int64_t)(seconds * 1e9);
}

/* Of which MPI job a finished log is, and who is not in it. */
static bool note_world(const iol_log *log, merge_input *in) {
    const char *key, *value;
    if (in->unknown || log->facts) return true;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++) {
        if (strcmp(key, IOL_KEY_WORLD) == 0) in->world = strtoull(value, NULL, 16);
        if (strcmp(key, IOL_KEY_OFFSET) == 0) note_offset(in, strtod(value, NULL));
        if (strcmp(key, IOL_KEY_MISSING) != 0 || in->missing) continue;
        in->missing = strdup(value);
        if (!in->missing) return false;
    }
    if (in->processes < 1 || in->processes > MERGE_RANKS_MOST) in->world = 0;
    return true;
}

static bool note_first(void *context, const iol__process *process) {
    merge_input *in = context;
    if (process->rank == 0) in->pid = process->pid;
    return process->rank != 0;
}

/* What names the log of a job. */
static bool note_name(iol_log *log, merge_input *in) {
    if (in->unknown || log->facts) return true;
    iol__processes_each(log, note_first, in);
    in->exe = strdup(iol_log_job(log)->exe);
    return in->exe != NULL;
}

/* Ranks and times of records that nobody here can decode cannot be moved, and an input must not lose them. */
static iol_status survey_opaque(const iol_log *log, iol_error *error) {
    for (int slot = 0; slot < IOL_SLOTS; slot++)
        if (log->modules[slot].length && iol__opaque(log, slot))
            return iol__error_set(error, IOL_UNSUPPORTED, log->path, log->modules[slot].offset,
                                  "slot %d has %llu bytes of records (version %u) that this Iolite does not know and "
                                  "cannot merge; the log is left as it is",
                                  slot, (unsigned long long)log->modules[slot].length, log->modules[slot].version);
    return IOL_OK;
}

static iol_status survey_log(merger *m, size_t number) {
    iol_log *log;
    iol_error error;
    const iol__input *input = &m->found.all[number];
    if (iol__merge_open(input, &log, &error) != IOL_OK) return iol__merge_refuse_input(m, input, &error);
    if (survey_opaque(log, &error) != IOL_OK) {
        iol_log_close(log);
        return iol__merge_refuse(m, &error);
    }
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
    bool memory = !keep || (note_world(log, &in) && note_name(log, &in));
    if (keep) {
        in.listed = !in.unknown && !log->facts && iol__processes_any(log);
        if (!in.listed && (in.processes > 1 || in.unknown)) in.rank = merge_rank_of(log);
        note_versions(m, log);
        if (!iol__source_regular(log->source)) in.log = log;
        m->inputs[m->n_inputs++] = in;
    }
    /* What the system refused now it may grant when the input is read; if so, nobody else reports it. */
    iol_error none = {.status = IOL_OK}, *before = m->error;
    m->error = &none;
    if (iol__merge_system_error(m, log) != IOL_OK) iol__merge_complain(m, "%s", none.message);
    m->error = before;
    if (!in.log) iol_log_close(log);
    return memory ? IOL_OK : iol__merge_out_of_memory(m);
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

static void complain_of_inputs(void *context, const char *message) {
    merger *m = context;
    iol__error_set(m->error, IOL_DAMAGED, "merge", IOL_NO_OFFSET, "%s", message);
    m->merge->damaged++;
    if (!m->merge->strict) iol__merge_complain(m, "%s", message);
}

static iol_status find_merge_inputs(merger *m) {
    iol__merge *merge = m->merge;
    m->found.complain = complain_of_inputs;
    m->found.context = m;
    m->found.found = merge->found;
    for (size_t i = 0; i < merge->n_inputs; i++)
        if (!iol__inputs_add(&m->found, merge->inputs[i])) return iol__merge_out_of_memory(m);
    if (merge->strict && m->error->status != IOL_OK) return m->error->status;
    *m->error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    m->inputs = calloc(m->found.count + 1, sizeof *m->inputs);
    m->groups = calloc(m->found.n_groups + 1, sizeof *m->groups);
    return m->inputs && m->groups ? IOL_OK : iol__merge_out_of_memory(m);
}

static bool went_on(const merger *m, uint64_t world) {
    for (size_t i = 0; world && i < m->n_people; i++)
        if (m->people[i].late && m->people[i].seat.world == world) return true;
    return false;
}

/* Ranks of its job went on after it was written: it becomes an input, to be written again with that. */
static iol_status complete_written(merger *m, merge_written *written, const char *path) {
    const size_t number = m->found.count, inputs = m->n_inputs;
    if (!went_on(m, written->world)) return IOL_OK;
    if (!iol__inputs_add(&m->found, path)) return iol__merge_out_of_memory(m);
    merge_input *grown = realloc(m->inputs, (m->found.count + 1) * sizeof *grown);
    if (!grown) return iol__merge_out_of_memory(m);
    m->inputs = grown;
    if (m->found.count != number + 1) return IOL_OK;
    const iol_status status = survey_log(m, number);
    if (m->n_inputs > inputs) written->path = m->found.all[number].path;
    return status;
}

/* Whoever is in these has no more to say: a rank that is killed when its job's log is there leaves its mapped file. */
static iol_status survey_written(merger *m) {
    const bool given = m->merge->written != NULL;
    const size_t count = given ? m->merge->n_written : m->found.n_logs;
    m->written = calloc(count + 1, sizeof *m->written);
    if (!m->written) return iol__merge_out_of_memory(m);
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < count; i++) {
        iol_log *log;
        iol_error error;
        const iol__input named = {.path = given ? m->merge->written[i] : m->found.logs[i], .found = true};
        if (iol__merge_open(&named, &log, &error) != IOL_OK) continue; /* it has been moved away */
        merge_input in = {.processes = iol_log_job(log)->processes, .unknown = log->info.job_damaged};
        if (!note_world(log, &in)) status = iol__merge_out_of_memory(m);
        merge_written *written = &m->written[m->n_written++];
        *written = (merge_written){in.world, in.processes, in.missing, NULL};
        iol_log_close(log);
        if (status == IOL_OK) status = complete_written(m, written, named.path);
    }
    return status;
}

static iol_status survey(merger *m) {
    iol__merge *merge = m->merge;
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < m->found.count; i++) {
        status = survey_input(m, i);
        iol__merge_progress(m, 0.1 * (double)(i + 1) / (double)m->found.count);
    }
    if (status == IOL_OK) status = iol__merge_survey_starts(m);
    if (status == IOL_OK) status = iol__merge_survey_deaths(m);
    if (status == IOL_OK) status = survey_written(m);
    if (status != IOL_OK) return status;
    if (m->n_inputs || m->n_people) return IOL_OK;
    if (merge->skipped)
        return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET,
                              "no input is of job %lld; %zu are of others", (long long)merge->job_id, merge->skipped);
    return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET, "no input could be used");
}

/* Logs ------------------------------------------------------------------------------------------------------------- */

/* What an attempt to write a part has gathered. */
static void free_gathered(merger *m) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        spool *s = &m->spools[slot];
        iol_writer_abort(s->writer);
        iol_log_close(s->log);
        iol__idmap_free(&s->ids);
        iol__idmap_free(&s->late);
        free(s->users);
    }
    for (size_t i = 0; i < m->n_sections; i++) free(m->sections[i].bytes);
    iol_writer_abort(m->name_writer);
    iol_log_close(m->name_log);
    iol_log_close(m->first);
    iol_log_close(m->mounted);
    iol__idmap_free(&m->names);
    iol__idmap_free(&m->section_hashes);
    iol__merge_free_kept(m);
    if (m->lines_file) fclose(m->lines_file);
    free(m->lines);
    free(m->line_list);
    iol__id_pairs_free(&m->sizes);
    iol__id_pairs_free(&m->removed);
    iol__custom_free(&m->custom);
    free(m->heatmap_shifts);
    free(m->name_hashes);
    free(m->sections);
    free(m);
}

static iol_status write_merge_log(merger *m, const char *output) {
    iol_writer *writer;
    /* Opened early: a target that cannot be written is reported before the work and not after. */
    iol_status status = iol_writer_open(output, &m->options, &writer, m->error);
    if (status == IOL_OK && m->merge->unhurried) iol__writer_unhurried(writer);
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

static void remove_used(const merger *m) {
    for (size_t i = 0; i < m->found.count; i++) {
        iol__input *input = &m->found.all[i];
        if (!input->mapped || input->fate != IOL_INPUT_USED) continue;
        unlink(input->path);
        input->mapped = false;
    }
}

/* Parts ------------------------------------------------------------------------------------------------------------ */

struct iol__merging {
    merger survey;
    merger *parts;
    size_t n_parts;
};

iol_status iol__merge_begin(iol__merge *merge, iol__merging **merging, iol_error *error) {
    static const char *const standard[3] = {"<STDIN>", "<STDOUT>", "<STDERR>"};
    *error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    *merging = calloc(1, sizeof **merging);
    if (!*merging) return iol__error_set(error, IOL_SYSTEM, "merge", IOL_NO_OFFSET, "out of memory");
    merger *m = &(*merging)->survey;
    m->merge = merge;
    m->error = error;
    for (int i = 0; i < 3; i++) m->standard[i] = iol_name_id(standard[i], strlen(standard[i]));
    iol_status status = find_merge_inputs(m);
    if (status == IOL_OK) status = survey(m);
    if (status != IOL_OK) return status;
    (*merging)->parts = iol__merge_split(m, &(*merging)->n_parts);
    return (*merging)->parts ? IOL_OK : iol__merge_out_of_memory(m);
}

size_t iol__merge_parts(const iol__merging *merging) { return merging->n_parts; }

iol__merge_part iol__merge_part_of(const iol__merging *merging, size_t part) {
    return iol__merge_describe(&merging->parts[part]);
}

iol_status iol__merge_part_write(iol__merging *merging, size_t part, const char *output,
                                 const iol_write_options *options, const char *const *links, iol_error *error) {
    *error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    merger *m = malloc(sizeof *m);
    if (!m) return iol__error_set(error, IOL_SYSTEM, output, IOL_NO_OFFSET, "out of memory");
    *m = merging->parts[part];
    m->error = error;
    m->options = *options;
    m->links = links;
    if (merging->survey.options.dxt_posix) m->options.dxt_posix = merging->survey.options.dxt_posix;
    if (merging->survey.options.dxt_mpiio) m->options.dxt_mpiio = merging->survey.options.dxt_mpiio;
    iol_status status = IOL_OK;
    const bool completed = m->completes && strcmp(m->completes, output) == 0;
    if (!completed && iol__inputs_have(&m->found, output))
        status =
            iol__error_set(error, IOL_INVALID, output, IOL_NO_OFFSET, "is one of the inputs; write to another file");
    if (status == IOL_OK) status = write_merge_log(m, output);
    if (status == IOL_OK && m->merge->remove_used) remove_used(m);
    free_gathered(m);
    return status;
}

void iol__merge_part_drop(iol__merging *merging, size_t part) {
    const merger *m = &merging->parts[part];
    for (size_t i = 0; i < m->n_inputs; i++) m->found.all[m->inputs[i].number].fate = IOL_INPUT_USED;
    if (m->merge->remove_used) remove_used(m);
}

void iol__merge_end(iol__merging *merging) {
    if (!merging) return;
    for (size_t i = 0; i < merging->n_parts; i++) iol__merge_free_part(&merging->parts[i]);
    free(merging->parts);
    merger *m = &merging->survey;
    for (size_t i = 0; i < m->n_written; i++) free(m->written[i].missing);
    free(m->written);
    free(m->groups);
    free(m->image_inputs);
    iol__idmap_free(&m->people_ids);
    iol__idmap_free(&m->image_ids);
    iol__inputs_free(&m->found);
    iol__merge_free_part(m); /* what could not be split */
    free(merging);
}

/* All of them ------------------------------------------------------------------------------------------------------ */

char *iol__merge_name(const char *log, const char *suffix) {
    static const char ending[] = ".darshan";
    size_t length = strlen(log), end = sizeof ending - 1;
    char *name;
    if (length < end || strcmp(log + length - end, ending) != 0) end = 0;
    return asprintf(&name, "%.*s_%s%s", (int)(length - end), log, suffix, end ? ending : "") < 0 ? NULL : name;
}

/* The name of a part beside the first one; NULL without memory. */
static char *merge_name_of(const iol__merging *merging, size_t part, const char *output) {
    char suffix[32];
    if (part == 0) return strdup(output);
    if (!merging->parts[part].world) return iol__merge_name(output, IOL_MERGE_OTHERS);
    snprintf(suffix, sizeof suffix, "mpi%zu", part + 1);
    return iol__merge_name(output, suffix);
}

static iol_status write_merge_parts(iol__merging *merging, char **names, const iol_write_options *options,
                                    iol_error *error) {
    iol_status status = IOL_OK;
    const size_t count = merging->n_parts;
    const char **links = calloc(count + 1, sizeof *links);
    for (size_t i = 0; links && status == IOL_OK && i < count; i++) {
        size_t n = 0;
        if (!names[i]) continue;
        for (size_t k = 0; k < count; k++)
            if (k != i && names[k]) links[n++] = iol__base_name(names[k]);
        links[n] = NULL;
        status = iol__merge_part_write(merging, i, names[i], options, links, error);
        if (status == IOL_OK && i > 0)
            iol__merge_complain(&merging->survey, "%s in %s",
                                merging->parts[i].world ? "another MPI job is" : "the other processes are", names[i]);
    }
    if (!links) status = iol__merge_out_of_memory(&merging->survey);
    free(links);
    return status;
}

iol_status iol__merge_logs(iol__merge *merge, const char *output, const iol_write_options *options, iol_error *error) {
    iol__merging *merging;
    iol_status status = iol__merge_begin(merge, &merging, error);
    const size_t count = status == IOL_OK ? merging->n_parts : 0;
    char **names = calloc(count + 1, sizeof *names);
    bool memory = names != NULL;
    for (size_t i = 0; memory && i < count; i++) {
        if (count > 1 && !merging->parts[i].world && !iol__merge_part_of(merging, i).worth)
            iol__merge_part_drop(merging, i);
        else
            memory = (names[i] = merge_name_of(merging, i, output)) != NULL;
    }
    if (status == IOL_OK)
        status =
            memory ? write_merge_parts(merging, names, options, error) : iol__merge_out_of_memory(&merging->survey);
    for (size_t i = 0; names && i < count; i++) free(names[i]);
    free(names);
    iol__merge_end(merging);
    return status;
}
