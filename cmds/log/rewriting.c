/* Writing a log again: what the commands that do so share, and a run whose log names another. */
#include "cmds/log/rewriting.h"

#include <sys/stat.h>

bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool rewrite_file(iol_log *log, const char *to, const iol_write_options *options, const iol__rewrite *how,
                  iol_error *error) {
    iol_writer *writer;
    if (iol_writer_open(to, options, &writer, error) != IOL_OK) return false;
    iol_status status = iol__rewrite_log(log, writer, how);
    if (status == IOL_OK) status = iol_writer_finish(writer);
    if (status == IOL_OK) return true;
    *error = *iol_writer_error(writer);
    if (error->status == IOL_OK) *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .message = "out of memory"};
    iol_writer_abort(writer);
    return false;
}
