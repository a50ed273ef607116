/* Records to bytes: the newest layout of each module, in the byte order of this machine. */
#ifndef IOL_RECORD_ENCODE_H
#define IOL_RECORD_ENCODE_H

#include "record/record.h"

enum { IOL_SEGMENT_BYTES = 32, IOL_SEGMENT_THREAD_BYTES = 40 };

/* Bytes of a record on disk, without the segments of a trace. */
size_t iol__encoded_bytes(const iol_record *record);
/* Write them; `to` has room for iol__encoded_bytes(). */
void iol__encode(const iol_record *record, uint8_t *to);
/* One trace segment, 40 bytes with the thread, else 32. Returns the end. */
uint8_t *iol__encode_segment(const iol_segment *segment, bool thread, uint8_t *to);

#endif
