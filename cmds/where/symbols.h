/* From offsets in programs and libraries to functions, files and lines, when somebody looks: by libdw where it is installed, else
   by the symbols of the object alone. An object whose build id is another one than the log has is not asked. */
#ifndef IOL_CMDS_SYMBOLS_H
#define IOL_CMDS_SYMBOLS_H

#include "log/trailer/where.h"
#include "text/out.h"

/* Prefixes of paths that are elsewhere here, each "OLD=NEW". */
typedef struct source_paths {
    const char *const *pairs;
    size_t count;
} source_paths;

/* Names all frames that have no name yet; *named (may be NULL) is how many got one. What cannot be is reported on `complain`,
   once per object; it may be NULL. False without memory. */
bool symbolize_frames(iol__where_all *all, const source_paths *paths, void (*complain)(const char *format, ...),
                      size_t *named);
/* `path` as it is here, good until the next call. */
const char *source_path(const source_paths *paths, const char *path);

/* Those of a command line; false if one of them is not of that form. */
struct iol__args;
bool given_source_paths(const struct iol__args *args, source_paths *paths);
/* Puts names into a log that is a file; an exit status. */
int symbolize_log(const char *path, const source_paths *paths, void (*complain)(const char *format, ...));

#endif
