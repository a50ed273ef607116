/* The figures of a job in one line, the same wherever it is printed. */
#ifndef IOL_REPORT_FIGURES_TEXT_H
#define IOL_REPORT_FIGURES_TEXT_H

#include "log/figures/figures.h"

enum { IOL_FIGURES_LINE = 200 };
/* "I/O 5.25 s, 4% of the run, 262 MiB, 49.8 MiB/s"; what is not known is left out. Where `waited`, the io_time before
   the end of the run is taken into account, cannot be, as with threads, the line has the bounds of the time: "I/O 1.2 s to 95% of the
   run, in threads, 262 MiB". Returns `text`. */
const char *iol__figures_line(char text[IOL_FIGURES_LINE], const double value[IOL_JOB_FIGURES], double waited);
/* What came beside that, through memory maps of files; "" if nothing did. */
const char *iol__maps_line(char text[IOL_FIGURES_LINE], const double value[IOL_JOB_FIGURES]);

#endif
