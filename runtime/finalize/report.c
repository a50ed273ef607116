/* One more pass up the tree, only if somebody asked for it. */
#include "runtime/finalize/report.h"

#include <string.h>
#include <time.h>

#include "runtime/core/core.h"
#include "runtime/output/explain.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

bool iol__report_phases;

typedef struct report_times {
    int64_t regions[IOL_SLOTS_KNOWN], phases[IOL_STEPS], start, whole; /* the longest of all ranks */
    int64_t busy[IOL_STEPS];                                           /* and these of all ranks together */
    iol__joblog_times file;
    uint64_t messages[IOL_STEPS], bytes[IOL_STEPS];
} report_times;

static int64_t busy_now(void) {
    struct timespec now = {0};
    if (iol__report_phases) sys(clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void iol__report_start(iol__report *r) {
    *r = (iol__report){0};
    r->began = r->last = iol__clock_monotonic();
    r->busy_last = busy_now();
}

void iol__report_phase(iol__report *r, int phase, const iol__rt_exchange *x) {
    const int64_t now = iol__clock_monotonic();
    r->phases[phase] = now - r->last;
    r->last = now;
    const int64_t busy = busy_now();
    r->busy[phase] = busy - r->busy_last;
    r->busy_last = busy;
    r->messages[phase] = x->sent - r->sent;
    r->bytes[phase] = x->sent_bytes - r->sent_bytes;
    r->sent = x->sent;
    r->sent_bytes = x->sent_bytes;
}

static void longest(int64_t *to, const int64_t *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (from[i] > to[i]) to[i] = from[i];
}

static void add(report_times *to, const report_times *more) {
    longest(to->regions, more->regions, IOL_SLOTS_KNOWN);
    longest(to->phases, more->phases, IOL_STEPS);
    longest(&to->start, &more->start, 1);
    longest(&to->whole, &more->whole, 1);
    for (int i = 0; i < IOL_STEPS; i++) {
        to->busy[i] += more->busy[i];
        to->messages[i] += more->messages[i];
        to->bytes[i] += more->bytes[i];
    }
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

static void print_known(const report_times *t, const iol__rt_totals *all, int ranks) {
    static const char *const regions[] = {
#define MODULE(number, ident, name, key, form, current, slot20, slot00, former, named) [number] = name "_shutdown",
#include "schema/modules.def"
#undef MODULE
    };
    iol__timing_print_start(t->start, ranks);
    iol__timing_head();
    iol__timing_line("log_open", ranks, t->file.open);
    iol__timing_line("job_write", ranks, t->file.job);
    iol__timing_line("hash_write", ranks, t->regions[0]);
    iol__timing_line("header_write", ranks, t->file.header);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++)
        if (all->modules >> slot & 1) iol__timing_line(regions[slot], ranks, t->regions[slot]);
    iol__timing_line("core_shutdown", ranks, t->whole);
}

/* Name, ranks, seconds, seconds on processors, messages, bytes in them. */
static void print_phases(const report_times *t, int ranks) {
    static const char *const names[IOL_STEPS] = {"survey", "pack", "gather", "write", "word"};
    char line[160] = "";
    for (int i = 0; i < IOL_STEPS; i++) {
        iol__text text = {line, sizeof line, 0};
        iol__text_add(&text, "iolite:");
        iol__text_add(&text, names[i]);
        iol__text_add(&text, "\t");
        iol__text_number(&text, ranks);
        iol__text_add(&text, "\t");
        iol__text_seconds(&text, t->phases[i]);
        iol__text_add(&text, "\t");
        iol__text_seconds(&text, t->busy[i]);
        iol__text_add(&text, "\t");
        iol__text_number(&text, (int64_t)t->messages[i]);
        iol__text_add(&text, "\t");
        iol__text_number(&text, (int64_t)t->bytes[i]);
        iol__text_add(&text, "\n");
        iol__write_stderr(text.to, text.length);
    }
}

void iol__report_print(iol__report *r, iol__rt_exchange *x, const iol__survey *survey, const iol__rt_gathered *g) {
    static report_times all;
    if (!(survey->plan.flags & IOL_PLAN_TIMES)) return;
    all =
        (report_times){.file = r->file, .start = iol__timing_take_start(), .whole = iol__clock_monotonic() - r->began};
    memcpy(all.regions, g->took, sizeof all.regions);
    memcpy(all.phases, r->phases, sizeof all.phases);
    memcpy(all.busy, r->busy, sizeof all.busy);
    memcpy(all.messages, r->messages, sizeof all.messages);
    memcpy(all.bytes, r->bytes, sizeof all.bytes);
    for (int i = 0; i < x->n_flat; i++) {
        iol__message message;
        if (!iol__exchange_receive(x, x->first_flat + i, IOL_TAG_TIMES, &message)) return;
        if (message.length == sizeof all) add(&all, (const report_times *)(const void *)message.bytes);
        iol__message_free(&message);
    }
    if (x->flat_parent >= 0 && iol__exchange_send(x, x->flat_parent, IOL_TAG_TIMES, &all, sizeof all))
        iol__exchange_settle(x);
    if (x->parent >= 0) return;
    print_known(&all, &survey->all, x->size);
    if (iol__report_phases) print_phases(&all, x->size);
}
