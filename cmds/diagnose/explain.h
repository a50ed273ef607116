/* What `iolite explain` and `iolite diagnose --explain` share. */
#ifndef IOL_CMDS_EXPLAIN_H
#define IOL_CMDS_EXPLAIN_H

#include "insight/findings/engine.h"
#include "text/out.h"

/* Print what a name means: a figure, counter, rule, threshold or variable. False if it is none of these. */
bool explain_name(iol__out *out, const iol__rulebook *book, size_t columns, const char *name);

#endif
