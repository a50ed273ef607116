/* Lines of code that did the I/O (log/where.h), as text and as JSON. */
#ifndef IOL_REPORT_WHERE_H
#define IOL_REPORT_WHERE_H

#include "log/trailer/where.h"
#include "text/json.h"
#include "text/out.h"

/* A table of the first `top` lines, with the text of the source where that file is here. */
void iol__where_text(iol__out *out, const iol__where_all *all, const iol__where_line *lines, size_t count, size_t top);
/* The keys "lines", "chains", "unknown_share" and "folded" of an object that is open. */
void iol__json_where(iol__json *json, iol_log *log, const iol__where_all *all, const iol__where_line *lines,
                     size_t count);
/* One line of a source file without the blanks around it; false if it is not here. */
bool iol__source_line(const char *file, uint32_t line, char *text, size_t room);

#endif
