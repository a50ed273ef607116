/* The question includes who asks: staff share answers, every other user has their own. What shows a job is for the one who
   asked alone: an answer that is kept for others would be looked at without a line in the audit. */
#include "serve/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/deadline.h"
#include "serve/serve.h"
#include "serve/turns.h"

enum { KEPT_SECONDS = 60, MOST_ONE = 4 << 20, MOST_ALL = 64 << 20 };

void iol__cache_open(iol__cache *kept) { pthread_mutex_init(&kept->lock, NULL); }

static void drop_answer(iol__cache *kept, iol__cached_answer *answer) {
    kept->bytes -= answer->length;
    free(answer->question);
    free(answer->body);
    *answer = (iol__cached_answer){0};
}

void iol__cache_forget(iol__cache *kept) {
    pthread_mutex_lock(&kept->lock);
    for (size_t i = 0; i < IOL_CACHED; i++) drop_answer(kept, &kept->list[i]);
    pthread_mutex_unlock(&kept->lock);
}

void iol__cache_close(iol__cache *kept) {
    iol__cache_forget(kept);
    pthread_mutex_destroy(&kept->lock);
}

static bool is_worth_keeping(const iol__exchange *x) {
    return strcmp(x->method, "GET") == 0 && iol__route_is_heavy(x->route->name);
}

static bool shows_job(const iol__exchange *x) {
    static const char *const names[] = {"job_context", "compare",  "log_page",   "log_trace",
                                        "log_files",   "log_osts", "page_report"};
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        if (strcmp(x->route->name, names[i]) == 0) return true;
    return false;
}

static const char *question_of(iol__exchange *x) {
    return iol__arena_print(&x->arena, "%s %s\n%s?%s\n%s", iol__role_name(x->viewer.role),
                            iol__access_all(&x->viewer) && !shows_job(x) ? "" : x->viewer.user, x->path, x->query,
                            x->headers.accept ? x->headers.accept : "");
}

bool iol__cache_find(iol__exchange *x) {
    iol__cache *kept = &x->serve->cache;
    bool found = false;
    if (!is_worth_keeping(x)) return false;
    const char *question = question_of(x);
    pthread_mutex_lock(&kept->lock);
    for (size_t i = 0; i < IOL_CACHED && !found; i++) {
        const iol__cached_answer *answer = &kept->list[i];
        if (!answer->question || strcmp(answer->question, question) != 0 || iol__is_past(answer->until)) continue;
        iol__out_bytes(&x->body, answer->body, answer->length);
        x->type = answer->type;
        found = true;
    }
    pthread_mutex_unlock(&kept->lock);
    return found;
}

/* The one whose time is over first makes place. */
static iol__cached_answer *oldest(iol__cache *kept, bool used) {
    iol__cached_answer *found = NULL;
    for (size_t i = 0; i < IOL_CACHED; i++) {
        iol__cached_answer *answer = &kept->list[i];
        if (used && !answer->question) continue;
        if (!found || answer->until < found->until) found = answer;
    }
    return found;
}

void iol__cache_add(iol__exchange *x) {
    iol__cache *kept = &x->serve->cache;
    if (!is_worth_keeping(x) || x->status != 200 || x->file >= 0 || x->n_extra || x->policy) return;
    if (x->body.length > MOST_ONE || !x->body.length) return;
    char *question = strdup(question_of(x)), *body = malloc(x->body.length);
    if (!question || !body) {
        free(question);
        free(body);
        return;
    }
    memcpy(body, x->body.buffer, x->body.length);
    pthread_mutex_lock(&kept->lock);
    while (kept->bytes + x->body.length > MOST_ALL) drop_answer(kept, oldest(kept, true));
    iol__cached_answer *place = oldest(kept, false);
    drop_answer(kept, place);
    *place = (iol__cached_answer){question, body, x->body.length, x->type, iol__deadline_in(KEPT_SECONDS)};
    kept->bytes += x->body.length;
    pthread_mutex_unlock(&kept->lock);
}
