/* See run_groups.h. */
#include "cmds/run/run_groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "log/merge/merge.h"
#include "log/write/output.h"
#include "report/progress.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"

bool group_logs(const log_list *logs, iol__grouping *grouping, int *status) {
    *grouping = (iol__grouping){0};
    bool good = true;
    for (size_t i = 0; good && i < logs->count; i++) {
        iol_log *log;
        iol_error error;
        if (open_listed(logs, i, &log, &error) != IOL_OK) {
            *status = report_open_error(&error);
            continue;
        }
        good = iol__grouping_add(grouping, log, logs->paths[i]);
        iol_log_close(log);
    }
    good = good && iol__grouping_find(grouping);
    if (!good) fputs("iolite: out of memory\n", stderr);
    return good;
}

/* What is known of a group as a whole. */
typedef struct group_facts {
    size_t logs, hosts;
    const char *host[IOL_GROUP_HOSTS];
    const iol__group_log *first;
    double start, end;
} group_facts;

static void note_host(group_facts *f, const char *host) {
    for (size_t i = 0; i < f->hosts; i++)
        if (strcmp(f->host[i], host) == 0) return;
    if (f->hosts < IOL_GROUP_HOSTS) f->host[f->hosts++] = host;
}

static group_facts run_groups_facts_of(const iol__grouping *g, size_t group) {
    group_facts f = {0};
    for (size_t i = 0; i < g->count; i++) {
        const iol__group_log *l = &g->logs[i];
        if (l->group != group) continue;
        if (!f.first || l->start < f.start) f.start = l->start;
        if (!f.first || l->end > f.end) f.end = l->end;
        if (!f.first) f.first = l;
        f.logs++;
        for (size_t h = 0; h < l->n_hosts; h++) note_host(&f, l->hosts[h]);
    }
    return f;
}

static void print_logs(iol__out *out, const iol__grouping *g, size_t group) {
    for (size_t i = 0; i < g->count; i++) {
        if (g->logs[i].group != group) continue;
        iol__out_text(out, "  ");
        iol__out_safe(out, g->logs[i].path);
        iol__out_text(out, ": ");
        iol__out_safe(out, g->logs[i].evidence);
        iol__out_char(out, '\n');
    }
}

static void print_group(iol__out *out, const iol__grouping *g, size_t group) {
    const group_facts f = run_groups_facts_of(g, group);
    char count[IOL_HUMAN], hosts[IOL_HUMAN], took[IOL_HUMAN], when[48] = "an unknown time";
    const time_t start = (time_t)f.start;
    if (!f.first) return;
    struct tm parts;
    if (localtime_r(&start, &parts)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    iol__out_printf(out, "group %zu: %s logs of user ", group + 1, iol__human_number(count, (double)f.logs));
    iol__out_safe(out, f.first->user ? f.first->user : "?");
    iol__out_printf(out, " (%lld), started %s, ran %s", (long long)f.first->uid, when,
                    iol__human_seconds(took, f.end - f.start));
    if (f.hosts)
        iol__out_printf(out, ", %s host%s", iol__human_number(hosts, (double)f.hosts), f.hosts == 1 ? "" : "s");
    iol__out_char(out, '\n');
    print_logs(out, g, group);
}

static void json_logs(iol__json *json, const iol__grouping *g, size_t group, const char *key) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < g->count; i++) {
        if (g->logs[i].group != group) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "path", g->logs[i].path);
        iol__json_put_text(json, "evidence", g->logs[i].evidence);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void json_group(iol__json *json, const iol__grouping *g, size_t group) {
    const group_facts f = run_groups_facts_of(g, group);
    if (!f.first) return;
    iol__json_open(json, '{');
    iol__json_put_text(json, "user", f.first->user);
    iol__json_put_i64(json, "uid", f.first->uid);
    iol__json_put_real(json, "start", f.start);
    iol__json_put_real(json, "end", f.end);
    iol__json_put_open(json, "hosts", '[');
    for (size_t i = 0; i < f.hosts; i++) iol__json_text(json, f.host[i]);
    iol__json_close(json, ']');
    json_logs(json, g, group, "logs");
    iol__json_close(json, '}');
}

int print_groups(const iol__args *args, const iol__grouping *g, int status) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON]) {
        iol__json_start(&json, &out, 4);
        iol__json_open(&json, '{');
        iol__json_put_open(&json, "groups", '[');
        for (size_t i = 0; i < g->groups; i++) json_group(&json, g, i);
        iol__json_close(&json, ']');
        json_logs(&json, g, IOL_NOT_GROUPED, "single");
        iol__json_close(&json, '}');
        iol__json_finish(&json);
        return finish_output(&out, status);
    }
    size_t alone = 0;
    char count[IOL_HUMAN];
    for (size_t i = 0; i < g->count; i++) alone += g->logs[i].group == IOL_NOT_GROUPED;
    for (size_t i = 0; i < g->groups; i++) print_group(&out, g, i);
    if (alone) {
        iol__out_printf(&out, "alone: %s log%s\n", iol__human_number(count, (double)alone), alone == 1 ? "" : "s");
        print_logs(&out, g, IOL_NOT_GROUPED);
    }
    return finish_output(&out, status);
}

/* Merging ------------------------------------------------------------------------------------------------------------ */

static void complain_merge(void *context, const char *message) {
    (void)context;
    tell_stderr("%s", message);
}

static char *path_of_group(const char *directory, size_t group) {
    char *path;
    return asprintf(&path, "%s/group-%zu.darshan", directory, group + 1) < 0 ? NULL : path;
}

static bool merge_one(const iol__grouping *g, size_t group, const char *path) {
    const char **inputs = calloc(g->count + 1, sizeof *inputs);
    size_t n = 0;
    for (size_t i = 0; inputs && i < g->count; i++)
        if (g->logs[i].group == group) inputs[n++] = g->logs[i].path;
    iol__merge merge = {.inputs = inputs, .n_inputs = n, .reduce = IOL_MERGE_AUTO, .complain = complain_merge};
    iol_error error = {.status = IOL_OK};
    const bool good =
        inputs && path && iol__merge_logs(&merge, path, &(iol_write_options){.replace = true}, &error) == IOL_OK;
    if (!good) tell_stderr("group %zu: %s", group + 1, *error.message ? error.message : "out of memory");
    free(inputs);
    return good;
}

char *merge_groups(const iol__grouping *g, log_list *logs) {
    char *directory = NULL;
    if (asprintf(&directory, "%s/iolite-groups-XXXXXX", iol__temporary_directory()) < 0 || !mkdtemp(directory)) {
        tell_stderr("no directory for merged logs: %s", strerror(errno));
        free(directory);
        return NULL;
    }
    const int status = logs->status;
    free_logs(logs);
    *logs = (log_list){.several = true, .status = status};
    for (size_t i = 0; i < g->groups; i++) {
        char *path = path_of_group(directory, i);
        if (merge_one(g, i, path))
            add_log(logs, path);
        else
            logs->status = EXIT_INPUT;
        free(path);
    }
    for (size_t i = 0; i < g->count; i++)
        if (g->logs[i].group == IOL_NOT_GROUPED) add_log(logs, g->logs[i].path);
    return directory;
}

void remove_group_logs(char *directory, size_t groups) {
    for (size_t i = 0; directory && i < groups; i++) {
        char *path = path_of_group(directory, i);
        if (path) unlink(path);
        free(path);
    }
    if (directory) rmdir(directory);
    free(directory);
}
