/* Where the bytes of a log come from: a file, a pipe (spooled), or a block of memory.
   Files are read with pread, never mapped: a log that shrinks under a reader must give an error, not a signal. */
#ifndef IOL_LOG_SOURCE_H
#define IOL_LOG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__source iol__source;

/* 0 or an errno value. A pipe is read to its end: the first 16 MiB stay in memory, a longer one goes to an unlinked
   temporary file. */
int iol__source_open(const char *path, iol__source **source);
/* A regular file that is open already; the descriptor stays the caller's. EINVAL for anything else. */
int iol__source_regular_file(int fd, iol__source **source);
/* A part of such a file, as far as it goes. */
int iol__source_part(int fd, uint64_t offset, uint64_t length, iol__source **source);
int iol__source_memory(const void *bytes, size_t length, iol__source **source);
/* The same for bytes that the source frees, also if it cannot be made. */
int iol__source_owned(uint8_t *bytes, size_t length, iol__source **source);
void iol__source_close(iol__source *source);

uint64_t iol__source_size(const iol__source *source);
/* Bytes read, short at the end of the file; -1 with errno on a read error. */
int64_t iol__source_read(iol__source *source, uint64_t offset, void *buffer, size_t length);
/* Where the next hole in the file is, from an offset on; the size of the file if there is none, or nobody knows. */
uint64_t iol__source_hole(const iol__source *source, uint64_t offset);
/* False for what came through a pipe, and cannot be opened again. */
bool iol__source_regular(const iol__source *source);
/* The bytes themselves where they are in memory anyway, else NULL. */
const uint8_t *iol__source_direct(const iol__source *source);

#endif
