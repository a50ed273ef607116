/* iolite check: read everything in a log and say what is wrong where. Errors contradict the format; notes are things that
   a user of the data should know although the format allows them. */
#include <fts.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "log/trailer/cuts.h"
#include "log/read/log_internal.h"
#include "log/trailer/processes.h"
#include "record/record.h"
#include "text/json.h"
#include "report/progress.h"
#include "text/text.h"
#include "text/number.h"

/* What is counted over the records of a module, and how it is reported. */
enum { ODD_RANK, NO_NAME, NOT_FINITE, NEGATIVE, LATE, BACKWARDS, ODDITIES };

static const char *const oddity_texts[ODDITIES] = {
    [ODD_RANK] = "records of ranks that the job cannot have",
    [NO_NAME] = "records without a name",
    [NOT_FINITE] = "values that are not numbers",
    [NEGATIVE] = "negative values where only -1 has a meaning",
    [LATE] = "timestamps later than the end of the job",
    [BACKWARDS] = "traced operations that end before they start",
};

enum { CUSTOM_NOTED = 8 /* custom modules that there are notes of */ };

typedef struct check_note {
    int slot; /* -1: the log as a whole */
    char text[160];
} check_note;

typedef struct module_count {
    uint64_t records, operations;
    uint64_t odd[ODDITIES];
} module_count;

typedef struct checker {
    iol_log *log;
    module_count modules[IOL_SLOTS_KNOWN];
    check_note notes[IOL_SLOTS * 2 + IOL_SLOTS_KNOWN * ODDITIES + 2 * CUSTOM_NOTED + 12];
    size_t n_notes;
    size_t names, sections;
    unsigned custom; /* modules */
    uint64_t custom_records;
} checker;

