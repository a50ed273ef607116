/* A finding is about some files and some kinds of calls; the lines that made these calls on these files are its places.
   Which kinds, the words of its id say, from a table. Findings about the job as a whole, or about others, have none. */
#include "insight/facts/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/trailer/where.h"

enum { PLACES = 3 };

#define KIND(name) (1u << IOL_WHERE_##name)
enum {
    DATA = KIND(READ) | KIND(WRITE),
    NAMES = KIND(OPEN) | KIND(CLOSE) | KIND(STAT) | KIND(OTHER),
    META = NAMES | KIND(SEEK) | KIND(SYNC),
    NOTHING = 1u << 31, /* no kind at all */
};

/* The first row whose word is one of those of the id counts. */
static const struct {
    const char *word;
    unsigned kinds;
} table[] = {
    {"data", NOTHING},
    {"outside", NOTHING},
    {"history", NOTHING},
    {"job", NOTHING},
    {"rank", NOTHING},
    {"mpi", NOTHING},
    {"metric", NOTHING},
    {"fsync", KIND(SYNC)},
    {"many", NAMES},
    {"open", KIND(OPEN)},
    {"sync", KIND(SYNC)},
    {"flush", KIND(SYNC) | KIND(WRITE)},
    {"read", KIND(READ)},
    {"readall", KIND(READ)},
    {"reread", KIND(READ)},
    {"repeated", KIND(READ)},
    {"write", KIND(WRITE)},
    {"writer", KIND(WRITE)},
    {"rewritten", KIND(WRITE)},
    {"seek", KIND(SEEK)},
    {"stat", KIND(STAT)},
    {"lookup", KIND(STAT) | KIND(OPEN) | KIND(OTHER)},
    {"rename", KIND(OTHER)},
    {"resize", KIND(OTHER)},
    {"names", KIND(OTHER)},
    {"meta", META},
    {"metadata", META},
    {"import", NAMES | KIND(READ)},
    {"fpp", KIND(OPEN) | KIND(WRITE)},
    {"direct", DATA},
    {"small", DATA},
    {"tiny", DATA},
    {"align", DATA},
    {"strided", DATA},
    {"chunk", DATA},
    {"rows", DATA},
    {"fill", KIND(WRITE)},
    {"collective", DATA},
    {"indep", DATA},
};

/* Whether the parts of an id, between dots, have a word. */
static bool has_word(const char *id, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = id; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == '.' || at[length] == 0)) return true;
    return false;
}

static unsigned kinds_of(const char *id) {
    for (size_t i = 0; i < IOL_COUNT(table); i++)
        if (has_word(id, table[i].word)) return table[i].kinds;
    return 0;
}

/* The files that it names, if these are all; else any may be one of them. */
static size_t files_of(const iol__finding *f, uint64_t *files, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < f->n_evidence && count < room; i++)
        if (f->evidence[i].file_id && f->evidence[i].kind == IOL_EVIDENCE_FILE) files[count++] = f->evidence[i].file_id;
    return f->n_evidence_left_out || (double)count < f->subject_count ? 0 : count;
}

static iol__finding_place place_of(iol__case *job, const iol__where_line *line, double share) {
    char text[512];
    const char *copy = iol__arena_copy(&job->arena, iol__where_line_text(line, text, sizeof text));
    return (iol__finding_place){
        .text = copy,
        .file = line->place.file ? iol__arena_copy(&job->arena, line->place.file) : NULL,
        .function = line->place.function ? iol__arena_copy(&job->arena, line->place.function) : NULL,
        .line = line->place.line,
        .share = share,
        .calls = (double)line->values.calls,
        .bytes = (double)line->values.bytes,
        .time = (double)line->values.time * 1e-9,
    };
}

/* By time; by calls where none of them was timed. Unknown lines are left out. */
static void fill_places(iol__case *job, iol__finding *f, const iol__where_line *lines, size_t count) {
    double time = 0, calls = 0;
    for (size_t i = 0; i < count; i++) {
        time += (double)lines[i].values.time;
        calls += (double)lines[i].values.calls;
    }
    if (calls <= 0) return;
    iol__finding_place *places = iol__arena_alloc(&job->arena, PLACES, sizeof *places);
    for (size_t i = 0; i < count && f->n_places < PLACES; i++) {
        const double share = time > 0 ? (double)lines[i].values.time / time : (double)lines[i].values.calls / calls;
        if (lines[i].frame == IOL_IDMAP_NONE || share < 0.05) continue;
        places[f->n_places++] = place_of(job, &lines[i], share);
    }
    f->places = places;
}

static bool find_places(iol__case *job, const iol__where_all *all, iol__finding *f) {
    enum { FILES = 64 };
    uint64_t files[FILES];
    iol__where_line *lines;
    size_t count;
    const unsigned kinds = kinds_of(f->id);
    if (kinds & NOTHING) return true;
    const size_t n_files = files_of(f, files, FILES);
    iol__where_filter filter = {.files = n_files ? files : NULL, .n_files = n_files, .kinds = kinds};
    if (!iol__where_lines(all, &filter, &lines, &count)) return false;
    if (n_files && count == 0) { /* its files may be among those that count together */
        free(lines);
        files[0] = 0;
        filter.n_files = 1;
        if (!iol__where_lines(all, &filter, &lines, &count)) return false;
    }
    fill_places(job, f, lines, count);
    free(lines);
    return true;
}

void iol__case_places(iol__case *job, iol__diagnosis *out) {
    iol__where_all *all = &job->where; /* there, because memory may end in the middle */
    if (!iol__where_make(job->facts.log, all)) longjmp(*job->arena.exhausted, 1);
    for (size_t i = 0; i < out->n_findings && all->n_rows; i++)
        if (!find_places(job, all, (iol__finding *)(uintptr_t)&out->findings[i])) longjmp(*job->arena.exhausted, 1);
}
