/* By hand: it is read before main, and where nothing may allocate. */
#include "record/runner.h"

#include <string.h>

static uint64_t take_decimal(const char **text) {
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++) value = value * 10 + (uint64_t)(**text - '0');
    return value;
}

bool iol__runner_read(const char **text, iol__runner *runner) {
    uint64_t words[5];
    const char *at = *text;
    for (size_t i = 0; i < 5; i++) {
        if (*at < '0' || *at > '9') return false;
        words[i] = take_decimal(&at);
        if (i < 4 && *at++ != '.') return false;
        if (i != 2 && words[i] > INT32_MAX) return false;
    }
    *runner = (iol__runner){.pid = (int32_t)words[0],
                            .outermost = (int32_t)words[1],
                            .born = words[2],
                            .caller = (int32_t)words[3],
                            .program = (int32_t)words[4]};
    *text = at;
    return true;
}

void iol__runner_number(char digits[IOL_RUNNER_DIGITS], int32_t pid) {
    for (int i = IOL_RUNNER_DIGITS; i-- > 0; pid /= 10) digits[i] = (char)('0' + pid % 10);
}

/* The second word is a name in brackets that may hold anything. */
bool iol__stat_line_read(const char *line, int32_t *parent, uint64_t *ticks) {
    enum { NAME = 2, PARENT = 4, BIRTH = 22 };
    const char *at = strrchr(line, ')');
    uint64_t words[BIRTH + 1] = {0};
    for (int word = NAME + 1; word <= BIRTH; word++) {
        at = at ? strchr(at, ' ') : NULL;
        if (!at) return false;
        at++;
        const char *digits = at;
        words[word] = take_decimal(&digits);
    }
    *parent = (int32_t)words[PARENT];
    *ticks = words[BIRTH];
    return true;
}

uint64_t iol__name_space_read(const char *link) {
    const char *digits = strchr(link, '[');
    if (!digits) return 0;
    digits++;
    return take_decimal(&digits);
}
