/* Ranks other than 0. One thread speaks to MPI; others read logs, each the files of one message after the other, so that the
   next message is here before the last is answered. An answer has the number of its message and what was found, in the same
   order. The first message goes the other way: how many messages this rank wants to have at a time. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "site/index/mpi_messages.h"

/* Messages that wait here: so long may rank 0 be busy with something else. */
enum { MOST_THREADS = 256, AHEAD = 3 };

/* A message with errands, and then its answer. */
typedef struct task {
    struct task *next;
    char *bytes;
    size_t length;
    iol__rows answer;
} task;

typedef struct tasks {
    task *first, **last;
} tasks;

typedef struct mpi_serve_serving {
    const iol__ingest_options *options;
    pthread_mutex_t lock;
    pthread_cond_t more;
    tasks to_do, done;
    bool over;
} mpi_serve_serving;

static void mpi_serve_add(tasks *list, task *t) {
    t->next = NULL;
    *list->last = t;
    list->last = &t->next;
}

static task *mpi_serve_take(tasks *list) {
    task *t = list->first;
    if (!t) return NULL;
    list->first = t->next;
    if (!list->first) list->last = &list->first;
    return t;
}

static void free_task(task *t) {
    free(t->bytes);
    iol__rows_free(&t->answer);
    free(t);
}

/* Reading ------------------------------------------------------------------------------------------------------- */

/* What a thread has open: the directory that was used last. */
typedef struct mpi_serve_reading {
    const iol__ingest_options *options;
    iol__walk_root root;
    char *root_path; /* NULL: none is open */
    char *dir_path;
    int dir_fd;
} mpi_serve_reading;

static const char *take_mpi_text(const char **at, const char *end) {
    uint64_t length;
    if (end - *at < 9) return NULL;
    memcpy(&length, *at, 8); /* rank 0 has the same order of bytes: one job does not span two kinds of machine */
    if (length >= (uint64_t)(end - *at - 8)) return NULL;
    const char *text = *at + 8;
    *at += 8 + length + 1;
    return text;
}

static bool mpi_serve_enter(mpi_serve_reading *s, const char *root, const char *dir) {
    if (s->root_path && strcmp(s->root_path, root) != 0) {
        iol__walk_root_close(&s->root);
        free(s->root_path);
        s->root_path = NULL;
    }
    if (!s->root_path) {
        if (iol__walk_open(root, &s->root) != 0) return false;
        s->root_path = strdup(root);
        free(s->dir_path);
        s->dir_path = NULL;
    }
    if (s->dir_path && strcmp(s->dir_path, dir) == 0) return s->dir_fd >= 0;
    if (s->dir_fd >= 0) close(s->dir_fd);
    free(s->dir_path);
    s->dir_path = strdup(dir);
    iol__walk_dir d = {.root = &s->root, .path = s->dir_path};
    s->dir_fd = s->dir_path ? iol__walk_open_dir(&d) : -1;
    return s->dir_fd >= 0;
}

static void mpi_serve_leave(mpi_serve_reading *s) {
    if (s->root_path) iol__walk_root_close(&s->root);
    if (s->dir_fd >= 0) close(s->dir_fd);
    free(s->root_path);
    free(s->dir_path);
}

static void run_errands(mpi_serve_reading *s, task *t) {
    const char *at = t->bytes, *end = t->bytes + t->length;
    if (t->length < 8) return;
    iol__rows_add(&t->answer, at, 8); /* the number */
    at += 8;
    while (at < end) {
        const char *root = take_mpi_text(&at, end), *dir = take_mpi_text(&at, end), *key = take_mpi_text(&at, end),
                   *name = take_mpi_text(&at, end);
        uint64_t before = 0;
        if (!name || end - at < 8) return;
        memcpy(&before, at, 8);
        at += 8;
        iol__found *f = NULL;
        if (mpi_serve_enter(s, root, dir)) {
            iol__walk_dir d = {.root = &s->root, .path = s->dir_path, .key = (char *)(uintptr_t)key};
            f = iol__found_read(s->options, s->dir_fd, &d, name, (int64_t)before);
        }
        iol__rows_add(&t->answer, f ? "\1" : "\0", 1);
        if (f) iol__found_pack(&t->answer, f);
        iol__found_free(f);
    }
}

static void *read_tasks(void *data) {
    mpi_serve_serving *s = data;
    mpi_serve_reading r = {.options = s->options, .dir_fd = -1};
    pthread_mutex_lock(&s->lock);
    for (;;) {
        task *t = mpi_serve_take(&s->to_do);
        if (!t && s->over) break;
        if (!t) {
            pthread_cond_wait(&s->more, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        run_errands(&r, t);
        pthread_mutex_lock(&s->lock);
        mpi_serve_add(&s->done, t);
    }
    pthread_mutex_unlock(&s->lock);
    mpi_serve_leave(&r);
    return NULL;
}

/* Speaking ------------------------------------------------------------------------------------------------------ */

static bool send_answers(iol__ranks *r, mpi_serve_serving *s, bool *any) {
    bool good = true;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        task *t = mpi_serve_take(&s->done);
        pthread_mutex_unlock(&s->lock);
        if (!t) return iol__ranks_sent(r) && good;
        *any = true;
        good = iol__ranks_send(r, &t->answer, 0) && good;
        free_task(t);
    }
}

/* False: it is the end, an empty message. */
static bool take_messages(iol__ranks *r, mpi_serve_serving *s, bool *any) {
    int from;
    char *bytes;
    size_t length;
    int how;
    while ((how = iol__ranks_receive(r, &from, &bytes, &length)) > 0) {
        task *t = length ? calloc(1, sizeof *t) : NULL;
        *any = true;
        if (!t) {
            free(bytes);
            return false;
        }
        t->bytes = bytes;
        t->length = length;
        pthread_mutex_lock(&s->lock);
        mpi_serve_add(&s->to_do, t);
        pthread_cond_signal(&s->more);
        pthread_mutex_unlock(&s->lock);
    }
    return how == 0;
}

static void end_serving(mpi_serve_serving *s, const pthread_t *threads, size_t started) {
    pthread_mutex_lock(&s->lock);
    s->over = true;
    pthread_cond_broadcast(&s->more);
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    for (task *t; (t = mpi_serve_take(&s->to_do));) free_task(t);
    for (task *t; (t = mpi_serve_take(&s->done));) free_task(t);
}

void iol__ranks_serve(iol__ranks *r, const iol__ingest_options *options) {
    mpi_serve_serving s = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
    pthread_t threads[MOST_THREADS];
    size_t started = 0, wanted = options->threads < MOST_THREADS ? options->threads : MOST_THREADS;
    s.to_do.last = &s.to_do.first;
    s.done.last = &s.done.first;
    while (started < wanted && pthread_create(&threads[started], NULL, read_tasks, &s) == 0) started++;
    iol__rows hello = {0};
    iol__rows_u64(&hello, started ? started + AHEAD : 0); /* without a thread nothing is wanted */
    long pause = 0;
    for (bool going = iol__ranks_send(r, &hello, 0); going;) {
        bool any = false;
        going = take_messages(r, &s, &any);
        if (!send_answers(r, &s, &any)) going = false;
        if (any)
            pause = 0;
        else
            iol__ranks_pause(&pause);
    }
    end_serving(&s, threads, started);
}
