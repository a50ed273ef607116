/* Places and names of logs. The order of the places and the form of the names are those that scripts and archives of
   Darshan's users expect, with two places of ours: a flat directory that is created, and one in the home directory. */
#include "record/place.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "record/hash.h"
#include "record/zone.h"

const char *iol__variable(char **environment, const char *name) {
    size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (**environment == *name && strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

/* Job id ---------------------------------------------------------------------------------------------------------- */

typedef enum id_form { FORM_LEADING, FORM_STEP, FORM_NAME } id_form;

static const struct {
    const char *variable;
    id_form form;
} schedulers[] = {
#define SCHEDULER(variable, form, who) {variable, FORM_##form},
#include "schema/schedulers.def"
#undef SCHEDULER
};

/* The number that a text begins with; its end, or NULL if there is none or it is too large. */
static const char *leading_number(const char *text, int64_t *number) {
    const char *c = text;
    for (*number = 0; *c >= '0' && *c <= '9'; c++)
        if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, *c - '0', number))
            return NULL;
    return c == text ? NULL : c;
}

static bool parse_id(const char *text, id_form form, int64_t *id) {
    if (form == FORM_STEP) {
        const char *last = strrchr(text, '.');
        while (last && last > text && last[-1] != '.') last--;
        text = last ? last : text;
    }
    const char *end = leading_number(text, id);
    if (form != FORM_NAME) return end != NULL;
    if (!*text) return false;
    if (!end || *end) *id = (int64_t)(iol__hash(text, strlen(text), 0) >> 1);
    return true;
}

static const char *find_job(const iol__config *config, char **environment, int64_t *id) {
    const char *name = config->values[IOL_SET_JOB_ID].text;
    const char *value = *name ? iol__variable(environment, name) : NULL;
    if (value && parse_id(value, FORM_LEADING, id)) return value;
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
        value = iol__variable(environment, schedulers[i].variable);
        if (value && parse_id(value, schedulers[i].form, id)) return value;
    }
    return NULL;
}

int64_t iol__job_id(const iol__config *config, char **environment, int64_t fallback) {
    int64_t id;
    return find_job(config, environment, &id) ? id : fallback;
}

const char *iol__batch_job_text(const iol__config *config, char **environment) {
    int64_t id;
    return find_job(config, environment, &id);
}

/* Names ----------------------------------------------------------------------------------------------------------- */

/* Text in a fixed place; what does not fit is cut. snprintf takes two kilobytes of stack, and a process may end in a handler
   that has less. */
typedef struct pen {
    char *to;
    size_t room, length; /* with what was cut */
} pen;

static void put_text(pen *p, const char *text) {
    for (; *text; text++, p->length++)
        if (p->length + 1 < p->room) p->to[p->length] = *text;
    if (p->room) p->to[p->length < p->room ? p->length : p->room - 1] = '\0';
}

static void put_unsigned(pen *p, const char *before, uint64_t value) {
    char digits[24], *at = digits + sizeof digits;
    *--at = '\0';
    do *--at = (char)('0' + value % 10);
    while (value /= 10);
    put_text(p, before);
    put_text(p, at);
}

