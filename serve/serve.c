/* What all requests share: files that can be read again, and stores for reading that threads borrow. */
#include "base/deadline.h"
#include "serve/serve.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SECONDS_TO_RELOAD = 60 };

atomic_int iol__serve_stop;

/* What is read from files, before it takes the place of what was there. */
typedef struct iol__loaded {
    struct iol__loaded *next;
    iol__tokens tokens;
    iol__site *site;
    iol__rulebook *rulebook;
    iol__arena arena;
    iol__places places;
    const char **staff;
    size_t n_staff;
} loaded;

static void drop(loaded *l) {
    iol__tokens_free(&l->tokens);
    iol__site_free(l->site);
    iol__rulebook_free(l->rulebook);
    iol__arena_free(&l->arena);
    *l = (loaded){0};
}

/* Staff of the command line and of the site file ("staff": ["ana"]). */
static void list_staff(const iol__serve_options *options, loaded *l) {
    const iol__value *named = iol__places_get(&l->places, "staff");
    size_t more = named && named->kind == IOL__LIST ? named->count : 0;
    l->staff = iol__arena_alloc(&l->arena, options->trust.n_staff + more + 1, sizeof *l->staff);
    for (size_t i = 0; i < options->trust.n_staff; i++) l->staff[l->n_staff++] = options->trust.staff[i];
    for (size_t i = 0; i < more; i++)
        if (named->items[i]->kind == IOL__TEXT) l->staff[l->n_staff++] = named->items[i]->text;
}

static iol_status load_places(const iol__serve_options *options, loaded *l, iol_error *error) {
    char why[400];
    jmp_buf exhausted;
    l->arena.exhausted = &exhausted;
    if (setjmp(exhausted)) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    iol_status status = iol__places_open(&l->arena, options->site_file, false, &l->places, why);
    if (status != IOL_OK) return iol__store_fail(error, status, "%s", why);
    list_staff(options, l);
    l->arena.exhausted = NULL;
    return IOL_OK;
}

static iol_status load(const iol__serve_options *options, loaded *l, iol_error *error) {
    iol_status status = iol__tokens_open(options->state, &l->tokens, error);
    if (status == IOL_OK) status = iol__site_open(options->site_file, &l->site, error);
    if (status == IOL_OK) status = iol__rulebook_new(&l->rulebook, error);
    if (status == IOL_OK) status = iol__rulebook_load_usual(l->rulebook, error);
    if (status == IOL_OK) status = iol__site_thresholds(l->site, l->rulebook, error);
    if (status == IOL_OK) status = load_places(options, l, error);
    if (status != IOL_OK) drop(l);
    return status;
}

/* The two change places: what was there is given back. */
static void exchange_files(iol__serve *s, loaded *l) {
    loaded old = {NULL, s->tokens, s->site, s->rulebook, s->places_arena, s->places, s->staff, s->n_staff};
    memcpy(l->tokens.own, s->tokens.own, sizeof l->tokens.own);
    memcpy(l->tokens.ended, s->tokens.ended, sizeof l->tokens.ended);
    l->tokens.n_ended = s->tokens.n_ended;
    s->tokens = l->tokens;
    s->site = l->site;
    s->rulebook = l->rulebook;
    s->places_arena = l->arena;
    s->places = l->places;
    s->staff = l->staff;
    s->n_staff = l->n_staff;
    s->trust = s->options->trust;
    s->trust.staff = s->staff;
    s->trust.n_staff = s->n_staff;
    *l = old;
}

static void close_stores(iol__serve *s) {
    pthread_mutex_lock(&s->stores_lock);
    while (s->n_stores) iol__store_close(s->stores[--s->n_stores]);
    pthread_mutex_unlock(&s->stores_lock);
}

static void drop_all(loaded *list) {
    for (loaded *next; list; list = next) {
        next = list->next;
        drop(list);
        free(list);
    }
}

/* Beside answers, not instead of them: only reading files again keeps everybody out, and it must not come between. */
void iol__serve_keep(iol__serve *s) {
    pthread_rwlock_rdlock(&s->files);
    s->indexing = true;
    pthread_rwlock_unlock(&s->files);
}

void iol__serve_kept(iol__serve *s) {
    pthread_rwlock_rdlock(&s->files);
    loaded *retired = s->retired;
    s->retired = NULL;
    s->indexing = false;
    pthread_rwlock_unlock(&s->files);
    drop_all(retired);
}

/* Whoever waits for the lock lets nobody in any more, and an answer may take a minute: hence tries, for a while. */
static void keep_all_out(iol__serve *s) {
    const struct timespec pause = {.tv_nsec = 5000000};
    const int64_t patience = iol__deadline_in(MOST_SECONDS_TO_RELOAD);
    while (pthread_rwlock_trywrlock(&s->files) != 0) {
        if (iol__is_past(patience)) {
            pthread_rwlock_wrlock(&s->files);
            return;
        }
        nanosleep(&pause, NULL);
    }
}

