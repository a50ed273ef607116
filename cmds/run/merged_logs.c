/* Places for the logs of a merge. A place that fails costs a line, never the log.
   Usually there is one log. MPI jobs have one each, which they write themselves if they can, and then other processes
   have another one beside it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/strings.h"
#include "cmds/cmd.h"
#include "cmds/run/merged_logs.h"
#include "cmds/log/rewriting.h"
#include "cmds/settings.h"
#include "log/write/rewrite.h"
#include "record/mapped.h"

enum { LINKED_MOST = 64 << 20 /* a larger log is not written again for the sake of one line */ };

bool keep_written(written_logs *list, const char *path) {
    char **grown = realloc(list->paths, (list->count + 1) * sizeof *grown);
    if (!grown) return false;
    list->paths = grown;
    grown[list->count] = strdup(path);
    return grown[list->count] && ++list->count;
}

void free_written(written_logs *list) {
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (written_logs){0};
}

/* One log ---------------------------------------------------------------------------------------------------------- */

typedef struct log_work {
    const iol__config *config;
    iol__merge *merge;
    const iol__place_facts *facts;
    iol__merging *merging;
    written_logs *logs;
    int64_t end_seconds, end_nanoseconds;
} log_work;

typedef struct log_part {
    size_t number;
    iol__merge_part is;
    const char *const *links;
    bool linked; /* there will be a log of other processes, beside the first one */
} log_part;

static unsigned merged_logs_mode_of(const log_work *w, const iol__place *place) {
    struct stat directory = {0};
    char *copy = strdup(place->path), *slash = copy ? strrchr(copy, '/') : NULL;
    if (slash) *slash = 0;
    if (!slash || stat(slash == copy ? "/" : copy, &directory) != 0) directory.st_mode = 0;
    free(copy);
    return iol__place_mode(w->config, place, directory.st_mode);
}

static bool merged_logs_write_at(log_work *w, const log_part *part, const char *path, unsigned mode, iol_error *error) {
    const bool threads = iol__setting_flag(w->config, IOL_SET_TRACE_THREADS);
    const iol_write_options options = {.mode = mode, .dxt_posix = threads ? 2 : 0, .dxt_mpiio = threads ? 3 : 0};
    const char *link[2] = {NULL, NULL}, *const *links = part->links;
    char *others = part->linked ? iol__merge_name(w->logs->count ? w->logs->paths[0] : path, IOL_MERGE_OTHERS) : NULL;
    if (others) {
        link[0] = iol__base_name(others);
        links = link;
    }
    bool written = iol__merge_part_write(w->merging, part->number, path, &options, links, error) == IOL_OK;
    free(others);
    return written && keep_written(w->logs, path);
}

char *numbered_log(const char *log, size_t number) {
    char suffix[24];
    snprintf(suffix, sizeof suffix, "%zu", number + 1);
    return number ? iol__merge_name(log, suffix) : strdup(log);
}

/* Of several logs under one name the first has it. */
static void number_place(const log_work *w, iol__place *place) {
    char *path = place->exact ? numbered_log(place->path, w->logs->count) : NULL;
    if (path) snprintf(place->path, sizeof place->path, "%s", path);
    free(path);
}

static bool write_at_place(log_work *w, const log_part *part, iol__place *place, iol_error *error) {
    error->status = IOL_SYSTEM;
    number_place(w, place);
    if (place->create && iol__place_create(place, mkdir) != 0) {
        snprintf(error->message, sizeof error->message, "%.300s: %s", place->path, strerror(errno));
        return false;
    }
    return merged_logs_write_at(w, part, place->path, merged_logs_mode_of(w, place), error);
}

const char *place_asked_for(const char *variable) {
    if (variable && strcmp(variable, "IOLITE_LOG_FILE") == 0) return "--output or IOLITE_LOG_FILE";
    if (variable && strcmp(variable, "IOLITE_LOG_DIR") == 0) return "--log-dir or IOLITE_LOG_DIR";
    return variable;
}

static bool write_somewhere(log_work *w, const log_part *part, const iol__place_facts *facts) {
    unsigned candidate = 0;
    iol__place place;
    iol_error error;
    char refused[sizeof error.message + 128] = "";
    while (iol__place_next(w->config, facts, &candidate, &place)) {
        if (write_at_place(w, part, &place, &error)) {
            if (refused[0] && w->merge->complain) {
                tell_stderr("%s; it is in %s", refused, place.path);
                w->logs->told = true;
            }
            return true;
        }
        if (error.status != IOL_SYSTEM) {
            if (w->merge->complain) tell_stderr("%s", error.message);
            return false;
        }
        if (!refused[0])
            snprintf(refused, sizeof refused, "the log could not be written to the place given by %s: %s",
                     place_asked_for(place.named), error.message);
    }
    if (refused[0] && w->merge->complain) tell_stderr("%s", refused);
    return false;
}

/* The end that the caller gives is that of a job which was killed, if it was the only one. */
static void set_merged_logs_end(log_work *w, bool known) {
    w->merge->end_seconds = known ? w->end_seconds : 0;
    w->merge->end_nanoseconds = known ? w->end_nanoseconds : 0;
}

/* What ranks of an MPI job say of themselves goes before what the caller knows: their log is named as they would have
   named it. */
