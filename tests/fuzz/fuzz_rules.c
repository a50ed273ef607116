/* The fuzzer of rule files: any bytes as rules of a site. Whatever loads must be usable on a log, and what does not
   must have been reported. */
#include <stdlib.h>

#include "insight/findings/engine.h"
#include "tests/support/demo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *demo_bytes;
static size_t demo_length;

static void make_demo(void) {
    lm_log *log = lm_new(41, false, LM_NONE);
    demo_build(log);
    demo_bytes = lm_finish(log, &demo_length);
    lm_free(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!demo_bytes) make_demo();
    iol__rulebook *book;
    if (iol__rulebook_new(&book, NULL) != IOL_OK) abort();
    size_t rules = iol__rulebook_rules(book);
    if (iol__rulebook_load_text(book, (const char *)data, size, "fuzz.rules", "site", NULL) != IOL_OK) abort();
    if (iol__rulebook_rules(book) > rules) {
        iol_log *log;
        iol__diagnosis *diagnosis;
        iol__diagnose_options options = {.rulebook = book, .evidence = 3};
        if (iol_log_open_memory(demo_bytes, demo_length, "demo", &log, NULL) != IOL_OK) abort();
        if (iol__diagnose(log, &options, &diagnosis, NULL) != IOL_OK) abort();
        iol__diagnosis_free(diagnosis);
        iol_log_close(log);
    }
    iol__rulebook_free(book);
    return 0;
}
