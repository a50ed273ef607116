/* /proc/mdstat: which arrays of a server lack a disk, and which are being rebuilt or checked; and what Lustre's servers say
   of their targets: "obdfilter.fs-OST0003.degraded=1". */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

static void take_action(iol__arena *arena, iol__value *array, const char *line) {
    static const char *const actions[] = {"recovery", "resync", "reshape", "check"};
    for (size_t i = 0; i < IOL_COUNT(actions); i++) {
        const char *at = strstr(line, actions[i]), *equals = at ? strchr(at, '=') : NULL;
        if (!equals) continue;
        iol__map_put_text(arena, array, "action", actions[i]);
        iol__map_put_real(arena, array, "percent", strtod(equals + 1, NULL));
    }
}

/* "[3/2] [UU_]": three disks wanted, two there. */
static void take_disks(iol__arena *arena, iol__value *array, const char *line) {
    for (const char *at = strchr(line, '['); at; at = strchr(at + 1, '[')) {
        char *slash, *end;
        long wanted = strtol(at + 1, &slash, 10);
        if (slash == at + 1 || *slash != '/') continue;
        long there = strtol(slash + 1, &end, 10);
        if (*end != ']') continue;
        iol__map_put_integer(arena, array, "disks", wanted);
        iol__map_put_integer(arena, array, "active", there);
        iol__map_put(arena, array, "degraded", iol__of_flag(arena, there < wanted));
    }
}

/* lctl get_param obdfilter.*.degraded */
static bool take_target(iol__arena *arena, iol__value *arrays, char *line) {
    static const char first[] = "obdfilter.", last[] = ".degraded=";
    char *end = strstr(line, last);
    if (strncmp(line, first, sizeof first - 1) != 0 || !end) return false;
    *end = 0;
    iol__map_put(arena, iol__map_open(arena, arrays, line + sizeof first - 1, IOL__MAP), "degraded",
                 iol__of_flag(arena, end[sizeof last - 1] == '1'));
    return true;
}

static iol_status take_md_text(iol__request *request, iol__feed *feed, iol__value *arrays) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    iol__value *array = NULL;
    for (char *line; (line = iol__next_line(&lines));) {
        char *colon = strstr(line, " : ");
        bool target = take_target(request->arena, arrays, line);
        /* A server without arrays has this line alone. */
        request->understood += target || strncmp(line, "Personalities :", 15) == 0;
        if (target) continue;
        if (strncmp(line, "md", 2) == 0 && colon) {
            request->understood++;
            *colon = 0;
            char *rest = colon + 3, *state = strsep(&rest, " "), *level = rest ? strsep(&rest, " ") : NULL;
            array = iol__map_open(request->arena, arrays, line, IOL__MAP);
            iol__map_put_text(request->arena, array, "state", state);
            iol__map_put_text(request->arena, array, "level", level);
        } else if (array && (*line == ' ' || *line == '\t')) {
            take_disks(request->arena, array, line);
            take_action(request->arena, array, line);
        }
    }
    return IOL_OK;
}

iol_status iol__read_md(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_md_text, out);
    return status == IOL_OK ? iol__expect_form(request, "/proc/mdstat, or 'lctl get_param obdfilter.*.degraded'")
                            : status;
}
