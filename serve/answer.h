/* Rows of a table, in the form that was asked for: {"items": [...], "next": ..., "total": ...}, CSV, or a JSON object
   per line. Handlers give the values of a row in the order of its schema. */
#ifndef IOL_SERVE_ANSWER_H
#define IOL_SERVE_ANSWER_H

#include "serve/exchange.h"

typedef enum iol__answer_form { IOL_ANSWER_JSON, IOL_ANSWER_CSV, IOL_ANSWER_NDJSON } iol__answer_form;

typedef struct iol__answer {
    iol__exchange *x;
    const iol__schema *schema;
    const iol__field *field; /* that comes next */
    iol__answer_form form;
    size_t rows;
} iol__answer;

/* The answer is this table. */
void iol__answer_begin(iol__answer *answer, iol__exchange *x, int schema);
/* `next` NULL: there is no more; `total` -1: not counted. */
void iol__answer_end(iol__answer *answer, const char *next, int64_t total);
/* The same as an array under a key of the object that is being written; always JSON. */
void iol__answer_within(iol__answer *answer, iol__exchange *x, const char *key, int schema);
void iol__answer_within_end(iol__answer *answer);
/* One object under a key, with its row begun. */
void iol__answer_one(iol__answer *answer, iol__exchange *x, const char *key, int schema);
void iol__answer_one_end(iol__answer *answer);

/* The object that is being written continues with the fields of a schema, from its first. */
void iol__answer_rest(iol__answer *answer, iol__exchange *x, int schema);

void iol__answer_row(iol__answer *answer);
void iol__answer_row_end(iol__answer *answer);

/* Fields that a row has, from the next one on to one that it does not have; and a row that has all of them. */
void iol__put_members(iol__answer *answer, const void *row);
void iol__put_whole_row(iol__answer *answer, const void *row);
/* For each schema with rows: iol__put_Job(answer, row) writes one, iol__put_in_Job() the next members of one. */
#define SCHEMA(name, meaning)
#define ROWS(schema, query)                                                                       \
    static inline void iol__put_##schema(iol__answer *answer, const iol__##query##_row *row) {    \
        iol__put_whole_row(answer, row);                                                          \
    }                                                                                             \
    static inline void iol__put_in_##schema(iol__answer *answer, const iol__##query##_row *row) { \
        iol__put_members(answer, row);                                                            \
    }
#define FIELD(schema, name, type, of, meaning)
#define MAYBE(schema, name, type, of, meaning)
#define FROM(schema, name, query, member, meaning)
#define MADE(schema, name, function, meaning)
#define SHOWN(schema, first, last)
#include "serve/api/schemas.def"
#undef SCHEMA
#undef ROWS
#undef FIELD
#undef MAYBE
#undef FROM
#undef MADE
#undef SHOWN

/* The next value of the row. */
void iol__put_text(iol__answer *answer, const char *text); /* NULL: null */
void iol__put_int(iol__answer *answer, int64_t value);
void iol__put_real(iol__answer *answer, double value); /* NAN: null */
void iol__put_flag(iol__answer *answer, bool value);
void iol__put_null(iol__answer *answer);
/* The key of the next value, for what is not a single value; JSON only. */
void iol__put_key(iol__answer *answer);

#endif
