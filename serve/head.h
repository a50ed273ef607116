/* The head of a request, byte by byte, before the HTTP library sees it. The library forgives what proxies in front of
   it read differently, and such a difference lets one client put a request into another's mouth. What has two meanings
   is refused. */
#ifndef IOL_SERVE_HEAD_H
#define IOL_SERVE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__head {
    size_t length; /* of the head with its empty line */
    bool chunked;  /* the body comes in chunks; else it has body_length bytes */
    uint64_t body_length;
    const char *host; /* inside the bytes: the name without its port; NULL: none was given */
    size_t host_length;
    bool strange_host; /* what was given is not a host: over a Unix socket clients name its path */
} iol__head;

/* 0: `head` is filled; -1: more bytes are needed; else the status to refuse it with, and `why`. */
int iol__head_read(const char *bytes, size_t length, iol__head *head, const char **why);

/* Where a body in chunks has got to. */
typedef struct iol__chunks {
    enum { IOL_CHUNK_SIZE, IOL_CHUNK_DATA, IOL_CHUNK_END, IOL_CHUNK_LAST, IOL_CHUNKS_DONE } state;
    uint64_t left; /* of the data of a chunk */
    unsigned seen; /* characters of the line at hand */
    bool returned; /* the last of them was CR */
} iol__chunks;

/* How many of these bytes belong to the body; SIZE_MAX: they are not chunks. */
size_t iol__chunks_take(iol__chunks *chunks, const char *bytes, size_t length);

#endif
