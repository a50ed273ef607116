/* Texts under the numbers 0, 1, 2, ... in one block of memory: the dictionary of a table. */
#ifndef IOL_LOG_TEXTS_H
#define IOL_LOG_TEXTS_H

#include "base/idmap.h"

typedef struct iol__texts {
    char *block; /* each text with a zero byte behind it */
    size_t length, room;
    iol__idmap hashes;
    struct iol__text_place { /* by number of the hash */
        size_t start, number;
    } * places;
    size_t places_room;
    size_t count;
} iol__texts;

/* The number of a text, new or known; SIZE_MAX without memory. */
size_t iol__texts_number(iol__texts *texts, const char *text);
void iol__texts_free(iol__texts *texts);

#endif
