/* What to change, with the values of this log filled in: a table of recipes (recipes.def) that rules name. */
#ifndef IOL_INSIGHT_ADVICE_H
#define IOL_INSIGHT_ADVICE_H

#include "insight/findings/case.h"

/* -1 if there is none. */
int iol__recipe_find(const char *name);
/* The advice of a rule for what it found. Conditions are asked of `found` (it has the rule's lets); values come from
   `worst`, the file that cost most, or from `found` where there is none; then programs name the file `shown`. A program
   that would have to name one, and has none, is left out. */
const iol__advice *iol__advice_make(const iol__rule *rule, const iol__subject *found, const iol__subject *worst,
                                    const iol__facts_file *shown, iol__arena *arena, size_t *count);
/* Every snippet there is, filled for this subject whatever its condition, "" where it would have to name a file that has
   no name; NULL past the last. */
const char *iol__snippet_at(size_t index, const iol__subject *subject, iol__arena *arena, const char **recipe,
                            const char **language);

#endif
