/* The line of a job's figures. */
#include "report/figures_text.h"

#include <math.h>
#include <stdio.h>

#include "text/number.h"

const char *iol__figures_line(char text[IOL_FIGURES_LINE], const double v[IOL_JOB_FIGURES], double waited) {
    char time[IOL_HUMAN], share[IOL_HUMAN], bytes[IOL_HUMAN], rate[IOL_HUMAN];
    if (iol__figures_impossible(waited, v[IOL_FIGURE_run_time])) {
        snprintf(text, IOL_FIGURES_LINE, "I/O %s to %s of the run, in threads, %s",
                 iol__human_seconds(time, v[IOL_FIGURE_io_time_low]), iol__human_share(share, v[IOL_FIGURE_io_share]),
                 iol__human_bytes(bytes, v[IOL_FIGURE_bytes]));
        return text;
    }
    const bool shared = !isnan(v[IOL_FIGURE_io_share]), rated = !isnan(v[IOL_FIGURE_rate]);
    snprintf(text, IOL_FIGURES_LINE, "I/O %s%s%s%s, %s%s%s", iol__human_seconds(time, v[IOL_FIGURE_io_time]),
             shared ? ", " : "", shared ? iol__human_share(share, v[IOL_FIGURE_io_share]) : "",
             shared ? " of the run" : "", iol__human_bytes(bytes, v[IOL_FIGURE_bytes]), rated ? ", " : "",
             rated ? iol__human_rate(rate, v[IOL_FIGURE_rate]) : "");
    return text;
}

const char *iol__maps_line(char text[IOL_FIGURES_LINE], const double v[IOL_JOB_FIGURES]) {
    char bytes[IOL_HUMAN];
    *text = 0;
    if (v[IOL_FIGURE_map_bytes] > 0)
        snprintf(text, IOL_FIGURES_LINE, "%s through maps", iol__human_bytes(bytes, v[IOL_FIGURE_map_bytes]));
    return text;
}