static void add_note(checker *c, int slot, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add_note(checker *c, int slot, const char *format, ...) {
    check_note *n = &c->notes[c->n_notes++];
    n->slot = slot;
    va_list list;
    va_start(list, format);
    vsnprintf(n->text, sizeof n->text, format, list);
    va_end(list);
}

/* Records ------------------------------------------------------------------------------------------------------ */

/* Old logs know the run time in whole seconds. */
enum { CLOCK_SLACK = 2 };

static void check_real(checker *c, module_count *count, const iol__counter *counter, double value) {
    bool timestamp = strcmp(counter->unit, "s since job start") == 0;
    const iol_job *job = iol_log_job(c->log);
    if (!isfinite(value))
        count->odd[NOT_FINITE]++;
    else if (value < 0 && value != -1)
        count->odd[NEGATIVE]++;
    else if (timestamp && job->end_seconds > 0 && value > job->run_time + CLOCK_SLACK)
        count->odd[LATE]++;
}

static void check_counters(checker *c, module_count *count, const iol_record *record) {
    const iol__counter *counter = iol__modules[record->slot].counters;
    for (unsigned i = 0; i < record->n_ints; i++, counter++) {
        bool amount = counter->reduce == IOL_REDUCE_SUM || counter->reduce == IOL_REDUCE_SUM_M1;
        if (amount && record->ints[i] < -1) count->odd[NEGATIVE]++;
    }
    for (unsigned i = 0; i < record->n_reals; i++, counter++) check_real(c, count, counter, record->reals[i]);
}

static void check_segments(iol_records *records, module_count *count) {
    iol_segment batch[512];
    size_t got;
    while (iol_records_segments(records, batch, IOL_COUNT(batch), &got) == IOL_OK) {
        count->operations += got;
        for (size_t i = 0; i < got; i++) {
            if (!isfinite(batch[i].start) || !isfinite(batch[i].end))
                count->odd[NOT_FINITE]++;
            else if (batch[i].end < batch[i].start)
                count->odd[BACKWARDS]++;
        }
    }
}

static void check_record(checker *c, iol_records *records, const iol_record *record) {
    module_count *count = &c->modules[record->slot];
    int64_t processes = iol_log_job(c->log)->processes;
    iol__form form = (iol__form)iol__modules[record->slot].form;
    bool unnamed = form == IOL_FORM_APMPI || form == IOL_FORM_APXC || record->slot == IOL_SLOT_BGQ ||
                   record->slot == IOL_SLOT_DAOS;
    count->records++;
    if (record->rank < -1 || (record->rank >= processes && processes > 0)) count->odd[ODD_RANK]++;
    if (!unnamed && !iol_log_name(c->log, record->id)) count->odd[NO_NAME]++;
    check_counters(c, count, record);
    if (form == IOL_FORM_HEATMAP && !isfinite(record->heatmap.bin_width)) count->odd[NOT_FINITE]++;
    if (form == IOL_FORM_TRACE) check_segments(records, count);
}

static void check_module(checker *c, int slot, iol__progress *progress) {
    iol_records *records;
    const iol_record *record;
    module_count *count = &c->modules[slot];
    iol_module module;
    iol_log_module(c->log, slot, &module);
    if (iol_records_open(c->log, slot, &records) != IOL_OK) return;
    double expected = (double)module.length / 32; /* records are rarely smaller when compressed */
    while (iol_records_next(records, &record) == IOL_OK) {
        check_record(c, records, record);
        iol__progress_step(progress, (double)count->records, expected);
    }
    iol_records_close(records);
    for (int i = 0; i < ODDITIES; i++)
        if (count->odd[i]) add_note(c, slot, "%s: %llu", oddity_texts[i], (unsigned long long)count->odd[i]);
}

/* The log as a whole -------------------------------------------------------------------------------------------- */

static void check_check_whole(checker *c) {
    const iol_info *info = iol_log_info(c->log);
    const iol_job *job = iol_log_job(c->log);
    if (info->mapped) add_note(c, -1, "not finished: the program still runs, or was killed");
    if (info->minor == 20) add_note(c, -1, "written by release 3.2.0, whose most common access sizes are wrong");
    if (job->processes <= 0) add_note(c, -1, "the job has %lld processes", (long long)job->processes);
    if (!info->mapped && job->run_time < 0) add_note(c, -1, "the job ends before it starts");
    uint64_t end = 0;
    const uint64_t cuts = iol__cuts_of(c->log);
    iol_module module;
    for (int slot = 0; iol_log_module(c->log, slot, &module) == IOL_OK; slot++) {
        uint64_t module_end;
        if (module.partial && module.name && cuts >> slot & 1)
            add_note(c, slot, "incomplete: a part of it was damaged before this log was converted or merged");
        else if (module.partial && module.name)
            add_note(c, slot, "incomplete: memory ran out while the program ran");
        else if (module.partial)
            add_note(c, -1, "slot %d, which is not assigned, is marked incomplete", slot);
        if (!module.name && module.length)
            add_note(c, -1, "slot %d, which is not assigned, has %llu bytes", slot, (unsigned long long)module.length);
        if (module.length && !__builtin_add_overflow(module.offset, module.length, &module_end) && module_end > end)
            end = module_end;
    }
    /* An archive may end with a hole (docs/log-format.md, "The archive form"). */
    bool hole = info->compression == IOL_ARCHIVE;
    if (!info->mapped && !hole && end && c->sections == 0 && info->file_bytes > end)
        add_note(c, -1, "%llu bytes behind the last region", (unsigned long long)(info->file_bytes - end));
}

/* What the writer knows that it did not see, or could not keep. */
static void check_left_out(checker *c) {
    iol__folded folded = {0};
    iol__folded_add(c->log, &folded);
    if (folded.lost) add_note(c, -1, "updates that could not be made: %llu", (unsigned long long)folded.lost);
    if (folded.ring_unseen)
        add_note(c, -1, "operations of io_uring that were not seen: %llu", (unsigned long long)folded.ring_unseen);
}

/* Only reading them shows whether they can be read. */
static void check_custom(checker *c) {
    iol_custom custom;
    const uint64_t damaged = iol_log_custom_damaged(c->log);
    if (damaged && !iol_log_error_count(c->log))
        add_note(c, -1, "a module wrote over the records of modules: %llu bytes of them are lost",
                 (unsigned long long)damaged);
    for (size_t i = 0; iol_log_custom(c->log, i, &custom) == IOL_OK; i++) {
        c->custom++;
        c->custom_records += custom.records;
        if (i >= CUSTOM_NOTED) continue;
        if (custom.failed)
            add_note(c, -1,
                     "the custom module %s crashed or hung when the program ended; its figures may be incomplete",
                     custom.name);
        if (custom.folded)
            add_note(c, -1, "the custom module %s has no record of its own for %llu names", custom.name,
                     (unsigned long long)custom.folded);
    }
}

static void check_log(checker *c) {
    iol__progress progress;
    iol__progress_start(&progress, false);
    c->names = iol_log_name_count(c->log);
    c->sections = iol_log_trailer_count(c->log);
    check_custom(c);
    check_check_whole(c);
    check_left_out(c);
    double total = (double)iol_log_info(c->log)->file_bytes + 1, done = 0;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        iol_module module;
        iol_log_module(c->log, slot, &module);
        if (module.length == 0) continue;
        done += (double)module.length;
        iol__progress_piece(&progress, done / total);
        check_module(c, slot, &progress);
    }
    iol__progress_end(&progress);
}

