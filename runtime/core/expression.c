/* An expression becomes a list of steps: those that take a byte, and those that lead on to others, by distances, so that
   a part of it can be moved and repeated. Matching keeps the set of all steps that it may be at. */
#include "runtime/core/expression.h"

#include <regex.h>
#include <string.h>

enum { STEPS = 8192, MOST = 2048 /* of one expression */, SETS = 512, DEEPEST = 64, UNLIMITED = -1 };

typedef enum expression_kind {
    BYTE,
    ANY,
    ONE_OF,   /* a set */
    TO,       /* leads on to another */
    TO_BOTH,  /* to two of them */
    AT_START, /* conditions */
    AT_END,
    AT_WORD_START,
    AT_WORD_END,
    AT_WORD_EDGE,
    IN_OR_OUT, /* not at the edge of a word */
    MATCHED,
} expression_kind;

typedef struct step {
    uint8_t kind, byte;
    int16_t first, second; /* how far it leads; of a set its number */
} step;

static step all[STEPS];
static uint64_t sets[SETS][4];
static unsigned n_steps, n_sets;

void iol__expressions_reset(void) { n_steps = n_sets = 0; }

/* Compiling -------------------------------------------------------------------------------------------------------- */

typedef struct source {
    const char *text;
    unsigned from; /* where its steps begin */
    unsigned deep;
    bool good;
} source;

static unsigned put(source *s, expression_kind k, uint8_t byte, int first, int second) {
    if (n_steps == STEPS || n_steps - s->from >= MOST) {
        s->good = false;
        return n_steps - 1;
    }
    all[n_steps] = (step){(uint8_t)k, byte, (int16_t)first, (int16_t)second};
    return n_steps++;
}

/* Before what is there from `at` on. */
static void put_before(source *s, unsigned at, expression_kind k, int first, int second) {
    const unsigned last = put(s, k, 0, 0, 0);
    if (!s->good) return;
    memmove(&all[at + 1], &all[at], (last - at) * sizeof *all);
    all[at] = (step){(uint8_t)k, 0, (int16_t)first, (int16_t)second};
}

static void add_to(uint64_t set[4], unsigned byte) { set[byte / 64] |= UINT64_C(1) << byte % 64; }
static bool is_in(const uint64_t set[4], unsigned byte) { return set[byte / 64] >> byte % 64 & 1; }

static void add_range(uint64_t set[4], unsigned from, unsigned to) {
    for (unsigned byte = from; byte <= to; byte++) add_to(set, byte);
}

/* Of ASCII, as in the locale that programs start with. */
static void add_class(uint64_t set[4], const char *name, size_t length) {
    static const struct {
        const char *name;
        const char *ranges; /* pairs */
    } classes[] = {
        {"alpha", "azAZ"}, {"digit", "09"},     {"alnum", "azAZ09"},           {"upper", "AZ"},
        {"lower", "az"},   {"space", "\t\r  "}, {"blank", "\t\t  "},           {"punct", "!/:@[`{~"},
        {"print", " ~"},   {"graph", "!~"},     {"cntrl", "\001\037\177\177"}, {"xdigit", "09afAF"},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && memcmp(classes[i].name, name, length) == 0)
            for (const char *r = classes[i].ranges; *r; r += 2) add_range(set, (uint8_t)r[0], (uint8_t)r[1]);
}

static uint64_t *new_set(source *s) {
    if (n_sets == SETS) {
        s->good = false;
        return sets[0];
    }
    memset(sets[n_sets], 0, sizeof *sets);
    put(s, ONE_OF, 0, (int)n_sets, 0);
    return sets[n_sets++];
}

/* All but those, and but the end of a text. */
static void invert(uint64_t set[4]) {
    for (int i = 0; i < 4; i++) set[i] = ~set[i];
    set[0] &= ~UINT64_C(1);
}

/* [:name:], [=c=] and [.c.]; the byte that it stands for, or -1 for a class. */
static int take_named(source *s, uint64_t set[4]) {
    const char how = s->text[1], *name = s->text + 2, *end = name;
    while (*end && !(*end == how && end[1] == ']' && end > name)) end++;
    if (!*end) {
        s->good = false;
        return -1;
    }
    s->text = end + 2;
    if (how == ':') add_class(set, name, (size_t)(end - name));
    if (how != ':' && end - name != 1) s->good = false;
    return how == ':' ? -1 : (uint8_t)*name;
}

