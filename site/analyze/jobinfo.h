/* Records of jobs: where the site file says they are, whatever scheduler there is. */
#ifndef IOL_SITE_ANALYZE_JOBINFO_H
#define IOL_SITE_ANALYZE_JOBINFO_H

#include "site/analyze/places.h"

/* Records of jobs and steps by the number of the job: {id: [record, ...]}. */
iol__value *iol__jobs_by_number(iol__arena *arena, const iol__value *jobs);
/* The number under which they have a job: "910000_7" and "20+0" are other names of one. NULL: they do not have it. */
const char *iol__job_number(const iol__value *by_number, const char *id);
/* Earliest start and latest end of a job and its steps. */
bool iol__job_times(const iol__value *by_number, const char *id, int64_t *start, int64_t *end);
/* Records of one job, from those that the site file names, one after the other until one has it: "job_records", then
   "jobinfo_jobid_providers" (default: slurm). NULL with `*why` saying who was asked. `database`: of jobs, or NULL. */
const iol__value *iol__job_records(iol__arena *arena, const iol__places *site, const char *id, const char *database,
                                   char **why);
/* Records that name the nodes of a job, as a list: "job_records", then "jobinfo_jobnodes_providers" (default: slurm). */
const iol__value *iol__job_node_records(iol__arena *arena, const iol__places *site, const char *id, char **why);
/* All jobs that ran in [start, end), as {id: record}, from the first of them that answers. */
const iol__value *iol__jobs_between(iol__arena *arena, const iol__places *site, int64_t start, int64_t end, char **why);

#endif
