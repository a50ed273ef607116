/* Which metrics go with performance, for each benchmark of a series of jobs. */
#ifndef IOL_SITE_ANALYZE_CORRELATE_H
#define IOL_SITE_ANALYZE_CORRELATE_H

#include "text/out.h"
#include "site/connect/value.h"

typedef struct iol__correlating {
    const char *against; /* key of summaries; NULL: performance, as a share of the best run */
    const char *metrics; /* keys with commas between; NULL: the published ones */
    bool ranks;          /* Spearman's instead of Pearson's */
} iol__correlating;

/* {benchmark: {metric: {coefficient, p_value, n, significant[, effect]}}} */
iol__value *iol__correlate(iol__arena *arena, const iol__value *rows, const iol__correlating *how);
/* The same as a table; `bold`: mark what is significant as terminals do. */
void iol__correlate_text(iol__out *out, iol__arena *arena, const iol__value *table, const iol__correlating *how,
                         bool bold);
/* Cells are shaded by the size of the coefficient. */
void iol__correlate_svg(iol__out *out, iol__arena *arena, const iol__value *table, const iol__correlating *how);

#endif
