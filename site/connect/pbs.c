/* Jobs of PBS: qstat -f -F json, and accounting files, as the same records as those of Slurm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "site/connect/connect.h"

/* "nid001/0*32+nid002/0*32" to names, each once. */
static void put_hosts(iol__arena *arena, iol__value *job, const char *text) {
    iol__value *seen = iol__value_new(arena, IOL__MAP), *nodes = iol__map_open(arena, job, "nodelist", IOL__LIST);
    while (*text) {
        size_t length = strcspn(text, "/+"), all = strcspn(text, "+");
        char *name = iol__arena_text(arena, text, length);
        if (*name && !iol__map_get(seen, name)) {
            iol__map_put_integer(arena, seen, name, 1);
            iol__list_add(arena, nodes, iol__of_text(arena, name));
        }
        text += all + (text[all] == '+');
    }
}

static void put_epoch(iol__arena *arena, iol__value *job, const char *key, const char *text) {
    if (text && *text) iol__map_put_integer(arena, job, key, strtoll(text, NULL, 10));
}

/* "Mon Mar 20 02:07:47 2017", or seconds. */
static void put_qstat_time(iol__arena *arena, iol__value *job, const char *key, const iol__value *value) {
    struct tm tm = {.tm_isdst = -1};
    if (!value) return;
    if (value->kind == IOL__TEXT && strptime(value->text, "%a %b %d %H:%M:%S %Y", &tm))
        iol__map_put_integer(arena, job, key, mktime(&tm));
    else if (value->kind == IOL__INTEGER)
        iol__map_put_integer(arena, job, key, value->integer);
}

static char *bare_id(iol__arena *arena, const char *id) { return iol__arena_text(arena, id, strcspn(id, ".")); }

/* When it ended, if that is known; else as long after its start as it ran, if it has ended. */
static void put_end(iol__arena *arena, iol__value *job, const iol__value *from) {
    const char *ran = iol__map_text(iol__map_get(from, "resources_used"), "walltime"),
               *state = iol__map_text(job, "state");
    const iol__value *start = iol__map_get(job, "start");
    long long hours, minutes, seconds;
    put_qstat_time(arena, job, "end", iol__map_get(from, "obittime"));
    if (iol__map_get(job, "end") || !start || !state || strcmp(state, "F") != 0) return;
    if (ran && sscanf(ran, "%lld:%lld:%lld", &hours, &minutes, &seconds) == 3 && hours >= 0 && hours < 1000000)
        iol__map_put_integer(arena, job, "end", start->integer + hours * 3600 + minutes * 60 + seconds);
}

static void take_qstat(iol__request *request, iol__value *jobs, const iol__value *from) {
    static const char *const texts[][2] = {
        {"Job_Name", "jobname"}, {"job_state", "state"}, {"queue", "partition"}, {"Account_Name", "account"}};
    iol__arena *arena = request->arena;
    for (size_t i = 0; i < from->count; i++) {
        iol__value *job = iol__value_new(arena, IOL__MAP);
        const char *hosts = iol__map_text(from->items[i], "exec_host"), *id = bare_id(arena, from->keys[i]);
        iol__map_put_text(arena, job, "jobidraw", id);
        put_qstat_time(arena, job, "start", iol__map_get(from->items[i], "stime"));
        for (size_t k = 0; k < IOL_COUNT(texts); k++)
            if (iol__map_text(from->items[i], texts[k][0]))
                iol__map_put_text(arena, job, texts[k][1], iol__map_text(from->items[i], texts[k][0]));
        /* "ada@login1" */
        const char *owner = iol__map_text(from->items[i], "Job_Owner");
        if (owner) iol__map_put_text(arena, job, "user", iol__arena_text(arena, owner, strcspn(owner, "@")));
        put_hosts(arena, job, hosts ? hosts : "");
        put_end(arena, job, from->items[i]);
        iol__map_put(arena, jobs, id, job);
    }
}

/* The next "key=value" of a line, its value in quotes if there are blanks in it; NULL after the last. */
static char *next_pair(char **line, char **value) {
    char *pair = *line ? *line + strspn(*line, " ") : NULL;
    if (!pair || !*pair) return NULL;
    size_t key = strcspn(pair, "= ");
    *value = pair[key] == '=' ? pair + key + 1 : NULL;
    bool quoted = *value && (**value == '"' || **value == '\'');
    char *end = quoted ? strchr(*value + 1, **value) : NULL;
    if (end) {
        ++*value;
        *end++ = 0;
    } else {
        end = pair + strcspn(pair, " ");
    }
    *line = *end ? end + 1 : NULL;
    *end = pair[key] = 0;
    return pair;
}

/* "03/20/2017 02:07:47;E;123.server;user=ada start=1490000867 end=... exec_host=..." */
static bool take_accounting(iol__request *request, char *line, iol__value *jobs) {
    static const struct {
        const char *from, *to;
        bool time;
    } keys[] = {{"start", "start", true},      {"end", "end", true},          {"user", "user", false},
                {"account", "account", false}, {"queue", "partition", false}, {"jobname", "jobname", false}};
    iol__arena *arena = request->arena;
    char *kind = (strsep(&line, ";"), strsep(&line, ";")), *id = strsep(&line, ";");
    if (!line || !id || !kind || strlen(kind) != 1) return false;
    if (*kind != 'S' && *kind != 'E') return true;
    id = bare_id(arena, id);
    iol__value *job = iol__map_open(arena, jobs, id, IOL__MAP);
    iol__map_put_text(arena, job, "jobidraw", id);
    for (char *pair, *value; (pair = next_pair(&line, &value));) {
        if (!value) continue;
        if (strcmp(pair, "exec_host") == 0) {
            iol__map_put(arena, job, "nodelist", iol__value_new(arena, IOL__LIST));
            put_hosts(arena, job, value);
        }
        for (size_t i = 0; i < IOL_COUNT(keys); i++)
            if (strcmp(pair, keys[i].from) == 0 && keys[i].time)
                put_epoch(arena, job, keys[i].to, value);
            else if (strcmp(pair, keys[i].from) == 0)
                iol__map_put_text(arena, job, keys[i].to, value);
    }
    return true;
}

static iol_status take_pbs_text(iol__request *request, iol__feed *feed, iol__value *jobs) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    for (char *line; (line = iol__next_line(&lines));)
        if (*line) {
            bool taken = take_accounting(request, line, jobs);
            request->understood += taken;
            request->skipped += !taken;
        }
    return IOL_OK;
}

iol_status iol__read_pbs(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_pbs_text, out);
    if (status == IOL_OK)
        status = iol__expect_form(request, "an accounting file of PBS, or JSON of 'qstat -f -F json'");
    if (status != IOL_OK) return status;
    const iol__value *jobs = iol__map_get(*out, "Jobs");
    if (jobs && jobs->kind == IOL__MAP) {
        *out = iol__value_new(request->arena, IOL__MAP);
        take_qstat(request, *out, jobs);
    }
    *out = iol__jobs_asked_for(request, *out);
    return IOL_OK;
}
