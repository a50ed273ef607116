/* What the forms of a comparison have in common: numbers for reading, the sentences of the answer, and which rows a
   table of facts has. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/compare/compare.h"

const char *const iol__fate_words[4] = {
    [IOL_FATE_NEW] = "new", [IOL_FATE_REMAINING] = "remaining", [IOL_FATE_FIXED] = "fixed", [IOL_FATE_EASED] = "eased"};

const char *const iol__claim_names[5] = {
    [IOL_CLAIM_TOO_FEW] = "too_few_runs",        [IOL_CLAIM_UNTESTED] = "untested", [IOL_CLAIM_FASTER] = "faster",
    [IOL_CLAIM_NO_DIFFERENCE] = "no_difference", [IOL_CLAIM_SLOWER] = "slower",
};

/* Numbers ------------------------------------------------------------------------------------------------------- */

const char *iol__value_text(char buffer[IOL_HUMAN], iol__compare_unit unit, double value) {
    switch (unit) {
    case IOL_UNIT_SECONDS: return iol__human_seconds(buffer, value);
    case IOL_UNIT_SHARE: return iol__human_share(buffer, value);
    case IOL_UNIT_RATE: return iol__human_rate(buffer, value);
    case IOL_UNIT_BYTES: return iol__human_bytes(buffer, value);
    default: return iol__human_number(buffer, value);
    }
}

/* Two values that differ, and would not as texts: with as many decimals as it takes. */
static void tell_apart(char a[IOL_HUMAN], char b[IOL_HUMAN], const iol__change *c) {
    double scale = 1;
    for (int decimals = 0; decimals < 10 && strcmp(a, b) == 0; decimals++) {
        iol__human_exact(a, round(c->side[0].mean * scale) / scale);
        iol__human_exact(b, round(c->side[1].mean * scale) / scale);
        scale *= 10;
    }
}

void iol__change_texts(char a[IOL_HUMAN], char b[IOL_HUMAN], int metric, const iol__change *c) {
    iol__compare_unit unit = iol__compare_metrics[metric].unit;
    iol__value_text(a, unit, c->side[0].mean);
    iol__value_text(b, unit, c->side[1].mean);
    if (!c->differs || strcmp(a, b) != 0) return;
    tell_apart(a, b, c);
    if (unit != IOL_UNIT_BYTES) return;
    snprintf(a + strlen(a), IOL_HUMAN - strlen(a), " B");
    snprintf(b + strlen(b), IOL_HUMAN - strlen(b), " B");
}

const char *iol__p_text(char buffer[IOL_HUMAN], double p) {
    char number[IOL_HUMAN];
    snprintf(buffer, IOL_HUMAN, p < 0.001 ? "%.20s" : "= %.20s", iol__human_number(number, p));
    return buffer;
}

/* The answer ---------------------------------------------------------------------------------------------------- */

typedef struct sentence {
    char *text;
    size_t length;
} sentence;

static void __attribute__((format(printf, 2, 3))) say(sentence *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(s->text + s->length, IOL_SENTENCE - s->length, format, list);
    va_end(list);
    if (n > 0) s->length += (size_t)n;
    if (s->length >= IOL_SENTENCE) s->length = IOL_SENTENCE - 1;
}

/* "run time 465 s -> 2 s (-99.6%)", with the interval where there is one */
static void say_time(sentence *s, const iol__contrast *c, int metric) {
    char a[IOL_HUMAN], b[IOL_HUMAN], low[IOL_HUMAN], high[IOL_HUMAN];
    const iol__change *time = &c->changes[metric];
    iol__change_texts(a, b, metric, time);
    say(s, "%s %s -> %s", iol__compare_metrics[metric].label, a, b);
    if (!time->differs) return;
    say(s, " (%s", iol__human_change(low, time->side[0].mean, time->side[1].mean));
    if (time->has_welch)
        say(s, "; 95%%: %s to %s", iol__human_change(low, 1, time->welch.low),
            iol__human_change(high, 1, time->welch.high));
    say(s, ")");
}

/* Bytes of both directions, as a mean of the runs of a side. */
static double mean_bytes(const iol__contrast *c, int side) {
    return c->changes[IOL_METRIC_bytes_read].side[side].mean + c->changes[IOL_METRIC_bytes_written].side[side].mean;
}

