/* Collecting what logs say. Every log has one voice in each question, so that one with a million files does not outvote
   the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "insight/calibrate/calibrate_internal.h"
#include "insight/language/rule.h"

#include "base/order.h"

typedef struct voices {
    double *values;
    size_t count, room;
} voices;

/* What is asked of a file system, in the order of iol__basis. */
enum { PLACES = IOL_BASIS_LATENCY + 1 };

typedef struct calibration_place {
    char *point; /* NULL: everywhere */
    voices voices[PLACES];
} calibration_place;

struct iol__calibration {
    const iol__rulebook *book;
    size_t least, logs, healthy;
    calibration_place *places; /* the first is everywhere */
    size_t n_places;
    voices *limits; /* by threshold */
    bool *below;
};

static bool calibration_say(voices *v, double value) {
    if (isnan(value)) return true;
    if (!IOL_GROW(v->values, v->room, v->count)) return false;
    v->values[v->count++] = value;
    return true;
}

/* NULL without memory. */
static calibration_place *find_calibration_place(iol__calibration *c, const char *point) {
    for (size_t i = 1; i < c->n_places; i++)
        if (strcmp(c->places[i].point, point) == 0) return &c->places[i];
    calibration_place *places = realloc(c->places, (c->n_places + 1) * sizeof *places);
    if (!places) return NULL;
    c->places = places;
    places[c->n_places] = (calibration_place){.point = strdup(point)};
    return places[c->n_places].point ? &places[c->n_places++] : NULL;
}

iol__calibration *iol__calibration_new(const iol__rulebook *book, size_t least) {
    iol__calibration *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = (iol__calibration){.book = book, .least = least, .n_places = 1};
    c->places = calloc(1, sizeof *c->places);
    c->limits = calloc(book->n_thresholds + 1, sizeof *c->limits);
    c->below = calloc(book->n_thresholds + 1, sizeof *c->below);
    if (c->places && c->limits && c->below) return c;
    iol__calibration_free(c);
    return NULL;
}

void iol__calibration_free(iol__calibration *c) {
    if (!c) return;
    for (size_t i = 0; c->places && i < c->n_places; i++) {
        free(c->places[i].point);
        for (int k = 0; k < PLACES; k++) free(c->places[i].voices[k].values);
    }
    for (size_t i = 0; c->limits && i < c->book->n_thresholds; i++) free(c->limits[i].values);
    free(c->places);
    free(c->limits);
    free(c->below);
    free(c);
}

/* Adding -------------------------------------------------------------------------------------------------------- */

static bool say_of(calibration_place *p, const iol__observed_mount *m) {
    const double values[PLACES] = {[IOL_BASIS_OST] = m->ost,
                                   [IOL_BASIS_NODE] = m->node,
                                   [IOL_BASIS_LATENCY] = m->small > 0 ? m->small_s / m->small : NAN};
    bool good = true;
    for (int k = 0; k < PLACES; k++) good = calibration_say(&p->voices[k], values[k]) && good;
    return good;
}

bool iol__calibration_add(iol__calibration *c, const iol__observation *o) {
    iol__observed_mount all = {.ost = NAN, .node = NAN};
    bool good = true;
    c->logs++;
    c->healthy += o->healthy;
    for (size_t i = 0; i < o->n_mounts; i++) {
        const iol__observed_mount *m = &o->mounts[i];
        calibration_place *p = find_calibration_place(c, m->point);
        good = p && say_of(p, m) && good;
        all.ost = fmax(all.ost, m->ost); /* passes over what is NaN */
        all.node = fmax(all.node, m->node);
        all.small_s += m->small_s;
        all.small += m->small;
    }
    good = say_of(&c->places[0], &all) && good;
    for (size_t i = 0; o->healthy && i < c->book->n_thresholds; i++) {
        good = calibration_say(&c->limits[i], o->limits[i].value) && good;
        if (!isnan(o->limits[i].value)) c->below[i] = o->limits[i].below;
    }
    return good;
}

/* Proposing ----------------------------------------------------------------------------------------------------- */

/* The smallest value that this part of them does not exceed. */
static double calibration_quantile(voices *v, double part) {
    if (!v->count) return NAN;
    qsort(v->values, v->count, sizeof *v->values, iol__by_value);
    size_t rank = (size_t)ceil(part * (double)v->count);
    return v->values[rank ? rank - 1 : 0];
}

static iol__proposal propose(const iol__calibration *c, const char *path, const char *mount, iol__basis basis,
                             voices *v) {
    static const double parts[] = {[IOL_BASIS_OST] = 0.95,
                                   [IOL_BASIS_NODE] = 0.95,
                                   [IOL_BASIS_LATENCY] = 0.10,
                                   [IOL_BASIS_MOST] = 0.90,
                                   [IOL_BASIS_LEAST] = 0.10};
    int index = iol__threshold_find(c->book, path);
    iol__proposal p = {.path = path, .mount = mount, .basis = basis, .logs = v->count};
    p.value = calibration_quantile(v, parts[basis]);
    p.now = index >= 0 ? c->book->thresholds[index].value : NAN;
    p.usable = v->count >= c->least && isfinite(p.value) && p.value > 0;
    return p;
}

static const char *const place_paths[PLACES] = {[IOL_BASIS_OST] = "site.ost_bandwidth",
                                                [IOL_BASIS_NODE] = "site.node_bandwidth",
                                                [IOL_BASIS_LATENCY] = "site.latency"};

iol__proposal *iol__calibration_propose(iol__calibration *c, size_t *count) {
    iol__proposal *list = calloc(PLACES * c->n_places + c->book->n_thresholds + 1, sizeof *list);
    *count = 0;
    if (!list) return NULL;
    for (int k = 0; k < PLACES; k++)
        list[(*count)++] = propose(c, place_paths[k], NULL, (iol__basis)k, &c->places[0].voices[k]);
    for (size_t i = 0; i < c->book->n_thresholds; i++)
        if (c->limits[i].count)
            list[(*count)++] = propose(c, c->book->thresholds[i].path, NULL,
                                       c->below[i] ? IOL_BASIS_LEAST : IOL_BASIS_MOST, &c->limits[i]);
    /* A mount gets a section only if it has something to say of its own. */
    for (size_t p = 1; p < c->n_places; p++)
        for (int k = 0; k < PLACES; k++)
            if (c->places[p].voices[k].count >= c->least)
                list[(*count)++] =
                    propose(c, place_paths[k], c->places[p].point, (iol__basis)k, &c->places[p].voices[k]);
    return list;
}

size_t iol__calibration_logs(const iol__calibration *c) { return c->logs; }
size_t iol__calibration_healthy(const iol__calibration *c) { return c->healthy; }
size_t iol__calibration_least(const iol__calibration *c) { return c->least; }
