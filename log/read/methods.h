/* The compression methods of logs: their names, and which of them this build has. */
#ifndef IOL_LOG_METHODS_H
#define IOL_LOG_METHODS_H

#include <stdbool.h>

/* The name of a method by the byte in the header; NULL if there is no such method. */
const char *iol__method_name(unsigned method);
/* Whether this build can read and write it. */
bool iol__method_here(unsigned method);

#endif