/* A run that moves ten times the data takes longer, and may be the better one: the rate says which. */
static void say_rate(sentence *s, const iol__contrast *c) {
    char a[IOL_HUMAN], b[IOL_HUMAN], change[IOL_HUMAN];
    const iol__change *rate = &c->changes[IOL_METRIC_rate];
    const double before = mean_bytes(c, 0), after = mean_bytes(c, 1);
    if (!rate->side[0].n || !rate->side[1].n || !(fabs(after - before) > 0.05 * fmax(before, after))) return;
    say(s, " The amounts differ, %s -> %s", iol__human_bytes(a, before), iol__human_bytes(b, after));
    iol__change_texts(a, b, IOL_METRIC_rate, rate);
    say(s, ": by the rate of I/O it is %s -> %s", a, b);
    if (rate->differs) say(s, " (%s)", iol__human_change(change, rate->side[0].mean, rate->side[1].mean));
    say(s, ".");
}

static void say_claim(sentence *s, const iol__contrast *c) {
    size_t a = c->group[0].used, b = c->group[1].used;
    const char *whose = c->claimed == IOL_METRIC_run_time ? "B is" : "The I/O of B is";
    switch (c->claim) {
    case IOL_CLAIM_TOO_FEW:
        if (a == 1 && b == 1)
            say(s, "One run each: no claim. Seen: ");
        else
            say(s, "Too few runs (%zu and %zu): no claim. Seen: ", a, b);
        break;
    case IOL_CLAIM_UNTESTED: say(s, "The times in these logs cannot be tested: no claim. Seen: "); break;
    case IOL_CLAIM_NO_DIFFERENCE: say(s, "Not distinguishable from chance: "); break;
    case IOL_CLAIM_FASTER: say(s, "%s faster: ", whose); break;
    case IOL_CLAIM_SLOWER: say(s, "%s slower: ", whose); break;
    }
    say_time(s, c, c->claimed);
    say(s, ".");
    say_rate(s, c);
}

static void say_usual(sentence *s, const iol__contrast *c) {
    char change[IOL_HUMAN], usual[IOL_HUMAN], runs[IOL_HUMAN];
    const iol__usual *u = &c->usual;
    say(s, " The rate of I/O changed by %s: %s twice the usual run-to-run variation (%s, %s earlier runs).",
        iol__human_change(change, 1, exp(u->change)), u->beyond ? "more than" : "not more than",
        iol__human_share(usual, exp(u->deviation) - 1), iol__human_number(runs, u->runs));
}

static void say_ground(sentence *s, const iol__contrast *c) {
    char p[IOL_HUMAN], ranks[IOL_HUMAN];
    const iol__change *time = &c->changes[c->claimed];
    if (c->claim == IOL_CLAIM_TOO_FEW) {
        say(s, "Times vary from run to run; with three runs per side or more they can be tested.");
        if (c->usual.known) say_usual(s, c);
        return;
    }
    if (!time->tested) {
        if (time->no_test) say(s, "No test: %s.", time->no_test);
        return;
    }
    iol__p_text(p, time->holm);
    iol__p_text(ranks, time->ranks.p);
    if (time->has_welch)
        say(s, "Welch's t, %zu and %zu runs: p %s (Holm, %zu figures); ranks: p %s.", time->side[0].n, time->side[1].n,
            p, c->n_tested, ranks);
    else
        say(s, "Mann-Whitney's U, %zu and %zu runs: p %s (Holm, %zu figures).", time->side[0].n, time->side[1].n, p,
            c->n_tested);
}

static void say_aspects(sentence *s, const iol__contrast *c) {
    size_t said = 0;
    for (int i = 0; i < IOL_ASPECTS; i++)
        if (c->aspects[i]) say(s, "%s%s", said++ ? ", " : "", iol__aspect_words[i]);
}

static void say_behaviour(sentence *s, const iol__contrast *c) {
    if (c->n_aspects == 0) {
        say(s, "The program did the same I/O on both sides: no count differs by more than 5%%.");
    } else if (c->n_aspects == 1) {
        say(s, "The program did something differently: ");
        say_aspects(s, c);
        say(s, ".");
    } else {
        say(s, "Several things changed at once (");
        say_aspects(s, c);
        say(s, "): the logs do not show to which of them a change in time is due.");
    }
}

