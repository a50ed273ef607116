/* The archiver. What is next is in a schedule beside the files, which only advances when an interval is in its file, so
   that a run that fails or is killed is made up for by the next one. Intervals never cross midnight. */
#include "cmds/site/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "site/analyze/live.h"

enum { HOUR = 3600, DAY = 24 * HOUR };

typedef struct archiver {
    site_run *run;
    const iol__producer *producer;
    const iol__request *request;
    iol__archiving usual; /* what all intervals have in common */
    bool of_site;         /* no input is named: each interval has its own */
} archiver;

static const iol__value *read_mapping(site_run *run) {
    const char *path = argument_value(run->args, OPT_MAPPING);
    char why[400];
    const iol__value *mapping = path ? iol__read_mapping(&run->arena, path, why) : NULL;
    if (path && !mapping) run->status = site_failed(why);
    return mapping;
}

static bool archive_prepare(archiver *on) {
    site_run *run = on->run;
    double nodes = 0, devices = 1;
    on->usual = (iol__archiving){.source = on->producer->source,
                                 .luns = iol__places_get(&run->site, "mmperfmon_lun_map"),
                                 .servers = iol__places_get(&run->site, "mmperfmon_server_map"),
                                 .mapping = read_mapping(run)};
    int64_t mapped = iol__mapping_step(on->usual.mapping);
    double step = (double)(mapped ? mapped : on->producer->step);
    if (run->status != EXIT_DONE || !number_option(run, OPT_STEP, &step) ||
        !number_option(run, OPT_SITE_NODES, &nodes) || !number_option(run, OPT_DEVICES, &devices))
        return false;
    if (!(step >= 1) || step > 86400 || !(nodes >= 0) || nodes > 1e6 || !(devices >= 0) || devices > 1e4)
        run->status = usage_error(run->args, "a step is 1 second or more, up to a day");
    on->usual.step = (int64_t)step;
    on->usual.nodes = (size_t)nodes;
    on->usual.devices = (size_t)devices;
    return run->status == EXIT_DONE;
}

static bool anything(const iol__series_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < parts[i].frame->rows * parts[i].frame->columns; k++)
            if (parts[i].frame->values[k] >= 0) return true;
    return false;
}

/* Samples of an interval, and of the `before` seconds in front of it. IOL_END: the site has no file of that time. */
static iol_status archive_fill(archiver *on, int64_t start, int64_t end, int64_t before, iol__request *request,
                               iol__archiving *to) {
    to->before = before - before % to->step;
    to->start = start - to->before;
    to->end = end;
    request->ranged = true;
    request->start = to->start;
    request->end = end + to->step; /* files may label the end of a step */
    if (on->of_site && usual_inputs(on->run, request) && !request->n_paths)
        return iol__refuse(request, IOL_END, "the site has no file of %s for that time", request->source);
    request->end = end;
    return on->producer->fill(request, to);
}

/* A counter that has no sample at the beginning of the interval would lose what it counted since the last one before, at
   every outage and where samples are rarer than steps: so that one is looked for, as far back as servers keep them. */
static iol_status fill_days(archiver *on, int64_t start, int64_t end, iol__request *request, iol__archiving *to) {
    static const int64_t before[] = {HOUR, DAY};
    const iol__request asked = *request;
    const iol__archiving empty = *to;
    iol_status status = archive_fill(on, start, end, 0, request, to);
    to->outside = 0; /* a dump may hold far more than an hour */
    for (size_t i = 0; i < 2 && status == IOL_OK && !*request->partial && iol__archiving_lacks(to); i++) {
        iol__request again = asked;
        iol__archiving more = empty;
        if (archive_fill(on, start, end, before[i], &again, &more) != IOL_OK || *again.partial) break;
        more.outside = 0;
        *to = more;
    }
    return status;
}

/* People write the last second of a day where the first of the next is meant. */
static int64_t whole_steps_end(int64_t start, int64_t end, int64_t step) {
    return (end - start) % step == step - 1 ? end + 1 : end;
}

