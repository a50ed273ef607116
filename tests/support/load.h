/* A whole file in memory. One that cannot be read ends the test. */
#ifndef IOL_TESTS_LOAD_H
#define IOL_TESTS_LOAD_H

#include "tests/support/bytes.h"

bytes load_file(const char *path);

#endif
