/* iolite diagnose --budget: limits that a run has to keep, for tests in CI. docs/ci.md has the form of the file. */
#ifndef IOL_CMDS_BUDGET_H
#define IOL_CMDS_BUDGET_H

#include "insight/findings/engine.h"

typedef struct budget budget;
/* What was made of a diagnosis, to be freed after it was printed. */
typedef struct judged_budget judged_budget;

/* False, with the file and line in `error`, for what makes no sense, as a finding that no rule of the book makes. */
bool read_budget(const char *path, const iol__rulebook *book, budget **made, iol_error *error);
void free_budget(budget *budget);

/* Puts a finding per limit before the others: HIGH if it was not kept, else OK. NULL without memory. */
judged_budget *judge_budget(const budget *budget, iol__diagnosis *diagnosis);
/* How many limits were not kept. */
size_t budget_exceeded(const judged_budget *judged);
void free_judged_budget(judged_budget *judged);

#endif
