/* See causes.h. A command has one table: errors are reported by one thread at a time. */
#include "cmds/causes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "text/number.h"

enum { CAUSES = 32, NAMED = 3, CAUSE = 200 };

/* The last one stands for all that have no place. */
static struct {
    char text[CAUSE]; /* with N in place of numbers */
    size_t count;
    char first[CAUSE]; /* of the first file */
    bool same;         /* for all of them */
} causes[CAUSES + 1];
static size_t n_causes;

/* What comes behind the file and the place in it. */
static const char *causes_text_of(const char *text) {
    const char *colon;
    for (int i = 0; i < 2 && (colon = strstr(text, ": ")); i++) {
        const bool place = strncmp(text, "at offset ", 10) == 0;
        if (i == 1 && !place) break;
        text = colon + 2;
    }
    return text;
}

static void put_pattern(char pattern[CAUSE], const char *text) {
    size_t length = 0;
    while (*text && length + 1 < CAUSE) {
        const bool number = isdigit((unsigned char)*text);
        pattern[length++] = number ? 'N' : *text++;
        while (number && isdigit((unsigned char)*text)) text++;
    }
    pattern[length] = 0;
}

bool cause_is_to_be_named(const char *message) {
    char pattern[CAUSE];
    const char *text = causes_text_of(message);
    size_t i = 0;
    put_pattern(pattern, text);
    while (i < n_causes && strcmp(causes[i].text, pattern) != 0) i++;
    if (i == CAUSES) { /* of the others none is named */
        causes[CAUSES].count++;
        return false;
    }
    if (i == n_causes) {
        n_causes++;
        causes[i].count = 0;
        strcpy(causes[i].text, pattern);
        snprintf(causes[i].first, CAUSE, "%.*s", CAUSE - 1, text);
        causes[i].same = true;
    }
    if (strncmp(causes[i].first, text, CAUSE - 1) != 0) causes[i].same = false;
    return ++causes[i].count <= NAMED;
}

size_t report_other_causes(void) {
    char count[IOL_HUMAN];
    size_t all = 0;
    for (size_t i = 0; i < n_causes; i++) {
        if (causes[i].count <= NAMED) continue;
        const size_t more = causes[i].count - NAMED;
        tell_stderr("%s more file%s: %s", iol__human_number(count, (double)more), more == 1 ? "" : "s",
                    causes[i].same ? causes[i].first : causes[i].text);
        all += more;
    }
    if (causes[CAUSES].count)
        tell_stderr("%s more files, for other reasons", iol__human_number(count, (double)causes[CAUSES].count));
    all += causes[CAUSES].count;
    causes[CAUSES].count = n_causes = 0;
    return all;
}
