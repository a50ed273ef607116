/* lctl dl -t: which server address serves which target; and what the number of targets per server tells. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/listing.h"

static char *lctl_lower(char *text) {
    for (char *at = text; *at; at++) *at = (char)tolower((unsigned char)*at);
    return text;
}

static bool take_lctl_line(iol__request *request, char *line, iol__value *into) {
    char *fields[8], fs[128], target[16];
    if (iol__split(line, fields, 8) != 7 || !strchr(fields[6], '@') || !iol__target_of(fields[3], fs, target))
        return false;
    iol__arena *arena = request->arena;
    iol__value *device = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, device, "index", strtoll(fields[0], NULL, 10));
    iol__map_put_text(arena, device, "status", lctl_lower(fields[1]));
    iol__map_put_text(arena, device, "role", lctl_lower(fields[2]));
    iol__map_put_text(arena, device, "role_id", fields[3]);
    iol__map_put_text(arena, device, "uuid", fields[4]);
    iol__map_put_integer(arena, device, "ref_count", strtoll(fields[5], NULL, 10));
    iol__map_put_text(arena, device, "nid", fields[6]);
    *strchr(fields[6], '@') = 0;
    iol__map_put_text(arena, device, "target_ip", fields[6]);
    iol__listing_put(request, into, fs, target, device);
    return true;
}

iol_status iol__read_lctl(iol__request *request, iol__value **out) {
    return iol__listing_read(request, take_lctl_line, "devices with their servers, as 'lctl dl -t' lists them", out);
}

/* Fail-overs ----------------------------------------------------------------------------------------------------- */

/* The most frequent length of the lists; of several such the smallest. */
static int64_t lctl_mode_of(const iol__value *servers) {
    size_t mode = 0, most = 0;
    for (size_t i = 0; i < servers->count; i++) {
        size_t length = servers->items[i]->count, same = 0;
        for (size_t k = 0; k < servers->count; k++) same += servers->items[k]->count == length;
        if (same > most || (same == most && length < mode)) {
            most = same;
            mode = length;
        }
    }
    return (int64_t)mode;
}

static iol__value *failovers_of(iol__arena *arena, const iol__value *targets) {
    iol__value *servers = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < targets->count; i++) {
        const char *role = iol__map_text(targets->items[i], "role"),
                   *ip = iol__map_text(targets->items[i], "target_ip");
        if (role && ip && strcmp(role, "osc") == 0)
            iol__list_add(arena, iol__map_open(arena, servers, ip, IOL__LIST), iol__of_text(arena, targets->keys[i]));
    }
    iol__value *result = iol__value_new(arena, IOL__MAP);
    int64_t mode = lctl_mode_of(servers);
    iol__map_put_integer(arena, result, "mode", mode);
    iol__value *abnormal = iol__map_open(arena, result, "abnormal_ips", IOL__MAP);
    for (size_t i = 0; i < servers->count; i++)
        if ((int64_t)servers->items[i]->count != mode)
            iol__map_put(arena, abnormal, servers->keys[i], servers->items[i]);
    return result;
}

iol__value *iol__failovers(iol__arena *arena, const iol__value *map) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < map->count; i++) {
        bool block = isdigit((unsigned char)map->keys[i][0]) && map->keys[i][strspn(map->keys[i], "0123456789")] == 0;
        if (iol__map_get(map->items[i], "abnormal_ips")) /* a cache of this */
            iol__map_put(arena, result, map->keys[i], map->items[i]);
        else if (map->items[i]->kind == IOL__MAP)
            iol__map_put(arena, result, map->keys[i],
                         block ? iol__failovers(arena, map->items[i]) : failovers_of(arena, map->items[i]));
    }
    return result;
}

iol_status iol__read_failover(iol__request *request, iol__value **out) {
    iol__value *map;
    iol_status status = iol__read_lctl(request, &map);
    if (status != IOL_OK) return status;
    *out = iol__failovers(request->arena, map);
    for (size_t i = 0; i < (*out)->count; i++)
        if (iol__map_number((*out)->items[i], "mode") == 0)
            return iol__refuse(request, IOL_DAMAGED, "%.200s: no OST of %.100s in this listing", request->paths[0],
                               (*out)->keys[i]);
    return IOL_OK;
}
