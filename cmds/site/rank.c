/* iolite rank: the four rankings of the scoreboard, or one by any key and measure with shares and changes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/log/sheets.h"
#include "text/csv.h"
#include "cmds/log/key.h"
#include "cmds/site/site_options.h"
#include "insight/facts/facts.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"
#include "site/query/period.h"
#include "site/query/ranking.h"

enum { USUAL_SHOWN = 10, NAME_COLUMNS = 40, KEY_COLUMNS = 36, MORE_COLUMNS = 9, PATTERNS = 7 };

static const struct {
    const char *name, *json, *heading;
} keys[IOL_RANK_KEYS] = {
    [IOL_RANK_USER] = {"user", "per_user", "Users"},
    [IOL_RANK_FS] = {"fs", "per_fs", "File Systems"},
    [IOL_RANK_PROGRAM] = {"program", "per_exe", "Applications"},
    [IOL_RANK_TRIPLE] = {"triple", "per_user_exe_fs", "User/App/FS"},
    [IOL_RANK_ACCOUNT] = {"account", "per_account", "Accounts"},
    [IOL_RANK_JOB] = {"job", "per_job", "Jobs"},
    [IOL_RANK_FINDING] = {"finding", "per_finding", "Findings"},
    [IOL_RANK_LINE] = {"line", "per_line", "Lines of code"},
};

/* Patterns out of lists with commas. */
typedef struct pattern_list {
    const char **list;
    char *text;
    size_t count;
} pattern_list;

typedef struct rank_ranks {
    const iol__args *args;
    iol__rank_query query;
    pattern_list patterns[PATTERNS];
    const char **stores;
    size_t n_stores, shown;
    bool pseudonyms;
    iol__key key;
    bool as_csv; /* or a sheet that is made of it */
} rank_ranks;

static iol__patterns rank_split(const iol__args *args, int option, pattern_list *into) {
    size_t length = 1, most = 0;
    for (size_t i = 0; i < args->n_values[option]; i++) {
        length += strlen(args->values[option][i]) + 1;
        most++;
        for (const char *c = args->values[option][i]; *c; c++) most += *c == ',';
    }
    into->text = calloc(length, 1);
    into->list = calloc(most + 1, sizeof *into->list);
    if (!into->text || !into->list) {
        fputs("iolite: out of memory\n", stderr);
        exit(EXIT_TROUBLE);
    }
    for (size_t i = 0; i < args->n_values[option]; i++) {
        if (*into->text) strcat(into->text, ",");
        strcat(into->text, args->values[option][i]);
    }
    char *rest = into->text;
    for (char *word; (word = strsep(&rest, ","));)
        if (*word) into->list[into->count++] = word;
    return (iol__patterns){into->list, into->count};
}

static void read_rank_patterns(rank_ranks *r) {
    static const int options[PATTERNS] = {OPT_LIMIT_FS,  OPT_EXCLUDE_FS,  OPT_LIMIT_USER, OPT_EXCLUDE_USER,
                                          OPT_LIMIT_EXE, OPT_EXCLUDE_EXE, OPT_WITH_RULE};
    iol__patterns *into[PATTERNS] = {&r->query.only_fs,  &r->query.not_fs,  &r->query.only_user, &r->query.not_user,
                                     &r->query.only_exe, &r->query.not_exe, &r->query.only_rule};
    for (int i = 0; i < PATTERNS; i++) *into[i] = rank_split(r->args, options[i], &r->patterns[i]);
}

static bool find_rank_key(const char *name, iol__rank_key *key) {
    for (int i = 0; i < IOL_RANK_KEYS; i++) {
        if (strcmp(keys[i].name, name) != 0) continue;
        *key = (iol__rank_key)i;
        return true;
    }
    return false;
}

