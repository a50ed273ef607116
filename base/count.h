/* How many elements an array has. Of a pointer the answer would be wrong, so the compiler refuses one. */
#ifndef IOL_BASE_COUNT_H
#define IOL_BASE_COUNT_H

#define IOL__IS_POINTER(array) __builtin_types_compatible_p(__typeof__(array), __typeof__(&*(array)))
#define IOL_COUNT(array) \
    (sizeof(array) / sizeof *(array) + 0 * sizeof(struct { int is_array : IOL__IS_POINTER(array) ? -1 : 1; }))

#endif
