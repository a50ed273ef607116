/* Answers that took long to make, kept for a minute for those who may see the same: pages ask again when they are reloaded, and
   many people look at the same file system. */
#ifndef IOL_SERVE_CACHE_H
#define IOL_SERVE_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct iol__exchange;

enum { IOL_CACHED = 256 };
typedef struct iol__cached_answer {
    char *question, *body;
    size_t length;
    const char *type;
    int64_t until; /* see base/deadline.h */
} iol__cached_answer;

typedef struct iol__cache {
    pthread_mutex_t lock;
    iol__cached_answer list[IOL_CACHED];
    size_t bytes;
} iol__cache;

void iol__cache_open(iol__cache *kept);
void iol__cache_close(iol__cache *kept);
/* True: the answer is that of a moment ago. */
bool iol__cache_find(struct iol__exchange *x);
/* Keeps the answer that was made, if it is good. */
void iol__cache_add(struct iol__exchange *x);
/* What is kept may be no longer true. */
void iol__cache_forget(iol__cache *kept);

#endif
