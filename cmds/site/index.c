/* iolite index: from trees of logs to a store that answers questions about all of them. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/causes.h"
#include "cmds/cmd.h"
#include "cmds/in_order.h"
#include "cmds/log/key.h"
#include "cmds/run/leftover_logs.h"
#include "cmds/settings.h"
#include "cmds/site/site_options.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"
#include "site/index/accounting.h"
#include "site/index/copy.h"
#include "site/index/expire.h"
#include "site/index/ingest.h"
#include "site/index/mpi_ranks.h"
#include "site/index/rollup.h"

enum { USUAL_SECONDS = 60, USUAL_FILES = 3, USUAL_INTERVAL = 300 };
static const uint64_t usual_limit = UINT64_C(4) << 30, usual_memory = UINT64_C(2) << 30;

typedef struct indexing {
    const iol__args *args;
    iol__site *site;
    iol__ingest_options options;
    iol__key key;
    const char **paths;
    size_t n_paths;
    double started, drawn;
    bool terminal, shown, quiet;
} indexing;

static atomic_int stop; /* the signal that came */

static void on_signal(int number) { stop = number; }

static double index_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What a person sees meanwhile ---------------------------------------------------------------------------------- */

static void clear_line(indexing *x) {
    if (x->shown) fputs("\r\033[K", stderr);
    x->shown = false;
}

/* A bar, the rate, and how long it will take. */
static void progress(void *context, uint64_t done, uint64_t all) {
    indexing *x = context;
    double time = index_now(), spent = time - x->started;
    if (!x->terminal || spent < 1 || time - x->drawn < 0.2) return;
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], d[IOL_HUMAN], bar[21] = "                    ";
    size_t full = all ? (size_t)(20 * done / all) : 0;
    memset(bar, '#', full < 20 ? full : 20);
    double rate = (double)done / spent;
    fprintf(stderr, "\r[%s] %s of %s logs, %s per second, %s left \033[K", bar, iol__human_number(a, (double)done),
            iol__human_number(b, (double)all), iol__human_number(c, rate),
            iol__human_seconds(d, rate > 0 ? (double)(all - done) / rate : 0));
    x->drawn = time;
    x->shown = true;
}

static void index_trouble(void *context, const char *path, const char *reason) {
    indexing *x = context;
    const bool names_it = strstr(reason, path);
    char *message;
    if (x->quiet || asprintf(&message, "%s%s%s", names_it ? "" : path, names_it ? "" : ": ", reason) < 0) return;
    if (cause_is_to_be_named(message)) {
        clear_line(x);
        iol__out out;
        iol__out_open(&out, STDERR_FILENO);
        iol__out_text(&out, "iolite: ");
        iol__out_safe(&out, message);
        iol__out_char(&out, '\n');
        iol__out_close(&out);
    }
    free(message);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void report_counts(indexing *x, const iol__ingest_counts *c) {
    char a[IOL_HUMAN], b[IOL_HUMAN], rate[IOL_HUMAN];
    double spent = index_now() - x->started;
    uint64_t read = c->added + c->again + c->broken;
    clear_line(x);
    fprintf(stderr, "%s new log%s, %s file%s as before", iol__human_number(a, (double)c->added), plural(c->added),
            iol__human_number(b, (double)c->unchanged), plural(c->unchanged));
    if (c->again == 1) fprintf(stderr, ", 1 copy of a known log");
    if (c->again > 1) fprintf(stderr, ", %s copies of known logs", iol__human_number(a, (double)c->again));
    if (c->damaged) fprintf(stderr, ", %s damaged", iol__human_number(a, (double)c->damaged));
    if (c->broken) fprintf(stderr, ", %s that cannot be read", iol__human_number(a, (double)c->broken));
    if (c->gone) fprintf(stderr, ", %s file%s gone", iol__human_number(a, (double)c->gone), plural(c->gone));
    fprintf(stderr, "; %s", iol__human_seconds(a, spent));
    if (read > 100) fprintf(stderr, ", %s per second", iol__human_number(rate, (double)read / spent));
    fputc('\n', stderr);
}

static void counts_json(const iol__ingest_counts *c) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json_start(&json, &out, 1);
    iol__json_open(&json, '{');
    iol__json_put_u64(&json, "seen", c->seen);
    iol__json_put_u64(&json, "unchanged", c->unchanged);
    iol__json_put_u64(&json, "added", c->added);
    iol__json_put_u64(&json, "again", c->again);
    iol__json_put_u64(&json, "damaged", c->damaged);
    iol__json_put_u64(&json, "broken", c->broken);
    iol__json_put_u64(&json, "gone", c->gone);
    iol__json_put_u64(&json, "trouble", c->trouble);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
    finish_output(&out, EXIT_DONE);
}

/* Options ------------------------------------------------------------------------------------------------------- */

