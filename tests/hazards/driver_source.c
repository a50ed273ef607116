/* Reads the first comment of a hazard program's source: a line that begins with a word of the table below asks for
   something. What the words mean is described in driver.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hazards/driver.h"

char *read_whole(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    size_t used = 0, room = 0;
    do {
        if (used + 1 >= room) {
            char *more = realloc(text, room = room * 2 + 65536);
            if (!more) abort();
            text = more;
        }
        used += fread(text + used, 1, room - used - 1, file);
    } while (!feof(file) && !ferror(file));
    fclose(file);
    text[used] = '\0';
    if (length) *length = used;
    return text;
}

/* C escapes in a name, so that it can hold any byte: \n \t \s (a blank) \\ \xHH. */
static void unescape(char *word) {
    char *to = word;
    for (const char *from = word; *from; from++) {
        if (*from != '\\' || !from[1]) {
            *to++ = *from;
            continue;
        }
        switch (*++from) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 's': *to++ = ' '; break;
        case 'x': {
            char digits[3] = {from[1], from[1] ? from[2] : '\0', '\0'};
            *to++ = (char)strtol(digits, NULL, 16);
            from += strlen(digits);
            break;
        }
        default: *to++ = *from; break;
        }
    }
    *to = '\0';
}

static expectation *add(hazard *h, expectation_kind kind, char **words, size_t count, size_t needed) {
    if (count != needed || h->n_expectations == MOST_EXPECTATIONS) return NULL;
    unescape(words[1]);
    expectation *e = &h->expectations[h->n_expectations++];
    e->kind = kind;
    e->module = words[0];
    e->name = words[1];
    return e;
}

static bool on_expect(hazard *h, char **words, size_t count) {
    expectation *e = add(h, EXPECT_COUNTER, words, count, count == 9 ? 9 : 5);
    if (!e) return false;
    e->is = (comparison){words[2], words[3], words[4]};
    if (count != 9) return true;
    e->when = (comparison){words[6], words[7], words[8]};
    return strcmp(words[5], "WHEN") == 0;
}

static bool on_records(hazard *h, char **words, size_t count) {
    expectation *e = add(h, EXPECT_RECORDS, words, count, 3);
    if (e) e->is.value = words[2];
    return e != NULL;
}

static bool on_operation(hazard *h, char **words, size_t count) {
    if (count != 4 || h->n_expectations == MOST_EXPECTATIONS) return false;
    h->expectations[h->n_expectations++] = (expectation){
        .kind = EXPECT_OPERATION, .module = words[0], .name = words[0], .is = {words[1], words[2], words[3]}};
    return true;
}

static bool on_size(hazard *h, char **words, size_t count) {
    if (count != 2 || h->n_expectations == MOST_EXPECTATIONS) return false;
    h->expectations[h->n_expectations++] =
        (expectation){.kind = EXPECT_SIZE, .module = "POSIX", .name = words[0], .is.value = words[1]};
    return true;
}

static bool on_removal(hazard *h, char **words, size_t count, expectation_kind kind) {
    if (count != 1 || h->n_expectations == MOST_EXPECTATIONS) return false;
    h->expectations[h->n_expectations++] = (expectation){.kind = kind, .module = "POSIX", .name = words[0]};
    return true;
}
static bool on_gone(hazard *h, char **words, size_t count) { return on_removal(h, words, count, EXPECT_GONE); }
static bool on_kept(hazard *h, char **words, size_t count) { return on_removal(h, words, count, EXPECT_KEPT); }

static bool on_custom(hazard *h, char **words, size_t count) {
    expectation *e = add(h, EXPECT_CUSTOM, words, count, 5);
    if (e) e->is = (comparison){words[2], words[3], words[4]};
    return e != NULL;
}

static bool on_absent(hazard *h, char **words, size_t count) { return add(h, EXPECT_ABSENT, words, count, 2) != NULL; }

static bool on_partial(hazard *h, char **words, size_t count) {
    if (count != 1 || h->n_partial == MOST_WORDS) return false;
    h->partial[h->n_partial++] = words[0];
    return true;
}

static bool on_environment(hazard *h, char **words, size_t count) {
    if (count != 1 || h->n_environment == MOST_WORDS || !strchr(words[0], '=')) return false;
    h->environment[h->n_environment++] = words[0];
    return true;
}

static bool on_arguments(hazard *h, char **words, size_t count) {
    for (size_t i = 0; i < count && h->n_arguments < MOST_WORDS; i++) h->arguments[h->n_arguments++] = words[i];
    return count > 0;
}