/* One interval into a file that covers [first, last). `days`: a file per day, which is not made without a single sample. */
static int archive_interval(archiver *on, const char *path, int64_t start, int64_t end, int64_t first, int64_t last,
                            bool days) {
    iol__arena scratch = {.exhausted = on->run->arena.exhausted};
    iol__archiving to = on->usual;
    iol__request request = *on->request;
    iol__series_part *parts;
    char why[400];
    if (first >= last || first > start || last < end || (last - first) % to.step != 0 ||
        (start - first) % to.step != 0 || (end - start) % to.step != 0)
        return usage_error(on->run->args, "the file must cover the range in whole steps");
    if ((last - first) / to.step > 1 << 24) return usage_error(on->run->args, "more than 16 million steps in one file");
    to.arena = request.arena = &scratch;
    iol_status status =
        days ? fill_days(on, start, end, &request, &to) : archive_fill(on, start, end, 0, &request, &to);
    int outcome = EXIT_DONE;
    if (status == IOL_INVALID) {
        outcome = usage_error(on->run->args, "%s", request.why);
    } else if (status != IOL_OK) {
        outcome = status == IOL_END && days ? EXIT_DONE : site_failed(request.why);
    } else {
        size_t count = iol__archiving_parts(&to, &parts);
        if (!days || anything(parts, count))
            status = iol__series_commit(&scratch, path, first, last, parts, count, why);
        if (status != IOL_OK) outcome = site_failed(why);
        if (status == IOL_SYSTEM || status == IOL_UNSUPPORTED) outcome = EXIT_TROUBLE;
        /* What there is, is kept, but the interval is not done. */
        if (outcome == EXIT_DONE && *request.partial) outcome = EXIT_INPUT;
    }
    iol__arena_free(&scratch);
    return outcome;
}

int archive_file(site_run *run, const iol__producer *producer, const iol__request *request, const char *path) {
    archiver on = {.run = run, .producer = producer, .request = request, .of_site = run->args->n_operands == 1};
    int64_t first = run->start, last = run->end;
    if (!run->ranged) return usage_error(run->args, "a range of time is needed: --start and --end");
    if (!archive_prepare(&on)) return run->status;
    int64_t end = last = whole_steps_end(run->start, run->end, on.usual.step);
    if (!time_option(run, OPT_INIT_START, &first) || !time_option(run, OPT_INIT_END, &last)) return run->status;
    /* A file that is there covers what it covers. */
    int64_t from, to;
    if (!run->args->given[OPT_INIT_START] && !run->args->given[OPT_INIT_END] &&
        iol__series_extent(&run->arena, path, &from, &to) && from <= first && last <= to) {
        first = from;
        last = to;
    }
    return archive_interval(&on, path, run->start, end, first, last, false);
}

/* Days ------------------------------------------------------------------------------------------------------------ */

static int archive_day(archiver *on, const char *directory, const char *name, int64_t start, int64_t end) {
    char day[32];
    iol__format_time(start, day);
    day[10] = 0;
    char *folder = iol__arena_print(&on->run->arena, "%s/%s", directory, day);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tell_stderr("%s: %s", folder, strerror(errno));
        return EXIT_TROUBLE;
    }
    char *path = iol__arena_print(&on->run->arena, "%s/%s.hdf5", folder, name);
    int status = archive_interval(on, path, start, end, iol__midnight(start, 0), iol__midnight(start, 1), true);
    rmdir(folder); /* if nothing came into it */
    return status;
}

bool is_directory(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
    tell_stderr("%s: there is no such directory; make it first, for whoever archives to write", path);
    return false;
}

typedef struct schedule {
    const char *path;
    int lock;
    int64_t next; /* start of the next interval */
    int64_t attempts;
} schedule;