static void put_number(pen *p, const char *before, int64_t value) {
    put_text(p, before);
    put_unsigned(p, value < 0 ? "-" : "", value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* False if it had to be cut. */
static bool copy_text(char *to, size_t room, const char *text, const char *behind) {
    pen p = {to, room, 0};
    put_text(&p, text);
    put_text(&p, behind);
    return p.length < room;
}

void iol__user_name(char **environment, uid_t uid, char *name, size_t room) {
    const char *known = iol__variable(environment, "LOGNAME");
    if (known && *known)
        copy_text(name, room, known, "");
    else
        put_unsigned(&(pen){name, room, 0}, "", uid);
}

uint64_t iol__place_random(const char *host, uint64_t microseconds) {
    return iol__hash(host, strlen(host), microseconds);
}

/* Part of a file name: no slash, nothing that is hard to type, not longer than a name can bear. */
static void clean(const char *text, char *to, size_t room) {
    size_t length = strnlen(text, room - 1);
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)text[i] <= ' ' || text[i] == '/' || text[i] == 127 ? '_' : text[i];
    to[length] = '\0';
}

/* USER_PROGRAM_idJOB-PID_MONTH-DAY-SECONDS-RANDOM_W.darshan in a directory, or in the directory of its day. */
static void compose(const iol__place_facts *facts, const char *directory, bool dated, iol__place *place) {
    char user[65], program[101];
    pen p = {place->path, 4352, 0};
    const iol__date start = iol__date_of(facts->start + facts->utc_offset);
    clean(facts->user, user, sizeof user);
    clean(facts->program, program, sizeof program);
    put_text(&p, directory);
    if (dated) {
        put_number(&p, "/", start.year);
        put_number(&p, "/", start.month);
        put_number(&p, "/", start.day);
    }
    if (p.length >= p.room) p.length = p.room - 1;
    p.room = sizeof place->path;
    put_text(&p, "/");
    put_text(&p, user);
    put_text(&p, "_");
    put_text(&p, program);
    put_number(&p, "_id", facts->job);
    put_number(&p, "-", facts->pid);
    put_number(&p, "_", start.month);
    put_number(&p, "-", start.day);
    put_number(&p, "-", start.seconds);
    put_unsigned(&p, "-", facts->random);
    put_number(&p, "_", facts->write_seconds + 1);
    put_text(&p, ".darshan");
}

/* Places ---------------------------------------------------------------------------------------------------------- */

/* The first of a list of variables that is set. */
static bool find_by_list(const char *list, char **environment, const char **directory) {
    char name[64];
    for (size_t length; *list; list += length) {
        list += strspn(list, ", ");
        length = strcspn(list, ", ");
        if (length == 0 || length >= sizeof name) continue;
        memcpy(name, list, length);
        name[length] = '\0';
        *directory = iol__variable(environment, name);
        if (*directory && **directory) return true;
    }
    return false;
}

static bool trusts(const iol__place_facts *facts, const char *directory) {
    return !facts->trusts || facts->trusts(directory);
}

static bool by_environment(const iol__config *config, const iol__place_facts *facts, iol__place *place) {
    unsigned at = 0;
    const char *directory = NULL;
    for (const char *list; (list = iol__setting_list(config, IOL_SET_LOG_PATH_BY_ENV, &at)) != NULL;)
        if (find_by_list(list, facts->environment, &directory) && trusts(facts, directory)) {
            compose(facts, directory, false, place);
            return true;
        }
    return false;
}

static bool at_home(const iol__place_facts *facts, iol__place *place) {
    static char directory[4352]; /* the runtime may be on a small stack */
    const char *home = iol__variable(facts->environment, "HOME");
    if (!home || *home != '/' || !trusts(facts, home)) return false;
    if (!copy_text(directory, sizeof directory, home, "/.local/share/iolite/logs")) return false;
    compose(facts, directory, true, place);
    place->there = strlen(home);
    return true;
}

/* In the directory of a file. */
static void compose_beside(const iol__place_facts *facts, const char *file, iol__place *place) {
    static char directory[4352];
    const char *slash = strrchr(file, '/');
    const size_t length = slash ? (size_t)(slash - file) : 0;
    if (length >= sizeof directory) return;
    memcpy(directory, file, length);
    directory[length] = '\0';
    compose(facts, slash ? directory : ".", false, place);
}

static const char *name_of(const iol__config *config, int setting) {
    const iol__setting_value *value = &config->values[setting];
    return value->variable ? value->variable : iol__settings[setting].key;
}

enum { PLACE_FILE, PLACE_DIRECTORY, PLACE_BY_ENV, PLACE_TREE, PLACE_HOME, PLACES };

static bool candidate_place(const iol__config *config, const iol__place_facts *facts, unsigned which,
                            iol__place *place) {
    static const int settings[PLACES] = {IOL_SET_LOG_FILE, IOL_SET_LOG_DIR, IOL_SET_LOG_PATH_BY_ENV, IOL_SET_LOG_PATH,
                                         -1};
    const char *text = settings[which] < 0 ? "" : config->values[settings[which]].text;
    place->create = which == PLACE_DIRECTORY || which == PLACE_HOME;
    place->there = 0;
    place->exact = which == PLACE_FILE && !facts->beside;
    place->tree = which == PLACE_TREE;
    place->dated = which == PLACE_TREE || which == PLACE_HOME;
    place->named = settings[which] < 0 ? "the default" : name_of(config, settings[which]);
    if (which == PLACE_BY_ENV) return by_environment(config, facts, place);
    if (which == PLACE_HOME) return at_home(facts, place);
    if (!*text) return false;
    if (place->exact)
        copy_text(place->path, sizeof place->path, text, "");
    else if (which == PLACE_FILE)
        compose_beside(facts, text, place);
    else
        compose(facts, text, which == PLACE_TREE, place);
    return true;
}

bool iol__place_next(const iol__config *config, const iol__place_facts *facts, unsigned *candidate, iol__place *place) {
    while (*candidate < PLACES)
        if (candidate_place(config, facts, (*candidate)++, place)) return true;
    return false;
}

/* A user's own group may be everybody. */
unsigned iol__place_mode(const iol__config *config, const iol__place *place, unsigned directory) {
    const unsigned mode = place->tree ? iol__setting_mode(config, IOL_SET_LOG_MODE) : 0400;
    return directory & S_ISGID ? mode : mode & ~(unsigned)S_IRGRP;
}

int iol__place_create(const iol__place *place, int (*make)(const char *path, mode_t mode)) {
    static char path[IOL_PLACE_BYTES];
    copy_text(path, sizeof path, place->path, "");
    char *last = strrchr(path, '/');
    if (!last || last == path) return 0;
    *last = '\0';
    if (make(path, 0755) == 0 || errno == EEXIST) return 0;
    *last = '/';
    for (char *slash = path + 1; slash <= last; slash++) {
        if (*slash != '/' || (size_t)(slash - path) <= place->there) continue;
        *slash = '\0';
        /* A parent that may not be written is no trouble as long as it is there. */
        if (make(path, 0755) != 0 && errno != EEXIST && slash == last) return -1;
        *slash = '/';
    }
    return 0;
}
