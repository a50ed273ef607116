/* Operations of a signal handler that interrupted its own thread inside the lock of the files: they are noted, and done
   when the thread leaves it, in their order. Only the owner of the lock comes here, so the notes need no lock of their own. */
#ifndef IOL_RUNTIME_LATE_H
#define IOL_RUNTIME_LATE_H

#include <sys/types.h>

#include "runtime/core/common.h"
#include "runtime/core/core.h"

/* Stands for a descriptor that cannot be asked for now. It has no record, and its users come here. */
extern iol__opened iol__late_opened IOL_HIDDEN;

/* All of them return false if there is no room; then the operation counts as lost. */
bool iol__late_open(int fd, int directory, const char *path, int flags, mode_t mode, double begin, double end);
bool iol__late_transfer(int fd, iol__direction direction, int64_t offset, int64_t size, bool unaligned, double begin,
                        double end);
bool iol__late_stat(int directory, const char *path, double begin, double end);
bool iol__late_operation(int operation, bool failed, int directory, const char *path, double begin, double end);
bool iol__late_close(int fd, double begin);
void iol__late_reset(void);

#endif
