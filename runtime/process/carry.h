/* The preload in environments. A program may clear its environment before it starts another (`env -i`), or set an
   LD_PRELOAD of its own. Then our variables are added behind the others:

     IOLITE_CARRIED=n   here ours begin
     LD_PRELOAD=...     if there was none; else ours is put behind the user's libraries, and n is the length of the
                        entry up to there. If ours is in it already, and only IOLITE_RUN was missing, it stays as it is
     IOLITE_RUN=...     and all else that the runtime goes by. One that leads nowhere is replaced where it is
     IOLITE_CARRIED=x   if they would be odd in number (see hide)
     IOLITE_CARRIED=    here they end

   and the runtime takes them out again in the new program, before any constructor runs (carry_hide.c): it finds the
   environment that it was given, in the same order. Should a program that we are not in have been between, which handed all of it on
   among variables of its own, those stay. */
#ifndef IOL_RUNTIME_CARRY_H
#define IOL_RUNTIME_CARRY_H

#include <stdint.h>

#include "record/mapped.h"
#include "runtime/process/exec.h"

/* Before main: which entry of LD_PRELOAD is us. Without one, environments are never changed. */
void iol__carry_start(char **environment);
bool iol__carry_active(void);
/* Whether an environment without the preload gets it again: inside of a run, which shows all that a program started. A process
   that is recorded always, by a module say, takes its absence as a no. */
bool iol__carry_wanted(void);
/* Whether the library can be loaded from here: a chroot, or rights that were given up, may have put it out of reach. */
bool iol__carry_in_reach(void);
/* Whether the library's file is gone, and so, with its package, whoever would have collected what processes leave. */
bool iol__carry_removed(void);
/* Takes out what was added for us, once. */
void iol__carry_hide(char **environment);

/* What was taken out, NULL behind the last, and the end of an LD_PRELOAD that was cut. */
enum { IOL_MOST_CARRIED = 128 };
typedef struct iol__carry_hidden {
    char *entries[IOL_MOST_CARRIED + 1];
    const char *preload;
} iol__carry_hidden;
extern iol__carry_hidden iol__carry_taken;

#define PRELOAD "LD_PRELOAD="
#define CARRIED IOL_CARRIED_VARIABLE "="

/* Finds out what the environment of an exec says. False if it cannot be read. */
bool iol__carry_read(iol__exec *exec);
/* How much room the changed one takes. */
size_t iol__carry_room(const iol__exec *exec);
/* The environment to hand on, made in `room` bytes. */
char *const *iol__carry_environment(const iol__exec *exec, void *room);

/* Whether the kernel could read there; `page` holds what was found out last, IOL_NO_PAGE at first. */
#define IOL_NO_PAGE UINTPTR_MAX
bool iol__carry_there(const void *pointer, uintptr_t *page);

#endif
