/* Frames of a spool: what a process leaves there is a mapped file without its gaps (record/mapped.h), and most of that is
   zeros. Spools are in memory, on most machines that of the job, and hold a frame of every process: so a frame of usual
   size is packed. It begins with a map, one bit for each line of 32 bytes, lowest first, and then has the lines that are
   not all zero. Longer ones are stored as they are. */
#ifndef IOL_RECORD_SPOOL_FRAME_H
#define IOL_RECORD_SPOOL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IOL_SPOOL_FRAME_LINE = 32,
    IOL_SPOOL_FRAME_MOST = 64 << 10, /* bytes of a frame that is packed, before that */
    IOL_SPOOL_FRAME_ROOM = IOL_SPOOL_FRAME_MOST / IOL_SPOOL_FRAME_LINE / 8 + IOL_SPOOL_FRAME_MOST,
};

/* What a frame begins with; `length` bytes follow, a multiple of 8. */
typedef struct iol__spool_frame_head {
    uint64_t length;
    uint64_t unpacked; /* bytes that they stand for, whole lines; 0: they are not packed */
} iol__spool_frame_head;

/* Packing is done piece by piece; all of them begin on a line. */
typedef struct iol__packing {
    uint8_t *to; /* IOL_SPOOL_FRAME_ROOM bytes */
    size_t lines, used;
} iol__packing;

/* For this number of bytes in all, at most IOL_SPOOL_FRAME_MOST. */
void iol__spool_frame_begin(iol__packing *packing, uint8_t *to, size_t all);
void iol__spool_frame_add(iol__packing *packing, const void *bytes, size_t length);

/* Makes all->unpacked bytes of what follows the head. False if that is not what the head says. */
bool iol__spool_frame_unpack(const iol__spool_frame_head *head, const uint8_t *packed, uint8_t *to);
/* Only the first of them, whole lines. False also if there are not as many. */
bool iol__spool_frame_unpack_first(const iol__spool_frame_head *head, const uint8_t *packed, uint8_t *to,
                                   size_t length);

#endif
