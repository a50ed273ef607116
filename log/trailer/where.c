/* Reading: names of records are taken apart with every length checked, because a log may come from anybody. What makes no
   sense is counted and left out. */
#include "log/trailer/where.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "base/strings.h"
#include "record/hash.h"

const char *const iol__where_layers[IOL_WHERE_LAYERS] = {
#define LAYER(NAME, name) name,
#define KIND(NAME, name)
#include "record/where.def"
#undef LAYER
#undef KIND
};
const char *const iol__where_kinds[IOL_WHERE_KINDS] = {
#define LAYER(NAME, name)
#define KIND(NAME, name) name,
#include "record/where.def"
#undef LAYER
#undef KIND
};

static const char *keep_text(iol__where_all *all, const char *text, size_t length) {
    if (!IOL_GROW(all->texts, all->text_room, all->n_texts)) return NULL;
    char *copy = strndup(text, length);
    if (copy) all->texts[all->n_texts++] = copy;
    return copy;
}

static bool take_hex(const char **at, uint64_t *value) {
    char *end;
    const char c = **at;
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
    *value = strtoull(*at, &end, 16);
    *at = end;
    return true;
}

static bool take_char(const char **at, char c) {
    if (**at != c) return false;
    (*at)++;
    return true;
}

/* Frames ----------------------------------------------------------------------------------------------------------- */

