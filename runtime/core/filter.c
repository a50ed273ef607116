/* The directories of the system are left out, and what the settings name; the settings can also put things back.
   Regular expressions are compiled at the start, in programs whose site has set some. Those of names are matched under
   the lock of the files. */
#include "runtime/core/filter.h"

#include <string.h>

#include "runtime/core/expression.h"

enum { EXPRESSIONS = 128, WORD = 256, ALL = (1 << IOL_SLOTS_KNOWN) - 1 };

typedef struct expression {
    iol__expression compiled;
    uint32_t slots; /* it is for */
    bool include;
} expression;

static expression expressions[EXPRESSIONS];
static unsigned n_expressions;
static uint32_t can_include; /* slots for which an excluded name might be included again */

static const char *const system_directories[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                                 "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
#define KEPT "/var/opt/cray/dws/mounts/"

/* A file below /dev/shm is a program's own data unless a library made it to talk to other processes: Iolite, semaphores of
   libc, MPIs and their transports, NCCL, PyTorch. What shm_open makes is not seen at all: libc opens it by itself. */
#define SHARED_MEMORY "/dev/shm/"
static const char *const library_segments[] = {
    "iolite-", "sem.",      "vader_segment.", "sm_segment.", "openmpi", "ompi",  "pmix", "prte",
    "ucx",     "mpich",     "MPICH",          "Intel_MPI",   "impi",    "psm",   "ofi",  "fi_",
    "cray",    "libfabric", "cma_",           "osc_",        "nccl-",   "torch_"};

#define LETTER(c) (UINT32_C(1) << ((c) - 'a'))
const uint32_t iol__filter_second[26] = {
    ['e' - 'a'] = LETTER('t'),
    ['d' - 'a'] = LETTER('e'),
    ['u' - 'a'] = LETTER('s'),
    ['b' - 'a'] = LETTER('i') | LETTER('o'),
    ['l' - 'a'] = LETTER('i'),
    ['o' - 'a'] = LETTER('p'),
    ['s' - 'a'] = LETTER('b') | LETTER('y'),
    ['p' - 'a'] = LETTER('r'),
    ['v' - 'a'] = LETTER('a'),
};

static bool begins(const char *name, size_t length, const char *with) {
    const size_t bytes = strlen(with);
    return length >= bytes && memcmp(name, with, bytes) == 0;
}

static bool is_data_in_memory(const char *name, size_t length) {
    if (!begins(name, length, SHARED_MEMORY)) return false;
    name += sizeof SHARED_MEMORY - 1;
    length -= sizeof SHARED_MEMORY - 1;
    for (size_t i = 0; i < sizeof library_segments / sizeof *library_segments; i++)
        if (begins(name, length, library_segments[i])) return false;
    return length > 0;
}

static bool in_system_directory(const char *name, size_t length) {
    if (length < 5 || iol__filter_harmless(name)) return false;
    for (size_t i = 0; i < sizeof system_directories / sizeof *system_directories; i++)
        if (begins(name, length, system_directories[i]))
            return !begins(name, length, KEPT) && !is_data_in_memory(name, length);
    return false;
}

bool iol__filter_alias(const char *name) {
    if (strncmp(name, "/dev/", 5) == 0) return strncmp(name + 5, "fd/", 3) == 0 || strncmp(name + 5, "std", 3) == 0;
    return strncmp(name, "/proc/", 6) == 0 && (strstr(name, "/fd/") || strstr(name, "/cwd/") || strstr(name, "/root/"));
}

bool iol__filter_excluded(const char *name, size_t length) {
    return in_system_directory(name, length) && (can_include == 0 || iol__filter_alias(name));
}

uint32_t iol__filter_refused(const char *name, size_t length) {
    uint32_t refused = in_system_directory(name, length) ? ALL : 0;
    for (unsigned i = 0; i < n_expressions; i++)
        if (!expressions[i].include && (expressions[i].slots & ~refused) &&
            iol__expression_found(&expressions[i].compiled, name))
            refused |= expressions[i].slots;
    if (refused && begins(name, length, KEPT)) refused = 0;
    for (unsigned i = 0; i < n_expressions; i++)
        if (expressions[i].include && (expressions[i].slots & refused) &&
            iol__expression_found(&expressions[i].compiled, name))
            refused &= ~expressions[i].slots;
    return refused;
}

/* The next item of a comma-separated list, "" at its end. */
static const char *take_item(const char *list, char item[WORD]) {
    size_t length = 0;
    while (*list && *list != ',' && *list != ' ' && *list != '\t') {
        if (length < WORD - 1) item[length++] = *list;
        list++;
    }
    item[length] = 0;
    return *list == ',' ? list + 1 : list;
}

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

static uint32_t slots_of(const char *list) {
    uint32_t slots = 0;
    char item[WORD];
    for (list = skip_blanks(list); *list && *list != ' ';) {
        list = take_item(list, item);
        if (strcmp(item, "*") == 0) return ALL;
        const int slot = iol__module_find(item);
        if (slot >= 0) slots |= 1u << slot;
    }
    return slots;
}

static void add_line(const iol__config *config, const char *value, bool include) {
    const char *list = skip_blanks(value), *behind = list;
    while (*behind && *behind != ' ' && *behind != '\t') behind++;
    const uint32_t slots = slots_of(behind);
    char item[WORD];
    if (n_expressions == EXPRESSIONS && config->complain)
        config->complain("there are too many name filters; the rest is left out");
    while (slots && list < behind && n_expressions < EXPRESSIONS) {
        list = take_item(list, item);
        expression *new = &expressions[n_expressions];
        if (!*item) continue;
        if (!iol__expression_new(&new->compiled, item)) {
            if (config->complain) config->complain("a name filter is not a regular expression and is left out");
            continue;
        }
        new->slots = slots;
        new->include = include;
        if (include) can_include |= slots;
        n_expressions++;
    }
}

static void add_lines(const iol__config *config, int setting, bool include) {
    unsigned at = 0;
    for (const char *line; (line = iol__setting_list(config, setting, &at)) != NULL;) add_line(config, line, include);
}

void iol__filter_start(const iol__config *config) {
    add_lines(config, IOL_SET_NAME_EXCLUDE, false);
    add_lines(config, IOL_SET_NAME_INCLUDE, true);
}

uint64_t iol__filter_most_records(const iol__config *config, int slot) {
    unsigned at = 0;
    uint64_t most = UINT64_MAX;
    for (const char *line; (line = iol__setting_list(config, IOL_SET_MAX_RECORDS, &at)) != NULL;) {
        uint64_t number = 0;
        for (line = skip_blanks(line); *line >= '0' && *line <= '9'; line++)
            number = number * 10 + (uint64_t)(*line - '0');
        if (slots_of(line) >> slot & 1) most = number;
    }
    return most;
}

static bool has_rank(const char *item, int64_t rank, int64_t size) {
    if (strcmp(item, "*") == 0) return true;
    const char *colon = strchr(item, ':');
    int64_t from = 0, to = 0;
    const char *c = item;
    for (; *c >= '0' && *c <= '9'; c++) from = from * 10 + (*c - '0');
    if (!colon) return rank == from;
    for (c = colon + 1; *c >= '0' && *c <= '9'; c++) to = to * 10 + (*c - '0');
    return rank >= from && rank <= (colon[1] ? to : size);
}

static bool any_list_has(const iol__config *config, int setting, int rank, int size) {
    unsigned at = 0;
    char item[WORD];
    for (const char *list; (list = iol__setting_list(config, setting, &at)) != NULL;)
        while (*list) {
            list = skip_blanks(take_item(list, item));
            if (*item && has_rank(item, rank, size)) return true;
        }
    return false;
}

bool iol__filter_rank(const iol__config *config, int rank, int size) {
    return any_list_has(config, IOL_SET_RANK_EXCLUDE, rank, size) &&
           !any_list_has(config, IOL_SET_RANK_INCLUDE, rank, size);
}
