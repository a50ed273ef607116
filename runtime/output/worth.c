/* Looked at once, at the end, when records are final. */
#include "runtime/output/worth.h"

#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/posix/operations.h"
#include "runtime/core/store.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

enum { LITTLE = 1 << 20 /* bytes */ };

/* Where a standard stream led when the records began. */
static bool is_target(const char *name) {
    const iol__mapped *facts = iol__store_facts();
    for (int fd = 0; fd < 3; fd++)
        if (*facts->target[fd] && strcmp(name, facts->target[fd]) == 0) return true;
    return false;
}

/* The bytes that went to a standard stream; -1 if this is something else. What is read from a file counts, whoever opened
   it. */
static int64_t printed(const iol__state *state) {
    const int64_t *counters = (const int64_t *)state->record + 2;
    if (state->module == &iol__stdio_module)
        return iol__stdio_standard(state->file->id) && counters[IOL_STDIO_READS] == 0
                   ? counters[IOL_STDIO_BYTES_WRITTEN]
                   : -1;
    if (state->module != &iol__posix_module || counters[IOL_POSIX_OPENS] > counters[IOL_POSIX_FILENOS] ||
        counters[IOL_POSIX_READS] > 0)
        return -1;
    return iol__stdio_standard(state->file->id) || is_target(state->file->name) ? counters[IOL_POSIX_BYTES_WRITTEN]
                                                                                : -1;
}

static bool only_printed(void) {
    int64_t all = 0;
    for (const iol__state *state = iol__files_states(); state; state = state->next) {
        if (!state->record || !state->module->record_bytes) continue;
        const int64_t bytes = state->folded ? -1 : printed(state);
        if (bytes < 0 || (all += bytes) > LITTLE) return false;
    }
    return true;
}

bool iol__worth_a_log(void) {
    static iol__operation total[IOL_OPERATIONS_ROOM];
    const iol__rt_store *store = &iol__store_state;
    const iol__mapped *facts = iol__store_facts();
    if (iol__core_state.run || iol__core_state.world_size > 0 || store->custom.used || store->removed.used ||
        store->trace.used || facts->lost || facts->ring_unseen || facts->calls_unseen || facts->spaces_unseen ||
        facts->stopped)
        return true;
    iol__operations_total(total);
    return iol__operations_alone(total) || iol__operations_matter(total) || !only_printed();
}
