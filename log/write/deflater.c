/* One worker, one job at a time: the caller gives a buffer, fills another one, and collects the result before it gives
   again. The first job is done on the spot, and so is every job where no thread can be had. */
#include "log/write/deflater.h"

#include <zlib.h>

#include "log/write/deflate_small.h"

enum {
    LINE = 128, /* bytes of which no compressor saves many */
    EMPTY = 4,  /* what shrinks to this part was mostly zeros */
};

static size_t deflate_with_zlib(int level, const void *bytes, size_t length, void *to, size_t room) {
    enum { LEAST = 9, MOST = 15, TO_MEMORY = 6, MEMORY_MOST = 8 };
    z_stream z = {
        .next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length, .next_out = to, .avail_out = (uInt)room};
    if (length > UINT32_MAX || room > UINT32_MAX) return 0;
    int window = LEAST;
    while (window < MOST && (size_t)1 << window < length) window++;
    const int memory = window - TO_MEMORY < MEMORY_MOST ? window - TO_MEMORY : MEMORY_MOST;
    if (deflateInit2(&z, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    const bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&z);
    return whole ? (size_t)z.total_out : 0;
}

size_t iol__deflate_fitted(int level, const void *bytes, size_t length, void *to, size_t room) {
    const size_t small = length <= IOL_DEFLATE_SMALL ? iol__deflate_small(bytes, length, to, room) : 0;
    if (length <= LINE || (small && small <= length / EMPTY)) return small;
    return deflate_with_zlib(level, bytes, length, to, room);
}

#if IOL_HAVE_LIBDEFLATE

#include <libdeflate.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { FEW = 16384 }; /* bytes for which libdeflate's tables are not worth making */

typedef enum deflater_state { IDLE, GIVEN, DONE, STOP } deflater_state;

struct iol__deflater {
    int level;
    struct libdeflate_compressor *compressor; /* made when it is needed */
    uint8_t *raw, *out;                       /* made when they are needed: most logs are small */
    size_t most, raw_length, out_room, out_length;
    unsigned jobs;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    deflater_state state;
};

static void compress_job(iol__deflater *d) {
    d->out_length = 0;
    if (d->raw_length <= FEW && !d->compressor) {
        /* libdeflate has levels that zlib does not. */
        const int level = d->level < Z_BEST_COMPRESSION ? d->level : Z_BEST_COMPRESSION;
        d->out_length = iol__deflate_fitted(level, d->raw, d->raw_length, d->out, d->out_room);
        return;
    }
    if (!d->compressor) d->compressor = libdeflate_alloc_compressor(d->level);
    if (d->compressor)
        d->out_length = libdeflate_zlib_compress(d->compressor, d->raw, d->raw_length, d->out, d->out_room);
}

static void set_state(iol__deflater *d, deflater_state to) {
    pthread_mutex_lock(&d->lock);
    d->state = to;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
}

/* Wait until the state is no longer this one. */
static deflater_state wait_past(iol__deflater *d, deflater_state from) {
    pthread_mutex_lock(&d->lock);
    while (d->state == from) pthread_cond_wait(&d->changed, &d->lock);
    deflater_state now = d->state;
    pthread_mutex_unlock(&d->lock);
    return now;
}

static void *deflater_work(void *context) {
    iol__deflater *d = context;
    for (;;) {
        deflater_state now = wait_past(d, IDLE);
        if (now == DONE) now = wait_past(d, DONE);
        if (now == STOP) return NULL;
        if (now != GIVEN) continue;
        compress_job(d);
        set_state(d, DONE);
    }
}

/* The thread takes no signals: they belong to the program that this library lives in. */
static bool start_thread(iol__deflater *d) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&d->thread, NULL, deflater_work, d) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

iol__deflater *iol__deflater_new(int level, size_t most) {
    iol__deflater *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    d->level = level;
    d->most = most;
    return d;
}

void iol__deflater_free(iol__deflater *d) {
    if (!d) return;
    if (d->threaded) {
        wait_past(d, GIVEN);
        set_state(d, STOP);
        pthread_join(d->thread, NULL);
    }
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    if (d->compressor) libdeflate_free_compressor(d->compressor);
    free(d->raw);
    free(d->out);
    free(d);
}

/* False without memory: what is compressed then is nothing, and whoever collects it learns that. */
static bool make_deflater_room(iol__deflater *d, size_t length) {
    const size_t room = libdeflate_zlib_compress_bound(NULL, length);
    if (room <= d->out_room) return true;
    free(d->out);
    d->out = malloc(room);
    d->out_room = d->out ? room : 0;
    return d->out != NULL;
}

static void compress_here(iol__deflater *d, uint8_t *raw, size_t length) {
    uint8_t *spare = d->raw;
    d->raw = raw;
    d->raw_length = length;
    d->out_length = 0;
    if (make_deflater_room(d, length)) compress_job(d);
    d->raw = spare;
    d->state = DONE;
}

/* A second job makes it likely that there are many. */
static bool work_beside(iol__deflater *d) {
    if (d->jobs++ != 1) return d->threaded;
    d->raw = malloc(d->most);
    d->threaded = d->raw && make_deflater_room(d, d->most) && start_thread(d);
    return d->threaded;
}

void iol__deflater_give(iol__deflater *d, uint8_t **raw, size_t length) {
    if (!work_beside(d)) {
        compress_here(d, *raw, length);
        return;
    }
    uint8_t *empty = d->raw;
    d->raw = *raw;
    d->raw_length = length;
    *raw = empty;
    set_state(d, GIVEN);
}

bool iol__deflater_collect(iol__deflater *d, const uint8_t **bytes, size_t *length) {
    *length = 0;
    *bytes = d->out;
    deflater_state now = d->threaded ? wait_past(d, GIVEN) : d->state;
    if (now != DONE) return true;
    *length = d->out_length;
    if (d->threaded)
        set_state(d, IDLE);
    else
        d->state = IDLE;
    return *length > 0;
}

#else

/* Without libdeflate streams are compressed piece by piece. */
iol__deflater *iol__deflater_new(int level, size_t most) {
    (void)level;
    (void)most;
    return NULL;
}

void iol__deflater_free(iol__deflater *deflater) { (void)deflater; }

void iol__deflater_give(iol__deflater *deflater, uint8_t **raw, size_t length) {
    (void)deflater;
    (void)raw;
    (void)length;
}

bool iol__deflater_collect(iol__deflater *deflater, const uint8_t **bytes, size_t *length) {
    (void)deflater;
    (void)bytes;
    *length = 0;
    return false;
}

#endif