static int verdict(const checker *c, const iol_error *open_error) {
    if (open_error || iol_log_error_count(c->log)) return EXIT_INPUT;
    return c->n_notes ? EXIT_FOUND : EXIT_DONE;
}

/* Output --------------------------------------------------------------------------------------------------------- */

/* A message without the path it begins with, which the line already has. */
static const char *without_path(const char *message, const char *path) {
    size_t length = strlen(path);
    return strncmp(message, path, length) == 0 && message[length] == ':' ? message + length + 2 : message;
}

/* ", 3 records": one thing has no plural. */
static void print_check_count(iol__out *out, const char *before, uint64_t count, const char *what) {
    char text[IOL_HUMAN];
    iol__out_printf(out, "%s%s %s%s", before, iol__human_number(text, (double)count), what, count == 1 ? "" : "s");
}

static void print_check_text(iol__out *out, const checker *c, const char *path, const iol_error *open_error,
                             int status) {
    static const char *const words[] = {
        [EXIT_DONE] = "sound", [EXIT_FOUND] = "sound, with notes", [EXIT_INPUT] = "damaged"};
    iol__out_safe(out, path);
    if (open_error) {
        iol__out_text(out, ": cannot be read\n  error: ");
        iol__out_safe(out, without_path(open_error->message, path));
        iol__out_char(out, '\n');
        return;
    }
    uint64_t records = c->custom_records, operations = 0;
    unsigned modules = c->custom;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        modules += c->modules[slot].records > 0;
        records += c->modules[slot].records;
        operations += c->modules[slot].operations;
    }
    iol__out_printf(out, ": %s (", words[status]);
    print_check_count(out, "", modules, "module");
    print_check_count(out, ", ", records, "record");
    print_check_count(out, ", ", c->names, "name");
    if (operations) print_check_count(out, ", ", operations, "traced operation");
    if (c->sections) print_check_count(out, ", ", c->sections, "trailer section");
    iol__out_text(out, ")\n");
    const iol_error *error;
    for (size_t i = 0; (error = iol_log_error(c->log, i)) != NULL; i++) {
        iol__out_text(out, "  error: ");
        iol__out_safe(out, without_path(error->message, iol_log_info(c->log)->path));
        iol__out_char(out, '\n');
    }
    for (size_t i = 0; i < c->n_notes; i++) {
        const char *module = c->notes[i].slot < 0 ? NULL : iol__modules[c->notes[i].slot].name;
        iol__out_printf(out, "  note: %s%s%s\n", module ? module : "", module ? ": " : "", c->notes[i].text);
    }
    const char *sentence; /* how it was read: nothing is wrong with that */
    for (size_t i = 0; (sentence = iol__log_note(c->log, i)); i++) iol__out_printf(out, "  read: %s\n", sentence);
}

static void print_error_json(iol__json *json, const iol_error *error) {
    iol__json_open(json, '{');
    bool assigned = error->slot >= 0 && error->slot < IOL_SLOTS_KNOWN;
    iol__json_put_text(json, "module", assigned ? iol__modules[error->slot].name : NULL);
    iol__json_key(json, "offset");
    if (error->offset == IOL_NO_OFFSET)
        iol__json_text(json, NULL);
    else
        iol__json_u64(json, error->offset);
    iol__json_put_text(json, "status", iol_status_text(error->status));
    iol__json_put_text(json, "message", error->message);
    iol__json_close(json, '}');
}

