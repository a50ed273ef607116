/* Arrays that grow by one element at a time. Each returns false without memory, and the array stays as it was. */
#ifndef IOL_BASE_GROW_H
#define IOL_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Room for one more behind `count` elements: if (!IOL_GROW(list->items, list->room, list->count)) return false; */
#define IOL_GROW(array, room, count) iol__grow_array(&(array), &(room), (count), sizeof *(array))
/* The same without a member for the room, which is always the next power of two. */
#define IOL_GROW_NEXT(array, count) iol__grow_array_next(&(array), (count), sizeof *(array))

/* `array`: where the pointer to its elements is. */
bool iol__grow_array(void *array, size_t *room, size_t count, size_t bytes);
bool iol__grow_array_next(void *array, size_t count, size_t bytes);

#endif
