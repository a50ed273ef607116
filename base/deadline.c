/* See the header. */
#include "base/deadline.h"

_Thread_local const atomic_bool *iol__nobody_waits = NULL;
