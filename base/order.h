/* Orders for qsort and bsearch. */
#ifndef IOL_BASE_ORDER_H
#define IOL_BASE_ORDER_H

/* Doubles, the smallest first. None of them may be NaN. */
static inline int iol__by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
