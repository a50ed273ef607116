/* A JSON document as a tree, for what a site hands us: its site file, the batch system's job lists, answers of other
   tools. Documents may be hostile: depth, bytes and values are bounded, and what is wrong is reported with line and
   column. Numbers keep their text, so that 64-bit integers and long decimals lose nothing. */
#ifndef IOL_SITE_TREE_H
#define IOL_SITE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"

typedef enum iol__tree_kind {
    IOL_TREE_NULL,
    IOL_TREE_BOOL,
    IOL_TREE_NUMBER,
    IOL_TREE_TEXT,
    IOL_TREE_ARRAY,
    IOL_TREE_OBJECT,
} iol__tree_kind;

/* A value. Everything is the document's and lives as long as it. */
typedef struct iol__tree {
    iol__tree_kind kind;
    bool truth;       /* of a bool */
    const char *text; /* of a text, unescaped, or of a number, as written; ends with a NUL; else NULL */
    size_t length;    /* of `text`, which may hold NULs where the document says \u0000 */
    const char *key;  /* in its object; NULL in an array and at the top */
    size_t key_length;
    size_t count;            /* of an array's items or an object's members */
    struct iol__tree *first; /* of them, in the document's order */
    struct iol__tree *next;  /* behind this one in the same array or object */
    unsigned line, column;   /* where it begins, from 1; columns count bytes */
} iol__tree;

typedef struct iol__tree_document {
    iol__tree *top;
    struct iol__tree_memory *memory; /* private */
} iol__tree_document;

/* 0 stands for the usual limit. */
typedef struct iol__tree_limits {
    size_t bytes;  /* of the document; 256 MiB */
    size_t values; /* 16 million */
    size_t depth;  /* of arrays and objects in each other; 64 */
    bool lenient;  /* as people write: comments, commas behind the last item */
} iol__tree_limits;

/* Any bytes; `name` is for messages, "NAME:LINE:COLUMN: what was expected". `limits` may be NULL. Fails with
   IOL_INVALID (not JSON), IOL_LIMIT or IOL_SYSTEM (no memory), and there is nothing to free then. */
iol_status iol__tree_parse(const char *bytes, size_t length, const char *name, const iol__tree_limits *limits,
                           iol__tree_document *document, iol_error *error);
/* All of a descriptor, with a NUL behind it; more than `limit` bytes if there are more. NULL: errno says why. */
char *iol__read_all(int fd, size_t limit, size_t *length);
/* A file, or standard input for "-". */
iol_status iol__tree_read(const char *path, const iol__tree_limits *limits, iol__tree_document *document,
                          iol_error *error);
void iol__tree_free(iol__tree_document *document);

/* Looking into it. All of them take NULL for a tree, and answer as for a value of another kind. */

/* The member of an object; the last one if there are several, as most readers do. NULL: none, or no object. */
const iol__tree *iol__tree_member(const iol__tree *object, const char *key);
/* The same in any letter case (ASCII). */
const iol__tree *iol__tree_member_any_case(const iol__tree *object, const char *key);
/* Down a path of members, "time.start"; keys with a dot in them cannot be reached so. */
const iol__tree *iol__tree_path(const iol__tree *object, const char *path);
const iol__tree *iol__tree_item(const iol__tree *array, size_t index);

/* The text of a text; NULL for anything else. */
const char *iol__tree_text(const iol__tree *value);
/* The text of a text or number; NULL for anything else. */
const char *iol__tree_scalar(const iol__tree *value);
/* False if it is not a number. A whole number must fit; 1e3 and 5.0 are whole numbers too. */
bool iol__tree_real(const iol__tree *value, double *number);
bool iol__tree_i64(const iol__tree *value, int64_t *number);
bool iol__tree_bool(const iol__tree *value, bool *truth);

#endif
