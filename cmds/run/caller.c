/* By /proc and, where we are run by another `iolite run`, by what that one tells its program. */
#include "cmds/run/caller.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/settings.h"
#include "record/mapped.h"

/* Where /proc shows another namespace, that number is somebody else's. */
static bool look_at_us(int32_t *parent, uint64_t *ticks) {
    char line[1024];
    const long got = read_small_file("/proc/self/stat", line, sizeof line - 1);
    if (got <= 0) return false;
    line[got] = '\0';
    return strtol(line, NULL, 10) == getpid() && iol__stat_line_read(line, parent, ticks);
}

/* The fourth word of IOLITE_RUN. */
static bool read_outer(iol__runner *outer) {
    const char *text = getenv(IOL_RUN_VARIABLE);
    for (int word = 0; text && word < 3; word++) {
        text = strchr(text, ':');
        if (text) text++;
    }
    return text && iol__runner_read(&text, outer);
}

/* What we are the program of, if that is a run. */
static bool find_outer(const iol__runner *us, iol__runner *outer) {
    return read_outer(outer) && outer->pid == us->caller && outer->program == us->pid;
}

iol__runner find_caller(void) {
    iol__runner us = {.pid = getpid(), .outermost = getpid()}, outer;
    char link[64] = "";
    uint64_t ticks;
    if (!look_at_us(&us.caller, &ticks) || readlink("/proc/self/ns/pid", link, sizeof link - 1) <= 0)
        return (iol__runner){0};
    us.born = iol__born(ticks, iol__name_space_read(link));
    if (!find_outer(&us, &outer)) return us;
    outer.pid = us.pid;
    return outer;
}
