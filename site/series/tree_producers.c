/* Producers from trees: collectd's documents, GPFS, routers, Prometheus, LDMS. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/http.h"
#include "site/series/archive.h"

/* collectd -------------------------------------------------------------------------------------------------------- */

static const struct disk {
    const char *type, *field, *dataset, *units;
} disks[] = {{"disk_octets", "read", "datatargets/readrates", "bytes/sec"},
             {"disk_octets", "write", "datatargets/writerates", "bytes/sec"},
             {"disk_ops", "read", "datatargets/readoprates", "ops/sec"},
             {"disk_ops", "write", "datatargets/writeoprates", "ops/sec"}};

static const struct gauge {
    const char *plugin, *instance, *dataset, *units;
    bool rest; /* 100 minus the value */
} gauges[] = {{"cpu", "idle", "dataservers/cpuload", "%", true},
              {"cpu", "user", "dataservers/cpuuser", "%", false},
              {"cpu", "system", "dataservers/cpusys", "%", false},
              {"memory", "cached", "dataservers/memcached", "bytes", false},
              {"memory", "buffered", "dataservers/membuffered", "bytes", false},
              {"memory", "free", "dataservers/memfree", "bytes", false},
              {"memory", "used", "dataservers/memused", "bytes", false},
              {"memory", "slab_recl", "dataservers/memslab", "bytes", false},
              {"memory", "slab_unrecl", "dataservers/memslab_unrecl", "bytes", false}};

static bool tree_producers_same(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

static void tree_producers_put(iol__archiving *to, const char *dataset, const char *units, const char *column,
                               double when, double value) {
    iol__grid *grid = iol__grid_open(to, dataset, units);
    iol__grid_put(to, grid, iol__grid_column(to, grid, column), when, value);
}

static bool put_tree_producers_document(iol__archiving *to, const iol__value *document) {
    const char *time = iol__map_text(document, "@timestamp"), *host = iol__map_text(document, "hostname");
    const char *plugin = iol__map_text(document, "plugin"), *instance = iol__map_text(document, "plugin_instance");
    const char *kind = iol__map_text(document, "type_instance");
    double when;
    if (!time || !host || !plugin || !iol__parse_time(time, &when)) return false;
    bool both = !isnan(iol__map_number(document, "read")) && !isnan(iol__map_number(document, "write"));
    for (size_t i = 0; i < IOL_COUNT(disks); i++)
        if (tree_producers_same(plugin, "disk") &&
            tree_producers_same(iol__map_text(document, "collectd_type"), disks[i].type) && instance && both)
            tree_producers_put(to, disks[i].dataset, disks[i].units,
                               iol__arena_print(to->arena, "%s:%s", host, instance), when,
                               iol__map_number(document, disks[i].field));
    for (size_t i = 0; i < IOL_COUNT(gauges); i++) {
        double value = iol__map_number(document, "value");
        if (tree_producers_same(plugin, gauges[i].plugin) && tree_producers_same(kind, gauges[i].instance))
            /* An idle core may come as 100.00000000000001 percent. */
            tree_producers_put(to, gauges[i].dataset, gauges[i].units, host, when,
                               gauges[i].rest && !isnan(value) ? fmax(100 - value, 0) : value);
    }
    return true;
}

iol_status iol__archive_collectd(iol__request *request, iol__archiving *to) {
    iol__value *pages, *seen = iol__value_new(to->arena, IOL__MAP);
    iol_status status = iol__read_collectd(request, &pages);
    if (status != IOL_OK) return status;
    for (size_t i = 0; i < IOL_COUNT(disks); i++) {
        iol__grid *grid = iol__grid_open(to, disks[i].dataset, disks[i].units);
        grid->always = true;
        grid->width = to->nodes * to->devices;
    }
    for (size_t i = 0; i < IOL_COUNT(gauges); i++) {
        iol__grid *grid = iol__grid_open(to, gauges[i].dataset, gauges[i].units);
        grid->always = true;
        grid->averages = tree_producers_same(gauges[i].plugin, "cpu");
        grid->width = to->nodes;
    }
    for (size_t i = 0; i < pages->count; i++)
        for (size_t k = 0; pages->items[i]->kind == IOL__LIST && k < pages->items[i]->count; k++) {
            const iol__value *hit = pages->items[i]->items[k];
            const char *id = iol__map_text(hit, "_id");
            if (id && iol__map_get(seen, id)) continue;
            if (id) iol__map_put_integer(to->arena, seen, id, 1);
            request->skipped += !put_tree_producers_document(to, iol__map_get(hit, "_source"));
        }
    return IOL_OK;
}

/* GPFS ------------------------------------------------------------------------------------------------------------ */

static const char *tree_producers_kind_of(const iol__value *map, const char *name) {
    for (size_t i = 0; map && map->kind == IOL__MAP && i < map->count; i++)
        if (map->items[i]->kind == IOL__TEXT && iol__regex_matches(map->keys[i], name, NULL))
            return map->items[i]->text;
    return NULL;
}

static void put_devices(iol__archiving *to, const char *host, const char *counter, const iol__value *devices,
                        double when) {
    static const char *const known[][3] = {{"bytes_read", "readbytes", "bytes"},
                                           {"bytes_written", "writebytes", "bytes"},
                                           {"read_ops", "readops", "ops"},
                                           {"write_ops", "writeops", "ops"}};
    const char *what = strncmp(counter, "gpfs_nsdds_", 11) == 0 ? counter + 11
                       : strncmp(counter, "gpfs_fs_", 8) == 0   ? counter + 8
                                                                : "";
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; tree_producers_same(what, known[i][0]) && k < devices->count; k++) {
            const char *kind = tree_producers_kind_of(to->luns, devices->keys[k]);
            if (kind)
                tree_producers_put(to, iol__arena_print(to->arena, "%ss/%s", kind, known[i][1]), known[i][2],
                                   iol__arena_print(to->arena, "%s:%s", host, devices->keys[k]), when,
                                   iol__value_number(devices->items[k]));
        }
}

