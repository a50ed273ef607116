/* Small logs that are written as text, one line per record: "MODULE RANK NAME COUNTER=VALUE ...". A value "5000|900" is
   the first in the log with the problem and the second in the one without; NAME*40 stands for 40 files or, with rank *, for 40 ranks of
   one file. */
#ifndef IOLITE_TESTS_PLAINLOG_H
#define IOLITE_TESTS_PLAINLOG_H

#include "tests/support/opened.h"

opened log_of(const char *text, bool innocent);
/* The number of nodes that the last of them says, 0 if it does not. */
double log_nodes(void);

#endif
