/* A list in order of arrival. One whose limits are not reached goes before those whose limits are. */
#include "serve/turns.h"

#include <string.h>
#include <time.h>

#include "base/count.h"
#include "base/deadline.h"
#include "serve/exchange.h"
#include "serve/serve.h"

enum { MOST_WAITING = 32, STEP_MS = 200 };

static const char *const heavy_routes[] = {
    "correlations", "umami",       "umami_svg", "fleet",           "page_fleet", "fs_series", "fs_heatmap",
    "fs_volumes",   "job_context", "compare",   "log_page",        "log_trace",  "log_files", "log_osts",
    "page_report",  "scoreboard",  "screens",   "page_scoreboard", "archive",    "facets",
};

bool iol__route_is_heavy(const char *name) {
    for (size_t i = 0; i < IOL_COUNT(heavy_routes); i++)
        if (strcmp(heavy_routes[i], name) == 0) return true;
    return false;
}

void iol__turns_open(iol__turns *turns, unsigned most) {
    pthread_condattr_t steady;
    *turns = (iol__turns){.most = most ? most : 1};
    pthread_mutex_init(&turns->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&turns->changed, &steady);
    pthread_condattr_destroy(&steady);
}

void iol__turns_close(iol__turns *turns) {
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->lock);
}

typedef struct turns_tally {
    unsigned running, heavy, heavy_of_user, waiting_of_user;
} turns_tally;

static turns_tally count_for(const iol__turns *turns, const iol__turn *one) {
    turns_tally t = {0};
    for (const iol__turn *other = turns->first; other; other = other->next) {
        const bool same = strcmp(other->user, one->user) == 0;
        t.running += other->running;
        t.heavy += other->running && other->heavy;
        t.heavy_of_user += other->running && other->heavy && same;
        t.waiting_of_user += !other->running && same && other != one;
    }
    return t;
}

/* A quarter of all for each user, half of all for all of them. */
static bool turns_fits(const iol__turns *turns, const iol__turn *one) {
    const turns_tally t = count_for(turns, one);
    if (t.running >= turns->most) return false;
    return !one->heavy || (t.heavy < (turns->most + 1) / 2 && t.heavy_of_user < (turns->most + 3) / 4);
}

static bool turns_may_run(const iol__turns *turns, const iol__turn *one) {
    if (!turns_fits(turns, one)) return false;
    for (const iol__turn *earlier = turns->first; earlier && earlier != one; earlier = earlier->next)
        if (!earlier->running && turns_fits(turns, earlier)) return false;
    return true;
}

static void remove_turn(iol__turns *turns, iol__turn *one) {
    iol__turn **at = &turns->first;
    while (*at && *at != one) at = &(*at)->next;
    if (*at) *at = one->next;
    pthread_cond_broadcast(&turns->changed);
}

static void wait_a_step(iol__turns *turns) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += STEP_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&turns->changed, &turns->lock, &until);
}

static bool wait_turns_for(iol__turns *turns, iol__turn *one, int64_t deadline) {
    while (!turns_may_run(turns, one)) {
        if (iol__is_past(deadline)) return false;
        wait_a_step(turns);
    }
    return true;
}

bool iol__turn_take(iol__exchange *x) {
    iol__turns *turns = &x->serve->turns;
    x->turn = (iol__turn){.user = x->viewer.user, .heavy = iol__route_is_heavy(x->route->name)};
    pthread_mutex_lock(&turns->lock);
    iol__turn **end = &turns->first;
    while (*end) end = &(*end)->next;
    *end = &x->turn;
    x->turn.crowd = *x->viewer.user && count_for(turns, &x->turn).waiting_of_user >= MOST_WAITING;
    x->turn.running = !x->turn.crowd && wait_turns_for(turns, &x->turn, x->deadline);
    if (x->turn.running)
        pthread_cond_broadcast(&turns->changed); /* the next may fit beside it */
    else
        remove_turn(turns, &x->turn);
    pthread_mutex_unlock(&turns->lock);
    return x->turn.running;
}

void iol__turn_refuse(iol__exchange *x) {
    if (x->turn.crowd)
        iol__answer_error(x, 429, "too many of your questions are waiting; try again in a few seconds");
    else
        iol__answer_error(x, 503, "others have kept the server busy for too long; try again in a few seconds");
    iol__header_add(x, "Retry-After", "3");
}

void iol__turn_end(iol__exchange *x) {
    iol__turns *turns = &x->serve->turns;
    if (!x->turn.running) return;
    pthread_mutex_lock(&turns->lock);
    x->turn.running = false;
    remove_turn(turns, &x->turn);
    pthread_mutex_unlock(&turns->lock);
}

void iol__turns_count(iol__turns *turns, unsigned *running, unsigned *waiting) {
    *running = *waiting = 0;
    pthread_mutex_lock(&turns->lock);
    for (const iol__turn *one = turns->first; one; one = one->next) ++*(one->running ? running : waiting);
    pthread_mutex_unlock(&turns->lock);
}
