/* A comparison of two groups of runs for people and for programs: terminal text, JSON, one HTML page. None of them
   computes anything; sentences and rounded numbers come from one place, so that all forms say the same. */
#ifndef IOL_REPORT_COMPARE_H
#define IOL_REPORT_COMPARE_H

#include "insight/compare/compare.h"
#include "text/json.h"
#include "text/number.h"
#include "text/out.h"

typedef struct iol__compare_style {
    bool colour;
    size_t columns; /* 0: 80 */
    size_t top;     /* rows of facts */
} iol__compare_style;

void iol__compare_text(iol__out *out, const iol__contrast *contrast, const iol__compare_style *style);
void iol__compare_json(iol__json *json, const iol__contrast *contrast);
void iol__compare_html(iol__out *out, const iol__contrast *contrast);

/* Words --------------------------------------------------------------------------------------------------------- */

enum { IOL_SENTENCE = 320 };

/* A figure as people read it: "465 s", "262,144", "1 MiB"; "-" if it is not known. */
const char *iol__value_text(char buffer[IOL_HUMAN], iol__compare_unit unit, double value);
/* The means of both sides, with as many digits as it takes to see that they differ. */
void iol__change_texts(char a[IOL_HUMAN], char b[IOL_HUMAN], int metric, const iol__change *change);
/* "= 0.012", "<0.001" */
const char *iol__p_text(char buffer[IOL_HUMAN], double p);

/* The answer in three sentences, the last two of which may be empty: what may be claimed, on what ground, and what the
   program did differently. */
enum { IOL_ANSWERS = 3 };
void iol__answer_text(char answer[IOL_ANSWERS][IOL_SENTENCE], const iol__contrast *contrast);
/* What followed advice explains; false if there is nothing to say. */
bool iol__explanation_text(char text[IOL_SENTENCE], const iol__contrast *contrast);
/* "464 s -> 1.5 s, roughly", "464 s -> gone" */
const char *iol__lost_text(char text[IOL_SENTENCE], const iol__finding_change *change);
/* "syncs 262,144 -> 256" */
const char *iol__foretold_text(char text[IOL_SENTENCE], const iol__contrast *contrast, const iol__foretold *foretold);

extern const char *const iol__fate_words[4];
extern const char *const iol__claim_names[5];

/* Order and choice ---------------------------------------------------------------------------------------------- */

/* Counted figures that differ, largest change first, then those that are the same on both sides. What never happened,
   what is not known on both sides and what another row says already is in neither. */
typedef struct iol__fact_rows {
    int differ[IOL_METRICS], same[IOL_METRICS];
    size_t n_differ, n_same;
} iol__fact_rows;

void iol__fact_rows_make(iol__fact_rows *rows, const iol__contrast *contrast);

#endif
