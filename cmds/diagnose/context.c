/* Reading the context document. What is no JSON object is turned away here, because a diagnosis that goes on without it
   would look like one that had asked the site. */
#include "cmds/diagnose/context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "site/tree.h"

enum { MOST_CONTEXT = 16 << 20 };

static char *read_context_text(const char *path, size_t *length) {
    FILE *f = fopen(path, "re");
    char *text = f ? calloc(1, MOST_CONTEXT + 2) : NULL;
    *length = text ? fread(text, 1, MOST_CONTEXT + 1, f) : 0;
    bool failed = !text || ferror(f);
    if (failed) tell_stderr("%s: %s", path, strerror(errno));
    if (f) fclose(f);
    if (!failed) return text;
    free(text);
    return NULL;
}

/* Nested no deeper than diagnosis reads it. */
static bool is_json_object(const char *text, size_t length, const char *path) {
    static const iol__tree_limits limits = {.depth = 16};
    iol__tree_document document;
    iol_error error;
    if (iol__tree_parse(text, length, "", &limits, &document, &error) != IOL_OK) {
        tell_stderr("%s: not a JSON object: line %s", path, error.message + 1); /* behind ":" */
        return false;
    }
    const bool object = document.top->kind == IOL_TREE_OBJECT;
    iol__tree_free(&document);
    if (!object) tell_stderr("%s: not a JSON object", path);
    return object;
}

char *read_context_file(const char *path) {
    size_t length;
    char *text = read_context_text(path, &length);
    if (!text) return NULL;
    if (length > MOST_CONTEXT)
        tell_stderr("%s: a context document may have at most 16 MiB", path);
    else if (is_json_object(text, length, path))
        return text;
    free(text);
    return NULL;
}
