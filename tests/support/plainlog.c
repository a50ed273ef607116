/* A line begins with what it is about: a module, or one of the words of read_line(). */
#include "tests/support/plainlog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "iolite/log.h"
#include "schema/schema.h"
#include "tests/support/custommaker.h"
#include "tests/support/logrecords.h"

typedef struct maker {
    lm_log *made;
    bool innocent;
    double nodes;
    char metadata[100], text[300];
} maker;

/* The word for this log: "a|b" has two. */
static char *choose(const maker *m, char *word) {
    char *bar = strchr(word, '|');
    if (!bar) return word;
    *bar = 0;
    return m->innocent ? bar + 1 : word;
}

static int slot_of(const char *module) {
    int slot = iol_module_find(module);
    if (slot < 0) fail_msg("no module %s", module);
    return slot;
}

static void set_counter(const maker *m, int slot, lm_counts *counts, char *word) {
    char *equals = strchr(word, '=');
    assert_non_null(equals);
    *equals = 0;
    int index = iol_counter_find(slot, word);
    if (index < 0) fail_msg("no counter %s", word);
    double value = atof(choose(m, equals + 1));
    int ints = iol__modules[slot].ints;
    if (index < ints)
        counts->ints[index] = (int64_t)value;
    else
        counts->reals[index - ints] = value;
}

static uint64_t named(const maker *m, const char *name) {
    if (strcmp(name, "?") == 0) return 77;
    uint64_t id = lm_id(name);
    lm_name(m->made, id, name);
    return id;
}

/* "NAME*40" to the name and 40. */
static int take_count(const maker *m, char *name) {
    char *star = strchr(name, '*');
    if (!star) return 1;
    *star = 0;
    return atoi(choose(m, star + 1));
}

static void one_record(const maker *m, int slot, const char *rank, char *name, int number, int count,
                       const lm_counts *counts) {
    char full[200], owner[200];
    bool ranks = strcmp(rank, "*") == 0;
    bool apart = !ranks || strchr(name, '%');
    size_t length = strcspn(name, "%");
    if (count > 1 && apart)
        snprintf(full, sizeof full, "%.*s%d", (int)length, name, number);
    else
        snprintf(full, sizeof full, "%.*s", (int)length, name);
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(full, ":"), full);
    unsigned version = lm_newest(slot);
    lm_fixed(lm_records(m->made, slot, version), slot, version, named(m, full), ranks ? number : atoll(rank),
             lm_id(owner), counts);
}

static void records_line(const maker *m, int slot, char *rest) {
    char *rank = strtok_r(rest, " ", &rest), *name = choose(m, strtok_r(rest, " ", &rest)), *word;
    int count = take_count(m, name);
    lm_counts *counts = calloc(1, sizeof *counts);
    while ((word = strtok_r(rest, " ", &rest))) set_counter(m, slot, counts, word);
    for (int i = 0; i < count; i++) one_record(m, slot, rank, name, i, count, counts);
    free(counts);
}

/* APMPI RANK COUNTER=VALUE...: MPI's own statistics of a rank; the header goes before the first of them. */
static void messages_line(const maker *m, char *rest) {
    const char *rank = strtok_r(rest, " ", &rest);
    char *word;
    bytes *records = lm_records(m->made, LM_APMPI, 1);
    if (records->length == 0) lm_apmpi_header(records, 0, 0, 0);
    lm_counts *counts = calloc(1, sizeof *counts);
    while ((word = strtok_r(rest, " ", &rest))) set_counter(m, LM_APMPI, counts, word);
    lm_apmpi(records, lm_id("APMPI"), atoll(rank), counts, "node1");
    free(counts);
}

/* LUSTRE NAME STRIPE_SIZE COUNT[@FIRST] [OSTS]: the file is on COUNT OSTs from FIRST on; the file system has OSTS. */
static void lustre_line(const maker *m, char *rest) {
    enum { MOST_OSTS = 512 };
    int64_t osts[MOST_OSTS];
    char *name = strtok_r(rest, " ", &rest);
    int count = 1;
    char *star = strchr(name, '*');
    if (star) {
        *star = 0;
        count = atoi(choose(m, star + 1));
    }
    int64_t stripe_size = atoll(strtok_r(rest, " ", &rest));
    char *where = choose(m, strtok_r(rest, " ", &rest)), *at = strchr(where, '@'), *all = strtok_r(rest, " ", &rest);
    size_t n_osts = (size_t)atoi(where);
    int64_t fs_osts = all ? atoll(choose(m, all)) : 96;
    assert_true(n_osts <= MOST_OSTS);
    for (int i = 0; i < MOST_OSTS; i++) osts[i] = i + (at ? atoi(at + 1) : 0);
    for (int i = 0; i < count; i++) {
        char full[200];
        if (count > 1)
            snprintf(full, sizeof full, "%s%d", name, i);
        else
            snprintf(full, sizeof full, "%s", name);
        lm_lustre_1_of(lm_records(m->made, LM_LUSTRE, 1), named(m, full), -1, fs_osts, stripe_size, osts, n_osts);
    }
}

