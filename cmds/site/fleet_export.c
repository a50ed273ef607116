/* The data set: rows of the store under pseudonyms, in the order of these, so that neither names nor their order can be seen;
   and the same logs as `convert --anonymise all` makes them, with the same key. */
#include "cmds/log/sheets.h"
#include "cmds/site/fleet_export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/grow.h"
#include "cmds/log/key.h"
#include "cmds/log/rewriting.h"
#include "cmds/site/site_options.h"
#include "log/write/rewrite.h"
#include "text/number.h"
#include "site/index/names.h"
#include "site/query/query.h"
#include "text/csv.h"

/* How a column is shown; kinds of pseudonyms from HOW_USER on. */
typedef enum shown_as {
    HOW_KEEP,
    HOW_SECONDS,
    HOW_STATE,
    HOW_USER,
    HOW_ACCOUNT,
    HOW_PROGRAM,
    HOW_JOB,
    HOW_CLUSTER,
    HOW_QUEUE,
    HOW_SYSTEM,
    HOW_LOG,
    HOW_FILE
} shown_as;

static const char *const kinds[] = {[HOW_USER] = "user", [HOW_ACCOUNT] = "account", [HOW_PROGRAM] = "program",
                                    [HOW_JOB] = "job",   [HOW_CLUSTER] = "cluster", [HOW_QUEUE] = "queue",
                                    [HOW_SYSTEM] = "fs", [HOW_LOG] = "log",         [HOW_FILE] = "file"};

typedef struct column {
    const char *table, *name;
    shown_as how;
    iol__column_type type;
    const char *meaning;
} column;

static const column columns[] = {
#define DATASET(table, file, meaning)
#define EXPORT(table, column, how, meaning) \
    {#table, #column, HOW_##how, (iol__column_type)IOL_TYPE_OF_##table##_##column, meaning},
#include "cmds/site/export.def"
#undef DATASET
#undef EXPORT
};

static const struct {
    const char *table, *file, *meaning;
} tables[] = {
#define DATASET(table, file, meaning) {#table, file, meaning},
#define EXPORT(table, column, how, meaning)
#include "cmds/site/export.def"
#undef DATASET
#undef EXPORT
};
enum { TABLES = IOL_COUNT(tables), COLUMNS = IOL_COUNT(columns), NAME = 40 };

typedef struct exporting {
    const iol__args *args;
    iol__store *store;
    iol__key key;
    int64_t since, until;
    const char *directory;
    int at; /* the directory */
    /* The table at work. */
    size_t table;
    char **lines;
    size_t n_lines;
    bool failed;
    uint64_t rows, logs, missing;
    int outcome;
} exporting;

static int fleet_export_trouble(exporting *e, const char *name) {
    tell_stderr("%s/%s: %s", e->directory, name, strerror(errno));
    e->outcome = EXIT_TROUBLE;
    return EXIT_TROUBLE;
}

/* Pseudonyms ------------------------------------------------------------------------------------------------------------- */

/* The kind is part of what is hashed: a user and an account of one name have nothing in common here. */
static void pseudonym(const exporting *e, shown_as kind, const char *text, char name[NAME]) {
    char *whole = NULL;
    const int length = asprintf(&whole, "%s:%s", kinds[kind], text);
    const uint64_t hash = length < 0 ? 0 : iol__keyed_hash(&e->key, whole, (size_t)length);
    snprintf(name, NAME, "%s-%016llx", kinds[kind], (unsigned long long)hash);
    free(whole);
}

static void put_pseudonym(const exporting *e, iol__out *out, shown_as kind, const iol__cell *cell) {
    char name[NAME], number[32];
    const char *text = iol__cell_text(cell);
    if (cell->kind == IOL_CELL_NULL || (text && !*text)) return;
    snprintf(number, sizeof number, "%lld", (long long)iol__cell_integer(cell));
    pseudonym(e, kind, text ? text : number, name);
    iol__out_text(out, name);
}

static void put_fleet_export_cell(const exporting *e, iol__out *out, shown_as how, const iol__cell *cell) {
    const char *text = iol__cell_text(cell);
    char first[64];
    if (how >= HOW_USER) {
        put_pseudonym(e, out, how, cell);
    } else if (cell->kind == IOL_CELL_NULL) {
        return;
    } else if (how == HOW_SECONDS) {
        iol__csv_real(out, (double)iol__cell_integer(cell) / 1e6);
    } else if (text) {
        snprintf(first, sizeof first, "%.*s", how == HOW_STATE ? (int)strcspn(text, " ") : 63, text);
        iol__csv_text(out, how == HOW_STATE ? first : text);
    } else if (cell->kind == IOL_CELL_INT) {
        iol__out_i64(out, cell->as.integer);
    } else {
        iol__csv_real(out, iol__cell_real(cell));
    }
}

/* Tables ----------------------------------------------------------------------------------------------------------------- */

static bool take_fleet_export_row(void *context, const iol__cell *cells, size_t count) {
    exporting *e = context;
    iol__out out;
    size_t at = 0;
    iol__out_open(&out, -1);
    for (size_t i = 0; i < COLUMNS && at < count; i++) {
        if (strcmp(columns[i].table, tables[e->table].table) != 0) continue;
        if (at) iol__out_char(&out, ',');
        put_fleet_export_cell(e, &out, columns[i].how, &cells[at++]);
    }
    iol__out_char(&out, '\n');
    e->failed = e->failed || !IOL_GROW_NEXT(e->lines, e->n_lines);
    char *line = e->failed ? NULL : strndup(out.buffer, out.length);
    iol__out_close(&out);
    if (line) e->lines[e->n_lines++] = line;
    e->failed = e->failed || !line;
    return !e->failed;
}

static int fleet_export_by_line(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void fleet_export_ask(exporting *e, iol__sql *sql) {
    const char *table = tables[e->table].table;
    size_t n = 0;
    const bool own_day = strcmp(table, "job") == 0 || strcmp(table, "log") == 0;
    iol__sql_start(sql);
    iol__sql_add(sql, "SELECT ");
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].table, table) == 0) iol__sql_add(sql, "%s%s", n++ ? ", " : "", columns[i].name);
    iol__sql_add(sql, " FROM %s", table);
    if (own_day) {
        iol__sql_days(sql, "day", e->since, e->until);
    } else if (e->since || e->until) {
        iol__sql_add(sql, " WHERE log_id IN (SELECT log_id FROM log");
        iol__sql_days(sql, "day", e->since, e->until);
        iol__sql_add(sql, ")");
    }
}