static bool on_stdin(hazard *h, char **words, size_t count) {
    if (count == 1) unescape(words[0]);
    h->stdin_text = words[0];
    return count == 1;
}

static bool on_closed(hazard *h, char **words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        long number = strtol(words[i], NULL, 10);
        if (number < 0 || number > 2) return false;
        h->closed[number] = true;
    }
    return count > 0;
}

static bool on_preload(hazard *h, char **words, size_t count) {
    h->preload = words[0];
    return count == 1;
}

static bool on_plain(hazard *h, char **words, size_t count) {
    h->plain = true;
    h->recover = count == 1 && strcmp(words[0], "recover") == 0;
    return count == (h->recover ? 1 : 0);
}

static bool on_lingers(hazard *h, char **words, size_t count) {
    (void)words;
    h->lingers = true;
    return count == 0;
}

static bool on_talk(hazard *h, char **words, size_t count) {
    h->talk = true;
    if (count == 1) h->others_talk = words[0];
    return count <= 1;
}

static bool on_status(hazard *h, char **words, size_t count) {
    bool killed = count == 2 && strcmp(words[0], "signal") == 0;
    if (killed) h->signal = (int)strtol(words[1], NULL, 10);
    if (count == 1) h->exit_status = (int)strtol(words[0], NULL, 10);
    return killed || count == 1;
}

static bool on_logs(hazard *h, char **words, size_t count) {
    if (count < 1 || count > 2) return false;
    h->least_logs = strtol(words[0], NULL, 10);
    h->most_logs = strtol(words[count - 1], NULL, 10);
    return true;
}

static bool on_ranks(hazard *h, char **words, size_t count) {
    if (count == 1) h->ranks = strtol(words[0], NULL, 10);
    return count == 1 && h->ranks > 0;
}

static bool on_processes(hazard *h, char **words, size_t count) {
    if (count == 1) h->processes = strtol(words[0], NULL, 10);
    return count == 1;
}

/* For the build alone. */
static bool on_build(hazard *h, char **words, size_t count) {
    (void)h, (void)words;
    return count > 0;
}

static const struct {
    const char *word;
    bool (*take)(hazard *h, char **words, size_t count);
} directives[] = {
    {"FLAGS", on_build},   {"LINK", on_build},      {"PART", on_build},          {"ENV", on_environment},
    {"STDIN", on_stdin},   {"CLOSED", on_closed},   {"ARGUMENTS", on_arguments}, {"PRELOAD", on_preload},
    {"PLAIN", on_plain},   {"LINGERS", on_lingers}, {"TALK", on_talk},           {"STATUS", on_status},
    {"RANKS", on_ranks},   {"LOGS", on_logs},       {"RECORDS", on_records},     {"PROCESSES", on_processes},
    {"EXPECT", on_expect}, {"ABSENT", on_absent},   {"PARTIAL", on_partial},     {"OPERATION", on_operation},
    {"NEEDS", on_build},   {"SIZE", on_size},       {"CUSTOM", on_custom},       {"GONE", on_gone},
    {"KEPT", on_kept},
};

/* Capitals alone: meant as a directive, so it had better be one. */
static bool looks_like_one(const char *word) {
    return strlen(word) > 2 && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(word);
}

static bool take_line(hazard *h, char *line) {
    char *words[MOST_WORDS + 2], *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(line, " \t", &rest); word && count < MOST_WORDS + 2; word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    for (size_t i = 0; count > 0 && i < sizeof directives / sizeof *directives; i++)
        if (strcmp(words[0], directives[i].word) == 0) return directives[i].take(h, words + 1, count - 1);
    return count == 0 || !looks_like_one(words[0]);
}

/* The comment ends with the first line that holds its end, or, in a script, with the first that is not a comment. */
bool hazard_read(const char *source, hazard *h) {
    *h = (hazard){.least_logs = 1, .most_logs = 1, .processes = -1, .ranks = 1};
    h->text = read_whole(source, NULL);
    if (!h->text) {
        complain("cannot read %s", source);
        return false;
    }
    bool script = strncmp(h->text, "#!", 2) == 0, last = false;
    char *rest = NULL;
    for (char *line = strtok_r(h->text, "\n", &rest); line && !last; line = strtok_r(NULL, "\n", &rest)) {
        if (script && *line != '#') break;
        char *end = script ? NULL : strstr(line, "*/");
        if (end) *end = '\0';
        last = end != NULL;
        char copy[200];
        snprintf(copy, sizeof copy, "%s", line);
        if (!take_line(h, line + strspn(line, "#/* "))) {
            complain("cannot understand: %s", copy);
            return false;
        }
    }
    return true;
}

void hazard_free(hazard *h) { free(h->text); }