static double next_number(const maker *m, char **rest) {
    char *word = strtok_r(*rest, " ", rest);
    assert_non_null(word);
    return atof(choose(m, word));
}

static void trace_line(const maker *m, char *rest) {
    int64_t rank = atoll(strtok_r(rest, " ", &rest));
    uint64_t id = named(m, strtok_r(rest, " ", &rest));
    bool write = strcmp(choose(m, strtok_r(rest, " ", &rest)), "w") == 0;
    size_t count = (size_t)next_number(m, &rest);
    double offset = next_number(m, &rest), step = next_number(m, &rest), length = next_number(m, &rest);
    double start = next_number(m, &rest), tick = next_number(m, &rest), duration = next_number(m, &rest);
    lm_segment *segments = calloc(count, sizeof *segments);
    for (size_t i = 0; i < count; i++) {
        double at = start + (double)i * tick;
        segments[i] = (lm_segment){(int64_t)(offset + (double)i * step), (int64_t)length, at, at + duration, 0};
    }
    lm_trace(lm_records(m->made, LM_DXT_POSIX, 1), id, rank, "node1", segments, write ? count : 0, write ? 0 : count,
             false);
    free(segments);
}

static void heat_line(const maker *m, char *rest) {
    int64_t rank = atoll(strtok_r(rest, " ", &rest));
    int64_t written[4] = {(int64_t)next_number(m, &rest)}, read[4] = {0};
    lm_heatmap(lm_records(m->made, LM_HEATMAP, 1), named(m, "heatmap:POSIX"), rank, 1.0, 4, written, read);
}

/* Text with '|' between quotes and ';' for the end of a line. */
static void hint_line(const maker *m, char *rest) {
    char text[400];
    size_t n = 0;
    char *bar = strchr(rest, '|'), *from = bar;
    while (bar && from > rest && !strchr("\"=:", from[-1])) from--;
    for (char *at = rest; *at && n < sizeof text - 1; at++) {
        if (bar && m->innocent && at == from) at = bar + 1;
        if (bar && !m->innocent && at == bar) at += strcspn(at, "\"};");
        if (!*at) break;
        text[n++] = *at == ';' ? '\n' : *at;
    }
    lm_trailer(m->made, "HINT", 0, text, n);
}

static void add_process(const maker *m, int rank, int start, int end, const char *out) {
    char text[300];
    int n =
        snprintf(text, sizeof text,
                 "{\"rank\":%d,\"pid\":7,\"parent\":1,\"start\":%d,\"end\":%d,\"ended\":\"exit\",\"command\":\"app\","
                 "\"stdout\":\"%s\"}\n",
                 rank, start, end, out);
    lm_trailer(m->made, "PROC", 0, text, (size_t)n);
}

/* A process of a run without MPI, whose standard output leads there; one that lived from here to there. */
static void process_line(const maker *m, char *rest) { add_process(m, 0, 0, 1, choose(m, rest)); }

static void life_line(const maker *m, char *rest) {
    int rank = atoi(strtok_r(rest, " ", &rest)), start = atoi(strtok_r(rest, " ", &rest));
    add_process(m, rank, start, atoi(rest), "/scratch/out");
}

/* A number of processes beside the first, one every 10 ms, and how many milliseconds each lives. */
static void short_line(const maker *m, char *rest) {
    const int count = atoi(choose(m, strtok_r(rest, " ", &rest)));
    const double life = atof(choose(m, strtok_r(rest, " ", &rest))) / 1000;
    const char *command = rest && *rest ? choose(m, rest) : "tool";
    const size_t room = (size_t)(count + 2) * (120 + strlen(command));
    char *text = malloc(room);
    if (!text) abort();
    int n = snprintf(text, room, "{\"rank\":0,\"pid\":7,\"parent\":1,\"start\":0,\"end\":100,\"command\":\"app\"}\n");
    for (int i = 1; i <= count; i++)
        n += snprintf(text + n, room - (size_t)n,
                      "{\"rank\":%d,\"pid\":%d,\"parent\":7,\"start\":%.3f,\"end\":%.3f,\"command\":\"%s\"}\n", i,
                      7 + i, 0.01 * i, 0.01 * i + life, command);
    lm_trailer(m->made, "PROC", 0, text, (size_t)n);
    free(text);
}

