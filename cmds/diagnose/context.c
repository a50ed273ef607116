/* Reading the context document. What is no JSON object is turned away here, because a diagnosis that goes on without it
   would look like one that had asked the site. */
#include "cmds/diagnose/context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "log/trailer/plain_json.h"

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

char *read_context_file(const char *path) {
    size_t length, wrong;
    char *text = read_context_text(path, &length);
    if (!text) return NULL;
    if (length > MOST_CONTEXT)
        tell_stderr("%s: a context document may have at most 16 MiB", path);
    else if (!iol__plain_is_object(text, length, &wrong))
        tell_stderr("%s: not a JSON object: at byte %zu%s", path, wrong, wrong == length ? ", where it ends" : "");
    else
        return text;
    free(text);
    return NULL;
}
