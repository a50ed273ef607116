/* What a log says about processes that died and programs that are not in it, in words that show, run and diagnose share. */
#ifndef IOL_INSIGHT_LOG_WORDS_H
#define IOL_INSIGHT_LOG_WORDS_H

#include "log/trailer/ended.h"
#include "log/trailer/unseen.h"

/* Programs of one reason, as in "busybox (3), ldconfig": at most `most` of them, then how many more. False: none. */
bool iol__unseen_programs(const iol__unseen *list, iol__unseen_why why, size_t most, char *text, size_t room);
/* "Rank 1 of 4 was killed by signal 11 (SIGSEGV) at 12.3 s, with FILE open; 3 others were ended", or, where nobody saw that,
   "Rank 1 of 4 did not end by itself: ...". Without a full stop, with this name for the file, or none. False if there is
   nothing to say. */
bool iol__ended_text(const iol__ended *ended, const char *file, char *text, size_t room);

#endif