static void folded_line(const maker *m, char *rest) {
    char text[100];
    int n = snprintf(text, sizeof text, "{\"POSIX\":%d}\n", atoi(choose(m, rest)));
    lm_trailer(m->made, "FOLD", 0, text, (size_t)n);
}

static void syncs_line(const maker *m, char *rest) {
    char text[100];
    int count = atoi(strtok_r(rest, " ", &rest));
    int n = snprintf(text, sizeof text, "{\"sync\":{\"count\":%d,\"failed\":0,\"time\":%s,\"slowest\":1}}\n", count,
                     choose(m, rest));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void calls_line(const maker *m, char *rest) {
    char text[200], *name = strtok_r(rest, " ", &rest);
    int count = atoi(choose(m, strtok_r(rest, " ", &rest)));
    int n = snprintf(text, sizeof text, "{\"%s\":{\"count\":%d,\"failed\":0,\"time\":%s,\"slowest\":1}}\n", name, count,
                     choose(m, rest));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void lookups_line(const maker *m, char *rest) {
    char text[200];
    int count = atoi(choose(m, strtok_r(rest, " ", &rest))), failed = atoi(choose(m, strtok_r(rest, " ", &rest)));
    int n = snprintf(text, sizeof text, "{\"stat\":{\"count\":%d,\"failed\":%d,\"time\":%s,\"slowest\":1}}\n", count,
                     failed, choose(m, rest));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void ends_line(const maker *m, char *rest) {
    char text[200], way[16] = "", number[16] = "0", end[16] = "", *rank = strtok_r(rest, " ", &rest);
    sscanf(choose(m, rest), "%15s %15s %15s", way, number, end);
    bool killed = strcmp(way, "killed") == 0;
    int n = snprintf(
        text, sizeof text,
        "{\"rank\":%s,\"pid\":1,\"parent\":0,\"start\":0,\"end\":%s,\"ended\":%s,\"%s\":%s,\"command\":\"a\"}\n", rank,
        *end     ? end
        : killed ? "null"
                 : "9",
        killed ? "null" : "\"exit\"", killed ? "signal" : "status", number);
    lm_trailer(m->made, "PROC", 0, text, (size_t)n);
}

static void flags_line(const maker *m, char *rest) {
    char text[200], *name = strtok_r(rest, " ", &rest);
    int n = snprintf(text, sizeof text, "{\"open_%s\":{\"count\":%d,\"failed\":0,\"time\":0,\"slowest\":0}}\n", name,
                     atoi(choose(m, rest)));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void pages_line(const maker *m, char *rest) {
    char text[200];
    int count = atoi(choose(m, strtok_r(rest, " ", &rest)));
    int n = snprintf(text, sizeof text, "{\"page_fault\":{\"count\":%d,\"failed\":0,\"time\":%s,\"slowest\":0}}\n",
                     count, choose(m, rest));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void meta_line(maker *m, char *rest) {
    char *equals = strchr(rest, '=');
    *equals = 0;
    snprintf(m->metadata, sizeof m->metadata, "lib_ver=3.5.0\n%s=%s\n", rest, choose(m, equals + 1));
    m->made->metadata = m->metadata;
}

static void maps_line(maker *m, char *rest) {
    static const am_counter counters[] = {{"MAPS_COUNT", "", 0, 0},
                                          {"MAPS_BYTES", "bytes", 0, 0},
                                          {"MAPS_TOUCHED", "bytes", 0, 0},
                                          {"MAPS_PIECES", "", 0, 0}};
    bytes section = {0};
    const char *name = strtok_r(rest, " ", &rest);
    uint64_t values[4] = {1, 0, 0, 0};
    values[2] = (uint64_t)atoll(choose(m, strtok_r(rest, " ", &rest)));
    values[1] = (uint64_t)atoll(choose(m, strtok_r(rest, " ", &rest)));
    values[3] = (uint64_t)atoll(choose(m, strtok_r(rest, " ", &rest)));
    am_begin(&section);
    am_schema(&section, 0, "MAPS", 1, counters, 4);
    am_record(&section, 0, iol_name_id(name, strlen(name)), name, values, 4);
    lm_trailer(m->made, "MODS", 0, section.data, section.length);
    bytes_free(&section);
}

static void read_line(maker *m, char *line) {
    char *rest = line, *word = strtok_r(rest, " ", &rest);
    if (!word) return;
    if (strcmp(word, "job") == 0) {
        m->made->processes = atoll(choose(m, strtok_r(rest, " ", &rest)));
        m->made->end = m->made->start + atoll(strtok_r(rest, " ", &rest));
    } else if (strcmp(word, "partial") == 0) {
        if (atoi(choose(m, strtok_r(rest, " ", &rest)))) m->made->partial_flags |= 1u << LM_POSIX;
    } else if (strcmp(word, "version") == 0) {
        m->made->slots[LM_POSIX].version = (uint32_t)atoi(choose(m, rest));
    } else if (strcmp(word, "python") == 0) {
        m->made->text = "/usr/bin/python3 train.py\next4\t/\nlustre\t/scratch\nnfs\t/home";
    } else if (strcmp(word, "nodes") == 0) {
        m->nodes = atof(choose(m, rest));
    } else if (strcmp(word, "meta") == 0) {
        meta_line(m, rest);
    } else if (strcmp(word, "exe") == 0) { /* the command line, instead of that of a solver */
        snprintf(m->text, sizeof m->text, "%s\n%s", rest, strchr(m->made->text, '\n') + 1);
        m->made->text = m->text;
    } else if (strcmp(word, "HINT") == 0) {
        hint_line(m, rest);
    } else if (strcmp(word, "PROC") == 0) {
        process_line(m, rest);
    } else if (strcmp(word, "ENDS") ==
               0) { /* a rank, "exit" or "killed", then perhaps the status or signal, and when */
        ends_line(m, rest);
    } else if (strcmp(word, "LIFE") == 0) {
        life_line(m, rest);
    } else if (strcmp(word, "SHORT") == 0) { /* processes, milliseconds of their lives, and their command */
        short_line(m, rest);
    } else if (strcmp(word, "FOLD") == 0) {
        folded_line(m, rest);
    } else if (strcmp(word, "OPER") == 0) {
        syncs_line(m, rest);
    } else if (strcmp(word, "CALLS") == 0) { /* an operation, how many of them, and their seconds */
        calls_line(m, rest);
    } else if (strcmp(word, "LOOK") == 0) { /* looks at files that succeed, that fail, and their seconds */
        lookups_line(m, rest);
    } else if (strcmp(word, "FLAG") == 0) { /* sync or direct, and opens with it */
        flags_line(m, rest);
    } else if (strcmp(word, "PAGE") == 0) { /* major page faults, and the seconds without computing */
        pages_line(m, rest);
    } else if (strcmp(word, "MAPS") == 0) { /* a file that was mapped, bytes that were used, length, pieces */
        maps_line(m, rest);
    } else if (strcmp(word, "lost") == 0) { /* bytes at the end of POSIX: behind all of its records */
        m->made->slots[LM_POSIX].payload.length -= (size_t)atoi(choose(m, rest));
    } else if (strcmp(word, "APMPI") == 0) {
        messages_line(m, rest);
    } else if (strcmp(word, "LUSTRE") == 0) {
        lustre_line(m, rest);
    } else if (strcmp(word, "TRACE") == 0) {
        trace_line(m, rest);
    } else if (strcmp(word, "HEAT") == 0) {
        heat_line(m, rest);
    } else {
        records_line(m, slot_of(word), rest);
    }
}

static double last_nodes; /* by the last log that was made */

double log_nodes(void) { return last_nodes; }

opened log_of(const char *text, bool innocent) {
    maker m = {.made = lm_new(41, false, LM_ZLIB), .innocent = innocent};
    m.made->text = "/opt/app/bin/solver -n 4\next4\t/\nlustre\t/scratch\nnfs\t/home";
    m.made->start = 1000000;
    m.made->end = 1000100;
    m.made->start_ns = m.made->end_ns = 0;
    char *copy = strdup(text), *rest = copy, *line;
    while ((line = strtok_r(rest, "\n", &rest))) read_line(&m, line);
    free(copy);
    last_nodes = m.nodes;
    return opened_from(m.made);
}
