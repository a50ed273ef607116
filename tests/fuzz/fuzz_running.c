/* The fuzzer of states: any bytes as what a node sends. What is taken must be what the pages rely on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/running.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_job(const iol__live_job *job) {
    if (!job->exe || !isfinite(job->total.time) || !(job->rate.bytes_read >= 0)) abort();
    if (job->user && strncmp(job->user, "uid:", 4) == 0) abort();
    if (job->n_busiest > IOL_LIVE_HOT || job->n_findings > IOL_LIVE_FINDINGS) abort();
    for (size_t i = 0; i < job->n_busiest; i++)
        if (!job->busiest[i].name || !job->busiest[i].module) abort();
    for (size_t i = 0; i < job->n_findings; i++)
        if (!job->findings[i].level || strlen(job->findings[i].title) >= sizeof job->findings[i].title) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const iol__tree_limits limits = {.bytes = IOL_RUNNING_STATE, .values = 100000, .depth = 8};
    iol__tree_document document;
    iol__arena arena = {.limit = 2 * (size_t)IOL_RUNNING_STATE};
    jmp_buf exhausted;
    iol__live_state state;
    if (iol__tree_parse((const char *)data, size, "state", &limits, &document, NULL) != IOL_OK) return 0;
    arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0 && !iol__running_read(&arena, document.top, &state)) {
        if (!state.host || state.n_jobs > IOL_LIVE_JOBS) abort();
        for (size_t i = 0; i < state.n_jobs; i++) check_job(&state.jobs[i]);
    }
    iol__arena_free(&arena);
    iol__tree_free(&document);
    return 0;
}
