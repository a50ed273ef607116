/* What a log tells about the run that it is of: see group.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/grow.h"
#include "base/strings.h"
#include "log/merge/group.h"
#include "log/read/log_internal.h"
#include "log/trailer/platform.h"
#include "record/mapped.h"
#include "record/record.h"
#include "record/starter.h"

static bool add_group_facts_text(char **list, size_t *count, size_t most, const char *text, size_t length) {
    for (size_t i = 0; i < *count; i++)
        if (strlen(list[i]) == length && memcmp(list[i], text, length) == 0) return true;
    if (length == 0 || *count == most) return true;
    list[*count] = strndup(text, length);
    return list[*count] && ++*count;
}

static bool add_group_facts_host(iol__group_log *l, const char *host) {
    return add_group_facts_text(l->hosts, &l->n_hosts, IOL_GROUP_HOSTS, host, strcspn(host, ".:, "));
}

static bool add_key(iol__group_log *l, const char *kind, const char *value) {
    char *key;
    if (!*value) return true;
    if (asprintf(&key, "%s %s", kind, value) < 0) return false;
    const bool added = add_group_facts_text(l->keys, &l->n_keys, IOL_GROUP_KEYS, key, strlen(key));
    free(key);
    return added;
}

/* The name of the file: USER_PROGRAM_idJOB-PID_... -------------------------------------------------------------------- */

static bool read_name(iol__group_log *l, const iol_log *log) {
    const char *name = iol__base_name(l->path), *id = NULL;
    for (const char *at = strstr(name, "_id"); at; at = strstr(at + 1, "_id"))
        if (isdigit((unsigned char)at[3])) id = at;
    if (!id) return true;
    char *end;
    const int64_t job = strtoll(id + 3, &end, 10);
    if (*end == '-') l->pid = strtoll(end + 1, NULL, 10);
    const char *first = memchr(name, '_', (size_t)(id - name));
    l->user = strndup(name, (size_t)((first ? first : id) - name));
    if (!l->user) return false;
    /* Without a batch system the job id is that of the process. */
    if (l->pid == 0 || l->pid == job || job != log->job.job_id) return true;
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)job);
    return add_key(l, "job", text);
}

/* The command line ------------------------------------------------------------------------------------------------------- */

/* Options that name where the processes of a run meet: a file, or an address. */
static const struct {
    const char *option;
    bool file;
} meetings[] = {
    {"--scheduler-file", true}, {"--scheduler_file", true}, {"--ssg-file", true}, {"--scheduler-address", false},
    {"--rdzv_endpoint", false}, {"--rdzv-endpoint", false}, {"--rdzv_id", false}, {"--rdzv-id", false},
    {"--redis-address", false}, {"--gcs-address", false},
};
static const char *const host_options[] = {"--hosts", "--host", "-hosts", "-host", "-H", "--nodelist", "-w"};

/* The value of an option, "--x=VALUE" or "--x VALUE", as a copy; NULL if the word is not that option. */
static char *option_value(const char *word, const char *option) {
    const size_t length = strlen(option);
    if (strncmp(word, option, length) != 0) return NULL;
    const char *value = word + length;
    if (*value != '=' && *value != ' ') return NULL;
    value += strspn(value, "= ");
    return strndup(value, strcspn(value, " \n"));
}

static bool ends_with_path(const char *name, const char *path) {
    const size_t length = strlen(name), end = strlen(path);
    return length > end && name[length - end - 1] == '/' && strcmp(name + length - end, path) == 0;
}

/* Two runs may call it the same: what counts is the file that was used. */
static bool add_meeting_file(iol__group_log *l, iol_log *log, const char *path) {
    uint64_t id;
    const char *name, *found = NULL;
    if (strncmp(path, "./", 2) == 0) path += 2;
    if (*path == '/') return add_key(l, "file", path);
    for (size_t i = 0; *path && iol_log_name_at(log, i, &id, &name) == IOL_OK; i++) {
        if (*name != '/' || !ends_with_path(name, path)) continue;
        if (found) return true; /* one of several */
        found = name;
    }
    return !found || add_key(l, "file", found);
}

