/* The fuzzer of the diagnosis: a log with any values in it gives findings whose numbers make sense. */
#include <math.h>
#include <stdlib.h>

#include "tests/fuzz/diagnosed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const iol__finding *f) {
    if (!f->title || !*f->title) abort();
    if (!(f->confidence.value > 0 && f->confidence.value <= 1)) abort();
    if (!f->costed || !f->cost.known) return;
    if (!(f->cost.low >= 0 && f->cost.low <= f->cost.best && f->cost.best <= f->cost.high)) abort();
    if (isinf(f->cost.high)) abort();
}

static void check_all(iol_log *log, const iol__diagnosis *diagnosis) {
    (void)log;
    for (size_t i = 0; i < diagnosis->n_findings; i++) check(&diagnosis->findings[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    diagnose_bytes(data, size, false, check_all);
    return 0;
}
