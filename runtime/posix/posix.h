/* The POSIX module: calls on descriptors. State of a file beyond its counters, and what each kind of call does to them.
   */
#ifndef IOL_RUNTIME_POSIX_H
#define IOL_RUNTIME_POSIX_H

#include <sys/types.h>
#include <sys/uio.h>

#include "runtime/core/common.h"
#include "runtime/core/trace.h"

/* What every transfer needs comes first, so that it is in as few cache lines as possible. */
typedef struct iol__posix {
    iol__state state;
    bool plain; /* not folded, not traced, blocks of a power of two: transfers need no second look */
    bool end_known;
    uint8_t last_direction; /* 0 none, 1 read, 2 write */
    uint8_t bucket;         /* of last_size */
    uint8_t appended;       /* writes to the end, modulo 256 */
    int64_t last_size;
    int64_t last_byte[2]; /* read, written */
    double last_time[3];  /* end of the latest read, write, metadata call */
    int64_t end;          /* of the file, where writes go that are to go there */
    int64_t mask, odd;    /* the bits of an offset that miss the file's blocks, or their size if that is odd */
    iol__common_table sizes, strides;
    iol__trace trace;
} iol__posix;

/* The position of the description, for calls that do not give one. */
#define IOL_HERE INT64_MIN
/* The end of the file; the first leaves the position where it is, the second takes it along. */
#define IOL_AT_END (INT64_MIN + 1)
#define IOL_AT_END_MOVING (INT64_MIN + 2)

extern iol__runtime_module iol__posix_module IOL_HIDDEN;
/* The bits of an address that miss the alignment; where that is no power of two, all bits, and the alignment. */
extern uint64_t iol__posix_memory_mask IOL_HIDDEN, iol__posix_memory_odd IOL_HIDDEN;

/* A state that never has a record, for descriptions that no POSIX call has used. */
iol__state *iol__posix_absent(void);

/* `unaligned` is 0 or 1. They return the size, so that wrappers can end with them. */
ssize_t iol__posix_read(iol__opened *opened, int fd, int64_t offset, ssize_t size, uint64_t unaligned, double begin);
ssize_t iol__posix_write(iol__opened *opened, int fd, int64_t offset, ssize_t size, uint64_t unaligned, double begin);
/* When a call that both reads and writes begins for each of the two files, so that its time counts once. */
static inline double iol__posix_second_half(double begin, double end) { return begin + (end - begin) / 2; }
/* One that began long ago, on a descriptor that may be another file's by now. */
void iol__posix_async(iol__state *state, iol__direction direction, int64_t offset, ssize_t size, bool unaligned,
                      double begin);
void iol__posix_async_sync(iol__state *state, bool data_only, bool failed, double begin);
/* A file that was opened a while ago; the program may have used or closed the descriptor since. */
void iol__posix_opened_late(int fd, iol__file *file, int flags, mode_t mode, double begin);
/* The state to record into, NULL if there is none. */
iol__state *iol__posix_state(iol__opened *opened);
void iol__posix_opened(int fd, int directory, const char *path, int flags, mode_t mode, double begin);
/* One more of a counter, whose time belongs there; and of an operation, which also knows of failures. */
void iol__posix_count(iol__opened *opened, int counter, iol__direction time, int operation, bool failed, double begin);
/* An empty path is about the descriptor. Returns 0, as the call did. */
int iol__posix_stat(int directory, const char *path, double begin);
void iol__posix_sought(iol__opened *opened, int64_t offset, double begin);
void iol__posix_duplicated(int fd, int old, int counter, double begin);
void iol__posix_mapped(iol__opened *opened);
/* The flags of a description were set again. */
void iol__posix_flags(int fd, int flags);
/* The length of the file was set. */
void iol__posix_cut(int fd);
void iol__posix_cut_at(const char *path);
/* The same of an earlier time, for late.c. */
void iol__posix_opened_between(int fd, int directory, const char *path, int flags, mode_t mode, double begin,
                               double end);
void iol__posix_transfer_between(iol__opened *opened, int fd, int64_t offset, int64_t size, bool unaligned,
                                 iol__direction direction, double begin, double end);
void iol__posix_stat_between(int directory, const char *path, double begin, double end);
void iol__posix_closed_between(iol__state *state, bool failed, double begin, double end);
/* In two halves, because the number may be taken by somebody else as soon as the call is made. */
iol__state *iol__posix_closing(int fd);
/* Counts what happened before there were records. */
void iol__posix_asked_early(iol__file *file, double begin, double end);
void iol__posix_closed(iol__state *state, bool failed, double begin);
void iol__posix_renamed(int from_at, const char *from, int to_at, const char *to, double begin);
/* Drops the traces that the settings do not want. */
void iol__posix_finish(void);

static inline bool iol__posix_unaligned(const void *memory) {
    return ((uintptr_t)memory & iol__posix_memory_mask) &&
           IOL_LIKELY(iol__posix_memory_odd == 0 || (uintptr_t)memory % iol__posix_memory_odd);
}
bool iol__posix_vector_unaligned(const struct iovec *vector, int count);

#endif
