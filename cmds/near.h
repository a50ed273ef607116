/* "Did you mean": the name nearest to what was typed. */
#ifndef IOL_CMDS_NEAR_H
#define IOL_CMDS_NEAR_H

#include <stddef.h>

/* How many letters have to be put in, left out, changed or swapped with the next to get from one word to the other; small and
   capital letters are the same. */
size_t letters_between(const char *typed, const char *name);

/* Keeps the nearest of the names that it is shown. The first letters of a name, three at least, are as near as one slip. */
typedef struct near_name {
    const char *typed, *name;
    size_t letters;
} near_name;

void look_at_name(near_name *near, const char *name);
/* NULL where no name is near enough for a slip of the fingers: a third of its letters, rounded up. */
const char *meant_name(const near_name *near);

#endif