static int read_rank_options(rank_ranks *r) {
    const iol__args *args = r->args;
    const char *shown = argument_value(args, OPT_MAX_SHOW), *by = argument_value(args, OPT_BY),
               *per = argument_value(args, OPT_PER);
    char *end;
    r->shown = USUAL_SHOWN;
    r->as_csv = args->given[OPT_JOBS_CSV] || sheets_given(args);
    if (args->given[OPT_SITE_JSON] + args->given[OPT_JOBS_CSV] + sheets_given(args) > 1)
        return usage_error(args, "--json, --csv, --arrow and --parquet exclude each other");
    errno = 0;
    if (shown) {
        r->shown = strtoull(shown, &end, 10);
        if (*end || errno || !*shown || *shown == '-' || !r->shown)
            return usage_error(args, "--max-show takes a number from 1 on");
    }
    const bool findings = (per && strcmp(per, "finding") == 0) || args->given[OPT_WITH_RULE];
    r->query.measure = iol__measure_find(by                                ? by
                                         : findings                        ? "cost"
                                         : per && strcmp(per, "line") == 0 ? "node_time"
                                                                           : "bytes");
    if (!r->query.measure) {
        iol__complain("iolite rank: ", "there is no measure '%s'; there are:", by);
        for (size_t i = 0; i < iol__measures_count; i++)
            fprintf(stderr, "  %-13s %s\n", iol__measures[i].name, iol__measures[i].words);
        return EXIT_USAGE;
    }
    if (per && !find_rank_key(per, &r->query.key))
        return usage_error(args, "--per takes user, fs, program, account, job, triple, finding or line");
    if (!read_day(args, OPT_SINCE, &r->query.since) || !read_day(args, OPT_UNTIL, &r->query.until))
        return usage_error(args, "dates are YYYY-MM-DD, YYYY-MM or YYYY");
    r->pseudonyms = args->given[OPT_PSEUDONYMS];
    read_rank_patterns(r);
    return r->pseudonyms ? read_key_option(args, &r->key) : EXIT_DONE;
}

/* Asking -------------------------------------------------------------------------------------------------------- */

static int rank_ask(const rank_ranks *r, const iol__rank_query *query, iol__ranking *all) {
    *all = (iol__ranking){0};
    int outcome = EXIT_DONE;
    for (size_t i = 0; i < r->n_stores && outcome == EXIT_DONE; i++) {
        iol__store *store;
        iol__ranking one;
        outcome = open_store(r->stores[i], IOL_STORE_READ, &store);
        if (outcome != EXIT_DONE) break;
        iol_status status = iol__rank(store, query, &one);
        if (status != IOL_OK) {
            store_trouble(store);
            outcome = status == IOL_INVALID ? EXIT_USAGE : status == IOL_UNSUPPORTED ? EXIT_INPUT : EXIT_TROUBLE;
        } else if (r->n_stores == 1) {
            *all = one;
        } else if (!iol__ranking_merge(all, &one, query->measure->unit)) {
            iol__ranking_free(&one);
            outcome = EXIT_TROUBLE;
        }
        iol__store_close(store);
    }
    if (outcome != EXIT_DONE) iol__ranking_free(all);
    return outcome;
}

/* Names of users, as they are or as the same word every time. Of a triple and a job users are one of three. */
static const char *shown_key(const rank_ranks *r, iol__rank_key key, const iol__ranked *one, int k, char buffer[32]) {
    const char *text = one->key[k];
    bool user = key == IOL_RANK_USER || (key == IOL_RANK_TRIPLE && k == 0) || (key == IOL_RANK_JOB && k == 1);
    if (!r->pseudonyms || !user || !text) return text;
    snprintf(buffer, 32, "user-%08llx",
             (unsigned long long)(iol__keyed_hash(&r->key, text, strlen(text)) & 0xffffffff));
    return buffer;
}

static bool has_three(iol__rank_key key) {
    return key == IOL_RANK_TRIPLE || key == IOL_RANK_JOB || key == IOL_RANK_LINE;
}

/* Names of the parts of a key that has three. */
static const char *part_name(iol__rank_key key, int k) {
    static const char *const triple[] = {"user", "program", "fs"}, *const job[] = {"job_id", "user", "program"},
                             *const line[] = {"line", "program", "build"};
    return (key == IOL_RANK_TRIPLE ? triple : key == IOL_RANK_JOB ? job : line)[k];
}