static bool open_schedule(archiver *on, const char *directory, const char *name, schedule *plan) {
    iol__arena *arena = &on->run->arena;
    plan->path = iol__arena_print(arena, "%s/%s.schedule", directory, name);
    plan->lock = open(iol__arena_print(arena, "%s.lock", plan->path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (plan->lock < 0 || flock(plan->lock, LOCK_EX | LOCK_NB) != 0) {
        const char *why = plan->lock >= 0 && errno == EWOULDBLOCK ? "another archiver is at work" : strerror(errno);
        tell_stderr("%s: %s", plan->path, why);
        return false;
    }
    iol__feed feed;
    char why[400];
    if (access(plan->path, F_OK) == 0 && iol__feed_open(plan->path, &feed, why) == IOL_OK) {
        const iol__value *stored = iol__value_parse(arena, feed.bytes, feed.length, NULL);
        const iol__value *next = iol__map_get(stored, "start"), *attempts = iol__map_get(stored, "attempts");
        if (next && next->kind == IOL__INTEGER) plan->next = next->integer;
        if (attempts && attempts->kind == IOL__INTEGER) plan->attempts = attempts->integer;
        iol__feed_close(&feed);
    }
    return true;
}

static bool save_schedule(const schedule *plan) {
    char temporary[4200];
    snprintf(temporary, sizeof temporary, "%.4096s.new", plan->path);
    FILE *to = fopen(temporary, "we");
    if (!to) return false;
    fprintf(to, "{\"start\": %lld, \"attempts\": %lld}\n", (long long)plan->next, (long long)plan->attempts);
    bool good = fflush(to) == 0 && fsync(fileno(to)) == 0;
    good = fclose(to) == 0 && good;
    return good && rename(temporary, plan->path) == 0;
}

/* An hour, or less where the day ends or begins to be summer. */
static int64_t interval_end(int64_t start) {
    int64_t end = start - start % HOUR + HOUR, midnight = iol__midnight(start, 1);
    return end < midnight ? end : midnight;
}

static int catch_up(archiver *on, const char *directory, const char *name, schedule *plan, double trail,
                    double attempts) {
    int64_t now = (int64_t)time(NULL) - (int64_t)trail;
    for (int64_t end; (end = interval_end(plan->next)) <= now; plan->next = end) {
        int status = archive_day(on, directory, name, plan->next, end);
        /* Nothing that is the hour's fault, as a full disk: it is not given up. */
        if (status == EXIT_USAGE || status == EXIT_TROUBLE) return status;
        if (status != EXIT_DONE && ++plan->attempts < (int64_t)attempts) {
            save_schedule(plan);
            return status;
        }
        char when[32];
        iol__format_time(plan->next, when);
        if (status != EXIT_DONE)
            iol__site_say("the hour from %s is left out after %lld attempts", when, (long long)plan->attempts);
        schedule done = {.path = plan->path, .next = end};
        plan->attempts = 0;
        if (!save_schedule(&done)) {
            tell_stderr("%s: %s", plan->path, strerror(errno));
            return EXIT_TROUBLE;
        }
    }
    return EXIT_DONE;
}

int archive_days(site_run *run, const iol__producer *producer, const iol__request *request, const char *directory) {
    archiver on = {.run = run, .producer = producer, .request = request, .of_site = run->args->n_operands == 1};
    const char *name = argument_value(run->args, OPT_SERIES_NAME);
    double trail = 600, age = 30, attempts = 5;
    int status = EXIT_DONE;
    if (!name) name = producer->name;
    if (!archive_prepare(&on) || !number_option(run, OPT_TRAIL, &trail) || !number_option(run, OPT_MAX_AGE, &age) ||
        !number_option(run, OPT_MAX_ATTEMPTS, &attempts))
        return run->status;
    if (strchr(name, '/') || !(trail >= 0 && trail < 1e9) || !(age > 0 && age < 1e5) ||
        !(attempts >= 1 && attempts < 1e9))
        return usage_error(run->args, "names must have no slashes, and times must not be negative");
    if (!is_directory(directory)) return EXIT_TROUBLE;
    if (run->ranged) {
        int64_t last = whole_steps_end(run->start, run->end, on.usual.step);
        for (int64_t at = run->start, end; at < last && status == EXIT_DONE; at = end) {
            end = iol__midnight(at, 1) < last ? iol__midnight(at, 1) : last;
            status = archive_day(&on, directory, name, at, end);
        }
        return status;
    }
    schedule plan = {.lock = -1};
    status = open_schedule(&on, directory, name, &plan) ? EXIT_DONE : EXIT_TROUBLE;
    int64_t oldest = (int64_t)time(NULL) - (int64_t)(age * 86400) - (int64_t)trail;
    if (plan.next < oldest) plan = (schedule){.path = plan.path, .lock = plan.lock, .next = oldest - oldest % HOUR};
    if (status == EXIT_DONE) status = catch_up(&on, directory, name, &plan, trail, attempts);
    if (plan.lock >= 0) close(plan.lock);
    return status;
}
