/* Doubling: an element is copied twice on average, however many there are. */
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 4 };

/* The pointer may be of any type, so it is copied as bytes. */
static bool grow_to(void *array, size_t room, size_t bytes) {
    void *items;
    memcpy(&items, array, sizeof items);
    items = room > SIZE_MAX / bytes ? NULL : realloc(items, room * bytes);
    if (!items) return false;
    memcpy(array, &items, sizeof items);
    return true;
}

bool iol__grow_array(void *array, size_t *room, size_t count, size_t bytes) {
    if (count < *room) return true;
    const size_t more = *room ? 2 * *room : FIRST;
    if (more < *room || !grow_to(array, more, bytes)) return false;
    *room = more;
    return true;
}

bool iol__grow_array_next(void *array, size_t count, size_t bytes) {
    if (count & (count + 1)) return true;
    return count < SIZE_MAX / 2 && grow_to(array, 2 * count + 2, bytes);
}
