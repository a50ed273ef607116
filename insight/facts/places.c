/* A finding is about some files and some kinds of calls; the lines that made these calls on these files are its places.
   Its rule says which kinds (`lines`). Findings about the job as a whole, or about others, have none. */
#include "insight/facts/places.h"

#include <stdlib.h>
#include <string.h>

#include "log/trailer/where.h"

enum { PLACES = 3 };

static const iol__rule *rule_of_finding(const iol__case *job, const iol__finding *f) {
    for (size_t i = 0; i < job->book->n_rules; i++)
        if (strcmp(job->book->rules[i]->id, f->id) == 0) return job->book->rules[i];
    return NULL;
}

/* Transfers of which layer: a rule about streams is not about what other calls moved, nor the other way round; one about
   datasets names the line that asks HDF5 for them, which may write them much later. */
static unsigned layers_of(const iol__rule *rule) {
    const unsigned kinds = 1u << IOL_WHERE_READ | 1u << IOL_WHERE_WRITE | 1u << IOL_WHERE_SEEK | 1u << IOL_WHERE_SYNC;
    if (rule->line_layers) return rule->line_layers;
    if (rule->lines & ~kinds) return 0;
    if (strcmp(rule->layer, "hdf5") == 0) return 1u << IOL_WHERE_HDF5;
    if (strcmp(rule->layer, "stdio") == 0) return 1u << IOL_WHERE_STDIO;
    return strcmp(rule->layer, "posix") == 0 ? 1u << IOL_WHERE_POSIX : 0;
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

/* Files that a finding names may be among those that count together in the log; then these are looked at, whose number is 0.
   Calls that have no file, as msync, are there as well. */
static bool find_lines(const iol__where_all *all, const iol__where_filter *filter, iol__where_line **lines,
                       size_t *count) {
    static const uint64_t together[] = {0};
    if (!iol__where_lines(all, filter, lines, count)) return false;
    if (*count || !filter->n_files) return true;
    iol__where_filter others = *filter;
    free(*lines);
    others.files = together;
    others.n_files = 1;
    return iol__where_lines(all, &others, lines, count);
}

static bool find_places(iol__case *job, const iol__where_all *all, iol__finding *f) {
    enum { FILES = 64 };
    uint64_t files[FILES];
    iol__where_line *lines;
    size_t count;
    const iol__rule *rule = rule_of_finding(job, f);
    if (!rule || !rule->lines) return true;
    const size_t n_files = files_of(f, files, FILES);
    iol__where_filter filter = {
        .files = n_files ? files : NULL, .n_files = n_files, .kinds = rule->lines, .layers = layers_of(rule)};
    if (!find_lines(all, &filter, &lines, &count)) return false;
    if (count == 0 && filter.layers) { /* what it found is of the other layer */
        free(lines);
        filter.layers = 0;
        if (!find_lines(all, &filter, &lines, &count)) return false;
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