static bool index_number(const iol__args *args, int option, uint64_t least, uint64_t *value) {
    const char *text = argument_value(args, option);
    char *end;
    if (!text) return true;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (!*text || *text == '-' || *end || errno || n < least) return false;
    *value = n;
    return true;
}

static int read_index_options(indexing *x) {
    const iol__args *args = x->args;
    iol__ingest_options *o = &x->options;
    uint64_t threads = iol__ranks_launched() ? 1 : usable_processors(), files = USUAL_FILES;
    o->most_bytes = usual_limit;
    const char *kept = argument_value(args, OPT_INDEX_FILES);
    bool all = kept && strcmp(kept, "all") == 0;
    if (!index_number(args, OPT_THREADS, 1, &threads)) return usage_error(args, "--threads takes a number from 1 on");
    if (!all && !index_number(args, OPT_INDEX_FILES, 1, &files))
        return usage_error(args, "--files takes a number from 1 on, or 'all'");
    if (!index_number(args, OPT_INDEX_LIMIT, 1, &o->most_bytes))
        return usage_error(args, "--limit-bytes takes a number of bytes");
    o->most_memory = usual_memory;
    if (!index_number(args, OPT_INDEX_MEMORY, 0, &o->most_memory))
        return usage_error(args, "--limit-memory takes a number of bytes");
    uint64_t days = 1;
    if (!index_number(args, OPT_INDEX_EXPIRE, 1, &days) || days > 100000)
        return usage_error(args, "--expire takes a number of days");
    const char *seconds = argument_value(args, OPT_INDEX_SECONDS);
    char *end;
    o->most_seconds = seconds ? strtod(seconds, &end) : USUAL_SECONDS;
    if (seconds && (!*seconds || *end || !(o->most_seconds >= 0 && o->most_seconds < 1e6)))
        return usage_error(args, "--limit-seconds takes a number of seconds");
    o->threads = (size_t)threads;
    o->plan.files = all ? 0 : (size_t)files;
    if (args->given[OPT_KEY] || args->given[OPT_KEY_FILE] || args->given[OPT_KEY_FD]) {
        int outcome = read_key_option(args, &x->key);
        if (outcome != EXIT_DONE) return outcome;
        o->plan.key = &x->key;
    }
    o->plan.site = x->site;
    const char *cluster = argument_value(args, OPT_CLUSTER);
    o->plan.cluster = cluster && *cluster ? cluster : iol__site_cluster(x->site);
    o->store = store_url(args);
    o->again = args->given[OPT_INDEX_AGAIN];
    o->progress = progress;
    o->trouble = index_trouble;
    o->context = x;
    o->stop = &stop;
    x->quiet = args->given[OPT_INDEX_QUIET];
    x->terminal = isatty(STDERR_FILENO) && !x->quiet;
    return EXIT_DONE;
}

static void add_index_path(indexing *x, char *path) {
    const char **larger = path ? realloc(x->paths, (x->n_paths + 1) * sizeof *larger) : NULL;
    if (!larger) {
        fputs("iolite: out of memory\n", stderr);
        exit(EXIT_TROUBLE);
    }
    x->paths = larger;
    x->paths[x->n_paths++] = path;
}

/* A dated template stands for the tree above its first date. */
static void add_site_path(void *context, const char *path) {
    char *expanded = iol__site_expand(path);
    if (expanded) expanded[strcspn(expanded, "%")] = 0;
    add_index_path(context, expanded);
}

static void free_paths(indexing *x) {
    for (size_t i = 0; i < x->n_paths; i++) free((char *)(uintptr_t)x->paths[i]);
    free(x->paths);
}

/* The run ------------------------------------------------------------------------------------------------------- */