/* The beginning of a build id is enough for people. */
static char *line_key(const iol__ranked *one) {
    char *text;
    const char *build = one->key[2];
    return asprintf(&text, "%s, %s%s%.8s%s", one->key[0] ? one->key[0] : "UNKNOWN",
                    one->key[1] ? one->key[1] : "UNKNOWN", build ? " (" : "", build ? build : "", build ? ")" : "") < 0
               ? NULL
               : text;
}

/* The scoreboard ------------------------------------------------------------------------------------------------ */

static const iol__rank_key scoreboard[] = {IOL_RANK_USER, IOL_RANK_FS, IOL_RANK_PROGRAM, IOL_RANK_TRIPLE};
enum { SCOREBOARD = IOL_COUNT(scoreboard) };

static char *whole_key(const rank_ranks *r, iol__rank_key key, const iol__ranked *one, const char *between) {
    char buffer[3][32], *text;
    if (key == IOL_RANK_LINE) return line_key(one);
    const char *a = shown_key(r, key, one, 0, buffer[0]), *b = shown_key(r, key, one, 1, buffer[1]),
               *c = shown_key(r, key, one, 2, buffer[2]);
    int length = has_three(key) ? asprintf(&text, "%s%s%s%s%s", a ? a : "UNKNOWN", between, b ? b : "UNKNOWN", between,
                                           c ? c : "UNKNOWN")
                                : asprintf(&text, "%s", a ? a : "UNKNOWN");
    return length < 0 ? NULL : text;
}

/* First 19 bytes, three dots, last 18; no character is cut. */
static void fitted_key(char into[NAME_COLUMNS + 1], const char *text) {
    const size_t length = strlen(text);
    if (length <= NAME_COLUMNS) {
        memcpy(into, text, length + 1);
        return;
    }
    int head = 19;
    const char *tail = text + length - 18;
    while (head && (text[head] & 0xc0) == 0x80) head--;
    while ((*tail & 0xc0) == 0x80) tail++;
    snprintf(into, NAME_COLUMNS + 1, "%.*s...%s", head, text, tail);
}

static void board_text(iol__out *out, const rank_ranks *r, iol__rank_key key, const iol__ranking *ranking) {
    iol__out_printf(out, "%2s  %40s %10s %10s %8s\n", "#", keys[key].heading, "Read(GiB)", "Write(GiB)", "# Jobs");
    iol__out_repeat(out, '=', 75);
    iol__out_char(out, '\n');
    for (size_t i = 0; i < ranking->count && i < r->shown; i++) {
        const iol__ranked *one = &ranking->list[i];
        char *text = whole_key(r, key, one, ", "), name[NAME_COLUMNS + 1];
        fitted_key(name, text ? text : "");
        iol__out_printf(out, "%2zu. ", i + 1);
        iol__out_right(out, name, NAME_COLUMNS, IOL_CUT_END);
        iol__out_printf(out, " %10.1f %10.1f %8lld\n", (double)one->read / 1073741824.0,
                        (double)one->written / 1073741824.0, (long long)one->logs);
        free(text);
    }
}

static void board_json(iol__json *json, const rank_ranks *r, iol__rank_key key, const iol__ranking *ranking) {
    iol__json_put_open(json, keys[key].json, '[');
    for (size_t i = 0; i < ranking->count; i++) {
        const iol__ranked *one = &ranking->list[i];
        char *text = whole_key(r, key, one, "|");
        iol__json_open(json, '[');
        iol__json_i64(json, one->read);
        iol__json_i64(json, one->written);
        iol__json_i64(json, one->logs);
        iol__json_text(json, text);
        if (key == IOL_RANK_FS) iol__json_text(json, one->mountpt);
        iol__json_close(json, ']');
        free(text);
    }
    iol__json_close(json, ']');
}

/* All four in one table: which ranking, its key, and what belongs to it. */
static void board_csv(iol__out *out, const rank_ranks *r, iol__rank_key key, const iol__ranking *ranking) {
    for (size_t i = 0; i < ranking->count; i++) {
        const iol__ranked *one = &ranking->list[i];
        char *text = whole_key(r, key, one, "|");
        iol__out_printf(out, "%s,", keys[key].name);
        iol__csv_text(out, text);
        iol__out_printf(out, ",%lld,%lld,%lld\n", (long long)one->read, (long long)one->written, (long long)one->logs);
        free(text);
    }
}

