/* Sentences, and not facts: log/ has no way to write numbers for people, and should need none. */
#include "insight/facts/log_words.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

#include "base/count.h"
#include "text/number.h"

bool iol__unseen_programs(const iol__unseen *list, iol__unseen_why why, size_t most, char *text, size_t room) {
    size_t shown = 0, length = 0;
    uint64_t others = 0;
    char count[IOL_HUMAN];
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const iol__unseen_program *one = &list->of[i];
        if (one->why != why || one->count == 0) continue;
        if (shown == most || !one->program[0] || length + IOL_UNSEEN_PROGRAM + 64 > room) {
            others += one->count;
            continue;
        }
        length += (size_t)snprintf(text + length, room - length, "%s%s", shown++ ? ", " : "", one->program);
        if (one->count > 1)
            length +=
                (size_t)snprintf(text + length, room - length, " (%s)", iol__human_number(count, (double)one->count));
    }
    iol__human_number(count, (double)others);
    if (others && shown) snprintf(text + length, room - length, ", %s more", count);
    if (others && !shown) snprintf(text, room, "%s program%s", count, others == 1 ? "" : "s");
    return text[0] != 0;
}

/* "signal 11 (SIGSEGV)" */
static void print_signal(FILE *to, int64_t number) {
    static const char *const names[] = {
#define NAMED(name) [name] = #name
        NAMED(SIGHUP),  NAMED(SIGINT),  NAMED(SIGQUIT), NAMED(SIGILL),  NAMED(SIGTRAP), NAMED(SIGABRT),
        NAMED(SIGBUS),  NAMED(SIGFPE),  NAMED(SIGKILL), NAMED(SIGUSR1), NAMED(SIGSEGV), NAMED(SIGUSR2),
        NAMED(SIGPIPE), NAMED(SIGALRM), NAMED(SIGTERM), NAMED(SIGXCPU), NAMED(SIGXFSZ), NAMED(SIGSYS),
#undef NAMED
    };
    const char *name = number < (int64_t)(IOL_COUNT(names)) ? names[number] : NULL;
    fprintf(to, "signal %lld", (long long)number);
    if (name) fprintf(to, " (%s)", name);
}

static void print_time(FILE *to, const iol__ended *e) {
    char time[IOL_HUMAN];
    if (isfinite(e->at))
        fprintf(to, " at %s", iol__human_seconds(time, e->at));
    else
        fprintf(to, " at %s or later", iol__human_seconds(time, e->seen));
}

static void print_who(FILE *to, const iol__ended *e) {
    char all[IOL_HUMAN];
    if (e->processes == 1)
        fputs("The process", to);
    else
        fprintf(to, "Rank %lld of %s", (long long)e->rank, iol__human_number(all, (double)e->processes));
}

static void print_unknown(FILE *to, const iol__ended *e) {
    char time[IOL_HUMAN], killed[IOL_HUMAN], all[IOL_HUMAN];
    iol__human_seconds(time, e->seen);
    if (e->killed == 1) {
        print_who(to, e);
        fprintf(to, " did not end by itself: it was last seen at %s", time);
    } else {
        fprintf(to, "%s of %s ranks did not end by themselves: rank %lld was seen last, at %s",
                iol__human_number(killed, (double)e->killed), iol__human_number(all, (double)e->processes),
                (long long)e->rank, time);
    }
}

static void print_log_words_known(FILE *to, const iol__ended *e) {
    print_who(to, e);
    if (e->signal > 0) {
        fputs(" was killed by ", to);
        print_signal(to, e->signal);
    } else {
        fprintf(to, " ended with status %lld", (long long)e->status);
    }
    print_time(to, e);
}

bool iol__ended_text(const iol__ended *e, const char *file, char *text, size_t room) {
    FILE *to = e->killed ? fmemopen(text, room, "w") : NULL;
    if (!to) return false;
    char others[IOL_HUMAN];
    const bool known = e->signal > 0 || e->status > 0;
    if (known)
        print_log_words_known(to, e);
    else
        print_unknown(to, e);
    if (file) fprintf(to, ", with %s open", file);
    if (known && e->others == 1) fputs("; one other was ended", to);
    if (known && e->others > 1) fprintf(to, "; %s others were ended", iol__human_number(others, (double)e->others));
    fclose(to);
    text[room - 1] = 0;
    return true;
}
