/* See the header. */
#include "log/deadline.h"

_Thread_local const atomic_bool *iol__nobody_waits = NULL;
