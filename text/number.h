/* Numbers for people, the only place that writes them: docs/numbers.md has the rules, text/numbers.def the examples that
   this file and web/src/lib/format.ts are tested with. All return the buffer; "-" stands for what is not known: not a
   number, infinite, or, except for a change, negative. At most 9 columns, unless another width is named. */
#ifndef IOL_TEXT_NUMBER_H
#define IOL_TEXT_NUMBER_H

enum { IOL_HUMAN = 32 };

const char *iol__human_bytes(char buffer[IOL_HUMAN], double bytes);           /* 1.5 KiB */
const char *iol__human_rate(char buffer[IOL_HUMAN], double bytes_per_second); /* 1.5 KiB/s; 11 columns */
const char *iol__human_seconds(char buffer[IOL_HUMAN], double seconds);       /* 12.3 ms, 16 m 40 s */
const char *iol__human_share(char buffer[IOL_HUMAN], double share);           /* 12%, of a part of 1 */
const char *iol__human_count(char buffer[IOL_HUMAN], double count);           /* 30,720, 1.23 M */
const char *iol__human_number(char buffer[IOL_HUMAN], double value);          /* 1,234,567, 0.012; 19 columns */
/* With up to nine decimals, where two numbers differ by less than the others show; 30 columns. */
const char *iol__human_exact(char buffer[IOL_HUMAN], double value);
const char *iol__human_id(char buffer[IOL_HUMAN], double number); /* 1024, of a rank or another name; 20 columns */
/* +0.1234, of a correlation; they are compared with each other, so that all have four decimals. 7 columns. */
const char *iol__human_coefficient(char buffer[IOL_HUMAN], double value);
const char *iol__human_change(char buffer[IOL_HUMAN], double from, double to); /* +4%, x12, same, new, gone */

#endif