static int rank_board(rank_ranks *r, iol__out *out) {
    bool as_json = r->args->given[OPT_SITE_JSON];
    iol__json json;
    iol__json_start(&json, out, 2);
    if (as_json) iol__json_open(&json, '{');
    if (r->as_csv) iol__out_text(out, "per,key,bytes_read,bytes_written,logs\n");
    r->query.without_total = true;
    int outcome = EXIT_DONE;
    for (int i = 0; i < SCOREBOARD && outcome == EXIT_DONE; i++) {
        iol__ranking ranking;
        r->query.key = scoreboard[i];
        r->query.limit = as_json || r->as_csv || r->n_stores > 1 ? 0 : r->shown;
        outcome = rank_ask(r, &r->query, &ranking);
        if (outcome != EXIT_DONE) break;
        if (as_json) {
            board_json(&json, r, scoreboard[i], &ranking);
        } else if (r->as_csv) {
            board_csv(out, r, scoreboard[i], &ranking);
        } else {
            if (i) iol__out_char(out, '\n');
            board_text(out, r, scoreboard[i], &ranking);
        }
        iol__ranking_free(&ranking);
    }
    if (as_json) {
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    }
    return outcome;
}

/* One ranking --------------------------------------------------------------------------------------------------- */

static const char *rank_value_text(char buffer[IOL_HUMAN], iol__unit unit, int64_t value) {
    if (unit == IOL_UNIT_BYTES) return iol__human_bytes(buffer, (double)value);
    if (unit == IOL_UNIT_TIME) return iol__human_seconds(buffer, (double)value / 1e6);
    if (unit == IOL_UNIT_SHARE) return iol__human_share(buffer, (double)value / 1e6);
    return iol__human_count(buffer, (double)value);
}

static double rank_share(int64_t part, int64_t all) { return all > 0 ? (double)part / (double)all : 0; }

/* The value that the same key had in the period before; -1 if it had none. */
static int64_t value_before(const iol__ranking *before, const iol__ranked *one) {
    for (size_t i = 0; before && i < before->count; i++) {
        const iol__ranked *b = &before->list[i];
        bool same = true;
        for (int k = 0; k < 3; k++)
            same = same && strcmp(b->key[k] ? b->key[k] : "", one->key[k] ? one->key[k] : "") == 0;
        if (same) return b->value;
    }
    return before ? 0 : -1;
}

/* Temporary data is best seen beside all data of the same key: that part could go to a faster tier. */
static bool of_bytes(const rank_ranks *r) { return strcmp(r->query.measure->name, "tier") == 0; }

static double part_of_bytes(const iol__ranked *one) {
    return rank_share(one->value, iol__facts_plus(one->read, one->written));
}

static void shares_text(iol__out *out, const rank_ranks *r, const iol__ranking *ranking, const iol__ranked *one,
                        int64_t sum) {
    char a[IOL_HUMAN], b[IOL_HUMAN];
    const bool added = r->query.measure->unit != IOL_UNIT_SHARE; /* shares of shares say nothing */
    iol__out_printf(out, " %7s %7s", added ? iol__human_share(a, rank_share(one->value, ranking->total)) : "",
                    added ? iol__human_share(b, rank_share(sum, ranking->total)) : "");
    if (of_bytes(r)) iol__out_printf(out, " %8s", iol__human_share(a, part_of_bytes(one)));
    iol__out_printf(out, " %8s", iol__human_number(a, (double)one->logs));
}

static void change_text(iol__out *out, const iol__ranking *before, const iol__ranked *one) {
    char a[IOL_HUMAN];
    const int64_t was = value_before(before, one);
    if (was > 0)
        iol__out_printf(out, " %8s", iol__human_change(a, (double)was, (double)one->value));
    else if (was == 0 && one->value > 0)
        iol__out_text(out, "      new");
}

