/* Wrapped functions that the headers of older C libraries do not declare. */
#ifndef IOL_RUNTIME_CORE_DECLARATIONS_H
#define IOL_RUNTIME_CORE_DECLARATIONS_H

#include <sys/mount.h>
#include <unistd.h>

/* NOLINTBEGIN(readability-redundant-declaration): newer libraries have them too */
int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);
int execveat(int at, const char *path, char *const arguments[], char *const environment[], int flags);
int move_mount(int from, const char *what, int to, const char *where, unsigned flags);
/* NOLINTEND(readability-redundant-declaration) */

#endif