static void forget_days(iol__serve *s) {
    pthread_mutex_lock(&s->days_lock);
    memset(s->days, 0, sizeof s->days); /* series may be elsewhere now */
    memset(s->states, 0, sizeof s->states);
    pthread_mutex_unlock(&s->days_lock);
}

iol_status iol__serve_reload(iol__serve *s, iol_error *error) {
    loaded *l = calloc(1, sizeof *l);
    if (!l) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    iol_status status = load(s->options, l, error);
    if (status != IOL_OK) {
        free(l);
        return status;
    }
    keep_all_out(s);
    exchange_files(s, l);
    if (s->indexing) {
        l->next = s->retired;
        s->retired = l;
        l = NULL;
    }
    pthread_rwlock_unlock(&s->files);
    drop_all(l);
    close_stores(s);
    forget_days(s);
    iol__cache_forget(&s->cache);
    return IOL_OK;
}

iol_status iol__serve_open(const iol__serve_options *options, iol__serve *s, iol_error *error) {
    loaded l = {0};
    *s = (iol__serve){.options = options};
    pthread_rwlockattr_t fair;
    pthread_rwlockattr_init(&fair);
#ifdef __GLIBC__ /* others are fair */
    pthread_rwlockattr_setkind_np(&fair, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    pthread_rwlock_init(&s->files, &fair);
    pthread_rwlockattr_destroy(&fair);
    iol__site_silent = true; /* what analyses remark about single series is of no use to whoever runs the server */
    pthread_mutex_init(&s->stores_lock, NULL);
    pthread_mutex_init(&s->series_lock, NULL);
    pthread_mutex_init(&s->upload_lock, NULL);
    pthread_mutex_init(&s->days_lock, NULL);
    pthread_mutex_init(&s->tokens_lock, NULL);
    iol__turns_open(&s->turns, options->threads);
    iol__cache_open(&s->cache);
    iol__audit_open(&s->audit);
    iol__running_open(&s->running, options->live_places, options->n_live_places);
    iol_status status = load(options, &l, error);
    if (status == IOL_OK) exchange_files(s, &l);
    if (status == IOL_OK) iol__summaries_open(s);
    return status;
}

void iol__serve_close(iol__serve *s) {
    iol__summaries_close(s);
    loaded l = {NULL, s->tokens, s->site, s->rulebook, s->places_arena, s->places, s->staff, s->n_staff};
    drop(&l);
    drop_all(s->retired);
    close_stores(s);
    iol__audit_close(&s->audit);
    iol__cache_close(&s->cache);
    iol__running_close(&s->running);
    iol__turns_close(&s->turns);
    pthread_mutex_destroy(&s->tokens_lock);
    pthread_mutex_destroy(&s->days_lock);
    pthread_mutex_destroy(&s->upload_lock);
    pthread_mutex_destroy(&s->series_lock);
    pthread_mutex_destroy(&s->stores_lock);
    pthread_rwlock_destroy(&s->files);
}

void iol__serve_hold_tokens(iol__serve *s) {
    pthread_mutex_lock(&s->tokens_lock);
    iol__tokens_refresh(s->options->state, &s->tokens);
}

void iol__serve_release_tokens(iol__serve *s) { pthread_mutex_unlock(&s->tokens_lock); }

/* A store of its own; what is asked of a server ends there too. */
static iol__store *open_limited(const iol__serve_options *options, int64_t deadline) {
    iol__store *store;
    iol_error error;
    if (iol__store_open_by(options->store, IOL_STORE_READ, deadline, &store, &error) != IOL_OK) {
        iol__complain("iolite serve: ", "%s", error.message); /* for whoever runs it: the answer says less */
        return NULL;
    }
    /* One in a file looks at the clock, and at whether anybody still waits, only if it is told to. */
    const bool limited = options->answer_seconds > 0 || store->driver->local;
    if (!limited || iol__store_limit(store, options->answer_seconds) == IOL_OK) return store;
    iol__store_close(store);
    return NULL;
}

iol__store *iol__serve_borrow(iol__serve *s, int64_t deadline) {
    iol__store *store = NULL;
    pthread_mutex_lock(&s->stores_lock);
    if (s->n_stores) store = s->stores[--s->n_stores];
    pthread_mutex_unlock(&s->stores_lock);
    if (!store) store = open_limited(s->options, deadline);
    if (store) store->deadline = deadline;
    return store;
}

void iol__serve_return(iol__serve *s, iol__store *store, bool failed) {
    bool spent = failed;
    if (!spent) {
        pthread_mutex_lock(&s->stores_lock);
        spent = s->n_stores == IOL_STORES;
        if (!spent) s->stores[s->n_stores++] = store;
        pthread_mutex_unlock(&s->stores_lock);
    }
    if (spent) iol__store_close(store);
    if (failed) close_stores(s);
}

const char *iol__serve_cluster(const iol__serve *s) {
    return s->options->cluster ? s->options->cluster : iol__site_cluster(s->site);
}