static bool read_group_facts_word(iol__group_log *l, iol_log *log, const char *word) {
    bool good = true;
    char *value = NULL;
    for (size_t i = 0; good && i < IOL_COUNT(meetings); i++) {
        if (!(value = option_value(word, meetings[i].option))) continue;
        good = meetings[i].file ? add_meeting_file(l, log, value) : add_key(l, "address", value);
        free(value);
    }
    for (size_t i = 0; good && l->launcher && i < IOL_COUNT(host_options); i++) {
        if (!(value = option_value(word, host_options[i]))) continue;
        char *rest = value;
        for (char *host; good && !strchr(value, '[') && (host = strsep(&rest, ","));)
            good = add_group_facts_host(l, host);
        free(value);
    }
    return good;
}

static bool read_command(iol__group_log *l, iol_log *log) {
    const char *exe = log->job.exe;
    const size_t length = strcspn(exe, " ");
    const char *slash = memrchr(exe, '/', length);
    l->program = strndup(slash ? slash + 1 : exe, length - (size_t)(slash ? slash + 1 - exe : 0));
    l->launcher = iol__is_starter(exe);
    bool good = l->program != NULL;
    for (const char *word = exe; good && *word; word += strspn(word, " ")) {
        good = read_group_facts_word(l, log, word);
        word += strcspn(word, " ");
    }
    return good;
}

/* Metadata, platform, traces ------------------------------------------------------------------------------------------------ */

static bool is_job_key(const char *key) { return strcasestr(key, "job") && strcasestr(key, "id"); }

static bool read_metadata(iol__group_log *l, iol_log *log) {
    const char *key, *value, *slash = strrchr(l->path, '/');
    bool good = true;
    for (size_t i = 0; good && iol_log_metadata(log, i, &key, &value) == IOL_OK; i++) {
        if (is_job_key(key)) good = add_key(l, "job", value);
        if (strcmp(key, IOL_KEY_WORLD) == 0) good = add_key(l, "run", value);
        if (strcmp(key, "hostname") == 0) good = add_group_facts_host(l, value);
        if (strcmp(key, "fork_parent") == 0) l->parent = strtoll(value, NULL, 10);
        if (strncmp(key, IOL_KEY_LINKED, strlen(IOL_KEY_LINKED)) == 0)
            good = add_key(l, "log", value) && add_key(l, "log", slash ? slash + 1 : l->path);
    }
    return good;
}

static bool read_traces(iol__group_log *l, iol_log *log) {
    static const int slots[] = {IOL_SLOT_DXT_POSIX, IOL_SLOT_DXT_MPIIO};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        iol_records *records;
        const iol_record *record;
        if (!log->modules[slots[i]].length || iol_records_open(log, slots[i], &records) != IOL_OK) continue;
        while (good && iol_records_next(records, &record) == IOL_OK) good = add_group_facts_host(l, record->trace.host);
        iol_records_close(records);
    }
    return good;
}

static bool read_platform(iol__group_log *l, iol_log *log) {
    iol__platform platform;
    iol__platform_read(log, &platform);
    const bool good = !*platform.scheduler_job || add_key(l, "job", platform.scheduler_job);
    iol__platform_free(&platform);
    return good;
}

static void set_times(iol__group_log *l, const iol_log *log) {
    l->start = (double)log->job.start_seconds + (double)log->job.start_nanoseconds / 1e9;
    l->end = (double)log->job.end_seconds + (double)log->job.end_nanoseconds / 1e9;
    if (!(l->end >= l->start)) l->end = l->start;
}

bool iol__grouping_add(iol__grouping *g, iol_log *log, const char *path) {
    if (!IOL_GROW(g->logs, g->room, g->count)) return false;
    iol__group_log *l = &g->logs[g->count++];
    *l = (iol__group_log){.path = strdup(path), .uid = log->job.uid, .group = IOL_NOT_GROUPED};
    set_times(l, log);
    return l->path && read_name(l, log) && read_command(l, log) && read_metadata(l, log) && read_platform(l, log) &&
           read_traces(l, log);
}
