/* Which program a log is about, and what is known to be missing in it. Coverage counts applications: a log of the shell of a
   batch script, or of mpirun, says nothing about the program that the job was for. */
#ifndef IOL_SITE_APPLICATION_H
#define IOL_SITE_APPLICATION_H

#include "base/arena.h"
#include "iolite/log.h"
#include "log/trailer/unseen.h"

typedef struct iol__application {
    const char *name; /* of its file; NULL: nothing but shells and launchers was recorded */
    double seconds; /* that its processes ran, all together; of a little tool, with what a script takes to start each */
    bool ranks;     /* they were started by a launcher as ranks of one program */
    const char *missed; /* programs that were not recorded, each with its reason; NULL: none is known */
    const char *cause;  /* the first of the reasons, in a sentence; without `missed`, that of a shell; NULL: none */
} iol__application;

/* Of the processes that are neither shells nor launchers, the program that ran longest. `program` and `seconds` are those of
   the log as a whole, for logs that list no processes. Texts are in the arena. */
iol__application iol__application_of(iol__arena *arena, iol_log *log, const char *program, double seconds);

/* Whether a program is one of those that scripts do their small things with: cp, mkdir, grep. */
bool iol__is_tool(const char *name);

/* "statically linked: app (2); Go, enters the kernel without libc: tool", and the first reason as a cause. Programs that only
   start others are left out; a cause without a text is that of a shell among them, below which nothing could be seen. Both are
   empty where nothing is left. */
void iol__missed_words(const iol__unseen *missed, char *text, size_t room, char *cause, size_t cause_room);

#endif