static void write_fleet_export_lines(exporting *e, iol__out *out) {
    const char *comma = "";
    for (size_t i = 0; i < COLUMNS; i++) {
        if (strcmp(columns[i].table, tables[e->table].table) != 0) continue;
        iol__out_printf(out, "%s%s", comma, columns[i].name);
        comma = ",";
    }
    iol__out_char(out, '\n');
    if (e->n_lines) qsort(e->lines, e->n_lines, sizeof *e->lines, fleet_export_by_line);
    for (size_t i = 0; i < e->n_lines; i++) iol__out_text(out, e->lines[i]);
}

static int make_fleet_export_file(exporting *e, const char *name) {
    return openat(e->at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

static const char *suffix_of(const iol__args *args) {
    return args->given[OPT_PARQUET] ? "parquet" : args->given[OPT_ARROW] ? "arrow" : "csv";
}

/* The kinds of the columns at work. How many there are. */
static size_t fleet_export_kinds(const exporting *e, iol__sheet_column known[COLUMNS]) {
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (strcmp(columns[i].table, tables[e->table].table) != 0) continue;
        known[count++] =
            (iol__sheet_column){columns[i].name, columns[i].how == HOW_SECONDS ? IOL_SHEET_REAL
                                                 : columns[i].how >= HOW_STATE ? IOL_SHEET_TEXT
                                                                               : sheet_kind_of(columns[i].type)};
    }
    return count;
}

/* 0, or the errno of what went wrong. */
static int write_table(exporting *e, int fd) {
    iol__sheet_form form;
    iol__out out, csv;
    iol__out_open(&out, fd);
    if (sheet_wanted(e->args, &form)) {
        iol__out_open(&csv, -1);
        write_fleet_export_lines(e, &csv);
        iol__sheet_column known[COLUMNS];
        const size_t count = fleet_export_kinds(e, known);
        const bool made = iol__sheet_from_csv(&out, form, csv.buffer, csv.length, known, count);
        iol__out_close(&csv);
        const int error = iol__out_close(&out);
        return made ? error : ENOMEM;
    }
    write_fleet_export_lines(e, &out);
    return iol__out_close(&out);
}

static void export_table(exporting *e) {
    char name[64];
    iol__sql sql;
    fleet_export_ask(e, &sql);
    if (iol__sql_ask(&sql, e->store, take_fleet_export_row, e) != IOL_OK || e->failed) {
        e->outcome = e->failed ? fleet_export_trouble(e, tables[e->table].file) : store_trouble(e->store);
    } else {
        snprintf(name, sizeof name, "%s.%s", tables[e->table].file, suffix_of(e->args));
        const int fd = make_fleet_export_file(e, name);
        if (fd >= 0) errno = write_table(e, fd);
        if (fd < 0 || errno) fleet_export_trouble(e, name);
        if (fd >= 0) close(fd);
        e->rows += e->n_lines;
    }
    for (size_t i = 0; i < e->n_lines; i++) free(e->lines[i]);
    e->n_lines = 0;
}

/* What is in which column, as a table too. */
static void fleet_export_describe(exporting *e) {
    const int fd = make_fleet_export_file(e, "columns.csv");
    iol__out out;
    if (fd < 0) {
        fleet_export_trouble(e, "columns.csv");
        return;
    }
    iol__out_open(&out, fd);
    iol__out_text(&out, "file,table_meaning,column,kind,meaning\n");
    for (size_t t = 0; t < TABLES; t++)
        for (size_t i = 0; i < COLUMNS; i++) {
            if (strcmp(columns[i].table, tables[t].table) != 0) continue;
            iol__out_printf(&out, "%s.%s,", tables[t].file, suffix_of(e->args));
            iol__csv_text(&out, tables[t].meaning);
            iol__out_printf(&out, ",%s,%s,", columns[i].name, columns[i].how >= HOW_USER ? "pseudonym" : "value");
            iol__csv_text(&out, columns[i].meaning);
            iol__out_char(&out, '\n');
        }
    errno = iol__out_close(&out);
    if (errno) fleet_export_trouble(e, "columns.csv");
    close(fd);
}

/* Logs ------------------------------------------------------------------------------------------------------------------- */

typedef struct fleet_export_source {
    char *path;
    int64_t log_id;
} fleet_export_source;

typedef struct sources {
    fleet_export_source *all;
    size_t count;
    bool failed;
} sources;

static bool take_source(void *context, const iol__place_of_log_row *place) {
    sources *s = context;
    s->failed = !IOL_GROW_NEXT(s->all, s->count);
    if (s->failed) return false;
    s->all[s->count] = (fleet_export_source){iol__path_of_place(place->dir, place->name), place->log_id};
    s->failed = !s->all[s->count].path;
    return !s->failed && ++s->count;
}

static bool export_log(exporting *e, const fleet_export_source *from) {
    const iol__rewrite hidden = {.disguise = {.uid = true, .job_id = true, .exe = true, .names = true, .key = e->key},
                                 .drop_opaque = true};
    const iol_write_options options = {.compression = IOL_ZLIB, .mode = 0644};
    char name[NAME], number[32], path[128];
    iol_log *log;
    iol_error error;
    if (iol_log_open(from->path, &log, &error) != IOL_OK) return false;
    snprintf(number, sizeof number, "%lld", (long long)from->log_id);
    pseudonym(e, HOW_LOG, number, name);
    snprintf(path, sizeof path, "/proc/self/fd/%d/logs/%s.darshan", e->at, name);
    const bool good = rewrite_file(log, path, &options, &hidden, &error);
    if (!good) tell_stderr("logs/%s.darshan: %s", name, error.message);
    iol_log_close(log);
    return good;
}

/* Of a log with several places the first that can be read. */
static void export_logs(exporting *e) {
    sources s = {0};
    iol__sql sql;
    int64_t last = 0;
    bool done = true;
    if (mkdirat(e->at, "logs", 0755) != 0) {
        fleet_export_trouble(e, "logs");
        return;
    }
    iol__select_place_of_log(&sql);
    iol__sql_add(&sql, " FROM place WHERE log_id IN (SELECT log_id FROM log");
    iol__sql_days(&sql, "day", e->since, e->until);
    iol__sql_add(&sql, ") ORDER BY log_id, dir, name");
    if (iol__ask_place_of_log(&sql, e->store, take_source, &s) != IOL_OK) e->outcome = store_trouble(e->store);
    for (size_t i = 0; i < s.count; i++) {
        if (s.all[i].log_id != last) {
            if (!done) e->missing++;
            done = false;
            last = s.all[i].log_id;
        }
        if (!done && export_log(e, &s.all[i])) {
            done = true;
            e->logs++;
        }
        free(s.all[i].path);
    }
    if (!done) e->missing++;
    free(s.all);
    if (e->missing) {
        char count[IOL_HUMAN];
        tell_stderr("%s logs could not be read, and are missing", iol__human_number(count, (double)e->missing));
        if (e->outcome == EXIT_DONE) e->outcome = EXIT_INPUT;
    }
}

/* All of it -------------------------------------------------------------------------------------------------------------- */

static bool fleet_export_is_empty(int directory) {
    const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    size_t entries = 0;
    if (!stream) return false;
    while (readdir(stream)) entries++;
    closedir(stream);
    return entries <= 2;
}

int export_fleet(const iol__args *args, iol__store *store, int64_t since, int64_t until, const char *directory) {
    exporting e = {.args = args, .store = store, .since = since, .until = until, .directory = directory};
    char a[IOL_HUMAN], b[IOL_HUMAN];
    const int keyed = read_key_option(args, &e.key);
    if (keyed != EXIT_DONE) return keyed;
    if (mkdir(directory, 0755) != 0 && errno != EEXIST) return fleet_export_trouble(&e, "");
    e.at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (e.at < 0) return fleet_export_trouble(&e, "");
    if (!fleet_export_is_empty(e.at)) {
        tell_stderr("%s is not empty; a data set goes into a new directory", directory);
        e.outcome = EXIT_TROUBLE;
    }
    for (e.table = 0; e.outcome == EXIT_DONE && e.table < TABLES; e.table++) export_table(&e);
    if (e.outcome == EXIT_DONE) fleet_export_describe(&e);
    if (e.outcome == EXIT_DONE && args->given[OPT_EXPORT_LOGS]) export_logs(&e);
    if (e.outcome == EXIT_DONE || e.outcome == EXIT_INPUT)
        fprintf(stderr, "%s rows in %d tables, %s logs below %s\n", iol__human_number(a, (double)e.rows), (int)TABLES,
                iol__human_number(b, (double)e.logs), directory);
    free(e.lines);
    close(e.at);
    return e.outcome;
}