static void put_host(iol__archiving *to, const char *host, const iol__value *counters, double when) {
    static const char *const known[][3] = {{"cpu_sys", "cpusys", "%"},
                                           {"cpu_user", "cpuuser", "%"},
                                           {"mem_free_bytes", "memfree", "bytes"},
                                           {"mem_total_bytes", "memtotal", "bytes"}};
    const char *kind = tree_producers_kind_of(to->servers, host),
               *group = kind && strncmp(kind, "md", 2) == 0 ? "mdservers" : "dataservers";
    double load = iol__map_number(counters, "cpu_user") + iol__map_number(counters, "cpu_sys");
    for (size_t i = 0; i < counters->count; i++)
        if (counters->items[i]->kind == IOL__MAP) put_devices(to, host, counters->keys[i], counters->items[i], when);
    for (size_t i = 0; i < 4; i++)
        if (iol__map_get(counters, known[i][0]))
            tree_producers_put(to, iol__arena_print(to->arena, "%s/%s", group, known[i][1]), known[i][2], host, when,
                               iol__map_number(counters, known[i][0]));
    if (!isnan(load)) tree_producers_put(to, iol__arena_print(to->arena, "%s/cpuload", group), "%", host, when, load);
}

iol_status iol__archive_mmperfmon(iol__request *request, iol__archiving *to) {
    iol__value *all;
    request->ranged = false;
    iol_status status = iol__read_mmperfmon(request, &all);
    for (size_t i = 0; status == IOL_OK && i < all->count; i++)
        for (size_t k = 0; all->items[i]->kind == IOL__MAP && k < all->items[i]->count; k++)
            /* Its times are ends of intervals. */
            if (all->items[i]->items[k]->kind == IOL__MAP)
                put_host(to, all->items[i]->keys[k], all->items[i]->items[k],
                         strtod(all->keys[i], NULL) - (double)to->step);
    return status;
}

/* Routers ---------------------------------------------------------------------------------------------------------- */

iol_status iol__archive_esnet(iol__request *request, iol__archiving *to) {
    static const char *const directions[][2] = {{"in", "datatargets/readrates"}, {"out", "datatargets/writerates"}};
    iol__value *all;
    iol_status status = iol__read_esnet(request, &all);
    for (size_t i = 0; status == IOL_OK && i < all->count; i++)
        for (size_t k = 0; all->items[i]->kind == IOL__MAP && k < all->items[i]->count; k++)
            for (size_t direction = 0; direction < 2; direction++) {
                const iol__value *rates = iol__map_get(all->items[i]->items[k], directions[direction][0]);
                const char *column = iol__arena_print(to->arena, "%s:%s", all->keys[i], all->items[i]->keys[k]);
                for (size_t r = 0; rates && rates->kind == IOL__MAP && r < rates->count; r++)
                    tree_producers_put(to, directions[direction][1], "bytes/sec", column, strtod(rates->keys[r], NULL),
                                       iol__value_number(rates->items[r]));
            }
    return status;
}

