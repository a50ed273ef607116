/* The fuzzer of running programs: any bytes as the mapped file of one. What says who it is of, and that it runs, is set right, so that
   everything else is looked at: twice, as a state, judged, and for Prometheus. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "live/node.h"
#include "record/mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-live-XXXXXX";
static int held = -1; /* the file, locked as by the program that maps it */

static void remove_folder(void) {
    char path[64];
    snprintf(path, sizeof path, "%s/iolite-0-%d-1.mapped", folder, (int)getpid());
    unlink(path);
    rmdir(folder);
}

static void make_file(void) {
    char path[64];
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/iolite-0-%d-1.mapped", folder, (int)getpid());
    held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (held < 0 || flock(held, LOCK_EX) != 0) abort();
    atexit(remove_folder);
}

static void set_facts(uint8_t *bytes) {
    iol__mapped facts;
    memcpy(&facts, bytes + IOL_MAPPED_AT, sizeof facts);
    memcpy(facts.magic, IOL_MAPPED_MAGIC, sizeof facts.magic);
    facts.bytes = sizeof facts;
    facts.ended = IOL_ENDED_NOT;
    facts.pid = getpid();
    facts.locked = 1;
    memcpy(bytes + IOL_MAPPED_AT, &facts, sizeof facts);
}

static void check_figures(const iol__live_figures *f) {
    if (!(f->bytes_read >= 0) || !(f->bytes_written >= 0) || !(f->reads >= 0) || !(f->writes >= 0) || !(f->time >= 0))
        abort();
}

static void tell_all(iol__live_node *node) {
    iol__arena arena = {0};
    jmp_buf exhausted;
    iol__out out;
    iol__json json;
    iol__live_wish wish = {0};
    arena.exhausted = &exhausted;
    if (setjmp(exhausted)) abort();
    if (node->watch.count) wish = (iol__live_wish){node->watch.processes[0]->job, node->watch.processes[0]->uid};
    const iol__live_state state = iol__live_node_state(node, &arena, &wish, 1);
    for (size_t i = 0; i < state.n_jobs; i++) check_figures(&state.jobs[i].total);
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__live_state_json(&json, &state);
    iol__live_metrics(&out, node, &state, 10);
    iol__out_close(&out);
    iol__arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *const places[] = {folder};
    iol__live_node node = {.watch = {.places = places, .n_places = 1, .limits = iol__live_careful},
                           .hidden_at = INFINITY};
    if (held < 0) make_file();
    const size_t length = size < IOL_MAPPED_NAMES_AT ? IOL_MAPPED_NAMES_AT : size;
    uint8_t *bytes = calloc(1, length);
    if (!bytes || ftruncate(held, 0) != 0) abort();
    if (size) memcpy(bytes, data, size);
    set_facts(bytes);
    if (pwrite(held, bytes, length, 0) != (ssize_t)length) abort();
    iol__live_node_look(&node);
    /* Something happens, and what it is depends on the input. */
    if (size > IOL_MAPPED_NAMES_AT && pwrite(held, data, size - IOL_MAPPED_NAMES_AT, IOL_MAPPED_NAMES_AT) < 0) abort();
    iol__live_node_look(&node);
    tell_all(&node);
    iol__live_node_close(&node);
    free(bytes);
    return 0;
}
