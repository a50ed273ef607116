/* The data lines of darshan-parser, one per counter: module, rank, id, counter, value, name, mount point, type. Everything
   that prints such lines does it here, so that they are the same to the byte wherever they appear. */
#ifndef IOL_REPORT_DARSHAN_LINES_H
#define IOL_REPORT_DARSHAN_LINES_H

#include <stdbool.h>

#include "record/record.h"
#include "text/out.h"

/* A printer for the records of one log. What comes before and behind counter and value is made once per record, so that a
   line is three copies and a number. */
typedef struct iol__darshan_lines {
    iol__out *out;
    iol_log *log;
    const char *mark; /* at most two characters, before every line */
    bool places;      /* print mount point and type; empty columns otherwise */
    char prefix[96];
    size_t prefix_length;
    char *suffix; /* grows to the longest name */
    size_t suffix_length, suffix_room;
    char first_suffix[256];
} iol__darshan_lines;

void iol__lines_start(iol__darshan_lines *l, iol__out *out, iol_log *log, const char *mark, bool places);
void iol__lines_end(iol__darshan_lines *l);

/* Everything of a record; and the same without the file that a dataset or variable belongs to. */
void iol__lines_record(iol__darshan_lines *l, const iol_record *record);
void iol__lines_values(iol__darshan_lines *l, const iol_record *record);

/* Parts of a record, for those who choose. iol__lines_about() names the record; then come single counters by their number,
   and what some modules print before and after their counters. */
void iol__lines_about(iol__darshan_lines *l, const iol_record *record);
/* Whether a record prints this counter at all. */
bool iol__lines_has(const iol_record *record, unsigned counter);
void iol__lines_counter(iol__darshan_lines *l, const iol_record *record, unsigned counter);
void iol__lines_before(iol__darshan_lines *l, const iol_record *record);
void iol__lines_after(iol__darshan_lines *l, const iol_record *record);
/* No record: lines are counter and value alone. */
void iol__lines_about_none(iol__darshan_lines *l);
/* A line of that kind, without its newline, about the record named last. */
void iol__lines_bare(iol__darshan_lines *l, const char *text, size_t length);

#endif
