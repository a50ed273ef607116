/* The settings in force for the commands that record: from this process's environment and the config files. */
#ifndef IOL_CMDS_SETTINGS_H
#define IOL_CMDS_SETTINGS_H

#include "schema/resolve.h"

/* The caller's complain() hears what is wrong; NULL for nobody. The result stays until the next call. */
const iol__config *load_settings(void (*complain)(const char *text));
/* The beginning of a file, up to `room` bytes; -1 if it cannot be read. */
long read_small_file(const char *path, char *to, size_t room);
/* A time zone that is not a plain file is UTC for this process. */
void refuse_odd_zone(void);
/* Says it on standard error. */
void complain_on_stderr(const char *text);
/* Seconds east of Greenwich at an instant, as the runtime finds them: the dates in names of logs agree. */
int64_t local_offset(int64_t seconds);

#endif