/* Prometheus ------------------------------------------------------------------------------------------------------- */

/* "{target}" or "{instance|strip_port}" to the label of a series. */
static const char *tree_producers_column_of(iol__arena *arena, const char *pattern, const iol__value *labels) {
    char *name = iol__arena_copy(arena, "");
    while (*pattern) {
        size_t plain = strcspn(pattern, "{"), length = strcspn(pattern + plain, "}");
        name = iol__arena_print(arena, "%s%.*s", name, (int)plain, pattern);
        pattern += plain;
        if (!*pattern) break;
        char *label = iol__arena_text(arena, pattern + 1, length ? length - 1 : 0), *filter = strchr(label, '|');
        if (filter) *filter = 0;
        const char *value = iol__map_text(labels, label);
        size_t end = value ? strlen(value) : 0;
        if (value && filter && strcmp(filter + 1, "strip_port") == 0) end = strcspn(value, ":");
        name = iol__arena_print(arena, "%s%.*s", name, (int)end, value ? value : "");
        pattern += length + (pattern[length] == '}');
    }
    return name;
}

/* One condition of a selector, as in operation=~"open|close". */
static bool condition_holds(iol__arena *arena, const char *has, const char *sign, const char *wanted) {
    bool as_pattern = sign[strcspn(sign, "~")] == '~', negated = *sign == '!';
    bool fits = as_pattern ? iol__regex_matches(iol__arena_print(arena, "^(%s)$", wanted), has, NULL)
                           : strcmp(has, wanted) == 0;
    return fits != negated;
}

/* Whether labels fulfil what is between braces; `*at` is behind them then. */
static bool selects(iol__arena *arena, const char **at, const iol__value *labels) {
    bool fits = true;
    while (*++*at && **at != '}') {
        *at += strspn(*at, " ,");
        size_t name = strcspn(*at, "=!~ }"), sign = strcspn(*at + name, "\"'}");
        const char *label = iol__arena_text(arena, *at, name), *has = iol__map_text(labels, label);
        const char *how = iol__arena_text(arena, *at + name, sign), *quote = *at + name + sign;
        if (!*quote || (*quote == '}' && name)) return false;
        if (*quote == '}') break; /* behind a last comma */
        size_t length = strcspn(quote + 1, (char[]){*quote, 0});
        fits = fits && condition_holds(arena, has ? has : "", how + strspn(how, " "),
                                       iol__arena_text(arena, quote + 1, length));
        *at = quote + 1 + length;
        if (!**at) return false;
    }
    *at += **at == '}';
    return fits;
}

/* Whether a saved series is what the query of a dataset is about, which is a metric, a selector and maybe a factor. What
   the server itself has computed no longer has the name of a metric. */
static bool tree_producers_is_about(iol__arena *arena, const char *query, const iol__value *labels, double *factor) {
    size_t name = strcspn(query, "{[( *");
    const char *at = query + name;
    *factor = 1;
    if (!tree_producers_same(iol__map_text(labels, "__name__"), iol__arena_text(arena, query, name))) return false;
    if (*at == '{' && !selects(arena, &at, labels)) return false;
    at += strspn(at, " ");
    if (*at == '*') *factor = strtod(at + 1, NULL);
    return !*at || *at == '*';
}

static void put_series(iol__archiving *to, const char *dataset, const iol__value *rule, const iol__value *series,
                       double factor) {
    const char *kind = iol__map_text(rule, "kind"), *column = iol__map_text(rule, "column"),
               *units = iol__map_text(rule, "units");
    iol__grid *grid = iol__grid_open(to, dataset, units ? units : "");
    grid->counter = tree_producers_same(kind, "counter");
    if (tree_producers_same(kind, "rate")) factor *= (double)to->step;
    size_t number = iol__grid_column(
        to, grid, tree_producers_column_of(to->arena, column ? column : "{instance}", iol__map_get(series, "metric")));
    const iol__value *points = iol__map_get(series, "values");
    for (size_t i = 0; i < points->count; i++) {
        double when = iol__value_number(points->items[i]->items[0]),
               value = iol__value_number(points->items[i]->items[1]);
        /* The sample at the end is there for differences only. */
        if (grid->counter || when < (double)to->end) iol__grid_put(to, grid, number, when, factor * value);
    }
}

