/* Files that a setting or a variable names. The one who set it may have been wrong, or not be the one who reads the
   file: a pipe, a terminal or a file without an end must not stop a command. */
#ifndef IOL_TEXT_PLAIN_FILE_H
#define IOL_TEXT_PLAIN_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor, or -1 and errno: EINVAL if it is not a plain file, EFBIG if it is larger than `most` bytes. */
int iol__plain_file_open(const char *path, int64_t most);
/* Whether somebody else may open and read it; errno as above, also for a file that is empty: those that the kernel
   makes up have no size, and reading them may wait. */
bool iol__plain_file_is(const char *path);
/* What errno says about such a file. */
const char *iol__plain_file_trouble(int why);

#endif
