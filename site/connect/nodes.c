/* Coordinates of nodes: Cray's xtdb2proc, or any table with the columns node and x, y, z, or
   switch, group; and the radius of a job. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "site/connect/connect.h"

/* "key=value" pairs between commas; values are integers, null or quoted. */
static bool take_nodes_pairs(iol__request *request, char *line, iol__value *nodes) {
    iol__arena *arena = request->arena;
    iol__value *node = iol__value_new(arena, IOL__MAP);
    for (char *pair; (pair = strsep(&line, ","));) {
        char *value = strchr(pair, '='), *end;
        if (!value) return false;
        *value++ = 0;
        long long number = strtoll(value, &end, 10);
        if (end != value && !*end) {
            iol__map_put_integer(arena, node, pair, number);
        } else if (strcmp(value, "null") == 0) {
            iol__map_put(arena, node, pair, iol__value_new(arena, IOL__NOTHING));
        } else {
            size_t length = strlen(value), quoted = length >= 2 && *value == '\'' && value[length - 1] == '\'';
            iol__map_put_text(arena, node, pair, iol__arena_text(arena, value + quoted, length - 2 * quoted));
        }
    }
    const iol__value *id = iol__map_get(node, "processor_id");
    if (!id || id->kind != IOL__INTEGER) return false;
    char *key = iol__arena_print(arena, "%lld", (long long)id->integer);
    if (iol__map_get(nodes, key)) return false;
    iol__map_put(arena, nodes, key, node);
    request->understood++;
    return true;
}

static const char *rename_column(const char *name) {
    static const char *const known[][2] = {{"x", "x_coord"}, {"y", "y_coord"}, {"z", "z_coord"}};
    for (size_t i = 0; i < 3; i++)
        if (strcasecmp(name, known[i][0]) == 0) return known[i][1];
    return name;
}

static iol_status take_table(iol__request *request, char *heading, iol__lines *lines, iol__value *nodes) {
    enum { MOST = 32 };
    iol__arena *arena = request->arena;
    const char *comma = strchr(heading, '\t') ? "\t" : ",";
    char *columns[MOST];
    size_t count = 0;
    for (char *name; count < MOST && (name = strsep(&heading, comma));) columns[count++] = name;
    for (char *line; (line = iol__next_line(lines));) {
        iol__value *node = iol__value_new(arena, IOL__MAP);
        char *first = NULL, *field;
        for (size_t i = 0; i < count && (field = strsep(&line, comma)); i++) {
            if (i == 0) first = field;
            iol__map_put(arena, node, rename_column(columns[i]), iol__value_of_text(arena, field));
        }
        if (first && *first) {
            iol__map_put(arena, nodes, first, node);
            request->understood++;
        } else {
            request->skipped++;
        }
    }
    return IOL_OK;
}

static iol_status take_nodes_text(iol__request *request, iol__feed *feed, iol__value *nodes) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    size_t number = 0;
    for (char *line; (line = iol__next_line(&lines));) {
        number++;
        if (!*line || *line == '#') continue;
        if (strncasecmp(line, "node", 4) == 0 && !strchr(line, '=')) return take_table(request, line, &lines, nodes);
        if (!take_nodes_pairs(request, line, nodes))
            return iol__refuse(request, IOL_DAMAGED, "%.200s: line %zu does not have a node with its own processor_id",
                               feed->name, number);
    }
    return IOL_OK;
}

iol_status iol__read_nodes(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_nodes_text, out);
    return status == IOL_OK ? iol__expect_form(request, "nodes with their coordinates") : status;
}

/* Radius of a job ------------------------------------------------------------------------------------------------ */

/* The node of this name: as it is, or by the number of "nid00123". */
static const iol__value *find_node(iol__arena *arena, const iol__value *nodes, const char *name) {
    const iol__value *node = iol__map_get(nodes, name);
    if (node || strncmp(name, "nid", 3) != 0) return node;
    return iol__map_get(nodes, iol__arena_print(arena, "%lld", strtoll(name + 3, NULL, 10)));
}

/* Where a node is: x, y and z, or without them its switch and group. */
static bool nodes_place_of(const iol__value *node, double at[3]) {
    static const char *const axes[][3] = {{"x_coord", "y_coord", "z_coord"}, {"switch", "group", NULL}};
    for (size_t i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) at[k] = axes[i][k] ? iol__map_number(node, axes[i][k]) : 0;
        if (!isnan(at[0] + at[1] + at[2])) return true;
    }
    return false;
}

static void put_radius(iol__arena *arena, iol__value *result, const double (*at)[3], size_t count) {
    double centre[3] = {0}, least = INFINITY, most = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) centre[k] += at[i][k] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) square += (at[i][k] - centre[k]) * (at[i][k] - centre[k]);
        least = fmin(least, sqrt(square));
        most = fmax(most, sqrt(square));
        sum += sqrt(square);
    }
    iol__map_put_real(arena, result, "job_min_radius", least);
    iol__map_put_real(arena, result, "job_max_radius", most);
    iol__map_put_real(arena, result, "job_avg_radius", sum / (double)count);
}

iol__value *iol__job_radius(iol__arena *arena, const iol__value *nodes, const iol__value *names) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    double(*at)[3] = iol__arena_alloc(arena, names->count + 1, sizeof *at);
    for (size_t i = 0; i < names->count; i++) {
        if (!nodes_place_of(find_node(arena, nodes, names->keys[i]), at[i])) {
            iol__site_say("node %s has no coordinates, so the job has no radius", names->keys[i]);
            return result;
        }
    }
    if (names->count)
        put_radius(arena, result, (const double(*)[3])at, names->count);
    else
        iol__site_say("the job has no nodes, so it has no radius");
    return result;
}

iol__value *iol__job_nodes(iol__arena *arena, const iol__value *jobs) {
    iol__value *names = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < jobs->count; i++) {
        const iol__value *list = iol__map_get(jobs->items[i], "nodelist");
        for (size_t k = 0; list && list->kind == IOL__LIST && k < list->count; k++)
            if (list->items[k]->kind == IOL__TEXT) iol__map_put_integer(arena, names, list->items[k]->text, 1);
    }
    return names;
}

iol_status iol__read_topology(iol__request *request, iol__value **out) {
    if (request->n_paths != 2) return iol__refuse(request, IOL_INVALID, "a table of nodes and a job record are needed");
    iol__request first = *request, second = *request;
    iol__value *nodes, *jobs;
    first.n_paths = second.n_paths = 1;
    second.paths++;
    iol_status status = iol__read_nodes(&first, &nodes);
    if (status != IOL_OK) return iol__refuse(request, status, "%s", first.why);
    status = iol__read_slurm(&second, &jobs);
    if (status != IOL_OK) return iol__refuse(request, status, "%s", second.why);
    *out = iol__job_radius(request->arena, nodes, iol__job_nodes(request->arena, jobs));
    return IOL_OK;
}
