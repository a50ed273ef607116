/* All of it follows from the schema. */
#include "runtime/pack/layout.h"

#include <string.h>

#include "record/reduce.h"

static iol__layout layouts[IOL_SLOTS_KNOWN];
static bool made;

static void find_stamps(iol__layout *layout, const iol__module *module) {
    const iol__counter *reals = module->counters + module->ints;
    for (unsigned i = 0; i < module->reals && layout->n_stamps < IOL_STAMPS; i++)
        if (strcmp(reals[i].unit, "s since job start") == 0)
            layout->stamps[layout->n_stamps++] = (uint16_t)(layout->reals + i);
}

static void make(void) {
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *module = &iol__modules[slot];
        const iol__version *version = iol__version_find(slot, module->current);
        if (module->form != IOL_FORM_FIXED || !version) continue;
        iol__layout *layout = &layouts[slot];
        layout->slot = slot;
        layout->words = version->fixed_bytes / 8;
        layout->ints = version->counters_at / 8;
        layout->reals = (uint16_t)(layout->ints + module->ints);
        layout->shareable = iol__aggregate_possible(slot);
        find_stamps(layout, module);
        iol__times_find(&layout->times, slot);
    }
    made = true;
}

const iol__layout *iol__layout_of(int slot) {
    if (!made) make();
    return layouts[slot].words ? &layouts[slot] : NULL;
}

void iol__layout_place(const iol__layout *layout, uint64_t *record, int64_t rank, double shift) {
    record[1] = (uint64_t)rank;
    for (unsigned i = 0; i < layout->n_stamps; i++)
        record[layout->stamps[i]] = iol__layout_moved(record[layout->stamps[i]], shift);
}
