/* A table in memory, a file of lines "KEY JSON" behind it, and one thread that grants wishes. */
#include "serve/summaries.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "serve/jobs.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/analyze/job.h"

enum { MOST_FILE = 64 << 20, MOST_LINE = 65536, LATE_SECONDS = 6 * 3600 };

static uint64_t key_of(const iol__serve *serve, const char *fs, int64_t start, int64_t end) {
    char name[64];
    snprintf(name, sizeof name, "summary to %lld", (long long)end);
    return iol__series_key(serve, fs, name, start);
}

/* Keeping --------------------------------------------------------------------------------------------------------- */

/* With the lock held. Takes the text. */
static void keep(iol__summaries *all, uint64_t key, char *json) {
    iol__server_summary *place = &all->list[key / 2 % IOL_SUMMARIES];
    free(place->json);
    *place = (iol__server_summary){key, json};
}

static char *copy_kept(iol__summaries *all, uint64_t key) {
    pthread_mutex_lock(&all->lock);
    const iol__server_summary *place = &all->list[key / 2 % IOL_SUMMARIES];
    char *copy = place->key == key ? strdup(place->json) : NULL;
    pthread_mutex_unlock(&all->lock);
    return copy;
}

static void read_kept(iol__summaries *all) {
    char *line = malloc(MOST_LINE), *json;
    FILE *file = line ? fdopen(dup(all->file), "r") : NULL;
    while (file && fgets(line, MOST_LINE, file)) {
        const uint64_t key = strtoull(line, &json, 16);
        const size_t length = strlen(json);
        if (!key || *json != ' ' || json[length - 1] != '\n') continue; /* cut off by the end of a process */
        json[length - 1] = 0;
        if ((json = strdup(json + 1))) keep(all, key, json);
    }
    if (file) fclose(file);
    free(line);
}

static void write_kept(const iol__summaries *all, uint64_t key, const char *json) {
    char *line = NULL;
    struct stat status;
    if (all->file < 0 || fstat(all->file, &status) != 0 || status.st_size > MOST_FILE) return;
    const int length = asprintf(&line, "%016llx %s\n", (unsigned long long)key, json);
    if (length > 0 && length < MOST_LINE && write(all->file, line, (size_t)length) < 0)
        errno = 0; /* a full disk: not kept */
    free(line);
}

/* Making ---------------------------------------------------------------------------------------------------------- */

static void make_summary(iol__exchange *x, uint64_t key, const char *fs, int64_t start, int64_t end, iol__value *made) {
    iol__out out;
    iol__json json;
    iol__servers_at(x, fs, start, end, made);
    iol__health_at(x, fs, start, made);
    if (iol__is_past(x->deadline) || end + LATE_SECONDS > (int64_t)time(NULL)) return; /* not all of it is there */
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__value_json(&json, &x->arena, made);
    iol__out_char(&out, 0);
    char *text = strdup(out.buffer);
    iol__out_close(&out);
    if (!text) return;
    iol__summaries *all = &x->serve->summaries;
    pthread_mutex_lock(&all->lock);
    write_kept(all, key, text);
    keep(all, key, text);
    pthread_mutex_unlock(&all->lock);
}

static void *grant_wishes(void *context);

/* The thread starts with the first wish: threads that answer have no signals, and neither has it then. */
static void wish(iol__serve *serve, const char *fs, int64_t start, int64_t end) {
    iol__summaries *all = &serve->summaries;
    iol__summary_wish one = {.start = start, .end = end};
    if (strlen(fs) >= sizeof one.fs) return;
    memcpy(one.fs, fs, strlen(fs) + 1);
    pthread_mutex_lock(&all->lock);
    if (!all->running) all->running = pthread_create(&all->thread, NULL, grant_wishes, serve) == 0;
    bool there = all->n_wishes == IOL_SUMMARIES_WANTED || !all->running;
    for (size_t i = 0; i < all->n_wishes && !there; i++) there = memcmp(&all->wishes[i], &one, sizeof one) == 0;
    if (!there) all->wishes[all->n_wishes++] = one;
    pthread_cond_signal(&all->wished);
    pthread_mutex_unlock(&all->lock);
}

void iol__summary_add(iol__exchange *x, const char *fs, int64_t start, int64_t end, int64_t by, iol__value *row) {
    const uint64_t key = key_of(x->serve, fs, start, end);
    iol__value *made = iol__value_new(&x->arena, IOL__MAP);
    char wrong[120], *json = copy_kept(&x->serve->summaries, key);
    if (json) {
        made = iol__value_parse(&x->arena, json, strlen(json), wrong);
        free(json);
    } else if (!iol__is_past(by)) {
        make_summary(x, key, fs, start, end, made);
    } else {
        wish(x->serve, fs, start, end);
    }
    for (size_t i = 0; made && i < made->count; i++) iol__map_put(&x->arena, row, made->keys[i], made->items[i]);
    iol__job_put_coverage(&x->arena, row);
}

/* Wishes ---------------------------------------------------------------------------------------------------------- */

static void grant(iol__serve *serve, const iol__summary_wish *one) {
    iol__exchange x;
    jmp_buf exhausted;
    iol__exchange_begin(&x, serve);
    x.deadline = iol__deadline_in(30);
    x.arena.exhausted = x.scratch.exhausted = &exhausted;
    pthread_rwlock_rdlock(&serve->files);
    if (!setjmp(exhausted))
        make_summary(&x, key_of(serve, one->fs, one->start, one->end), one->fs, one->start, one->end,
                     iol__value_new(&x.arena, IOL__MAP));
    iol__release(&x);
    pthread_rwlock_unlock(&serve->files);
    iol__exchange_free(&x);
}

static void *grant_wishes(void *context) {
    iol__serve *serve = context;
    iol__summaries *all = &serve->summaries;
    const struct timespec pause = {.tv_nsec = 5000000}; /* others want the series too */
    pthread_mutex_lock(&all->lock);
    while (!all->stopping) {
        if (!all->n_wishes) {
            pthread_cond_wait(&all->wished, &all->lock);
            continue;
        }
        const iol__summary_wish one = all->wishes[--all->n_wishes];
        pthread_mutex_unlock(&all->lock);
        grant(serve, &one);
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&all->lock);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

void iol__summaries_open(iol__serve *serve) {
    iol__summaries *all = &serve->summaries;
    char path[4096];
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->wished, NULL);
    snprintf(path, sizeof path, "%s/summaries", serve->options->state);
    all->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (all->file >= 0) read_kept(all);
}

void iol__summaries_close(iol__serve *serve) {
    iol__summaries *all = &serve->summaries;
    pthread_mutex_lock(&all->lock);
    all->stopping = true;
    pthread_cond_signal(&all->wished);
    pthread_mutex_unlock(&all->lock);
    if (all->running) pthread_join(all->thread, NULL);
    for (size_t i = 0; i < IOL_SUMMARIES; i++) free(all->list[i].json);
    if (all->file >= 0) close(all->file);
    pthread_cond_destroy(&all->wished);
    pthread_mutex_destroy(&all->lock);
}
