/* The order of things: survey, gather, write, and the word that the log is there. Only then mapped files go. */
#include "runtime/finalize/finalize.h"

#include <string.h>
#include <sys/utsname.h>

#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/output/explain.h"
#include "runtime/output/logfile.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/finalize/joblog.h"
#include "runtime/finalize/memory.h"
#include "runtime/finalize/report.h"

/* Without the others each rank leaves what it has: a mapped file, which a run or `iolite merge` takes; or a log of its
   own, if nobody else could see its memory, or not all of it. */
static void leave_alone(void) {
    static char path[IOL_PLACE_BYTES];
    const iol__rt_store *store = &iol__store_state;
    if (!store->made || iol__sealed) return;
    const bool needs_log = !store->mapped || (store->unsaved && !iol__core_state.run);
    const bool written = needs_log && iol__log_write(path, sizeof path);
    if (written) iol__store_remove();
    if (!written) iol__store_file_is_all(true);
}

/* One of them says it for all. A run makes a log of what they leave, and says what is missing there. */
static void tell_lost(int rank) {
    if (rank == 0 && iol__store_state.made && !iol__core_state.run)
        iol__trouble("the ranks of an MPI job lost each other while they wrote the log; what was recorded is in ",
                     iol__store_state.mapped ? iol__store_state.path : "logs of single ranks");
}

/* Rank 0 has the word; the others hear it, and pass it on. */
static bool hear_word(iol__rt_exchange *x, bool *written) {
    static uint8_t word[8];
    word[0] = *written;
    if (x->flat_parent >= 0) {
        iol__message message;
        if (!iol__exchange_receive(x, x->flat_parent, IOL_TAG_WORD, &message)) return false;
        word[0] = message.length == sizeof word && message.bytes[0];
        iol__message_free(&message);
    }
    *written = word[0];
    return iol__exchange_send_down(x, IOL_TAG_WORD, word, sizeof word) && iol__exchange_settle(x);
}

typedef struct ending {
    iol__rt_exchange x;
    iol__survey survey;
    iol__rt_gathered gathered;
    iol__report report;
    char path[IOL_PLACE_BYTES];
} ending;

/* Of files that all ranks have, a rank at the end of a branch needs little memory, however many they are. */
static bool much_to_hold(const iol__survey *survey, const iol__rt_exchange *x) {
    const bool shared = (survey->plan.flags & IOL_PLAN_REDUCE) && survey->shared.count > survey->files.count / 2;
    return (survey->plan.flags & IOL_PLAN_BUSY) && (x->n_children > 0 || !shared);
}

/* False if the exchange broke; *written on every rank says whether there is a log. */
static bool write_together(ending *e, bool *written) {
    static struct utsname host;
    iol__rt_exchange *x = &e->x;
    if (sys(uname, &host) != 0) host.nodename[0] = 0;
    if (!iol__survey_make(&e->survey, x)) return false;
    iol__report_phase(&e->report, IOL_STEP_SURVEY, x);
    if (!(e->survey.plan.flags & IOL_PLAN_WRITE)) return iol__exchange_settle(x);
    iol__exchange_busy(x, e->survey.plan.flags & IOL_PLAN_BUSY);
    iol__memory_plenty(much_to_hold(&e->survey, x));
    iol__gather_own(&e->gathered, &e->survey, x, host.nodename);
    iol__report_phase(&e->report, IOL_STEP_PACK, x);
    if (!iol__gather_pass(&e->gathered, x)) return false;
    iol__report_phase(&e->report, IOL_STEP_GATHER, x);
    if (x->rank == 0)
        *written = iol__joblog_write(&e->gathered, x, &e->report.file, e->path, sizeof e->path);
    else if (x->rank % (int)e->survey.plan.group == 0 && !iol__joblog_help(&e->gathered, x))
        return false;
    iol__report_phase(&e->report, IOL_STEP_WRITE, x);
    const bool heard = !x->broken && hear_word(x, written);
    iol__report_phase(&e->report, IOL_STEP_WORD, x);
    return heard;
}

/* The last ones that write, too, have to hear that it is over. */
static void abandon(ending *e) {
    const int group = (int)e->survey.plan.group;
    int others[64], n = 0;
    for (int rank = group; group > 0 && e->x.rank == 0 && rank < e->x.size && n < 64; rank += group) others[n++] = rank;
    iol__exchange_abandon(&e->x, others, n);
}

void iol__finalize(const iol__transport *transport) {
    static ending e; /* large, and there is one */
    const iol__core *core = &iol__core_state;
    bool written = false;
    if (iol__store_state.made) {
        iol__log_prepare(iol__now());
        iol__store_facts()->ended = IOL_ENDED_EXIT;
    }
    if (!transport) {
        tell_lost(core->world_rank);
        leave_alone();
        return;
    }
    e.survey = (iol__survey){0};
    iol__report_start(&e.report);
    iol__exchange_start(&e.x, transport, iol__setting_number(&core->config, IOL_SET_FINALIZE_TIMEOUT));
    const bool together = write_together(&e, &written);
    if (!together) abandon(&e);
    /* On rank 0 the log may be there although somebody did not hear of it. */
    if (written) {
        iol__store_remove();
        if (e.x.rank == 0) iol__run_note(e.path);
    } else {
        if (!together) tell_lost(e.x.rank);
        leave_alone();
    }
    if (together) iol__report_print(&e.report, &e.x, &e.survey, &e.gathered);
    if (e.x.rank == 0 && written && core->verbose) iol__say("log: ", e.path);
    iol__exchange_stop(&e.x);
    iol__pile_stop();
    if (together) iol__memory_all_back(); /* else messages may still be under way */
}