static int take_element(source *s, uint64_t set[4]) {
    if (*s->text == '[' && (s->text[1] == ':' || s->text[1] == '=' || s->text[1] == '.')) return take_named(s, set);
    return (uint8_t)*s->text++;
}

/* Behind the bracket that opens it. */
static void take_set(source *s) {
    uint64_t *set = new_set(s);
    const bool other = *s->text == '^';
    if (other) s->text++;
    for (bool first = true; s->good && (first || *s->text != ']'); first = false) {
        if (!*s->text) {
            s->good = false;
            return;
        }
        const int from = take_element(s, set);
        if (from < 0) continue;
        int to = from;
        if (s->text[0] == '-' && s->text[1] && s->text[1] != ']') {
            s->text++;
            to = take_element(s, set);
        }
        if (to >= from) add_range(set, (unsigned)from, (unsigned)to);
    }
    s->text++;
    if (other) invert(set);
}

static void put_words(source *s, bool other) {
    uint64_t *set = new_set(s);
    add_class(set, "alnum", 5);
    add_to(set, '_');
    if (other) invert(set);
}

static void put_blanks(source *s, bool other) {
    uint64_t *set = new_set(s);
    add_class(set, "space", 5);
    if (other) invert(set);
}

/* Behind a backslash. */
static void take_escaped(source *s) {
    const char c = *s->text++;
    switch (c) {
    case 'w': put_words(s, false); break;
    case 'W': put_words(s, true); break;
    case 's': put_blanks(s, false); break;
    case 'S': put_blanks(s, true); break;
    case 'b': put(s, AT_WORD_EDGE, 0, 0, 0); break;
    case 'B': put(s, IN_OR_OUT, 0, 0, 0); break;
    case '<': put(s, AT_WORD_START, 0, 0, 0); break;
    case '>': put(s, AT_WORD_END, 0, 0, 0); break;
    case '`': put(s, AT_START, 0, 0, 0); break;
    case '\'': put(s, AT_END, 0, 0, 0); break;
    default:
        if (c == 0 || (c >= '1' && c <= '9')) s->good = false; /* what was matched before */
        put(s, BYTE, (uint8_t)c, 0, 0);
    }
}

static void take_all(source *s);

static void take_group(source *s) {
    if (++s->deep > DEEPEST) s->good = false;
    if (s->good) take_all(s);
    s->deep--;
    if (*s->text == ')')
        s->text++;
    else
        s->good = false;
}

static void take_one(source *s) {
    const char c = *s->text++;
    switch (c) {
    case '(': take_group(s); break;
    case '[': take_set(s); break;
    case '.': put(s, ANY, 0, 0, 0); break;
    case '^': put(s, AT_START, 0, 0, 0); break;
    case '$': put(s, AT_END, 0, 0, 0); break;
    case '\\': take_escaped(s); break;
    default: put(s, BYTE, (uint8_t)c, 0, 0);
    }
}

static void repeat(source *s, unsigned from, int length) {
    for (int i = 0; s->good && i < length; i++) {
        const step copy = all[from + (unsigned)i];
        put(s, copy.kind, copy.byte, copy.first, copy.second);
    }
}

/* The part from `from` on, as often as that. */
static void repeat_between(source *s, unsigned from, int least, int most) {
    const int length = (int)(n_steps - from);
    const bool again = most == UNLIMITED;
    for (int i = 1; s->good && i < least; i++) repeat(s, from, length);
    if (again && least > 0) put(s, TO_BOTH, 0, -length, 1);
    for (int i = least > 0 ? least : 1; s->good && i < most; i++) {
        put(s, TO_BOTH, 0, 1, length + 1);
        repeat(s, from, length);
    }
    if (least > 0 || !s->good) return;
    if (again) put(s, TO, 0, -(length + 1), 0);
    put_before(s, from, TO_BOTH, 1, (again ? length + 1 : (int)(n_steps - from)) + 1);
    if (most == 0) n_steps = from;
}

static int take_number(source *s) {
    int number = 0;
    while (*s->text >= '0' && *s->text <= '9' && number < MOST) number = number * 10 + (*s->text++ - '0');
    return number;
}

static void take_times(source *s, unsigned from) {
    const int least = take_number(s);
    int most = least;
    if (*s->text == ',') {
        s->text++;
        most = *s->text == '}' ? UNLIMITED : take_number(s);
    }
    if (*s->text++ != '}') s->good = false;
    if (s->good) repeat_between(s, from, least, most);
}

