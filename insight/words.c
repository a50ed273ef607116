/* Sentences with their values filled in. Numbers are rounded for reading here, and only here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "insight/rule_eval.h"

/* 1234567 -> 1,234,567 */
static void grouped(char *to, size_t room, double value) {
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", value);
    size_t at = 0;
    for (int i = 0; i < n && at + 2 < room; i++) {
        to[at++] = digits[i];
        int left = n - 1 - i;
        if (left && left % 3 == 0 && digits[i] != '-') to[at++] = ',';
    }
    to[at] = 0;
}

static void plain(char *to, size_t room, double value) {
    double size = fabs(value);
    if (size >= 1e15)
        snprintf(to, room, "%.3g", value);
    else if (size == floor(size) || size >= 1000)
        grouped(to, room, value);
    else
        snprintf(to, room, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.01 ? "%.2f" : "%.2g", value);
}

/* Binary units, as everywhere in the output. */
static void bytes(char *to, size_t room, double value) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double v = value;
    int unit = 0;
    while (v >= 1023.5 && unit < 5) v /= 1024, unit++;
    snprintf(to, room, v == floor(v) || v >= 100 ? "%.0f %s" : "%.1f %s", v, units[unit]);
}

static void seconds(char *to, size_t room, double value) {
    if (value >= 36000)
        snprintf(to, room, "%.1f h", value / 3600);
    else if (value >= 1000)
        grouped(to, room, value), strncat(to, " s", room - strlen(to) - 1);
    else if (value >= 100)
        snprintf(to, room, "%.0f s", value);
    else if (value >= 10)
        snprintf(to, room, "%.1f s", value);
    else if (value >= 0.1)
        snprintf(to, room, "%.2f s", value);
    else if (value >= 1e-4)
        snprintf(to, room, "%.2g ms", value * 1e3);
    else
        snprintf(to, room, value > 0 ? "%.2g us" : "%.0f s", value * 1e6);
}

const char *iol__words(char buffer[IOL_WORDS], double value, iol__shape form) {
    if (isnan(value)) return "?";
    switch (form) {
    case IOL_SHAPE_BYTES: bytes(buffer, IOL_WORDS, value); break;
    case IOL_SHAPE_PERCENT:
        if (value > 0.995 && value < 1) { /* not all of it */
            snprintf(buffer, IOL_WORDS, value >= 0.9995 ? "over 99.9%%" : "over 99%%");
            break;
        }
        snprintf(buffer, IOL_WORDS,
                 value >= 0.1 || value == 0 ? "%.0f%%"
                 : value >= 0.01            ? "%.1f%%"
                                            : "%.2g%%",
                 value * 100);
        break;
    case IOL_SHAPE_SECONDS: seconds(buffer, IOL_WORDS, value); break;
    case IOL_SHAPE_ABOUT: plain(buffer, IOL_WORDS, round(value)); break;
    case IOL_SHAPE_TIMES: snprintf(buffer, IOL_WORDS, value >= 100 ? "%.0f" : "%.1f", value); break;
    case IOL_SHAPE_RATE:
        bytes(buffer, IOL_WORDS - 3, value);
        strcat(buffer, "/s");
        break;
    default: plain(buffer, IOL_WORDS, value);
    }
    return buffer;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static const char *label(int which, const iol__subject *subject, iol__arena *arena) {
    const iol__facts *facts = &subject->job->facts;
    bool processes = subject->job->job[IOL_JOB_process_tree] > 0;
    if (which == IOL_LABEL_EXE) return facts->job->exe ? facts->job->exe : "?";
    if (which == IOL_LABEL_WHO) return processes ? "processes" : "ranks";
    if (which == IOL_LABEL_ONE) return processes ? "Process" : "Rank";
    if (!subject->file) return "?";
    const char *point, *type;
    const char *name = iol__facts_name(facts, subject->file);
    switch (which) {
    case IOL_LABEL_MOUNT:
    case IOL_LABEL_FS:
        iol__facts_mount(facts, subject->file, &point, &type);
        return which == IOL_LABEL_MOUNT ? point : type;
    case IOL_LABEL_DIR: {
        const char *slash = name ? strrchr(name, '/') : NULL;
        return slash && slash > name ? iol__arena_text(arena, name, (size_t)(slash - name)) : slash ? "/" : ".";
    }
    case IOL_LABEL_NAME:
        if (name && strcmp(name, "<STDOUT>") == 0) return "standard output";
        if (name && strcmp(name, "<STDERR>") == 0) return "standard error";
        if (name && strcmp(name, "<STDIN>") == 0) return "standard input";
        return name ? base_name(name) : iol__arena_print(arena, "file %llu", (unsigned long long)subject->file->id);
    default: return name ? name : iol__arena_print(arena, "file %llu", (unsigned long long)subject->file->id);
    }
}

const char *iol__eval_sentence(const iol__sentence *sentence, const iol__subject *subject, iol__arena *arena) {
    const char *parts[2 * 24];
    char numbers[24][IOL_WORDS];
    size_t n = 0, length = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        const iol__piece *piece = &sentence->pieces[i];
        parts[n++] = piece->text;
        if (piece->last) break;
        parts[n++] = piece->form == IOL_SHAPE_LABEL
                         ? label(piece->label, subject, arena)
                         : iol__words(numbers[i], iol__eval(piece->value, subject), piece->form);
    }
    for (size_t i = 0; i < n; i++) length += strlen(parts[i]);
    char *text = iol__arena_alloc(arena, length + 1, 1), *at = text;
    for (size_t i = 0; i < n; i++) at = stpcpy(at, parts[i]);
    return text;
}

const char *iol__eval_first(const iol__sentence *list, int count, const iol__subject *subject, iol__arena *arena) {
    for (int i = 0; i < count; i++)
        if (iol__holds(list[i].condition, subject)) return iol__eval_sentence(&list[i], subject, arena);
    return NULL;
}
