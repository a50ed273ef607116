/* For fuzzers of what becomes of a diagnosis: from the bytes of a mapped log to the findings. */
#ifndef IOL_TESTS_DIAGNOSED_H
#define IOL_TESTS_DIAGNOSED_H

#include <stdlib.h>

#include "insight/findings/engine.h"
#include "tests/support/frame.h"

/* Calls `then` if the bytes make a log that can be diagnosed. `keep`: with the facts that the findings come from. */
static inline void diagnose_bytes(const uint8_t *data, size_t size, bool keep,
                                  void (*then)(iol_log *log, const iol__diagnosis *diagnosis)) {
    static iol__rulebook *book;
    if (!book && iol__rulebook_new(&book, NULL) != IOL_OK) abort();
    size_t length;
    uint8_t *file = frame_log(FRAME_MAPPED, data, size, &length);
    iol_log *log;
    if (iol_log_open_memory(file, length, "fuzz.darshan", &log, NULL) == IOL_OK) {
        iol__diagnose_options options = {.rulebook = book, .evidence = 3, .keep = keep};
        iol__diagnosis *diagnosis;
        if (iol__diagnose(log, &options, &diagnosis, NULL) == IOL_OK) {
            then(log, diagnosis);
            iol__diagnosis_free(diagnosis);
        }
        iol_log_close(log);
    }
    free(file);
}

#endif
