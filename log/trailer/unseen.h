/* What a run started and could not record: in a finished log the trailer section MISS, one JSON object per line. */
#ifndef IOL_LOG_UNSEEN_H
#define IOL_LOG_UNSEEN_H

#include <stdbool.h>
#include <stdio.h>

#include "iolite/log.h"
#include "record/unseen.h"

#define IOL_TAG_UNSEEN "MISS"

enum { IOL_UNSEEN_MOST = 64 /* programs with a line of their own; others are counted together, by reason */ };

typedef struct iol__unseen_program {
    iol__unseen_why why;
    char program[IOL_UNSEEN_PROGRAM]; /* "": others */
    uint64_t count;                   /* how often it was started */
} iol__unseen_program;

typedef struct iol__unseen {
    size_t count;
    iol__unseen_program of[IOL_UNSEEN_MOST + IOL_UNSEEN_REASONS];
} iol__unseen;

/* One more, or (how: IOL_STARTED_NOT_AFTER) one less. What is no reason that we know is passed over. */
void iol__unseen_note(iol__unseen *list, uint64_t how, const char *program);
/* Adds those of a log. What cannot be understood is passed over and noted in the log. */
void iol__unseen_add(iol_log *log, iol__unseen *list);
uint64_t iol__unseen_total(const iol__unseen *list);
/* Reasons in the order of the table, the most often started programs first. */
void iol__unseen_sort(iol__unseen *list);
/* The same numbers without names of programs. */
void iol__unseen_forget_names(iol__unseen *list);
/* The content of MISS. */
void iol__unseen_print(FILE *to, const iol__unseen *list);
const char *iol__unseen_name(iol__unseen_why why);
const char *iol__unseen_text(iol__unseen_why why);

#endif