static void print_check_json(iol__json *json, const checker *c, const char *path, const iol_error *open_error,
                             int status) {
    static const char *const words[] = {[EXIT_DONE] = "sound", [EXIT_FOUND] = "notes", [EXIT_INPUT] = "damaged"};
    iol__json_open(json, '{');
    iol__json_put_text(json, "path", path);
    iol__json_put_text(json, "verdict", open_error ? "unreadable" : words[status]);
    iol__json_put_open(json, "errors", '[');
    const iol_error *error = open_error;
    for (size_t i = 0; error || (c->log && (error = iol_log_error(c->log, i)) != NULL); i++, error = NULL)
        print_error_json(json, error);
    iol__json_close(json, ']');
    iol__json_put_open(json, "notes", '[');
    for (size_t i = 0; i < c->n_notes; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", c->notes[i].slot >= 0 ? iol__modules[c->notes[i].slot].name : NULL);
        iol__json_put_text(json, "text", c->notes[i].text);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    const char *sentence;
    iol__json_put_open(json, "read", '[');
    for (size_t i = 0; c->log && (sentence = iol__log_note(c->log, i)); i++) iol__json_text(json, sentence);
    iol__json_close(json, ']');
    iol__json_put_open(json, "modules", '[');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (c->modules[slot].records == 0) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", iol__modules[slot].name);
        iol__json_put_u64(json, "records", c->modules[slot].records);
        if (iol__modules[slot].form == IOL_FORM_TRACE)
            iol__json_put_u64(json, "operations", c->modules[slot].operations);
        iol__json_close(json, '}');
    }
    iol_custom custom;
    for (size_t i = 0; c->log && iol_log_custom(c->log, i, &custom) == IOL_OK; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", custom.name);
        iol__json_put_u64(json, "records", custom.records);
        iol__json_put_bool(json, "added", true);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_put_u64(json, "names", c->names);
    iol__json_put_u64(json, "trailer_sections", c->sections);
    iol__json_close(json, '}');
}

/* Directories ------------------------------------------------------------------------------------------------------ */

/* Of a directory all files count, whatever they are called: how many are sound, and why the others are not. */
typedef struct summary {
    size_t files, verdicts[EXIT_INPUT + 1], unreadable;
} summary;

static void print_summary(iol__out *out, const char *directory, const summary *s) {
    iol__out_safe(out, directory);
    print_check_count(out, ": ", s->files, "file");
    print_check_count(out, ", of them ", s->verdicts[EXIT_DONE], "sound log");
    print_check_count(out, ", ", s->verdicts[EXIT_FOUND], "sound log");
    iol__out_text(out, " with notes");
    print_check_count(out, ", ", s->verdicts[EXIT_INPUT] - s->unreadable, "damaged one");
    print_check_count(out, ", ", s->unreadable, "file");
    iol__out_text(out, " that cannot be read as a log\n");
}

static int check_file(checker *c, const char *path, summary *s) {
    iol_error error;
    memset(c, 0, sizeof *c);
    const bool opened = iol_log_open(path, &c->log, &error) == IOL_OK;
    if (opened) check_log(c);
    const int status = verdict(c, opened ? NULL : &error);
    if (!opened)
        report_open_error(&error);
    else if (iol_log_error_count(c->log))
        report_open_error(iol_log_error(c->log, 0));
    s->files++;
    s->verdicts[status]++;
    s->unreadable += !opened;
    iol_log_close(c->log);
    return status;
}

static int check_check_directory(checker *c, iol__out *out, char *directory) {
    char *roots[] = {directory, NULL};
    summary s = {0};
    int worst = EXIT_DONE;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL);
    if (!tree) return EXIT_TROUBLE;
    for (FTSENT *entry; (entry = fts_read(tree));) {
        if (entry->fts_info != FTS_F || !S_ISREG(entry->fts_statp->st_mode)) continue;
        const int status = check_file(c, entry->fts_path, &s);
        if (status > worst) worst = status;
    }
    fts_close(tree);
    print_summary(out, directory, &s);
    return worst;
}

static int check_one(checker *c, iol__out *out, iol__json *json, char *path) {
    struct stat status;
    if (!json && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return check_check_directory(c, out, path);
    memset(c, 0, sizeof *c);
    iol_error error;
    const bool opened = iol_log_open(path, &c->log, &error) == IOL_OK;
    if (opened) check_log(c);
    const int found = verdict(c, opened ? NULL : &error);
    if (json)
        print_check_json(json, c, path, opened ? NULL : &error, found);
    else
        print_check_text(out, c, path, opened ? NULL : &error, found);
    iol_log_close(c->log);
    return found;
}

int cmd_check(const iol__args *args) {
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    checker *c = malloc(sizeof *c);
    if (!c) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json json;
    bool as_json = args->given[OPT_JSON], many = args->n_operands > 1;
    iol__json_start(&json, &out, many ? 3 : 2);
    if (as_json && many) iol__json_open(&json, '[');
    int worst = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++) {
        const int status = check_one(c, &out, as_json ? &json : NULL, args->operands[i]);
        if (status > worst) worst = status;
    }
    if (as_json && many) iol__json_close(&json, ']');
    if (as_json) iol__json_finish(&json);
    free(c);
    return finish_output(&out, worst);
}
