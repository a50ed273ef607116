/* Chains by the mark that requests have. Two chains may have the same one: then neither is told. */
#include "cmds/log/trace_chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"

enum { MARKS = 1 << 16, LINE_TEXT = 512 };
static const uint32_t AMBIGUOUS = UINT32_MAX;

static void number_chains(trace_chains *c) {
    for (size_t i = 0; i < c->all.n_chains && i < AMBIGUOUS - 1; i++) {
        const iol__where_chain *chain = &c->all.chains[i];
        if (chain->unknown || chain->folded) continue;
        uint32_t *place = &c->by_mark[iol__where_mark_of_chain(chain->id)];
        *place = *place ? AMBIGUOUS : (uint32_t)i + 1;
    }
}

bool trace_chains_open(trace_chains *c, iol_log *log, const source_paths *paths) {
    *c = (trace_chains){0};
    if (!iol__where_make(log, &c->all)) return false;
    c->known = c->all.n_chains > 0 && c->all.version >= 2;
    if (!c->known) return true;
    c->by_mark = calloc(MARKS, sizeof *c->by_mark);
    c->texts = calloc(c->all.n_chains, sizeof *c->texts);
    if (!c->by_mark || !c->texts || !symbolize_frames(&c->all, paths, tell_stderr, NULL)) return false;
    number_chains(c);
    return true;
}

void trace_chains_close(trace_chains *c) {
    for (size_t i = 0; c->texts && i < c->all.n_chains; i++) {
        free(c->texts[i].line);
        free(c->texts[i].frames);
    }
    free(c->texts);
    free(c->by_mark);
    iol__where_free(&c->all);
    *c = (trace_chains){0};
}

static const char *frame_text(const iol__where_all *all, size_t number, char *text) {
    const iol__where_frame *f = &all->frames[number];
    iol__where_line line = {.frame = number, .offset = f->offset};
    if (f->object != IOL_IDMAP_NONE) line.object = all->objects[f->object].path;
    if (f->n_places) line.place = f->places[f->n_places - 1];
    return iol__where_line_text(&line, text, LINE_TEXT);
}

static bool is_main(const iol__where_frame *f) {
    return f->n_places && f->places[f->n_places - 1].function &&
           strcmp(f->places[f->n_places - 1].function, "main") == 0;
}

/* The own place first, whatever library is below it, and the program's functions above. */
static void describe_chain(const trace_chains *c, const iol__where_chain *chain, trace_chain *to) {
    iol__where_line own;
    char text[LINE_TEXT];
    size_t length;
    if (!iol__where_chain_line(&c->all, chain, &own)) return;
    FILE *out = open_memstream(&to->frames, &length);
    if (!out) return;
    to->line = strdup(iol__where_line_text(&own, text, sizeof text));
    fputs(text, out);
    bool above = false;
    for (size_t i = 0; i < chain->count; i++) {
        const size_t number = c->all.steps[chain->first + i];
        const iol__where_frame *f = &c->all.frames[number];
        if (above && !f->unknown && !f->system && (f->python || !c->all.frames[own.frame].python))
            fprintf(out, " < %s", frame_text(&c->all, number, text));
        above = above || number == own.frame;
        if (is_main(f)) break;
    }
    fclose(out);
}

const trace_chain *trace_chain_of(trace_chains *c, iol_segment *segment) {
    if (!c->known) return NULL;
    const uint32_t number = c->by_mark[iol__where_take_mark(&segment->start, &segment->end)];
    if (number == 0 || number == AMBIGUOUS) return NULL;
    trace_chain *texts = &c->texts[number - 1];
    if (!texts->frames) describe_chain(c, &c->all.chains[number - 1], texts);
    return texts->line && texts->frames ? texts : NULL;
}
