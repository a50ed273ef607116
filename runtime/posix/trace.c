/* Traces of files that do not show what the user is after are taken back at the end: by the share of small accesses, or
   of those that miss the file's blocks. */
#include "runtime/posix/trace.h"

static bool below(double share, int64_t part, int64_t whole) {
    return share >= 0 && (double)part < share * (double)whole;
}

void iol__trace_filter(const iol__posix *p, const int64_t *ints) {
    if (!p->trace.chunks[IOL_READ] && !p->trace.chunks[IOL_WRITE]) return;
    const iol__config *config = &iol__core_state.config;
    const int64_t whole = ints[IOL_POSIX_READS] + ints[IOL_POSIX_WRITES];
    int64_t small = 0;
    for (int i = 0; i < 3; i++) small += ints[IOL_POSIX_SIZE_READ_0_100 + i] + ints[IOL_POSIX_SIZE_WRITE_0_100 + i];
    if (!below(iol__setting_number(config, IOL_SET_TRACE_SMALL_IO), small, whole) &&
        !below(iol__setting_number(config, IOL_SET_TRACE_UNALIGNED_IO), ints[IOL_POSIX_FILE_NOT_ALIGNED], whole))
        return;
    for (unsigned m = 0; m < IOL_MODULES; m++) {
        iol__state *state = p->state.file->states[m];
        if (state && state->record && state->module->trace) iol__trace_drop(iol__trace_of(state));
    }
}
