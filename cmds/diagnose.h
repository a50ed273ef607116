/* The two ways of iolite diagnose. */
#ifndef IOL_CMDS_DIAGNOSE_H
#define IOL_CMDS_DIAGNOSE_H

#include "cmds/cmd.h"

/* By the engine's own rules, with costs and fixes. Returns the exit status. */
int diagnose_native(const iol__args *args);

#endif
