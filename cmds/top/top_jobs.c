/* Processes of one run together, or of one job of the batch system. */
#include <stdlib.h>

#include "cmds/top/top.h"

static int more_first(double a, double b) { return (a < b) - (a > b); }

static int compare_jobs(const void *a, const void *b) {
    const top_job *x = a, *y = b;
    int order = more_first(iol__live_activity(&x->rate), iol__live_activity(&y->rate));
    if (order == 0) order = more_first(iol__live_activity(&x->total), iol__live_activity(&y->total));
    return order ? order : (x->first->pid > y->first->pid) - (x->first->pid < y->first->pid);
}

size_t top_jobs(const iol__live_watch *w, top_job *jobs, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        const iol__live_process *p = w->processes[i];
        size_t j = 0;
        while (j < count && !(jobs[j].run == p->run && (p->run || jobs[j].job == p->job))) j++;
        if (j == count && count == room) continue;
        if (j == count) jobs[count++] = (top_job){.run = p->run, .job = p->job, .first = p};
        if (p->pid < jobs[j].first->pid) {
            jobs[j].first = p;
            jobs[j].job = p->job;
        }
        jobs[j].processes++;
        iol__live_add(&jobs[j].total, &p->total);
        iol__live_add(&jobs[j].rate, &p->rate);
    }
    qsort(jobs, count, sizeof *jobs, compare_jobs);
    return count;
}
