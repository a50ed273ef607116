/* Start, children, exec and end of the process. */
#ifndef IOL_RUNTIME_PROCESS_H
#define IOL_RUNTIME_PROCESS_H

#include <stdbool.h>

/* From now on a fork is noticed, however it is made. */
void iol__watch_forks(void);
/* A child is about to share our memory; for as long as it likes, or until it execs or ends. */
void iol__sharing_memory(bool for_good);
/* Nothing is recorded any further, but what was is kept. */
void iol__stop_recording(const char *why);
/* The result of a call that may have given a thread descriptors, or a directory, of its own, and is handed on. With other
   threads beside it a number or a name then no longer says which file is meant, and nothing is recorded any further. */
int iol__unshared(int result, int flags);
/* The program is about to restrict the system calls that it may make. False if it has done so before. */
bool iol__locked_in(bool strict);
/* It could not: we go on as before. */
void iol__locked_in_failed(void);
/* MPI has ended and the log of the job is written: recording begins again. False if it cannot. */
bool iol__begin_after_world(void);
/* The store is made now, not when the first record is. */
void iol__records_early(void);

/* A signal is for this process: `iolite run` stands for who started it. */
int iol__signal_target(int pid);

void iol__exec_before(void);
void iol__exec_failed(void);
/* A chroot, before and after: true if the log of what was recorded so far was written. */
bool iol__jail_before(void);
void iol__jail_after(bool inside);
/* In a forked child: the log that the parent wrote for its exec is not ours. */
void iol__exec_forget(void);

/* Whether the program has an Iolite of its own that records its MPI (carried.c). */
bool iol__program_has_mpi_inside(void);

#endif
