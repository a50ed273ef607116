/* Few enough to be put in order by insertion. */
#include "report/operation_text.h"

#include <stdio.h>

#include "text/number.h"

int iol__operations_by_time(const iol__operation_totals *totals, int order[IOL_OPERATIONS]) {
    int count = 0;
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        if (!totals->of[i].count && !totals->of[i].failed) continue;
        int at = count++;
        for (; at > 0 && totals->of[order[at - 1]].time < totals->of[i].time; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

int iol__operation_text(char *to, size_t room, int operation, const iol__operation_total *total) {
    char b[3][IOL_HUMAN], failed[IOL_HUMAN + 16] = "";
    if (total->failed) snprintf(failed, sizeof failed, " (%s failed)", iol__human_count(b[0], (double)total->failed));
    return snprintf(to, room, "%s %s%s in %s", iol__human_count(b[1], (double)(total->count + total->failed)),
                    iol__operation_name(operation), failed, iol__human_seconds(b[2], total->time));
}
