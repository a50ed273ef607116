/* lfs df: how full each target is. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/listing.h"

static bool lfs_df_number(const char *text, int64_t *value) {
    char *end;
    *value = strtoll(text, &end, 10);
    return isdigit((unsigned char)*text) && !*end;
}

/* "/scratch2[OST:1]" to its parts. */
static bool lfs_df_place(char *text, char **role, int64_t *index) {
    char *bracket = strrchr(text, '['), *colon = bracket ? strchr(bracket, ':') : NULL,
         *end = colon ? strchr(colon, ']') : NULL;
    if (!end) return false;
    *bracket = *colon = *end = 0;
    *role = bracket + 1;
    for (char *at = *role; *at; at++) *at = (char)tolower((unsigned char)*at);
    return lfs_df_number(colon + 1, index);
}

static bool take_lfs_df_line(iol__request *request, char *line, iol__value *into) {
    char *fields[7], fs[128], target[16], *role;
    int64_t total, used, available, index;
    if (iol__split(line, fields, 7) != 6 || !iol__target_of(fields[0], fs, target) ||
        !lfs_df_number(fields[1], &total) || !lfs_df_number(fields[2], &used) ||
        !lfs_df_number(fields[3], &available) || !lfs_df_place(fields[5], &role, &index))
        return false;
    iol__arena *arena = request->arena;
    iol__value *filled = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, filled, "total_kib", total);
    iol__map_put_integer(arena, filled, "used_kib", used);
    iol__map_put_integer(arena, filled, "remaining_kib", available);
    iol__map_put_text(arena, filled, "mount_pt", fields[5]);
    iol__map_put_text(arena, filled, "role", role);
    iol__map_put_integer(arena, filled, "target_index", index);
    iol__listing_put(request, into, fs, target, filled);
    return true;
}

iol_status iol__read_lfs_df(iol__request *request, iol__value **out) {
    return iol__listing_read(request, take_lfs_df_line, "targets with their sizes, as 'lfs df' lists them", out);
}
