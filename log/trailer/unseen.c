/* The section MISS, to and from what the rest of the project uses. */
#include "log/trailer/unseen.h"

#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"

static const struct {
    const char *name, *text;
} reasons[IOL_UNSEEN_REASONS] = {
#define UNSEEN(NAME, name, what) [IOL_UNSEEN_##NAME] = {name, what},
#include "schema/unseen.def"
#undef UNSEEN
};

static bool is_reason(iol__unseen_why why) { return why > IOL_UNSEEN_NOT && why < IOL_UNSEEN_REASONS; }

const char *iol__unseen_name(iol__unseen_why why) { return is_reason(why) ? reasons[why].name : "unknown"; }
const char *iol__unseen_text(iol__unseen_why why) { return is_reason(why) ? reasons[why].text : "for no known reason"; }

/* Counting -------------------------------------------------------------------------------------------------------- */

static iol__unseen_program *unseen_find(iol__unseen *list, iol__unseen_why why, const char *program) {
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].why == why && strcmp(list->of[i].program, program) == 0) return &list->of[i];
    return NULL;
}

/* Never NULL: there is room for one line of others for every reason. */
static iol__unseen_program *find_or_make(iol__unseen *list, iol__unseen_why why, const char *program) {
    iol__unseen_program *one = unseen_find(list, why, program);
    if (!one && list->count >= IOL_UNSEEN_MOST) one = unseen_find(list, why, program = "");
    if (one) return one;
    one = &list->of[list->count++];
    *one = (iol__unseen_program){.why = why};
    strcpy(one->program, program);
    return one;
}

static void unseen_add(iol__unseen *list, iol__unseen_why why, const char *program, uint64_t count) {
    char name[IOL_UNSEEN_PROGRAM];
    size_t length = strlen(program);
    if (!is_reason(why) || count == 0) return;
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, program, length);
    name[length] = 0;
    iol__unseen_program *one = find_or_make(list, why, name);
    if (__builtin_add_overflow(one->count, count, &one->count)) one->count = UINT64_MAX;
}

void iol__unseen_note(iol__unseen *list, uint64_t how, const char *program) {
    const uint64_t why = how >> IOL_STARTED_WHY;
    if (why >= IOL_UNSEEN_REASONS) return;
    if (!(how & IOL_STARTED_NOT_AFTER)) {
        unseen_add(list, (iol__unseen_why)why, program, 1);
        return;
    }
    iol__unseen_program *one = unseen_find(list, (iol__unseen_why)why, program);
    if (!one) one = unseen_find(list, (iol__unseen_why)why, "");
    if (one && one->count) one->count--;
}

uint64_t iol__unseen_total(const iol__unseen *list) {
    uint64_t total = 0;
    for (size_t i = 0; i < list->count; i++)
        if (__builtin_add_overflow(total, list->of[i].count, &total)) return UINT64_MAX;
    return total;
}

static int by_reason(const void *a, const void *b) {
    const iol__unseen_program *x = a, *y = b;
    if (x->why != y->why) return x->why < y->why ? -1 : 1;
    if (!x->program[0] != !y->program[0]) return x->program[0] ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return strcmp(x->program, y->program);
}

void iol__unseen_sort(iol__unseen *list) { qsort(list->of, list->count, sizeof *list->of, by_reason); }

void iol__unseen_forget_names(iol__unseen *list) {
    iol__unseen nameless = {0};
    for (size_t i = 0; i < list->count; i++) unseen_add(&nameless, list->of[i].why, "", list->of[i].count);
    *list = nameless;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

typedef struct unseen_line {
    char *why, *program;
    int64_t count;
} unseen_line;

static bool line_value(iol__plain_json *json, void *object, const char *key) {
    unseen_line *l = object;
    if (strcmp(key, "why") == 0) return iol__plain_text(json, &l->why);
    if (strcmp(key, "program") == 0) return iol__plain_text(json, &l->program);
    if (strcmp(key, "count") == 0) return iol__plain_integer(json, &l->count);
    return iol__plain_skip(json);
}

static bool add_unseen_line(char *text, size_t length, iol__unseen *list) {
    iol__plain_json json = {text, text + length};
    unseen_line l = {0};
    if (!iol__plain_object(&json, &l, line_value) || !l.why || l.count < 0) return false;
    for (int why = 1; why < IOL_UNSEEN_REASONS; why++)
        if (strcmp(l.why, reasons[why].name) == 0)
            unseen_add(list, (iol__unseen_why)why, l.program ? l.program : "", (uint64_t)l.count);
    return true;
}

static bool add_unseen_section(iol_log *log, char *text, size_t length, void *list) {
    size_t wrong = 0;
    for (size_t at = 0, next; at < length; at = next + 1) {
        const char *newline = memchr(text + at, '\n', length - at);
        next = newline ? (size_t)(newline - text) : length;
        if (next > at && !add_unseen_line(text + at, next - at, list)) wrong++;
    }
    if (wrong)
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET,
                  "%zu lines about programs that are not recorded cannot be understood", wrong);
    return true;
}

void iol__unseen_add(iol_log *log, iol__unseen *list) {
    if (!log->facts) iol__section_each(log, IOL_TAG_UNSEEN, add_unseen_section, list);
}

/* Printing -------------------------------------------------------------------------------------------------------- */

void iol__unseen_print(FILE *to, const iol__unseen *list) {
    const uint64_t most = UINT64_C(999999999999999999); /* more digits are the sum of damaged files */
    for (size_t i = 0; i < list->count; i++) {
        const iol__unseen_program *one = &list->of[i];
        if (one->count == 0) continue;
        fprintf(to, "{\"why\":\"%s\",\"program\":", iol__unseen_name(one->why));
        iol__plain_print_text(to, one->program);
        fprintf(to, ",\"count\":%llu}\n", (unsigned long long)(one->count < most ? one->count : most));
    }
}
