/* Programs that a run started and that are not in its log. Whoever knows of one puts an entry into the run's list of
   processes (record/mapped.h): its name instead of a command line, and why. */
#ifndef IOL_RECORD_UNSEEN_H
#define IOL_RECORD_UNSEEN_H

#include <stdint.h>

typedef enum iol__unseen_why {
    IOL_UNSEEN_NOT, /* it is recorded */
#define UNSEEN(NAME, name, what) IOL_UNSEEN_##NAME,
#include "schema/unseen.def"
#undef UNSEEN
    IOL_UNSEEN_REASONS
} iol__unseen_why;

enum {
    IOL_STARTED_UNSEEN = 4,    /* of an entry's `how`: what follows in the bits above is why */
    IOL_STARTED_NOT_AFTER = 8, /* and this takes back an entry before: it could not be started */
    IOL_STARTED_WHY = 8,       /* bits below */
    IOL_UNSEEN_PROGRAM = 48,   /* bytes of a name, its end included */
};

static inline uint64_t iol__unseen_how(iol__unseen_why why) {
    return (uint64_t)IOL_STARTED_UNSEEN | (uint64_t)why << IOL_STARTED_WHY;
}

#endif
