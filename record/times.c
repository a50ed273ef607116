/* What is a time is what the schema gives in seconds. */
#include "record/times.h"

void iol__times_find(iol__times *times, int slot) {
    const iol__module *module = &iol__modules[slot];
    const iol__counter *reals = module->counters + module->ints;
    memset(times, 0, sizeof *times);
    if (module->form != IOL_FORM_FIXED) return;
    for (unsigned i = 0; i < module->reals; i++) {
        const char *unit = reals[i].unit;
        if (strcmp(unit, "s since job start") == 0) {
            if (times->n_points < IOL_TIMES_MOST) times->points[times->n_points++] = (uint8_t)i;
        } else if (strcmp(unit, "s") == 0) {
            if (times->n_spans < IOL_TIMES_MOST) times->spans[times->n_spans++] = (uint8_t)i;
        } else if (strcmp(unit, "s^2") == 0) {
            if (times->n_squares < IOL_TIMES_MOST) times->squares[times->n_squares++] = (uint8_t)i;
        }
    }
}