static bool write_usual(log_work *w, const log_part *part) {
    char program[256] = "";
    iol__place_facts facts = *w->facts;
    const char *command = part->is.command;
    if (command) {
        const char *slash = memrchr(command, '/', strcspn(command, " "));
        snprintf(program, sizeof program, "%s", slash ? slash + 1 : command);
        program[strcspn(program, " ")] = '\0';
    }
    if (part->is.world || !facts.program) {
        facts.program = *program ? program : "unknown";
        facts.job = part->is.job_id;
        facts.pid = part->is.pid;
        facts.start = part->is.start_seconds;
        facts.utc_offset = local_offset(facts.start);
    }
    return write_somewhere(w, part, &facts);
}

/* All of them ------------------------------------------------------------------------------------------------------ */

/* A log that a job wrote before anybody knew of the other one. */
static void add_link(const char *path, const char *other) {
    iol_log *log;
    iol_error error;
    struct stat st;
    char *line = NULL;
    if (stat(path, &st) != 0 || st.st_size > LINKED_MOST || iol_log_open(path, &log, &error) != IOL_OK) return;
    if (asprintf(&line, IOL_KEY_LINKED "=%s", iol__base_name(other)) >= 0) {
        const char *const lines[] = {line};
        const iol__rewrite how = {.annotations = lines, .n_annotations = 1};
        iol_write_options options = {.replace = true, .mode = st.st_mode & 0777};
        iol__rewrite_versions(log, &options);
        if (!iol_log_error(log, 0)) rewrite_file(log, path, &options, &how, &error);
        free(line);
    }
    iol_log_close(log);
}

static unsigned mode_beside(const char *log) {
    struct stat facts;
    return stat(log, &facts) == 0 ? facts.st_mode & 0444 : 0400;
}

/* Processes that are not ranks: their log is beside that of the first job, if there is one. `written` logs are of jobs
   that wrote them, and do not name this one yet. */
static bool write_others(log_work *w, log_part *part, size_t written) {
    const size_t jobs = w->logs->count;
    iol_error error;
    set_merged_logs_end(w, true);
    if (jobs == 0 && !part->is.elsewhere) return write_usual(w, part);
    if (!part->is.worth) {
        iol__merge_part_drop(w->merging, part->number);
        return true;
    }
    const char **links = calloc(jobs + 1, sizeof *links);
    for (size_t i = 0; links && i < jobs; i++) links[i] = iol__base_name(w->logs->paths[i]);
    part->links = links;
    char *path = iol__merge_name(w->logs->paths[0], IOL_MERGE_OTHERS);
    bool good =
        (path && merged_logs_write_at(w, part, path, mode_beside(w->logs->paths[0]), &error)) || write_usual(w, part);
    for (size_t i = 0; good && i < written; i++) add_link(w->logs->paths[i], w->logs->paths[jobs]);
    free(path);
    free(links);
    return good;
}

/* Ranks went on after the log of their job was written: it is written again, with that. */
static bool write_completed(log_work *w, const log_part *part) {
    struct stat before;
    iol_error error;
    const bool threads = iol__setting_flag(w->config, IOL_SET_TRACE_THREADS);
    const iol_write_options options = {.replace = true,
                                       .mode = stat(part->is.completes, &before) == 0 ? before.st_mode & 0777 : 0400,
                                       .dxt_posix = threads ? 2 : 0,
                                       .dxt_mpiio = threads ? 3 : 0};
    set_merged_logs_end(w, false);
    if (iol__merge_part_write(w->merging, part->number, part->is.completes, &options, NULL, &error) == IOL_OK)
        return true;
    if (w->merge->complain) tell_stderr("what ranks did after MPI_Finalize is missing in their log: %s", error.message);
    return false;
}

static bool write_merged_logs_part(log_work *w, size_t number, size_t written, bool worth) {
    log_part part = {.number = number, .is = iol__merge_part_of(w->merging, number)};
    const bool first = written == 0 && number == 0, alone = iol__merge_parts(w->merging) == 1;
    if (!part.is.world) return write_others(w, &part, written);
    if (part.is.completes) return write_completed(w, &part);
    part.linked = worth;
    set_merged_logs_end(w, part.is.unfinished && first && (alone || !iol__merge_part_of(w->merging, 1).world));
    return write_usual(w, &part);
}

bool write_merged(const iol__config *config, iol__merge *merge, const iol__place_facts *facts, written_logs *logs) {
    log_work w = {.config = config,
                  .merge = merge,
                  .facts = facts,
                  .logs = logs,
                  .end_seconds = merge->end_seconds,
                  .end_nanoseconds = merge->end_nanoseconds};
    iol_error error;
    const size_t written = logs->count;
    bool good = iol__merge_begin(merge, &w.merging, &error) == IOL_OK, worth = false;
    const size_t count = good ? iol__merge_parts(w.merging) : 0;
    if (!good && merge->complain) tell_stderr("%s", error.message);
    for (size_t i = 0; i < count; i++) {
        const iol__merge_part part = iol__merge_part_of(w.merging, i);
        worth = worth || (!part.world && part.worth);
    }
    for (size_t i = 0; i < count; i++) good = write_merged_logs_part(&w, i, written, worth) && good;
    iol__merge_end(w.merging);
    return good;
}
