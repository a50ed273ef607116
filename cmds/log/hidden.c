/* Copies of logs for printing. They live in a file without a name, so that a log of any size has room. */
#include "cmds/log/hidden.h"

iol_status copy_of_log(iol_log *log, iol__rewrite how, const char *name, iol_log **copy, iol_error *error) {
    iol_writer *writer;
    iol_status status = iol__writer_spool(&writer, error);
    if (status != IOL_OK) return status;
    how.drop_opaque = true;
    status = iol__rewrite_log(log, writer, &how);
    if (status == IOL_OK) return iol__writer_reread(writer, name, copy, error);
    *error = *iol_writer_error(writer);
    iol_writer_abort(writer);
    return status;
}

void hide_names(iol__rewrite *how, const iol__key *key) {
    how->disguise.names = how->disguise.exe = true;
    how->disguise.key = *key;
}
