/* See causes.h. A command has one table: errors are reported by one thread. */
#include "cmds/causes.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "text/number.h"

enum { CAUSES = 32, NAMED = 3, CAUSE = 200 };

static struct {
    char text[CAUSE];
    size_t count;
} causes[CAUSES];
static size_t n_causes;

/* What comes behind the file and the place in it. */
static const char *causes_text_of(const iol_error *error) {
    const char *text = error->message, *colon;
    for (int i = 0; i < 2 && (colon = strstr(text, ": ")); i++) {
        const bool place = strncmp(text, "at offset ", 10) == 0;
        if (i == 1 && !place) break;
        text = colon + 2;
    }
    return text;
}

bool cause_is_to_be_named(const iol_error *error) {
    const char *text = causes_text_of(error);
    size_t i = 0;
    while (i < n_causes && strncmp(causes[i].text, text, CAUSE - 1) != 0) i++;
    if (i == CAUSES) return true;
    if (i == n_causes) snprintf(causes[n_causes++].text, CAUSE, "%.*s", CAUSE - 1, text);
    return ++causes[i].count <= NAMED;
}

void report_other_causes(void) {
    char count[IOL_HUMAN];
    for (size_t i = 0; i < n_causes; i++) {
        if (causes[i].count <= NAMED) continue;
        const size_t more = causes[i].count - NAMED;
        tell_stderr("%s more file%s: %s", iol__human_number(count, (double)more), more == 1 ? "" : "s", causes[i].text);
    }
}