/* Within 80 columns: what is printed in addition is taken from the names. */
static void one_text(iol__out *out, const rank_ranks *r, const iol__ranking *ranking, const iol__ranking *before) {
    const iol__measure *m = r->query.measure;
    const bool added = m->unit != IOL_UNIT_SHARE;
    const int width = KEY_COLUMNS - (before ? MORE_COLUMNS : 0) - (of_bytes(r) ? MORE_COLUMNS : 0);
    int64_t sum = 0;
    char a[IOL_HUMAN], b[IOL_HUMAN];
    iol__out_printf(out, "%s, %s\n", keys[r->query.key].heading, m->words);
    iol__out_printf(out, "%3s  %-*s %10s %7s %7s%s %8s%s\n", "#", width, "", m->name, added ? "share" : "",
                    added ? "sum" : "", of_bytes(r) ? " of bytes" : "", "logs", before ? "   change" : "");
    for (size_t i = 0; i < ranking->count && i < r->shown; i++) {
        const iol__ranked *one = &ranking->list[i];
        char *text = whole_key(r, r->query.key, one, ", ");
        sum = iol__facts_plus(sum, one->value);
        iol__out_printf(out, "%3zu. ", i + 1);
        iol__out_left(out, text ? text : "", (size_t)width,
                      r->query.key == IOL_RANK_LINE ? IOL_CUT_END : IOL_CUT_MIDDLE);
        iol__out_printf(out, " %10s", rank_value_text(a, m->unit, one->value));
        shares_text(out, r, ranking, one, sum);
        change_text(out, before, one);
        iol__out_char(out, '\n');
        free(text);
    }
    iol__out_printf(out, "     %-*s %10s %15s%s %8s\n", width, added ? "all" : "worst",
                    rank_value_text(a, m->unit, ranking->total), "", of_bytes(r) ? "         " : "",
                    iol__human_number(b, (double)ranking->logs));
}

static void key_json(iol__json *json, const rank_ranks *r, const iol__ranked *one) {
    char buffer[32];
    iol__rank_key key = r->query.key;
    for (int k = 0; k < (has_three(key) ? 3 : 1); k++) {
        const char *name = has_three(key) ? part_name(key, k) : keys[key].name;
        iol__json_put_text(json, name, shown_key(r, key, one, k, buffer));
    }
    if (key == IOL_RANK_FS) iol__json_put_text(json, "mount_point", one->mountpt);
}

static void one_json(iol__out *out, const rank_ranks *r, const iol__ranking *ranking, const iol__ranking *before) {
    static const char *const units[] = {"bytes", "microseconds", "count", "millionths"};
    const bool added = r->query.measure->unit != IOL_UNIT_SHARE;
    iol__json json;
    int64_t sum = 0;
    iol__json_start(&json, out, 2);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "per", keys[r->query.key].name);
    iol__json_put_text(&json, "by", r->query.measure->name);
    iol__json_put_text(&json, "unit", units[r->query.measure->unit]);
    iol__json_put_i64(&json, "total", ranking->total);
    iol__json_put_i64(&json, "logs", ranking->logs);
    iol__json_put_open(&json, "entries", '[');
    for (size_t i = 0; i < ranking->count && i < r->shown; i++) {
        const iol__ranked *one = &ranking->list[i];
        sum = iol__facts_plus(sum, one->value);
        iol__json_open(&json, '{');
        key_json(&json, r, one);
        iol__json_put_i64(&json, "value", one->value);
        if (added) iol__json_put_real(&json, "share", rank_share(one->value, ranking->total));
        if (added) iol__json_put_real(&json, "cumulative_share", rank_share(sum, ranking->total));
        if (of_bytes(r)) iol__json_put_real(&json, "share_of_bytes", part_of_bytes(one));
        iol__json_put_i64(&json, "bytes_read", one->read);
        iol__json_put_i64(&json, "bytes_written", one->written);
        iol__json_put_i64(&json, "logs", one->logs);
        if (before) iol__json_put_i64(&json, "before", value_before(before, one));
        iol__json_close(&json, '}');
    }
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

