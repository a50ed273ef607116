/* The fuzzer of the diagnosis: a log with any values in it gives findings whose numbers make sense. */
#include <math.h>
#include <stdlib.h>

#include "insight/engine.h"
#include "tests/support/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static iol__rulebook *book;

static void check(const iol__finding *f) {
    if (!f->title || !*f->title) abort();
    if (!(f->confidence.value > 0 && f->confidence.value <= 1)) abort();
    if (!f->costed || !f->cost.known) return;
    if (!(f->cost.low >= 0 && f->cost.low <= f->cost.best && f->cost.best <= f->cost.high)) abort();
    if (isinf(f->cost.high)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!book && iol__rulebook_new(&book, NULL) != IOL_OK) abort();
    size_t length;
    uint8_t *file = frame_log(FRAME_MAPPED, data, size, &length);
    iol_log *log;
    if (iol_log_open_memory(file, length, "fuzz.darshan", &log, NULL) == IOL_OK) {
        iol__diagnose_options options = {.rulebook = book, .evidence = 3};
        iol__diagnosis *diagnosis;
        if (iol__diagnose(log, &options, &diagnosis, NULL) == IOL_OK) {
            for (size_t i = 0; i < diagnosis->n_findings; i++) check(&diagnosis->findings[i]);
            iol__diagnosis_free(diagnosis);
        }
        iol_log_close(log);
    }
    free(file);
    return 0;
}
