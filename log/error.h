/* A message about something other than a log: a rule, a store, a document. Messages about logs have the file, the place and
   the module at their head (log_internal.h). */
#ifndef IOL_LOG_ERROR_H
#define IOL_LOG_ERROR_H

#include <stdarg.h>

#include "iolite/log.h"

/* The status it was given. The error may be NULL. */
iol_status iol__error_message(iol_error *error, iol_status status, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

#endif