static void one_csv(iol__out *out, const rank_ranks *r, const iol__ranking *ranking, const iol__ranking *before) {
    const iol__rank_key key = r->query.key;
    const bool added = r->query.measure->unit != IOL_UNIT_SHARE;
    if (!has_three(key)) iol__out_text(out, keys[key].name);
    for (int k = 0; has_three(key) && k < 3; k++) iol__out_printf(out, "%s%s", k ? "," : "", part_name(key, k));
    iol__out_printf(out, "%s,value,share,bytes_read,bytes_written,logs%s\n", key == IOL_RANK_FS ? ",mount_point" : "",
                    before ? ",before" : "");
    for (size_t i = 0; i < ranking->count && i < r->shown; i++) {
        const iol__ranked *one = &ranking->list[i];
        char buffer[32];
        for (int k = 0; k < (has_three(key) ? 3 : 1); k++) {
            if (k) iol__out_char(out, ',');
            iol__csv_text(out, shown_key(r, key, one, k, buffer));
        }
        if (key == IOL_RANK_FS) iol__out_char(out, ',');
        if (key == IOL_RANK_FS) iol__csv_text(out, one->mountpt);
        iol__out_printf(out, ",%lld,", (long long)one->value);
        if (added) iol__csv_real(out, rank_share(one->value, ranking->total));
        iol__out_printf(out, ",%lld,%lld,%lld", (long long)one->read, (long long)one->written, (long long)one->logs);
        if (before) iol__out_printf(out, ",%lld", (long long)value_before(before, one));
        iol__out_char(out, '\n');
    }
}

static int rank_one(rank_ranks *r, iol__out *out) {
    iol__ranking ranking, before;
    iol__rank_query earlier = r->query;
    bool compared = r->query.since && r->query.key != IOL_RANK_JOB &&
                    iol__period_before(r->query.since, r->query.until, &earlier.since, &earlier.until);
    r->query.limit = r->n_stores > 1 ? 0 : r->shown;
    int outcome = rank_ask(r, &r->query, &ranking);
    if (outcome != EXIT_DONE) return outcome;
    if (compared) outcome = rank_ask(r, &earlier, &before);
    if (outcome == EXIT_DONE)
        (r->as_csv                       ? one_csv
         : r->args->given[OPT_SITE_JSON] ? one_json
                                         : one_text)(out, r, &ranking, compared ? &before : NULL);
    if (compared && outcome == EXIT_DONE) iol__ranking_free(&before);
    iol__ranking_free(&ranking);
    return outcome;
}

/* Of all rankings, for tables that keep the kinds of their columns. */
static const iol__sheet_column rank_columns[] = {
    {"per", IOL_SHEET_TEXT},    {"key", IOL_SHEET_TEXT},         {"user", IOL_SHEET_TEXT},
    {"fs", IOL_SHEET_TEXT},     {"program", IOL_SHEET_TEXT},     {"account", IOL_SHEET_TEXT},
    {"job_id", IOL_SHEET_TEXT}, {"finding", IOL_SHEET_TEXT},     {"line", IOL_SHEET_TEXT},
    {"build", IOL_SHEET_TEXT},  {"mount_point", IOL_SHEET_TEXT}, {"value", IOL_SHEET_INT},
    {"share", IOL_SHEET_REAL},  {"bytes_read", IOL_SHEET_INT},   {"bytes_written", IOL_SHEET_INT},
    {"logs", IOL_SHEET_INT},    {"before", IOL_SHEET_INT},
};

int cmd_rank(const iol__args *args) {
    rank_ranks r = {.args = args, .query.measure = iol__measures};
    iol__site *site;
    if (!open_site(args, &site)) return EXIT_INPUT;
    int outcome = read_rank_options(&r);
    const char *usual = store_url(args);
    r.stores = args->n_operands ? (const char **)args->operands : &usual;
    r.n_stores = args->n_operands ? args->n_operands : 1;
    if (outcome == EXIT_DONE) {
        iol__out out;
        open_csv_output(args, &out, STDOUT_FILENO);
        bool one = args->given[OPT_PER] || args->given[OPT_BY] || args->given[OPT_WITH_RULE];
        outcome = one ? rank_one(&r, &out) : rank_board(&r, &out);
        outcome = finish_csv_output(args, &out, STDOUT_FILENO, outcome, rank_columns, IOL_COUNT(rank_columns));
    }
    for (int i = 0; i < PATTERNS; i++) {
        free(r.patterns[i].text);
        free(r.patterns[i].list);
    }
    iol__site_free(site);
    return outcome;
}
