/* The fuzzer of JSON trees: any bytes as a document, as strict and as lenient text. Whatever parses must be whole. */
#include <stdlib.h>
#include <string.h>

#include "site/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const iol__tree *value) {
    size_t seen = 1, count = 0;
    if (value->text && strlen(value->text) > value->length) abort();
    for (const iol__tree *item = value->first; item; item = item->next, count++) {
        if ((value->kind == IOL_TREE_OBJECT) != (item->key != NULL)) abort();
        seen += walk(item);
    }
    if (count != value->count) abort();
    double real;
    int64_t whole;
    iol__tree_real(value, &real);
    iol__tree_i64(value, &whole);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int lenient = 0; lenient < 2; lenient++) {
        const iol__tree_limits limits = {.values = 10000, .lenient = lenient};
        iol__tree_document document;
        iol_error error;
        if (iol__tree_parse((const char *)data, size, "fuzz", &limits, &document, &error) != IOL_OK) continue;
        if (walk(document.top) > limits.values) abort();
        iol__tree_free(&document);
    }
    return 0;
}