static void take_repeated(source *s) {
    const unsigned from = n_steps;
    take_one(s);
    while (s->good && *s->text && strchr("*+?{", *s->text)) {
        const char c = *s->text++;
        if (c == '{')
            take_times(s, from);
        else
            repeat_between(s, from, c == '+', c == '?' ? 1 : UNLIMITED);
    }
}

/* Up to the end, or to the bracket that closes a group; outside of one it is a byte like others. */
static void take_all(source *s) {
    const unsigned from = n_steps;
    while (s->good && *s->text && *s->text != '|' && !(*s->text == ')' && s->deep)) take_repeated(s);
    if (!s->good || *s->text != '|') return;
    s->text++;
    put_before(s, from, TO_BOTH, 1, (int)(n_steps - from) + 2);
    const unsigned jump = put(s, TO, 0, 0, 0);
    take_all(s);
    if (s->good) all[jump].first = (int16_t)(n_steps - jump);
}

static bool is_expression(const char *text) {
    regex_t regex;
    if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0) return false;
    regfree(&regex);
    return true;
}

bool iol__expression_new(iol__expression *e, const char *text) {
    const unsigned before = n_sets;
    source s = {.text = text, .from = n_steps, .good = is_expression(text)};
    if (s.good) take_all(&s);
    if (s.good) put(&s, MATCHED, 0, 0, 0);
    if (!s.good) {
        n_steps = s.from;
        n_sets = before;
        return false;
    }
    *e = (iol__expression){(uint16_t)s.from, (uint16_t)(n_steps - s.from)};
    return true;
}

/* Matching --------------------------------------------------------------------------------------------------------- */

typedef struct places {
    uint64_t bits[MOST / 64 + 1];
} places;

typedef struct expression_search {
    const step *steps;
    const char *text, *at;
    places now, then;
    uint16_t waiting[2 * MOST + 2]; /* each step of a set leads to two others at most */
} expression_search;

static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool holds(const expression_search *s, expression_kind k, const char *at) {
    const bool before = at > s->text && in_word(at[-1]), behind = in_word(*at);
    switch (k) {
    case AT_START: return at == s->text;
    case AT_END: return *at == 0;
    case AT_WORD_START: return !before && behind;
    case AT_WORD_END: return before && !behind;
    case AT_WORD_EDGE: return before != behind;
    default: return before == behind;
    }
}

/* Into the set, with all that it leads on to before another byte is taken. True if that is the end. */
static bool reach(expression_search *s, places *set, unsigned number, const char *at) {
    unsigned count = 0;
    s->waiting[count++] = (uint16_t)number;
    while (count > 0) {
        const unsigned n = s->waiting[--count];
        const step *here = &s->steps[n];
        if (set->bits[n / 64] >> n % 64 & 1) continue;
        set->bits[n / 64] |= UINT64_C(1) << n % 64;
        if (here->kind == MATCHED) return true;
        if (here->kind == TO_BOTH) s->waiting[count++] = (uint16_t)((int)n + here->second);
        if (here->kind == TO || here->kind == TO_BOTH)
            s->waiting[count++] = (uint16_t)((int)n + here->first);
        else if (here->kind >= AT_START && holds(s, (expression_kind)here->kind, at))
            s->waiting[count++] = (uint16_t)(n + 1);
    }
    return false;
}

static bool takes(const step *here, uint8_t byte) {
    switch (here->kind) {
    case BYTE: return here->byte == byte;
    case ANY: return true;
    case ONE_OF: return is_in(sets[here->first], byte);
    default: return false;
    }
}

/* All steps that take this byte lead to the ones behind them. */
static bool go_on(expression_search *s, unsigned words) {
    memset(&s->then, 0, words * sizeof *s->then.bits);
    for (unsigned word = 0; word < words; word++)
        for (uint64_t left = s->now.bits[word]; left; left &= left - 1) {
            const unsigned n = word * 64 + (unsigned)__builtin_ctzll(left);
            if (takes(&s->steps[n], (uint8_t)*s->at) && reach(s, &s->then, n + 1, s->at + 1)) return true;
        }
    s->now = s->then;
    return false;
}

bool iol__expression_found(const iol__expression *e, const char *text) {
    static expression_search s; /* large; callers come one at a time */
    const unsigned words = e->steps / 64u + 1;
    s.steps = &all[e->at];
    s.text = text;
    memset(&s.now, 0, sizeof s.now);
    for (s.at = text;; s.at++) {
        if (reach(&s, &s.now, 0, s.at)) return true;
        if (!*s.at || go_on(&s, words)) return *s.at;
    }
}
