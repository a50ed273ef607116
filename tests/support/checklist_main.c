/* checklist [--names] [--one-stream] LOG...: whether logs keep to the writer's checklist. Status 1 if one does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bytes.h"
#include "tests/support/checklist.h"
#include "tests/support/load.h"

int main(int argc, char **argv) {
    checklist_wishes wishes = {0};
    int complaints = 0, at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        wishes.names |= strcmp(argv[at], "--names") == 0;
        wishes.one_stream |= strcmp(argv[at], "--one-stream") == 0;
    }
    for (; at < argc; at++) {
        bytes file = load_file(argv[at]);
        complaints += checklist(argv[at], file.data, file.length, &wishes);
        bytes_free(&file);
    }
    return complaints > 0;
}
