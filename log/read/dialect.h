/* Logs that keep to a version number and not to its records.
   Public branches of Darshan gave trace segments more bytes without a new version, and at one site each rank's LUSTRE records
   are followed by leftover memory. Both are recognised by what fits all records of the log; iol__note() says what was found.
   What follows the format costs a look at its first 4096 bytes. */
#ifndef IOL_LOG_DIALECT_H
#define IOL_LOG_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "log/read/stream.h"

enum { IOL_SEGMENT_TEXT = 80 }; /* the longest text behind a segment */

/* A form of segments: offset, length, start and end, perhaps a thread or a text behind them. */
typedef struct iol__segment_form {
    uint16_t bytes;
    uint16_t text; /* bytes of text; 0: none */
    bool thread;   /* a thread identity, 8 bytes */
} iol__segment_form;

/* The form of the segments of a trace module, whose stream is at its beginning and stays there. */
const iol__segment_form *iol__segment_form_of(iol_log *log, int slot, iol__stream *stream);
/* Whether a segment can be one, of a trace that no form fits: there, what cannot be is where decoding went wrong. */
bool iol__segment_can_be(const iol_log *log, int slot, const uint8_t *segment);
/* The same for the head of a trace record: it has a name, or a rank of the job. */
bool iol__trace_head_can_be(iol_log *log, int slot, const uint8_t *head);
/* The thread that a text names ("pthread_id=23084618723328"); 0 if it names none. */
uint64_t iol__segment_text_thread(const uint8_t *text, size_t length);

/* Pass over leftover memory between records of LUSTRE. `records`: how many came before. IOL_OK: here is a record, or
   something that its decoder has to judge. IOL_END: nothing but leftover memory comes. */
iol_status iol__pass_lustre_gap(iol_log *log, iol__stream *stream, unsigned version, uint64_t records);

/* What stands behind segments, as a trailer section of a converted log: one JSON object per record with any. */
#define IOL_TAG_SEGMENT_TEXTS "SEGT"
/* To be freed; empty for other logs. `first_rank` is added to ranks. False without memory. */
bool iol__segment_texts(iol_log *log, int64_t first_rank, char **text, size_t *length);
/* Texts of the delivered trace record in place of its segments: all bytes, and zeros where the form has fewer. records.c. */
iol_status iol__records_texts(iol_records *records, uint8_t (*texts)[IOL_SEGMENT_TEXT], size_t room, size_t *got);
/* The form of the segments that an iterator delivers. */
const iol__segment_form *iol__records_form(const iol_records *records);

#endif