void iol__answer_text(char answer[IOL_ANSWERS][IOL_SENTENCE], const iol__contrast *contrast) {
    static void (*const parts[IOL_ANSWERS])(sentence *, const iol__contrast *) = {say_claim, say_ground, say_behaviour};
    for (int i = 0; i < IOL_ANSWERS; i++) {
        sentence s = {answer[i], 0};
        answer[i][0] = 0;
        parts[i](&s, contrast);
    }
}

/* A cause is only named where the test found a gain, one thing changed, and an advice had said so. */
bool iol__explanation_text(char text[IOL_SENTENCE], const iol__contrast *c) {
    if (!c->advice_came || c->n_aspects != 1) return false;
    snprintf(text, IOL_SENTENCE, "%s",
             c->claim == IOL_CLAIM_FASTER
                 ? "What the advice predicted is the only change in behaviour that the logs show: it explains the gain."
                 : "What the advice predicted is the only change in behaviour that the logs show.");
    return true;
}

const char *iol__lost_text(char text[IOL_SENTENCE], const iol__finding_change *c) {
    enum { LONGEST = 48 };
    char lost[2][LONGEST];
    for (int g = 0; g < 2; g++) {
        bool gone = c->fate == (g ? IOL_FATE_FIXED : IOL_FATE_NEW), eased = g && c->fate == IOL_FATE_EASED;
        if (gone || eased)
            snprintf(lost[g], LONGEST, "%s",
                     eased ? "too little to report, cause unchanged"
                     : g   ? "gone"
                           : "not there");
        else if (isnan(c->lost[g]))
            snprintf(lost[g], LONGEST, "cost unknown");
        else
            iol__value_text(lost[g], IOL_UNIT_SECONDS, c->lost[g]);
    }
    bool known = !isnan(c->lost[0]) && !isnan(c->lost[1]);
    snprintf(text, IOL_SENTENCE, "%s%s -> %s", known ? "cost, roughly: " : "", lost[0], lost[1]);
    return text;
}

const char *iol__foretold_text(char text[IOL_SENTENCE], const iol__contrast *c, const iol__foretold *f) {
    char a[IOL_HUMAN], b[IOL_HUMAN];
    iol__change_texts(a, b, f->metric, &c->changes[f->metric]);
    snprintf(text, IOL_SENTENCE, "%s %s -> %s", iol__compare_metrics[f->metric].label, a, b);
    return text;
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

/* All requests are the reads when there are no writes, and the other way round. */
static bool said_already(const iol__contrast *c, int metric) {
    const iol__change *reads = &c->changes[IOL_METRIC_reads], *writes = &c->changes[IOL_METRIC_writes];
    if (metric != IOL_METRIC_requests) return false;
    return (reads->side[0].max == 0 && reads->side[1].max == 0) ||
           (writes->side[0].max == 0 && writes->side[1].max == 0);
}

/* Of both means against the larger one: 0 for none, 20 from or to nothing. In such coarse steps, the order of the
   table, which begins with what matters most, decides between changes of about the same size. */
static int compare_words_size_of(const iol__change *c) {
    double a = c->side[0].mean, b = c->side[1].mean;
    return (int)lround(20 * fabs(b - a) / fmax(a, b));
}

/* By insertion, which keeps that order. */
static void sort_rows(int *rows, size_t n, const iol__contrast *c) {
    for (size_t i = 1; i < n; i++) {
        int row = rows[i];
        size_t at = i;
        for (; at > 0 && compare_words_size_of(&c->changes[rows[at - 1]]) < compare_words_size_of(&c->changes[row]);
             at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

void iol__fact_rows_make(iol__fact_rows *rows, const iol__contrast *contrast) {
    rows->n_differ = rows->n_same = 0;
    for (int m = 0; m < IOL_METRICS; m++) {
        const iol__change *c = &contrast->changes[m];
        if (iol__compare_metrics[m].aspect == IOL_ASPECT_TIME || !c->side[0].n || !c->side[1].n) continue;
        if ((c->side[0].max == 0 && c->side[1].max == 0) || said_already(contrast, m)) continue;
        if (c->differs)
            rows->differ[rows->n_differ++] = m;
        else
            rows->same[rows->n_same++] = m;
    }
    sort_rows(rows->differ, rows->n_differ, contrast);
}