/* Whether a place in a query is inside the quotes of label=~"..." or label!~"...". */
static bool in_pattern(const char *query, const char *at) {
    while (at > query && *at != '"' && *at != '\'') at--;
    return at > query && at[-1] == '~';
}

/* The name of a file system as a regular expression that means just it. Characters that neither brackets nor quotes can
   hold stand for any other; without a name it is that of every file system. */
static const char *as_pattern(iol__arena *arena, const char *fs) {
    if (!fs || !*fs) return ".+";
    char *pattern = iol__arena_alloc(arena, 3 * strlen(fs) + 1, 1), *to = pattern;
    for (; *fs; fs++) {
        bool special = strchr(".+*?(){}|$[", *fs) != NULL;
        if (special) *to++ = '[';
        *to++ = strchr("^\\\"'", *fs) ? '.' : *fs;
        if (special) *to++ = ']';
    }
    return pattern;
}

/* A query for one file system: "$fs" is its name. */
static const char *tree_producers_filled_in(iol__arena *arena, const char *query, const char *fs) {
    static const char place[] = "$fs";
    char *filled = iol__arena_copy(arena, "");
    for (const char *at; (at = strstr(query, place)); query = at + sizeof place - 1)
        filled = iol__arena_print(arena, "%s%.*s%s", filled, (int)(at - query), query,
                                  in_pattern(query, at) ? as_pattern(arena, fs)
                                  : fs                  ? fs
                                                        : "");
    return iol__arena_print(arena, "%s%s", filled, query);
}

/* From a server, each dataset by its own query; one sample more than there are steps, for the last difference. A query that
   the server refuses does not take the others with it. */
static iol_status ask_each(iol__request *request, iol__archiving *to, const iol__value *rules, const char *url) {
    iol_status status = IOL_OK;
    bool answered = false;
    for (size_t k = 0; k < rules->count && status != IOL_SYSTEM && status != IOL_INVALID; k++) {
        const char *query = iol__map_text(rules->items[k], "query");
        iol__value *all;
        if (!query) continue;
        query = tree_producers_filled_in(to->arena, query, request->fs);
        iol_status one = iol__ask_prometheus(request, url, query, to->start, to->end, to->step, &all);
        answered = answered || one == IOL_OK;
        if (one != IOL_OK) status = one;
        for (size_t i = 0; one == IOL_OK && i < all->count; i++)
            put_series(to, rules->keys[k], rules->items[k], all->items[i], 1);
    }
    if (status == IOL_OK || status == IOL_INVALID || !answered) return status;
    iol__partial(request, "%.180s", request->why);
    return IOL_OK;
}

iol_status iol__archive_prometheus(iol__request *request, iol__archiving *to) {
    const iol__value *rules = iol__map_get(to->mapping, "datasets");
    const char *url = iol__map_text(to->mapping, "url");
    iol__value *all;
    if (!rules || rules->kind != IOL__MAP)
        return iol__refuse(request, IOL_INVALID, "a mapping file with datasets is needed (--mapping)");
    if (request->n_paths == 1 && iol__is_url(request->paths[0])) url = request->paths[0];
    if (url && (request->n_paths == 0 || url == request->paths[0])) return ask_each(request, to, rules, url);
    iol_status status = iol__read_prometheus(request, &all);
    for (size_t i = 0; status == IOL_OK && i < all->count; i++) {
        const iol__value *labels = iol__map_get(all->items[i], "metric");
        for (size_t k = 0; k < rules->count; k++) {
            const char *query = iol__map_text(rules->items[k], "query");
            double factor;
            if (query && tree_producers_is_about(to->arena, tree_producers_filled_in(to->arena, query, request->fs),
                                                 labels, &factor))
                put_series(to, rules->keys[k], rules->items[k], all->items[i], factor);
        }
    }
    return status;
}

/* telegraf --------------------------------------------------------------------------------------------------------- */

