/* darshan-dxt-parser: every traced operation. Unlike the parser it stops at the first damaged module, with status 255. */
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/darshan/darshan.h"
#include "report/darshan/darshan_text.h"

static bool has_trace(const iol_log *log) {
    iol_module posix, mpiio;
    iol_log_module(log, IOL_SLOT_DXT_POSIX, &posix);
    iol_log_module(log, IOL_SLOT_DXT_MPIIO, &mpiio);
    return posix.length > 0 || mpiio.length > 0;
}

/* False if printing has to stop. */
static bool print_trace(iol__out *out, iol_log *log, int slot, const iol__stripe_table *stripes, bool incomplete) {
    iol_module module;
    iol_log_module(log, slot, &module);
    if (module.length == 0 && !module.partial) return true;
    iol__darshan_banner(out, module.name, 51);
    if (darshan_incomplete(out, &module, incomplete)) return false;
    return module.length == 0 || iol__darshan_trace(out, log, slot, stripes) == IOL_OK;
}

int cmd_darshan_dxt_parser(const iol__args *args) {
    int status = EXIT_DONE;
    bool incomplete = args->given[OPT_INCOMPLETE];
    iol__out out;
    iol_log *log = darshan_begin(args, &out, &status);
    if (!log) return status;
    bool go_on = true;
    iol_module lustre;
    iol__stripe_table *stripes = NULL;
    if (!has_trace(log)) {
        iol__out_text(&out, "\n# no DXT module data available for this Darshan log.\n");
        goto out;
    }
    iol_log_module(log, IOL_SLOT_LUSTRE, &lustre);
    if (lustre.partial && !incomplete) {
        go_on = !darshan_incomplete(&out, &lustre, false);
        goto out;
    }
    if (lustre.length > 0) stripes = iol__stripe_table_load(log);
    go_on = print_trace(&out, log, IOL_SLOT_DXT_POSIX, stripes, incomplete) &&
            print_trace(&out, log, IOL_SLOT_DXT_MPIIO, stripes, incomplete);
out:
    status = darshan_status(log);
    if (!go_on) status = DARSHAN_FAILED;
    iol__stripe_table_free(stripes);
    iol_log_close(log);
    return finish_output(&out, status);
}