/* Libraries of the system, and those that do I/O for others wherever they are: nobody wants to be shown a line there. */
static bool is_system_path(const char *path) {
    static const char *const roots[] = {"/lib/",       "/lib64/",       "/usr/lib/",
                                        "/usr/lib64/", "/usr/include/", "/usr/local/lib/"};
    static const char *const names[] = {"libhdf5",     "libmpi",   "libnetcdf", "libpnetcdf", "libromio", "libstdc",
                                        "libgfortran", "libc.so",  "libiolite", "libadios",   "libopen-", "libflang",
                                        "libmpich",    "ld-linux", "libpython", "python3"};
    for (size_t i = 0; i < IOL_COUNT(roots); i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0) return true;
    const char *name = iol__base_name(path);
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

/* Files of Python that came with it, or were installed beside it. */
static bool is_library_file(const char *file) {
    return file[0] == '<' || strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") ||
           strstr(file, "/lib/python3") || strstr(file, "/lib64/python3");
}

/* Files that the compiler brings in: the bodies of templates. */
static bool is_header_of_system(const char *file) {
    return strncmp(file, "/usr/include/", 13) == 0 || strstr(file, "/include/c++/") ||
           strncmp(file, "/usr/lib/gcc", 12) == 0;
}

static uint64_t object_id(uint64_t key) { return key; }

static size_t find_object(const iol__where_all *all, uint64_t key) {
    return iol__idmap_find(&all->object_ids, object_id(key));
}

/* A frame by its text, KEY+OFFSET or KEY:LINE or "?"; IOL_IDMAP_NONE without memory. */
static size_t frame_of(iol__where_all *all, const char *text, size_t length) {
    const uint64_t id = iol__hash(text, length, 0);
    const size_t known = iol__idmap_find(&all->frame_ids, id);
    if (known != IOL_IDMAP_NONE) return known;
    iol__where_frame frame = {.object = IOL_IDMAP_NONE};
    const char *at = text;
    uint64_t number = 0;
    if (length == 1 && *text == '?')
        frame.unknown = true;
    else if (!take_hex(&at, &frame.key) || (*at != '+' && *at != ':'))
        return IOL_IDMAP_NONE;
    if (!frame.unknown) {
        frame.python = *at++ == ':';
        if (frame.python)
            number = strtoull(at, (char **)(uintptr_t)&at, 10);
        else if (!take_hex(&at, &number))
            return IOL_IDMAP_NONE;
        if (at != text + length) return IOL_IDMAP_NONE;
        frame.offset = number;
    }
    if (!IOL_GROW(all->frames, all->frame_room, all->n_frames) || iol__idmap_add(&all->frame_ids, id) != all->n_frames)
        return IOL_IDMAP_NONE;
    all->frames[all->n_frames] = frame;
    return all->n_frames++;
}

bool iol__where_name(iol__where_all *all, size_t number, const iol__where_place *places, size_t count) {
    iol__where_place *copy = calloc(count, sizeof *copy);
    if (!copy) return false;
    for (size_t i = 0; i < count; i++) {
        copy[i].line = places[i].line;
        if (places[i].function) copy[i].function = keep_text(all, places[i].function, strlen(places[i].function));
        if (places[i].file) copy[i].file = keep_text(all, places[i].file, strlen(places[i].file));
    }
    free(all->frames[number].places);
    all->frames[number].places = copy;
    all->frames[number].n_places = count;
    return true;
}

/* Records ---------------------------------------------------------------------------------------------------------- */

/* Each takes what is behind the letter and a blank; false: it makes no sense. */
static bool read_object(iol__where_all *all, const char *at) {
    iol__where_object object;
    if (!take_hex(&at, &object.key) || !take_char(&at, ' ')) return false;
    const char *blank = strchr(at, ' ');
    if (!blank) return false;
    if (find_object(all, object.key) != IOL_IDMAP_NONE) return true;
    object.build = keep_text(all, at, (size_t)(blank - at));
    object.path = blank + 1;
    if (!object.build || !IOL_GROW(all->objects, all->object_room, all->n_objects) ||
        iol__idmap_add(&all->object_ids, object_id(object.key)) != all->n_objects)
        return false;
    all->objects[all->n_objects++] = object;
    return true;
}

static bool read_chain(iol__where_all *all, const char *at) {
    iol__where_chain chain = {.first = all->n_steps};
    if (!take_hex(&at, &chain.id)) return false;
    if (iol__idmap_find(&all->chain_ids, chain.id) != IOL_IDMAP_NONE) return true;
    while (take_char(&at, ' ')) {
        const size_t length = strcspn(at, " ");
        const size_t frame = frame_of(all, at, length);
        if (frame == IOL_IDMAP_NONE || !IOL_GROW(all->steps, all->step_room, all->n_steps)) return false;
        all->steps[all->n_steps++] = frame;
        at += length;
    }
    chain.count = all->n_steps - chain.first;
    if (*at || !IOL_GROW(all->chains, all->chain_room, all->n_chains) ||
        iol__idmap_add(&all->chain_ids, chain.id) != all->n_chains)
        return false;
    all->chains[all->n_chains++] = chain;
    return true;
}

/* The chain of a row: one that was read before, or one that stands for those that are not known. */
static size_t chain_of(iol__where_all *all, const char **at) {
    uint64_t id;
    const bool unknown = strncmp(*at, IOL_WHERE_UNKNOWN " ", sizeof IOL_WHERE_UNKNOWN) == 0;
    const bool folded = strncmp(*at, IOL_WHERE_FOLDED " ", sizeof IOL_WHERE_FOLDED) == 0;
    if (unknown || folded) {
        id = unknown ? 1 : 2;
        *at += strcspn(*at, " ");
    } else if (!take_hex(at, &id)) {
        return IOL_IDMAP_NONE;
    }
    const size_t known = iol__idmap_find(&all->chain_ids, id);
    if (known != IOL_IDMAP_NONE) return known;
    if (!IOL_GROW(all->chains, all->chain_room, all->n_chains) || iol__idmap_add(&all->chain_ids, id) != all->n_chains)
        return IOL_IDMAP_NONE;
    all->chains[all->n_chains] = (iol__where_chain){.id = id, .unknown = !folded, .folded = folded};
    return all->n_chains++;
}

static bool take_word(const char **at, const char *const *words, unsigned count, unsigned *number) {
    for (*number = 0; *number < count; (*number)++) {
        const size_t length = strlen(words[*number]);
        if (strncmp(*at, words[*number], length) != 0 || (*at)[length] != ' ') continue;
        *at += length + 1;
        return true;
    }
    return false;
}

static bool read_row(iol__where_all *all, const char *at, int64_t rank, const iol__where_values *values) {
    iol__where_row row = {.rank = rank, .values = *values};
    row.chain = chain_of(all, &at);
    if (row.chain == IOL_IDMAP_NONE || !take_char(&at, ' ')) return false;
    if (!take_word(&at, iol__where_layers, IOL_WHERE_LAYERS, &row.layer) ||
        !take_word(&at, iol__where_kinds, IOL_WHERE_KINDS, &row.kind) || !take_hex(&at, &row.file) || *at)
        return false;
    if (values->calls < 0 || values->bytes < 0 || values->time < 0) return false;
    if (!IOL_GROW(all->rows, all->row_room, all->n_rows)) return false;
    all->rows[all->n_rows++] = row;
    return true;
}

/* Names of a frame, behind its text: three parts for each place. */
static bool read_names(iol__where_all *all, size_t frame, const char *at) {
    enum { MOST = 64 };
    iol__where_place places[MOST];
    size_t count = 0;
    while (*at && count < MOST) {
        const char *parts[3];
        size_t lengths[3];
        for (int i = 0; i < 3; i++) {
            parts[i] = at;
            lengths[i] = strcspn(at, "\t");
            at += lengths[i];
            if (!take_char(&at, '\t') && i < 2) return false;
        }
        places[count++] = (iol__where_place){.function = lengths[0] ? keep_text(all, parts[0], lengths[0]) : NULL,
                                             .file = lengths[1] ? keep_text(all, parts[1], lengths[1]) : NULL,
                                             .line = (uint32_t)strtoul(parts[2], NULL, 10)};
    }
    return count > 0 && iol__where_name(all, frame, places, count);
}

static bool read_symbol(iol__where_all *all, const char *at) {
    const size_t length = strcspn(at, " ");
    if (at[length] != ' ') return false;
    const size_t frame = frame_of(all, at, length);
    if (frame == IOL_IDMAP_NONE || !read_names(all, frame, at + length + 1)) return false;
    all->frames[frame].in_log = true;
    return true;
}

/* All frames of a function of Python that chains have. */
static bool read_python(iol__where_all *all, const char *at) {
    uint64_t key;
    if (!take_hex(&at, &key) || !take_char(&at, ' ')) return false;
    const size_t function = strcspn(at, "\t");
    if (at[function] != '\t') return false;
    for (size_t i = 0; i < all->n_frames; i++) {
        iol__where_frame *frame = &all->frames[i];
        if (!frame->python || frame->key != key || frame->n_places) continue;
        const iol__where_place place = {
            .function = keep_text(all, at, function), .file = at + function + 1, .line = (uint32_t)frame->offset};
        if (!iol__where_name(all, i, &place, 1)) return false;
    }
    return true;
}

static bool read_record(iol__where_all *all, const char *name, int64_t rank, const iol__where_values *values,
                        int pass) {
    if (name[0] == '<') return true; /* all that had no room */
    if (!name[0] || name[1] != ' ') return false;
    const char *at = name + 2;
    switch (name[0]) {
    case 'o': return pass != 0 || read_object(all, at);
    case 'c': return pass != 0 || read_chain(all, at);
    case 'r': return pass != 1 || read_row(all, at, rank, values);
    case 's': return pass != 1 || read_symbol(all, at);
    case 'p': return pass != 1 || read_python(all, at);
    default: return true;
    }
}

static void finish_frames(iol__where_all *all) {
    for (size_t i = 0; i < all->n_frames; i++) {
        iol__where_frame *frame = &all->frames[i];
        if (!frame->python && !frame->unknown) frame->object = find_object(all, frame->key);
        if (frame->object != IOL_IDMAP_NONE) frame->system = is_system_path(all->objects[frame->object].path);
        if (frame->python && frame->n_places && frame->places[0].file)
            frame->system = is_library_file(frame->places[0].file);
    }
}

static bool find_module(iol_log *log, size_t *module, iol_custom *custom) {
    const size_t count = iol_log_custom_count(log);
    for (*module = 0; *module < count; (*module)++)
        if (iol_log_custom(log, *module, custom) == IOL_OK && strcmp(custom->name, IOL_WHERE_MODULE) == 0) return true;
    return false;
}

bool iol__where_make(iol_log *log, iol__where_all *all) {
    size_t module;
    iol_custom custom;
    *all = (iol__where_all){0};
    if (!find_module(log, &module, &custom)) return true;
    all->folded = custom.folded;
    all->version = custom.version;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < custom.records; i++) {
            iol_custom_record record;
            iol_value v[3];
            bool good = iol_custom_record_at(log, module, i, &record) == IOL_OK;
            for (size_t k = 0; k < 3 && good; k++) good = iol_custom_value(log, module, i, k, &v[k]) == IOL_OK;
            if (!good) continue;
            const iol__where_values values = {v[0].as.i, v[1].as.i, v[2].as.i};
            if (!read_record(all, record.name, record.rank, &values, pass)) all->damaged++;
        }
    finish_frames(all);
    return true;
}

