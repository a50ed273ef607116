/* What was left is sorted into what belongs together, and each group becomes a log, or several where MPI jobs are among it.
   Nothing of a living process is touched. A job's directory is taken first, so that processes that come now begin again. */
#include "cmds/run/leftover_logs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run/held.h"
#include "cmds/run/leftovers.h"
#include "cmds/run/merged_logs.h"
#include "cmds/run/run_directory.h"
#include "cmds/settings.h"

/* Lists ------------------------------------------------------------------------------------------------------------ */

typedef struct leftover_list {
    leftover *all;
    size_t count;
    bool full; /* no memory for more */
} leftover_list;

static void add_leftover(void *context, const leftover *one) {
    leftover_list *list = context;
    leftover *grown = list->full ? NULL : realloc(list->all, (list->count + 1) * sizeof *grown);
    if (grown) list->all = grown;
    char *copy = grown ? strdup(one->path) : NULL;
    list->full = list->full || !copy;
    if (!copy) return;
    grown[list->count] = *one;
    grown[list->count++].path = copy;
}

static void free_leftovers(leftover_list *list) {
    for (size_t i = 0; i < list->count; i++) free((char *)(uintptr_t)list->all[i].path);
    free(list->all);
}

/* What belongs together: processes of a run, or of a batch job; else ranks of an MPI job, which without a batch system have a
   job id each; else processes of a job. */
static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_group(const void *a, const void *b) {
    const leftover *x = a, *y = b;
    int order = compare_numbers(x->run, y->run);
    if (order == 0 && !x->run) order = compare_numbers(x->world, y->world);
    if (order == 0 && !(!x->run && x->world)) order = (x->job > y->job) - (x->job < y->job);
    return order;
}

static int by_group_and_name(const void *a, const void *b) {
    const int order = by_group(a, b);
    return order ? order : strcmp(((const leftover *)a)->path, ((const leftover *)b)->path);
}

/* One group -------------------------------------------------------------------------------------------------------- */

static void leftover_logs_complain(void *context, const char *message) {
    (void)context;
    tell_stderr("%s", message);
}

/* Where a program's log would go. */
static int merge_to_usual(const leftover_work *w, iol__merge *merge) {
    char user[256], host[256] = "";
    struct timespec now;
    written_logs logs = {0};
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    iol__user_name(environ, geteuid(), user, sizeof user);
    const uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    const iol__place_facts facts = {
        .user = user, .random = iol__place_random(host, microseconds), .environment = environ};
    const bool good = write_merged(w->config, merge, &facts, &logs);
    for (size_t i = 0; w->print && i < logs.count; i++) puts(logs.paths[i]);
    free_written(&logs);
    if ((w->print && fflush(stdout) != 0) || !good) return EXIT_TROUBLE;
    return merge->damaged ? EXIT_INPUT : EXIT_DONE;
}

static int merge_to_file(const leftover_work *w, iol__merge *merge, size_t number) {
    char suffix[24];
    iol_error error = {.status = IOL_OK};
    snprintf(suffix, sizeof suffix, "%zu", number + 1);
    char *output = number ? iol__merge_name(w->output, suffix) : strdup(w->output);
    if (!output) {
        tell_stderr("out of memory");
        return EXIT_TROUBLE;
    }
    const iol_status status = iol__merge_logs(merge, output, w->options, &error);
    free(output);
    if (status != IOL_OK) tell_stderr("%s", error.message);
    if (status == IOL_INVALID) return EXIT_USAGE;
    if (status == IOL_SYSTEM) return EXIT_TROUBLE;
    return status != IOL_OK || merge->damaged ? EXIT_INPUT : EXIT_DONE;
}

/* Directories of a group, open; those of jobs are taken. */
static bool take_directories(const leftover *group, size_t count, run_directory *taken) {
    for (size_t i = 0; i < count; i++) {
        taken[i].held = -1;
        if (group[i].batch && !take_job_directory(group[i].path, &taken[i])) return false;
        if (!group[i].batch) open_run_directory(group[i].path, &taken[i]);
    }
    return true;
}

/* What has become a log goes: mapped files have gone already, and of a directory the rest does. */
static void leave_directories(const leftover *group, size_t count, run_directory *taken, bool used) {
    for (size_t i = 0; i < count; i++) {
        if (taken[i].held < 0) continue;
        if (used && group[i].batch)
            remove_job_directory(&taken[i]);
        else if (used)
            remove_run_directory(&taken[i]);
        else if (group[i].batch)
            put_job_back(&taken[i]);
        close_run_directory(&taken[i]);
    }
}

static int merge_inputs(const leftover_work *w, const iol__merge *how, const char *const *inputs, size_t count,
                        size_t number) {
    iol__merge merge = *how;
    merge.inputs = inputs;
    merge.n_inputs = count;
    merge.complain = w->print ? leftover_logs_complain : NULL;
    return w->output ? merge_to_file(w, &merge, number) : merge_to_usual(w, &merge);
}

