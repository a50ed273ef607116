/* Rows of a table, in the form that was asked for: {"items": [...], "next": ..., "total": ...}, CSV, or a JSON object
   per line. Handlers give the values of a row by the names that its schema has; the order is known here alone. */
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
/* One object under a key, whose row comes next. */
void iol__answer_one(iol__answer *answer, iol__exchange *x, const char *key, int schema);

/* The object that is being written continues with the fields of a schema, from its first. */
void iol__answer_rest(iol__answer *answer, iol__exchange *x, int schema);

void iol__answer_row(iol__answer *answer);
void iol__answer_row_end(iol__answer *answer);

/* What a handler fills in itself: iol__File_answer and so on have a member for each FIELD and MAYBE of the schema that is a
   single value. A MAYBE that is left out is null. */
typedef struct iol__maybe_real {
    double value;
    bool known;
} iol__maybe_real;
iol__maybe_real iol__unless_nan(double value);
/* Microseconds as seconds. */
iol__maybe_real iol__in_seconds(int64_t microseconds);

/* clang-format off */
#define IOL_FILL_TEXT(name) const char *name;
#define IOL_FILL_INT(name) int64_t name;
#define IOL_FILL_REAL(name) double name;
#define IOL_FILL_TIME(name) double name;
#define IOL_FILL_FLAG(name) bool name;
#define IOL_FILL_MAYBE_TEXT(name) const char *name;
#define IOL_FILL_MAYBE_INT(name) iol__maybe name;
#define IOL_FILL_MAYBE_REAL(name) iol__maybe_real name;
#define IOL_FILL_MAYBE_TIME(name) iol__maybe_real name;
#define IOL_FILL_MAYBE_FLAG(name) iol__maybe name;
#define IOL_FILL_OBJECT(name)
#define IOL_FILL_ARRAY(name)
#define IOL_FILL_MAP(name)
#define IOL_FILL_MAYBE_OBJECT(name)
#define IOL_FILL_MAYBE_ARRAY(name)
#define IOL_FILL_MAYBE_MAP(name)
struct iol__before_first_answer { int none;
#define SCHEMA(name, meaning) }; struct iol__##name##_answer {
#define ROWS(schema, query)
#define FIELD(schema, name, type, of, meaning) IOL_FILL_##type(name)
#define MAYBE(schema, name, type, of, meaning) IOL_FILL_MAYBE_##type(name)
#define FROM(schema, name, query, member, meaning)
#define MADE(schema, name, function, meaning)
#define SHOWN(schema, first, last)
#include "serve/api/schemas.def"
};
#undef SCHEMA
#undef ROWS
#undef FIELD
#undef MAYBE
/* clang-format on */

/* Fields from the next one on, up to a part of its own: those of a row of the store, and those that are filled in. Either may
   be NULL where the schema has none. The second is a row that has nothing else. */
void iol__put_members(iol__answer *answer, const void *row, const void *filled);
void iol__put_whole_row(iol__answer *answer, const void *row, const void *filled);
/* For each schema iol__fill_File(answer, &(iol__File_answer){...}) writes one that is filled in, and where it has rows
   iol__put_Job(answer, row) one that is a row, iol__put_in_User(answer, row, filled) the next members of one that is both. */
#define SCHEMA(name, meaning)                                                                      \
    typedef struct iol__##name##_answer iol__##name##_answer;                                      \
    static inline void iol__fill_##name(iol__answer *answer, const iol__##name##_answer *filled) { \
        iol__put_whole_row(answer, NULL, filled);                                                  \
    }
#define ROWS(schema, query)                                                                     \
    static inline void iol__put_##schema(iol__answer *answer, const iol__##query##_row *row) {  \
        iol__put_whole_row(answer, row, NULL);                                                  \
    }                                                                                           \
    static inline void iol__put_in_##schema(iol__answer *answer, const iol__##query##_row *row, \
                                            const iol__##schema##_answer *filled) {             \
        iol__put_members(answer, row, filled);                                                  \
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

/* The key of the next field, for what is not a single value. */
void iol__put_key(iol__answer *answer);

#endif
