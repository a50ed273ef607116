/* Logs of 3.x that were made from logs of 1.x and 2.x, which "prev_ver" of their metadata tells. Their names are ends of names,
   so that the table of mounts alone does not say where a file lay; and their values are those of the old log, so that times
   may count from another moment than the start. The trailer section OLDM has both, as lines whose words are divided by
   tabs:
     origin  MILLISECONDS        0: times count from the start
     note    TEXT                that the log had
     mount   POINT  TYPE         numbered from 0 in each section: a merged log has one of each input
     file    RECORD-ID  NUMBER   of its mount; a number that no mount has: not known */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/old/old.h"
#include "log/read/log_internal.h"

enum { YEAR = 365 * 86400 };
static const int64_t LATEST = INT64_C(1000000000000000); /* milliseconds: no machine runs for longer */

/* Reading --------------------------------------------------------------------------------------------------------- */

static const iol__old_version *version_before(const iol_log *log) { return log->old ? NULL : iol__old_version_of(log); }

static bool read_origin_and_notes(iol_log *log, char *text, size_t length, void *context) {
    double *origin = context;
    (void)length;
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        const int64_t milliseconds = strncmp(line, "origin\t", 7) == 0 ? strtoll(line + 7, NULL, 10) : -1;
        if (milliseconds >= 0 && milliseconds < LATEST) *origin = (double)milliseconds / 1e3;
        if (strncmp(line, "note\t", 5) == 0) iol__note(log, "%s", line + 5);
    }
    return true;
}

static const char form_note[] = "Made from a log of Darshan ";

void iol__old_converted(iol_log *log) {
    const iol__old_version *version = version_before(log);
    if (!version) return;
    double origin = strchr(version->limits, 'N') && log->job.start_seconds > YEAR ? (double)log->job.start_seconds : 0;
    iol__note(log,
              "%s%c.x (version %s): of names it has the last %d characters, and counters that came later are not "
              "known.",
              form_note, *version->version, version->version, version->suffix);
    iol__section_each(log, IOL_TAG_OLD_MOUNTS, read_origin_and_notes, &origin);
    if (origin > 0) log->time_origin = origin;
    const bool whole_seconds = log->job.start_nanoseconds == 0 && log->job.end_nanoseconds == 0;
    if (whole_seconds && log->job.end_seconds >= log->job.start_seconds)
        log->job.run_time += 1; /* both seconds were begun */
}

typedef struct mounts_reading {
    size_t mounts[IOL_MOUNTS]; /* in this log */
    size_t count;
} mounts_reading;

static size_t find_mount(const iol_log *log, const char *point, const char *type) {
    for (size_t i = 0; i < log->n_mounts; i++)
        if (strcmp(log->mounts[i].point, point) == 0 && strcmp(log->mounts[i].type, type) == 0) return i;
    return log->n_mounts;
}

static void read_mounts_line(iol_log *log, mounts_reading *r, char *line) {
    const char *kind = strsep(&line, "\t"), *first = strsep(&line, "\t"), *second = strsep(&line, "\t");
    if (!second) return;
    if (strcmp(kind, "mount") == 0 && r->count < IOL_MOUNTS) r->mounts[r->count++] = find_mount(log, first, second);
    if (strcmp(kind, "file") != 0) return;
    const char *name = iol_log_name(log, strtoull(first, NULL, 10));
    const size_t number = strtoul(second, NULL, 10);
    if (name) iol__old_note_mount(log, name, number < r->count ? r->mounts[number] : log->n_mounts);
}

static bool read_mounts(iol_log *log, char *text, size_t length, void *context) {
    mounts_reading *reading = context;
    (void)length;
    reading->count = 0;
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) read_mounts_line(log, reading, line);
    return true;
}

void iol__old_converted_mounts(iol_log *log) {
    mounts_reading reading = {.count = 0};
    if (version_before(log)) iol__section_each(log, IOL_TAG_OLD_MOUNTS, read_mounts, &reading);
}

/* Writing --------------------------------------------------------------------------------------------------------- */

static void print_notes(FILE *out, const iol_log *log) {
    for (size_t i = 0; iol__log_note(log, i); i++) {
        const char *note = iol__log_note(log, i);
        const bool of_form = note == iol__log_note(log, log->old ? log->old->form_note : 0) ||
                             strncmp(note, form_note, sizeof form_note - 1) == 0;
        if (!of_form) fprintf(out, "note\t%s\n", note);
    }
}

static void print_mounts(FILE *out, iol_log *log) {
    uint64_t id;
    const char *name;
    for (size_t i = 0; i < log->n_mounts; i++)
        fprintf(out, "mount\t%s\t%s\n", log->mounts[i].point, log->mounts[i].type);
    for (size_t i = 0; iol_log_name_at(log, i, &id, &name) == IOL_OK; i++) {
        const size_t mount = iol__mount_index(log, name);
        if (mount < log->n_mounts || log->file_mounts) fprintf(out, "file\t%" PRIu64 "\t%zu\n", id, mount);
    }
}

bool iol__old_mounts_text(iol_log *log, bool with_files, char **text, size_t *length) {
    *text = NULL;
    FILE *out = open_memstream(text, length);
    if (!out) return false;
    if (log->old || log->file_mounts) {
        const double origin = log->stored_times ? log->time_origin : 0;
        fprintf(out, "origin\t%" PRId64 "\n", (int64_t)(origin * 1e3 + 0.5));
        print_notes(out, log);
        if (with_files) print_mounts(out, log);
    }
    return fclose(out) == 0;
}
