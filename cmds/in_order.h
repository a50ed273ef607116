/* Work on many things with several threads, and take the results in the order of the things. How many results wait at
   any time is bounded, so that a slow first log does not pile up all the others in memory. */
#ifndef IOL_CMDS_IN_ORDER_H
#define IOL_CMDS_IN_ORDER_H

#include <stddef.h>

typedef struct in_order {
    size_t count;
    size_t threads; /* 0 or 1, or a machine that gives none: everything on the caller's */
    /* On any thread, several at once. */
    void *(*work)(size_t index, void *data);
    /* On the caller's thread, one after the other, 0 first. */
    void (*take)(size_t index, void *result, void *data);
    void *data;
} in_order;

void work_in_order(const in_order *plan);

/* Processors that this process may use. */
size_t usable_processors(void);

#endif