/* --expire, behind the sums of what is about to go. */
static int expire_rows(indexing *x, iol__store *store) {
    uint64_t days = 0;
    int64_t logs = 0;
    char a[IOL_HUMAN];
    struct tm tm;
    if (!x->args->given[OPT_INDEX_EXPIRE]) return EXIT_DONE;
    index_number(x->args, OPT_INDEX_EXPIRE, 1, &days);
    const time_t then = time(NULL) - (time_t)days * 86400;
    if (!localtime_r(&then, &tm)) return EXIT_TROUBLE;
    const int64_t day = (int64_t)(tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
    const iol_status status = iol__expire(store, day, &logs);
    if (status == IOL_UNSUPPORTED) {
        tell_stderr("%s", store->error.message);
        return EXIT_USAGE;
    }
    if (status != IOL_OK) return store_trouble(store);
    if (logs && !x->quiet)
        fprintf(stderr, "%s log%s expired\n", iol__human_number(a, (double)logs), plural((uint64_t)logs));
    return EXIT_DONE;
}

static int index_sum_up(indexing *x) {
    iol__store *store;
    int outcome = open_store(x->options.store, IOL_STORE_WRITE, &store);
    if (outcome != EXIT_DONE) return outcome;
    if (iol__rollup(store) != IOL_OK) outcome = store_trouble(store);
    if (outcome == EXIT_DONE) outcome = expire_rows(x, store);
    iol__store_close(store);
    return outcome;
}

/* One source of the batch system's jobs. */
static int read_accounting_from(indexing *x, iol__store *store, const char *from) {
    iol__accounting_counts counts;
    iol_error error;
    iol_status status = iol__accounting_read(store, &x->options.plan, from, x->options.again, &counts, &error);
    if (status != IOL_OK) {
        tell_stderr("%s", error.message);
        return status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
    }
    if (x->quiet) return EXIT_DONE;
    char a[32], b[32];
    fprintf(stderr, "%s job%s and %s note%s from %s", iol__human_number(a, (double)counts.jobs), plural(counts.jobs),
            iol__human_number(b, (double)counts.notes), plural(counts.notes), from);
    if (counts.wrong) fprintf(stderr, "; %s lines make no sense", iol__human_number(a, (double)counts.wrong));
    fputc('\n', stderr);
    return EXIT_DONE;
}

typedef struct site_accounting {
    indexing *x;
    iol__store *store;
    int outcome;
} site_accounting;

/* A source of the site file. What is dated is read for yesterday, when jobs ended at night, and for today, as far as it is there. A batch system that does
   not answer leaves the logs to be indexed. */
static void read_site_accounting(void *context, const char *text) {
    site_accounting *a = context;
    char *from = iol__site_expand(text), dated[4096], before[4096] = "";
    const bool has_date = from && strchr(from, '%');
    for (int days = 1; from && days >= 0; days--) {
        const time_t then = time(NULL) - days * (time_t)86400;
        struct tm tm;
        if (!has_date && days) continue;
        if (!localtime_r(&then, &tm) || !strftime(dated, sizeof dated, from, &tm) || strcmp(dated, before) == 0)
            continue;
        memcpy(before, dated, sizeof before);
        if (has_date && access(dated, F_OK) != 0) continue;
        const int outcome = read_accounting_from(a->x, a->store, dated);
        if (outcome != EXIT_DONE) a->outcome = EXIT_INPUT;
    }
    free(from);
}

static void count_site_accounting(void *context, const char *text) {
    (void)text;
    ++*(size_t *)context;
}

/* The batch system's jobs, before the logs: those of the command line, else those of the site file. */
static int read_accounting(indexing *x) {
    const iol__args *args = x->args;
    size_t given = args->n_values[OPT_ACCOUNTING], named = 0;
    site_accounting site = {.x = x, .outcome = EXIT_DONE};
    if (!given && !args->n_operands) iol__site_accounting(x->site, count_site_accounting, &named);
    if (!given && !named) return EXIT_DONE;
    int outcome = open_store(x->options.store, IOL_STORE_WRITE, &site.store);
    if (outcome != EXIT_DONE) return outcome;
    for (size_t i = 0; i < given && outcome == EXIT_DONE; i++)
        outcome = read_accounting_from(x, site.store, args->values[OPT_ACCOUNTING][i]);
    if (named) iol__site_accounting(x->site, read_site_accounting, &site);
    iol__store_close(site.store);
    return outcome == EXIT_DONE ? site.outcome : outcome;
}

static int index_index_once(indexing *x) {
    iol__ingest_counts counts;
    iol_error error;
    x->started = index_now();
    int accounted = read_accounting(x);
    if (accounted == EXIT_TROUBLE) return accounted;
    iol_status status = iol__ingest(x->paths, x->n_paths, &x->options, &counts, &error);
    if (status != IOL_OK) {
        clear_line(x);
        tell_stderr("%s", error.message);
        return status == IOL_NOT_A_LOG || status == IOL_UNSUPPORTED ? EXIT_INPUT : EXIT_TROUBLE;
    }
    int outcome = index_sum_up(x);
    clear_line(x);
    if (report_other_causes()) tell_stderr("`iolite find --broken` lists all that cannot be read");
    if (!x->quiet) report_counts(x, &counts);
    if (x->args->given[OPT_SITE_JSON]) counts_json(&counts);
    if (outcome != EXIT_DONE) return outcome;
    if (accounted != EXIT_DONE) return accounted;
    return counts.broken || counts.trouble || counts.damaged ? EXIT_INPUT : EXIT_DONE;
}

static int index_all(indexing *x) {
    uint64_t interval = USUAL_INTERVAL;
    if (!index_number(x->args, OPT_INDEX_INTERVAL, 1, &interval))
        return usage_error(x->args, "--interval takes seconds");
    int outcome = index_index_once(x);
    while (x->args->given[OPT_INDEX_WATCH] && !stop && outcome != EXIT_USAGE) {
        /* In short steps: a signal that comes just before one is not waited for long. */
        const struct timespec step = {.tv_sec = 1};
        for (uint64_t waited = 0; waited < interval && !stop; waited++) nanosleep(&step, NULL);
        if (stop) break;
        outcome = index_index_once(x);
    }
    return outcome;
}

/* Under mpirun or srun the others read for rank 0. */
static int with_ranks(indexing *x) {
    char why[300];
    iol__ranks *ranks = iol__ranks_join(why);
    if (*why) {
        tell_stderr("%s", why);
        return EXIT_TROUBLE;
    }
    if (!ranks) return index_all(x);
    int outcome = EXIT_DONE;
    x->options.ranks = ranks;
    if (iol__ranks_rank(ranks) == 0)
        outcome = index_all(x);
    else
        iol__ranks_serve(ranks, &x->options);
    iol__ranks_leave(ranks);
    return outcome;
}

static int with_rules(indexing *x) {
    iol__rulebook *book;
    iol_error error;
    if (iol__rulebook_new(&book, &error) != IOL_OK) {
        tell_stderr("%s", error.message);
        return EXIT_TROUBLE;
    }
    int outcome = EXIT_DONE;
    if (iol__rulebook_load_usual(book, &error) != IOL_OK || iol__site_thresholds(x->site, book, &error) != IOL_OK) {
        tell_stderr("%s", error.message);
        outcome = EXIT_INPUT;
    }
    x->options.plan.rulebook = book;
    if (outcome == EXIT_DONE) outcome = with_ranks(x);
    iol__rulebook_free(book);
    return outcome;
}

/* --copy ---------------------------------------------------------------------------------------------------------- */

static void show_copied(void *context, uint64_t logs) {
    char a[IOL_HUMAN];
    indexing *x = context;
    if (!x->terminal) return;
    fprintf(stderr, "\r%s logs \033[K", iol__human_number(a, (double)logs));
    x->shown = true;
}

static int copy_stores(indexing *x, iol__store *from, iol__store *to) {
    iol__copy_counts counts;
    iol_error error;
    char a[IOL_HUMAN], b[IOL_HUMAN], took[IOL_HUMAN];
    iol_status status = iol__copy_store(from, to, show_copied, x, &counts, &error);
    clear_line(x);
    if (status != IOL_OK) {
        tell_stderr("%s", error.message);
        return status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
    }
    if (!x->quiet)
        fprintf(stderr, "%s logs, %s rows copied; %s\n", iol__human_number(a, (double)counts.logs),
                iol__human_number(b, (double)counts.rows), iol__human_seconds(took, index_now() - x->started));
    return EXIT_DONE;
}

static int copy_index(const iol__args *args) {
    indexing x = {.args = args, .started = index_now(), .quiet = args->given[OPT_INDEX_QUIET]};
    iol__store *from = NULL, *to = NULL;
    if (args->n_operands != 2) return usage_error(args, "--copy takes two stores: FROM and TO");
    x.terminal = isatty(STDERR_FILENO) && !x.quiet;
    int outcome = open_store(args->operands[0], IOL_STORE_READ, &from);
    if (outcome == EXIT_DONE) outcome = open_store(args->operands[1], IOL_STORE_WRITE, &to);
    if (outcome == EXIT_DONE) outcome = copy_stores(&x, from, to);
    iol__store_close(to);
    iol__store_close(from);
    return outcome;
}

/* A rank of a parallel index: they would all look at the same node. */
static bool is_one_of_many(void) {
    static const char *const ranks[] = {
#define LAUNCHER(variable, who) variable,
#include "schema/launchers.def"
#undef LAUNCHER
    };
    for (size_t i = 0; i < IOL_COUNT(ranks); i++)
        if (getenv(ranks[i])) return true;
    return false;
}

int cmd_index(const iol__args *args) {
    indexing x = {.args = args};
    if (args->given[OPT_INDEX_COPY]) return copy_index(args);
    if (!open_site(args, &x.site)) return EXIT_INPUT;
    for (size_t i = 0; i < args->n_operands; i++) add_index_path(&x, strdup(args->operands[i]));
    if (!args->n_operands) iol__site_log_dirs(x.site, NULL, add_site_path, &x);
    int outcome = x.n_paths || args->given[OPT_ACCOUNTING]
                      ? read_index_options(&x)
                      : usage_error(args, "no path was given, and the site file names no log directories");
    /* Every log takes and gives back the same few hundred kilobytes; the system need not hear of it. */
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error like a full disk */
    if (outcome == EXIT_DONE && !is_one_of_many()) collect_leftovers(load_settings(NULL), false);
    if (outcome == EXIT_DONE) outcome = with_rules(&x);
    free_paths(&x);
    iol__site_free(x.site);
    return stop && outcome == EXIT_DONE ? 128 + stop : outcome;
}
