/* The counter of what programs of this user have left on the node (record/held.h), after somebody has made logs of it. */
#ifndef IOL_CMDS_HELD_H
#define IOL_CMDS_HELD_H

#include "schema/resolve.h"

/* Counts again in each place; a counter of nothing goes. */
void correct_held(const iol__config *config);

#endif
