/* Directories that logs of this user go to, by the settings: a flat one, or trees of years, months and days. */
#ifndef IOL_CMDS_LOG_PLACES_H
#define IOL_CMDS_LOG_PLACES_H

#include <stdbool.h>

/* Calls `take` for each, in the order in which they are tried; those that are not there too. A place may come twice. */
void each_log_place(void (*take)(void *context, const char *directory, bool dated), void *context);

#endif