void iol__where_free(iol__where_all *all) {
    for (size_t i = 0; i < all->n_frames; i++) free(all->frames[i].places);
    for (size_t i = 0; i < all->n_texts; i++) free(all->texts[i]);
    free(all->texts);
    free(all->objects);
    free(all->frames);
    free(all->chains);
    free(all->steps);
    free(all->rows);
    iol__idmap_free(&all->object_ids);
    iol__idmap_free(&all->frame_ids);
    iol__idmap_free(&all->chain_ids);
    *all = (iol__where_all){0};
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

/* The first place of a frame that is not brought in by the compiler. */
static size_t place_of(const iol__where_frame *frame) {
    for (size_t i = 0; i < frame->n_places; i++)
        if (!frame->places[i].file || !is_header_of_system(frame->places[i].file)) return i;
    return 0;
}

/* The frame and the place in it that a chain is shown by: false if nothing is known of it. */
static bool find_own(const iol__where_all *all, const iol__where_chain *chain, size_t *frame, size_t *place) {
    size_t best = IOL_IDMAP_NONE;
    bool python = false;
    for (size_t i = 0; i < chain->count; i++) python = python || all->frames[all->steps[chain->first + i]].python;
    for (size_t i = 0; i < chain->count; i++) {
        const size_t number = all->steps[chain->first + i];
        const iol__where_frame *f = &all->frames[number];
        if (f->unknown) break;
        if (python && !f->python) continue; /* what runs a script, and its modules in C */
        if (best == IOL_IDMAP_NONE) best = number;
        if (f->system) continue;
        best = number;
        break;
    }
    if (best == IOL_IDMAP_NONE) return false;
    *frame = best;
    *place = place_of(&all->frames[best]);
    return true;
}

static bool counts(const iol__where_filter *filter, const iol__where_row *row) {
    const unsigned layers = filter && filter->layers ? filter->layers : IOL_WHERE_EACH_ONCE;
    if (!(layers >> row->layer & 1)) return false;
    if (!filter) return true;
    if (filter->kinds && !(filter->kinds >> row->kind & 1)) return false;
    bool found = !filter->files;
    for (size_t i = 0; i < filter->n_files && !found; i++) found = filter->files[i] == row->file;
    return found;
}

static void describe(const iol__where_all *all, const iol__where_chain *chain, iol__where_line *line) {
    size_t frame, place;
    *line = (iol__where_line){.frame = IOL_IDMAP_NONE, .folded = chain->folded};
    if (!find_own(all, chain, &frame, &place)) return;
    const iol__where_frame *f = &all->frames[frame];
    line->frame = frame;
    line->offset = f->offset;
    if (f->object != IOL_IDMAP_NONE) line->object = all->objects[f->object].path;
    if (f->n_places) line->place = f->places[place];
}

bool iol__where_chain_line(const iol__where_all *all, const iol__where_chain *chain, iol__where_line *line) {
    describe(all, chain, line);
    return line->frame != IOL_IDMAP_NONE;
}

/* Two frames on one line of the source are one line. */
static uint64_t line_id(const iol__where_line *line) {
    const iol__where_place *p = &line->place;
    if (!p->file || !p->line) return line->frame == IOL_IDMAP_NONE ? line->folded : 2 + line->frame;
    const uint64_t id = iol__hash(p->file, strlen(p->file), p->line);
    return p->function ? iol__hash(p->function, strlen(p->function), id) : id;
}

void iol__where_sum(iol__where_values *to, const iol__where_values *more) {
    if (__builtin_add_overflow(to->calls, more->calls, &to->calls)) to->calls = INT64_MAX;
    if (__builtin_add_overflow(to->bytes, more->bytes, &to->bytes)) to->bytes = INT64_MAX;
    if (__builtin_add_overflow(to->time, more->time, &to->time)) to->time = INT64_MAX;
}

static int by_time(const void *a, const void *b) {
    const iol__where_line *x = a, *y = b;
    if (x->values.time != y->values.time) return x->values.time < y->values.time ? 1 : -1;
    if (x->values.calls != y->values.calls) return x->values.calls < y->values.calls ? 1 : -1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

bool iol__where_lines(const iol__where_all *all, const iol__where_filter *filter, iol__where_line **lines,
                      size_t *count) {
    iol__idmap ids = {0};
    int64_t *times = calloc(all->n_chains + 1, sizeof *times);
    *lines = calloc(all->n_chains + 1, sizeof **lines);
    *count = 0;
    bool good = times && *lines;
    for (size_t i = 0; good && i < all->n_rows; i++) {
        const iol__where_row *row = &all->rows[i];
        iol__where_line line;
        if (!counts(filter, row)) continue;
        describe(all, &all->chains[row->chain], &line);
        const size_t number = iol__idmap_add(&ids, line_id(&line));
        good = number != IOL_IDMAP_NONE;
        if (!good) break;
        if (number == *count) (*lines)[(*count)++] = line;
        iol__where_line *to = &(*lines)[number];
        iol__where_sum(&to->values, &row->values);
        iol__where_sum(&to->by_kind[row->kind], &row->values);
        if (__builtin_add_overflow(times[row->chain], row->values.time, &times[row->chain]))
            times[row->chain] = INT64_MAX;
        if (times[row->chain] >= to->chain_time) {
            to->chain = row->chain;
            to->chain_time = times[row->chain];
        }
    }
    free(times);
    iol__idmap_free(&ids);
    if (!good) {
        free(*lines);
        *lines = NULL;
        *count = 0;
        return false;
    }
    qsort(*lines, *count, sizeof **lines, by_time);
    return true;
}

const char *iol__where_line_text(const iol__where_line *line, char *text, size_t room) {
    const iol__where_place *p = &line->place;
    if (p->file && p->line)
        snprintf(text, room, "%s:%u%s%s", iol__base_name(p->file), p->line, p->function ? " " : "",
                 p->function ? p->function : "");
    else if (line->frame == IOL_IDMAP_NONE)
        snprintf(text, room, "%s", line->folded ? "(lines beyond the room for them)" : "(unknown)");
    else if (p->function)
        snprintf(text, room, "%s in %s", p->function,
                 line->object ? iol__base_name(line->object) : "an unknown object");
    else
        snprintf(text, room, "%s+0x%" PRIx64, line->object ? iol__base_name(line->object) : "?", line->offset);
    return text;
}
