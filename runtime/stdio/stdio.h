/* The STDIO module: calls on streams. A stream is found by its descriptor, which stands in a public place of FILE. */
#ifndef IOL_RUNTIME_STDIO_H
#define IOL_RUNTIME_STDIO_H

#include <stdio.h>
#include <wchar.h>

#include "runtime/core/core.h"

typedef struct iol__stdio {
    iol__state state;
    double last_time[3]; /* end of the latest read, write, metadata call */
    double bare;         /* seconds of reads and writes that are counted for streams without a buffer, or before one */
} iol__stdio;

typedef struct iol__rt_stream {
    iol__state *quick; /* never NULL: the same as `stdio`, or one without a record if writes go to the end */
    iol__state *stdio;
    iol__file *file;
    FILE *handle;
    struct iol__rt_stream *next;  /* of all that were ever made */
    struct iol__rt_stream *again; /* of those that are closed */
    int64_t offset;
    int64_t quiet[2];                /* bytes that are counted but not in the heat map yet: read, written */
    const char *seen[2];             /* where the buffer's pointers stood after our last call */
    double refill_begin, refill_end; /* of the buffer, for characters that the compiler's own code takes from it */
    int64_t end;                     /* of the file, where writes go if `append` is set */
    bool append, end_known;
    bool unseekable; /* asking for the position fails */
    bool asked;      /* fileno was counted */
    bool used;       /* else it waits to be used again */
    bool timed[2];   /* a transfer was, since it was opened: read, written */
    bool inside;     /* libc is at work on it, in a call that is counted when it returns (static programs) */
} iol__rt_stream;

typedef enum iol__stdio_direction { IOL_STDIO_READ, IOL_STDIO_WRITE, IOL_STDIO_META } iol__stdio_direction;

extern iol__rt_stream *iol__streams[IOL_DESCRIPTORS] IOL_HIDDEN;
extern iol__runtime_module iol__stdio_module IOL_HIDDEN;

/* The standard streams become known at their first use. */
iol__rt_stream *iol__stream_discover(FILE *stream);
void iol__stream_forget(int fd);
/* They note where the buffer stands, and return what the call returned, so that wrappers can end with them. */
intptr_t iol__stdio_read(iol__rt_stream *s, int64_t size, const FILE *stream, intptr_t result, double begin);
intptr_t iol__stdio_write(iol__rt_stream *s, int64_t size, const FILE *stream, intptr_t result, double begin);
/* What the buffer served: counted, not timed. */
void iol__stdio_quiet_read(iol__rt_stream *s, int64_t size);
void iol__stdio_quiet_write(iol__rt_stream *s, int64_t size);
/* The same for a call that took so many items, which it returns. */
size_t iol__stdio_quiet_read_of(iol__rt_stream *s, int64_t size, const FILE *stream, size_t result);
size_t iol__stdio_quiet_write_of(iol__rt_stream *s, int64_t size, const FILE *stream, size_t result);
void iol__stdio_opened(FILE *stream, const char *path, int mode, bool from_descriptor, double begin);
void iol__stdio_flushed(iol__rt_stream *s, double begin);
void iol__stdio_sought(iol__rt_stream *s, int64_t offset, double begin);
void iol__stdio_closed(iol__rt_stream *s, double begin);
/* At the end of a stream: if what is written to it went to the system nearly call by call, it is counted, with its time. */
void iol__stdio_bare(iol__rt_stream *s, FILE *stream);
/* Characters that went in or out without any call. */
void iol__stdio_catch_up(iol__rt_stream *s);
/* At the end: what the buffers still have. */
void iol__stdio_finish(void);
/* Somebody asked for the descriptor of a standard stream, as most programs do at their end. That alone is no reason to make
   a record: it is counted when there are others, at the end. False for any other stream. */
bool iol__stdio_asked_early(iol__rt_stream *s, int fd, double begin);
/* Whether this is the record of a standard stream. */
bool iol__stdio_standard(uint64_t id);

size_t iol__stdio_wide_bytes(const wchar_t *text);
size_t iol__stdio_wide_byte(wint_t c);

static inline iol__rt_stream *iol__stream_of(FILE *stream) {
    const int fd = stream->_fileno;
    if (IOL_UNLIKELY((unsigned)fd >= IOL_DESCRIPTORS)) return NULL;
    iol__rt_stream *s = iol__streams[fd];
    if (IOL_LIKELY(s != NULL)) {
        if (IOL_UNLIKELY(!iol__awake())) return NULL;
        if (IOL_UNLIKELY((stream->_IO_read_ptr != s->seen[0] || stream->_IO_write_ptr != s->seen[1]) && iol__alone()))
            iol__stdio_catch_up(s);
        return s;
    }
    return fd < 3 ? iol__stream_discover(stream) : NULL;
}

/* The stream if nothing about it takes a call. */
static inline iol__rt_stream *iol__stream_quick(const FILE *stream) {
    const int fd = stream->_fileno;
    if (IOL_UNLIKELY((unsigned)fd >= IOL_DESCRIPTORS)) return NULL;
    iol__rt_stream *s = iol__streams[fd];
    const bool as_it_was = IOL_LIKELY(s && iol__page.live) && IOL_LIKELY(stream->_IO_read_ptr == s->seen[0]) &&
                           IOL_LIKELY(stream->_IO_write_ptr == s->seen[1]);
    return as_it_was ? s : NULL;
}

static inline void iol__stream_seen(iol__rt_stream *s, const FILE *stream) {
    s->seen[0] = stream->_IO_read_ptr;
    s->seen[1] = stream->_IO_write_ptr;
}

#endif
