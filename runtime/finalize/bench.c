/* The benchmark of the end: darshan_shutdown_bench(argc, argv), which programs that measure Darshan's call on all ranks.
   What was recorded is given up; for each of four cases records are made up, and the end is gone through as at
   MPI_Finalize. Every file has one open and one write, in POSIX and in MPI-IO, that take no time; the sizes are drawn from
   32 numbers of each rank, up to 64 KiB.

   Words in argv, for our own measurements: "phases" prints them, "case=N" does only that one, "repeat=N" repeats, "at-once"
   does not pause in between. */
#include <string.h>
#include <time.h>

#include "runtime/custom/custom.h"
#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/finalize/exchange.h"
#include "runtime/finalize/finalize.h"
#include "runtime/finalize/made_up.h"
#include "runtime/finalize/report.h"
#include "runtime/mpi/mpi.h"
#include "runtime/mpiio/mpiio.h"

IOL_EXPORT void darshan_shutdown_bench(int argc, char **argv);

enum { MANY = 1024, CASES = 4 };

static const struct {
    const char *title;
    int files;
    bool shared;
} cases[CASES] = {
    {"1 unique file per proc", 1, false},
    {"1 shared file", 1, true},
    {"1024 unique files per proc", MANY, false},
    {"1024 shared files", MANY, true},
};

/* The course of it ------------------------------------------------------------------------------------------------- */

/* As in a forked child: nothing was recorded yet. */
static void forget(void) {
    iol__files_reset();
    iol__heat_reset();
    iol__operations_reset();
    iol__custom_reset();
    iol__mpiio_reset();
    iol__store_leave();
}

/* All ranks begin together: they meet, and then wait for the same instant, so that who is last to hear of it is not late.
   Where clocks differ, nobody waits for long. */
static void meet(const iol__transport *transport) {
    enum { AFTER = 20000000, MOST = 100000000 /* nanoseconds */ };
    struct timespec now = {0};
    int64_t start = 0;
    iol__rt_exchange x;
    iol__message message;
    iol__exchange_start(&x, transport, 600);
    for (int i = 0; i < x.n_flat; i++)
        if (iol__exchange_receive(&x, x.first_flat + i, IOL_TAG_TIMES, &message)) iol__message_free(&message);
    sys(clock_gettime, CLOCK_REALTIME, &now);
    start = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + AFTER;
    if (x.flat_parent >= 0) {
        iol__exchange_send(&x, x.flat_parent, IOL_TAG_TIMES, &start, sizeof start);
        if (iol__exchange_receive(&x, x.flat_parent, IOL_TAG_WORD, &message)) {
            if (message.length == sizeof start) memcpy(&start, message.bytes, sizeof start);
            iol__message_free(&message);
        }
    }
    iol__exchange_send_down(&x, IOL_TAG_WORD, &start, sizeof start);
    iol__exchange_settle(&x);
    iol__exchange_stop(&x);
    sys(clock_gettime, CLOCK_REALTIME, &now);
    const int64_t left = start - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    const struct timespec rest = {0, left};
    if (left > 0 && left < MOST) sys(nanosleep, &rest, NULL);
}

static void announce(int which) {
    char line[64];
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, "# ");
    iol__text_add(&text, cases[which].title);
    iol__text_add(&text, "\n");
    iol__write_stderr(line, text.length);
}

static void run(int which, const iol__transport *transport, bool pause) {
    const struct timespec second = {1, 0};
    forget();
    if (iol__files_enter()) {
        iol__made_up_records(cases[which].files, cases[which].shared, transport->rank);
        iol__files_leave();
    }
    if (transport->rank == 0) announce(which);
    meet(transport);
    iol__finalize(transport);
    if (pause)
        sys(nanosleep, &second, NULL);
    else
        meet(transport); /* so that nobody cleans up while others are still at it */
    forget();
}

static int number_after(const char *text, const char *key, int otherwise) {
    const size_t length = strlen(key);
    int value = 0;
    if (strncmp(text, key, length) != 0) return otherwise;
    for (text += length; *text >= '0' && *text <= '9' && value < 1000000; text++) value = value * 10 + (*text - '0');
    return value;
}

void darshan_shutdown_bench(int argc, char **argv) {
    iol__transport transport;
    iol__core *core = &iol__core_state;
    int only = -1, repeat = 1;
    bool pause = true;
    if (!core->present || core->world_size == 0 || core->after_world || !iol__mpi_connect(&transport)) return;
    for (int i = 0; argv && i < argc && argv[i]; i++) {
        only = number_after(argv[i], "case=", only);
        repeat = number_after(argv[i], "repeat=", repeat);
        if (strcmp(argv[i], "phases") == 0) iol__report_phases = true;
        if (strcmp(argv[i], "at-once") == 0) pause = false;
    }
    iol__finish_begin();
    iol__store_remove();
    for (int which = 0; which < CASES; which++)
        for (int i = 0; i < repeat && (only < 0 || only == which); i++) run(which, &transport, pause);
}