iol_status iol__archive_influx(iol__request *request, iol__archiving *to) {
    static const char *const known[][3] = {{"read_bytes", "datatargets/readbytes", "bytes"},
                                           {"write_bytes", "datatargets/writebytes", "bytes"},
                                           {"read_calls", "datatargets/readops", "ops"},
                                           {"write_calls", "datatargets/writeops", "ops"},
                                           {"open", "mdtargets/opens", "ops"},
                                           {"close", "mdtargets/closes", "ops"},
                                           {"mknod", "mdtargets/mknods", "ops"},
                                           {"link", "mdtargets/links", "ops"},
                                           {"unlink", "mdtargets/unlinks", "ops"},
                                           {"mkdir", "mdtargets/mkdirs", "ops"},
                                           {"rmdir", "mdtargets/rmdirs", "ops"},
                                           {"rename", "mdtargets/renames", "ops"},
                                           {"getxattr", "mdtargets/getxattrs", "ops"},
                                           {"statfs", "mdtargets/statfss", "ops"},
                                           {"setattr", "mdtargets/setattrs", "ops"},
                                           {"getattr", "mdtargets/getattrs", "ops"}};
    iol__value *rows;
    iol_status status = iol__read_influx(request, &rows);
    for (size_t i = 0; status == IOL_OK && i < rows->count; i++) {
        const iol__value *row = rows->items[i];
        const char *target = iol__map_text(row, "name");
        double when = iol__map_number(row, "time");
        /* What belongs to one job is counted again in that of its target. */
        if (!tree_producers_same(iol__map_text(row, "measurement"), "lustre2") || !target || iol__map_get(row, "jobid"))
            continue;
        for (size_t k = 0; k < IOL_COUNT(known); k++) {
            double value = iol__map_number(row, known[k][0]);
            if (isnan(value)) continue;
            iol__grid_open(to, known[k][1], known[k][2])->counter = true;
            tree_producers_put(to, known[k][1], known[k][2], target, when, value);
        }
    }
    return status;
}

/* LDMS ------------------------------------------------------------------------------------------------------------- */

/* Counters of the interconnect: "rx_bytes#hsn0", and InfiniBand's, which count words of four bytes. */
static void put_network(iol__archiving *to, const char *host, const iol__value *row, double when) {
    static const struct {
        const char *begins, *dataset;
        double factor;
    } known[] = {{"rx_bytes", "network/inbytes", 1},         {"tx_bytes", "network/outbytes", 1},
                 {"port_rcv_data", "network/inbytes", 4},    {"port_xmit_data", "network/outbytes", 4},
                 {"ib.port_rcv_data", "network/inbytes", 4}, {"ib.port_xmit_data", "network/outbytes", 4}};
    for (size_t i = 0; i < row->count; i++)
        for (size_t k = 0; k < IOL_COUNT(known); k++) {
            size_t length = strlen(known[k].begins);
            const char *rest = row->keys[i] + length;
            double value = iol__value_number(row->items[i]);
            if (strncmp(row->keys[i], known[k].begins, length) != 0 || (*rest && *rest != '#') || isnan(value) ||
                strcmp(rest, "#lo") == 0)
                continue;
            iol__grid_open(to, known[k].dataset, "bytes")->counter = true;
            tree_producers_put(to, known[k].dataset, "bytes",
                               *rest ? iol__arena_print(to->arena, "%s:%s", host, rest + 1)
                                     : iol__arena_copy(to->arena, host),
                               when, value * known[k].factor);
        }
}

/* What a server counted for a job. Each server has its own counter, so each has a column. */
static void put_tree_producers_job(iol__archiving *to, const char *target, const iol__value *row, double when) {
    static const char *const known[][2] = {{"read_bytes.sum", "jobs/readbytes"},
                                           {"write_bytes.sum", "jobs/writebytes"}};
    const iol__value *id = iol__map_get(row, "job_id");
    const char *job = id->kind == IOL__TEXT ? id->text : iol__arena_print(to->arena, "%.0f", iol__value_number(id));
    for (size_t k = 0; k < 2; k++) {
        double value = iol__map_number(row, known[k][0]);
        if (isnan(value)) continue;
        iol__grid_open(to, known[k][1], "bytes")->counter = true;
        tree_producers_put(to, known[k][1], "bytes", iol__arena_print(to->arena, "%s@%s", job, target), when, value);
    }
}