/* One log, or several where MPI jobs are among them. The operands go with the first group. */
static int merge_group(const leftover_work *w, const iol__merge *how, const leftover *group, size_t count,
                       size_t number) {
    const size_t named = number == 0 ? w->n_operands : 0;
    const char **inputs = calloc(named + count + 1, sizeof *inputs);
    run_directory *taken = calloc(count + 1, sizeof *taken);
    iol__merge merge = *how;
    int status = EXIT_TROUBLE;
    if (!inputs || !taken) {
        tell_stderr("out of memory");
    } else if (!take_directories(group, count, taken)) {
        leave_directories(group, count, taken, false);
        status = EXIT_DONE; /* somebody else makes a log of it now */
    } else {
        for (size_t i = 0; i < named; i++) inputs[i] = w->operands[i];
        for (size_t i = 0; i < count; i++) inputs[named + i] = group[i].path;
        merge.found = named == 0;
        status = merge_inputs(w, &merge, inputs, named + count, number);
        leave_directories(group, count, taken, status == EXIT_DONE || status == EXIT_INPUT);
    }
    free(taken);
    free(inputs);
    return status;
}

/* Jobs that are not over ------------------------------------------------------------------------------------------- */

/* The job that a process was started in; -1 if it is in none, or nobody may know. */
static int64_t job_of_process(const iol__config *config, const char *pid) {
    enum { MOST = 1 << 17, VARIABLES = 4096 };
    char path[64], **variables = calloc(VARIABLES + 1, sizeof *variables), *text = malloc(MOST + 1);
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%.16s/environ", pid);
    const long got = variables && text ? read_small_file(path, text, MOST) : -1;
    if (got > 0) text[got] = '\0';
    for (long at = 0; at < got && count < VARIABLES; at += (long)strlen(text + at) + 1) variables[count++] = text + at;
    const int64_t job = got > 0 ? iol__job_id(config, variables, -1) : -1;
    free(text);
    free(variables);
    return job;
}

static void spare_job(leftover_list *list, int64_t job, bool session) {
    for (size_t i = 0; job >= 0 && i < list->count; i++)
        if (list->all[i].job == job && list->all[i].session == session) list->all[i].spared = true;
}

static void spare_job_of(const iol__config *config, leftover_list *list, const char *pid) {
    const int64_t job = job_of_process(config, pid);
    spare_job(list, job, false);
    if (job < 0) spare_job(list, getsid((pid_t)atol(pid)), true);
}

/* A job whose shell is between two commands has nobody who records, and is not over. */
static void spare_living_jobs(const iol__config *config, leftover_list *list) {
    struct stat st;
    const struct dirent *entry;
    DIR *processes = opendir("/proc");
    while (processes && (entry = readdir(processes)) != NULL)
        if (*entry->d_name >= '1' && *entry->d_name <= '9' && fstatat(dirfd(processes), entry->d_name, &st, 0) == 0 &&
            st.st_uid == geteuid())
            spare_job_of(config, list, entry->d_name);
    if (processes) closedir(processes);
}

static bool has_jobs(const leftover_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].batch) return true;
    return false;
}

/* All -------------------------------------------------------------------------------------------------------------- */

typedef struct leftover_group {
    const leftover *first;
    size_t count;
} leftover_group;

static int by_job_and_name(const void *a, const void *b) {
    const leftover *x = ((const leftover_group *)a)->first, *y = ((const leftover_group *)b)->first;
    return x->job != y->job ? (x->job > y->job) - (x->job < y->job) : strcmp(x->path, y->path);
}

/* In the order of jobs; the list is in order of groups. */
static size_t list_groups(const leftover_list *list, leftover_group *groups) {
    size_t count = 0;
    for (size_t from = 0, to; from < list->count; from = to) {
        bool spared = list->all[from].spared;
        for (to = from + 1; to < list->count && by_group(&list->all[from], &list->all[to]) == 0; to++)
            spared = spared || list->all[to].spared;
        if (!spared) groups[count++] = (leftover_group){&list->all[from], to - from};
    }
    qsort(groups, count, sizeof *groups, by_job_and_name);
    return count;
}

static int merge_groups(const leftover_work *w, const iol__merge *how, const leftover_list *list) {
    int status = EXIT_DONE;
    leftover_group *groups = calloc(list->count, sizeof *groups);
    if (!groups) {
        tell_stderr("out of memory");
        return EXIT_TROUBLE;
    }
    const size_t count = list_groups(list, groups);
    for (size_t i = 0; i < count && (w->most == 0 || i < w->most); i++) {
        const int one = merge_group(w, how, groups[i].first, groups[i].count, i);
        if (one > status) status = one;
    }
    free(groups);
    return status;
}

int make_leftover_logs(const leftover_work *w, iol__merge *merge) {
    leftover_list list = {0};
    int status = EXIT_DONE;
    find_leftovers(w->config, merge->one_job ? &merge->job_id : NULL, add_leftover, &list);
    if (!w->print && has_jobs(&list)) spare_living_jobs(w->config, &list);
    merge->skip_live = merge->skip_foreign = merge->remove_used = true;
    merge->round_times = !iol__setting_flag(w->config, IOL_SET_EXACT_TIMES);
    if (list.full) {
        tell_stderr("out of memory");
        status = EXIT_TROUBLE;
    } else if (w->n_operands) {
        status = merge_group(w, merge, list.all, list.count, 0);
    } else if (list.count) {
        qsort(list.all, list.count, sizeof *list.all, by_group_and_name);
        status = merge_groups(w, merge, &list);
    }
    correct_held(w->config);
    free_leftovers(&list);
    return status;
}

void collect_leftovers(const iol__config *config, bool placed) {
    enum { MOST = 16 };
    iol__config own = *config;
    own.values[IOL_SET_LOG_FILE].text = "";
    if (placed) own.values[IOL_SET_LOG_DIR].text = "";
    iol__merge merge = {.reduce = IOL_MERGE_AUTO};
    make_leftover_logs(&(leftover_work){.config = &own, .most = MOST}, &merge);
}
