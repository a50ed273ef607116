/* One believable log: a small MPI job with the habits that the tools are meant to point out. */
#ifndef IOL_TESTS_DEMO_H
#define IOL_TESTS_DEMO_H

#include "tests/support/logmaker.h"

/* Fill a fresh log of version 3.41. */
void demo_build(lm_log *log);

#endif