/* Load from the times that processors spent since the row before of the same server. */
static void put_processors(iol__archiving *to, const char *host, const iol__value *row, double when,
                           iol__value *before) {
    static const char *const kinds[] = {"user", "nice", "sys", "irq", "softirq", "idle", "iowait"};
    double busy = 0, all = 0;
    if (isnan(iol__map_number(row, "idle")) || isnan(iol__map_number(row, "sys"))) return;
    for (size_t k = 0; k < IOL_COUNT(kinds); k++) {
        double value = iol__map_number(row, kinds[k]);
        if (isnan(value)) continue;
        all += value;
        if (k < 5) busy += value;
    }
    iol__value *last = iol__map_open(to->arena, before, host, IOL__MAP);
    double more = all - iol__map_number(last, "all"), worked = busy - iol__map_number(last, "busy");
    if (more > 0 && worked >= 0) tree_producers_put(to, "dataservers/cpuload", "%", host, when, 100 * worked / more);
    iol__map_put_real(to->arena, last, "all", all);
    iol__map_put_real(to->arena, last, "busy", busy);
}

static const struct {
    const char *column, *dataset, *units;
    bool counter;
    double factor;
} ldms_columns[] = {{"read_bytes.sum", "datatargets/readbytes", "bytes", true, 1},
                    {"write_bytes.sum", "datatargets/writebytes", "bytes", true, 1},
                    {"kbytestotal", "fullness/bytestotal", "bytes", false, 1024},
                    {"filestotal", "fullness/inodestotal", "inodes", false, 1},
                    {"MemFree", "dataservers/memfree", "bytes", false, 1024},
                    {"MemTotal", "dataservers/memtotal", "bytes", false, 1024},
                    {"open", "mdtargets/opens", "ops", true, 1},
                    {"close", "mdtargets/closes", "ops", true, 1},
                    {"mknod", "mdtargets/mknods", "ops", true, 1},
                    {"link", "mdtargets/links", "ops", true, 1},
                    {"unlink", "mdtargets/unlinks", "ops", true, 1},
                    {"mkdir", "mdtargets/mkdirs", "ops", true, 1},
                    {"rmdir", "mdtargets/rmdirs", "ops", true, 1},
                    {"rename", "mdtargets/renames", "ops", true, 1},
                    {"getxattr", "mdtargets/getxattrs", "ops", true, 1},
                    {"statfs", "mdtargets/statfss", "ops", true, 1},
                    {"setattr", "mdtargets/setattrs", "ops", true, 1},
                    {"getattr", "mdtargets/getattrs", "ops", true, 1}};

static void put_ldms(iol__archiving *to, const iol__value *row, iol__value *before) {
    const char *target = iol__map_text(row, "ost") ? iol__map_text(row, "ost") : iol__map_text(row, "mdt");
    double when = iol__map_number(row, "Time");
    if (!target) target = iol__map_text(row, "ProducerName");
    if (!target) return;
    if (iol__map_get(row, "job_id")) {
        put_tree_producers_job(to, target, row, when);
        return;
    }
    if (!isnan(when)) put_network(to, target, row, when);
    if (!isnan(when)) put_processors(to, target, row, when, before);
    double left = iol__map_number(row, "kbytesfree");
    if (isnan(left)) left = iol__map_number(row, "kbytesavail");
    double used = iol__map_number(row, "kbytestotal") - left;
    if (!isnan(used)) tree_producers_put(to, "fullness/bytes", "bytes", target, when, used * 1024);
    for (size_t k = 0; k < IOL_COUNT(ldms_columns); k++) {
        double value = iol__map_number(row, ldms_columns[k].column);
        if (isnan(value)) continue;
        iol__grid_open(to, ldms_columns[k].dataset, ldms_columns[k].units)->counter = ldms_columns[k].counter;
        tree_producers_put(to, ldms_columns[k].dataset, ldms_columns[k].units, target, when,
                           value * ldms_columns[k].factor);
    }
}

iol_status iol__archive_ldms(iol__request *request, iol__archiving *to) {
    iol__value *rows, *before = iol__value_new(to->arena, IOL__MAP);
    request->ranged = false;
    iol_status status = iol__read_ldms(request, &rows);
    for (size_t i = 0; status == IOL_OK && i < rows->count; i++) put_ldms(to, rows->items[i], before);
    return status;
}
