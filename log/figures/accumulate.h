/* What the public interface of sums does not offer. */
#ifndef IOL_LOG_ACCUMULATE_H
#define IOL_LOG_ACCUMULATE_H

#include "iolite/log.h"

/* Before the first record: keep only the tables that are needed, by rank for iol_sum_performance() and by file for
   iol_sum_files(). Without its table such a function gives IOL_INVALID. Totals need neither, and with a million files
   the tables cost more than everything else. */
void iol__sum_tables(iol_sum *sum, bool ranks, bool files);

/* Whether the total of a counter is known. It is not where the version of the log lacks it, which -1 in records says. */
bool iol__sum_knows(const iol_sum *sum, size_t counter);

#endif
