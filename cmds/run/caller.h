/* Who started us. */
#ifndef IOL_CMDS_CALLER_H
#define IOL_CMDS_CALLER_H

#include "record/runner.h"

/* What a program that we run is to know of us, but its own number; nothing where the kernel shows no processes. */
iol__runner find_caller(void);

#endif
