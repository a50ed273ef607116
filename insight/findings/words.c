/* Sentences with their values filled in. */
#include <math.h>
#include <string.h>

#include "base/strings.h"
#include "insight/language/rule_eval.h"

const char *iol__words(char buffer[IOL_HUMAN], double value, iol__number_shape form) {
    switch (form) {
    case IOL_SHAPE_BYTES: return iol__human_bytes(buffer, value);
    case IOL_SHAPE_PERCENT: return iol__human_share(buffer, value);
    case IOL_SHAPE_SECONDS: return iol__human_seconds(buffer, value);
    case IOL_SHAPE_ABOUT: return iol__human_number(buffer, round(value));
    case IOL_SHAPE_ID: return iol__human_id(buffer, value);
    case IOL_SHAPE_RATE: return iol__human_rate(buffer, value);
    default: return iol__human_number(buffer, value);
    }
}

static const char *words_label(int which, const iol__subject *subject, iol__arena *arena) {
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
        return name ? iol__base_name(name)
                    : iol__arena_print(arena, "file %llu", (unsigned long long)subject->file->id);
    default: return name ? name : iol__arena_print(arena, "file %llu", (unsigned long long)subject->file->id);
    }
}

const char *iol__eval_sentence(const iol__sentence *sentence, const iol__subject *subject, iol__arena *arena) {
    const char *parts[2 * 24];
    char numbers[24][IOL_HUMAN];
    size_t n = 0, length = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        const iol__sentence_piece *piece = &sentence->pieces[i];
        parts[n++] = piece->text;
        if (piece->last) break;
        parts[n++] = piece->form == IOL_SHAPE_LABEL
                         ? words_label(piece->label, subject, arena)
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
