/* Settings: one pass over the environment, then the config files for what the environment left open.
   This runs before main() of every recorded program, so it calls nothing of libc but string functions: no allocation,
   no stdio, nothing that depends on the locale. */
#include "schema/resolve.h"

#include <string.h>
#include <strings.h>

/* Messages -------------------------------------------------------------------------------------------------------- */

enum { MESSAGE_BYTES = 512, VALUE_SHOWN = 64, NAME_MOST = 64 };

typedef struct message {
    char text[MESSAGE_BYTES];
    size_t length;
} message;

/* At most `most` bytes, and nothing that could upset a terminal. */
static void say_some(message *m, const char *text, size_t length, size_t most) {
    size_t shown = length < most ? length : most;
    for (size_t i = 0; i < shown && m->length + 4 < sizeof m->text; i++) {
        unsigned char c = (unsigned char)text[i];
        m->text[m->length++] = c < ' ' || c == 127 ? '?' : (char)c;
    }
    for (int i = 0; shown < length && i < 3 && m->length + 1 < sizeof m->text; i++) m->text[m->length++] = '.';
    m->text[m->length] = '\0';
}

static void say(message *m, const char *text) { say_some(m, text, strlen(text), sizeof m->text); }

static void say_number(message *m, unsigned number) {
    char digits[12];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
    } while ((number /= 10) != 0);
    say_some(m, digits + at, sizeof digits - at, sizeof digits);
}

static void tell(const iol__config *config, const message *m) {
    if (config->complain) config->complain(m->text);
}

/* Values ---------------------------------------------------------------------------------------------------------- */

/* Plain decimals, as in 8, 0.5 or .5; negative for anything else. */
static double parse_number(const char *text) {
    double value = 0, unit = 1;
    unsigned digits = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++) value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++, digits++) value = value * 10 + (*text - '0'), unit *= 10;
    return *text || digits == 0 ? -1 : value / unit; /* one division, so that 0.3 is what everybody means by it */
}

/* What the numbers of a setting may be; those without a row may be anything their type can hold. */
typedef struct limit {
    int setting;
    double least, most;
    const char *why;
} limit;

static const limit limits[] = {
    {IOL_SET_MEMORY, 1, 1 << 20, "must be from 1 to 1048576 MiB"},
    {IOL_SET_NAME_MEMORY, 0, 1 << 20, "is too large"},
    {IOL_SET_TRACE_MEMORY, 0, 1 << 20, "is too large"},
    {IOL_SET_MEM_ALIGNMENT, 1, 1 << 30, "must be from 1 to 1073741824"},
    {IOL_SET_FINALIZE_TIMEOUT, 0, 86400, "is more than a day"},
    {IOL_SET_TRACE_SMALL_IO, 0, 1, "must be from 0 to 1"},
    {IOL_SET_TRACE_UNALIGNED_IO, 0, 1, "must be from 0 to 1"},
};

static const limit *find_limit(int setting) {
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].setting == setting) return &limits[i];
    return NULL;
}

static bool is_word(const char *text, const char *word) {
    for (; *text && *word; text++, word++)
        if ((*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) != *word) return false;
    return *text == *word;
}

/* A word for on (1) or off (0); -1: neither. */
static int parse_flag(const char *text) {
    static const char *const words[2][4] = {{"0", "no", "off", "false"}, {"1", "yes", "on", "true"}};
    for (int on = 0; on < 2; on++)
        for (int i = 0; i < 4; i++)
            if (is_word(text, words[on][i])) return on;
    return *text ? -1 : 1;
}

static const char *value_of(const char *entry, const char *name) {
    for (; *name; entry++, name++)
        if (*entry != *name) return NULL;
    return *entry == '=' ? entry + 1 : NULL;
}

void iol__main_switch_read(iol__main_switch *is, const char *entry) {
    const char *text;
    if (entry[0] != 'I' && entry[0] != 'D') return;
    if (is->own < 0 && (text = value_of(entry, "IOLITE_DISABLE")))
        is->own = (signed char)(*text ? parse_flag(text) : 0);
    else if (is->brief < 0 && (text = value_of(entry, "IOLITE")) && *text && parse_flag(text) >= 0)
        is->brief = parse_flag(text) == 0;
    else if (value_of(entry, "DARSHAN_DISABLE"))
        is->older = 1;
}

bool iol__main_switch_off(const iol__main_switch *is) {
    return (is->own >= 0 ? is->own : is->brief >= 0 ? is->brief : is->older) == 1;
}

static bool is_number(iol__setting_type type) {
    return type == IOL_SETTING_MEBIBYTES || type == IOL_SETTING_BYTES || type == IOL_SETTING_FRACTION ||
           type == IOL_SETTING_SECONDS || type == IOL_SETTING_COUNT;
}

/* -1: not one that a log can have. */
static int parse_mode(const char *text) {
    int mode = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '7' || c - text > 5) return -1;
        mode = mode * 8 + (*c - '0');
    }
    return (mode & ~0444) == 0 && mode & 0400 ? mode : -1;
}

bool iol__setting_valid(const iol__setting *setting, const char *text, const char **why) {
    if (setting->type == IOL_SETTING_FLAG) {
        *why = "must be 0 or 1";
        return parse_flag(text) >= 0;
    }
    if (setting->type == IOL_SETTING_MODE) {
        *why = "must be permissions such as 0440: the owner reads, and nobody writes";
        return parse_mode(text) >= 0;
    }
    if (!is_number(setting->type) || !*text) return true;
    double number = parse_number(text);
    *why = "is not a number";
    if (number < 0) return false;
    const bool whole = setting->type == IOL_SETTING_BYTES || setting->type == IOL_SETTING_COUNT;
    if (whole && number < 1e15 && number != (double)(uint64_t)number) {
        *why = "must be a whole number";
        return false;
    }
    const limit *found = find_limit((int)(setting - iol__settings));
    if (!found) return true;
    *why = found->why;
    return number >= found->least && number <= found->most;
}

bool iol__setting_flag(const iol__config *config, int setting) { return config->values[setting].text[0] == '1'; }

unsigned iol__setting_mode(const iol__config *config, int setting) {
    const int mode = parse_mode(config->values[setting].text);
    return mode < 0 ? 0400 : (unsigned)mode;
}

double iol__setting_number(const iol__config *config, int setting) {
    const char *text = config->values[setting].text;
    if (!*text) return -1;
    double number = parse_number(text);
    return iol__settings[setting].type == IOL_SETTING_MEBIBYTES ? number * 1048576 : number;
}

/* Lists ----------------------------------------------------------------------------------------------------------- */

const char *iol__setting_list(const iol__config *config, int setting, unsigned *at) {
    const iol__setting_value *value = &config->values[setting];
    bool file = value->origin == IOL_ORIGIN_FILE || value->origin == IOL_ORIGIN_FILE2;
    if (!file) return (*at)++ == 0 && *value->text ? value->text : NULL;
    while (*at < config->n_lines) {
        const iol__line *line = &config->lines[(*at)++];
        if (line->setting == setting) return line->value;
    }
    return NULL;
}

/* The next item between commas; its length, or 0 at the end. Every process comes here: functions of libc that look for
   any of some characters are on pages that it would touch for this alone. */
static bool separates(char c) { return c == ',' || c == ' ' || c == '\t'; }

static size_t next_item(const char **list) {
    size_t length = 0;
    while (separates(**list)) ++*list;
    while ((*list)[length] && !separates((*list)[length])) length++;
    return length;
}

/* Of the names of modules, whatever the program's language is. */
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_text(const char *item, size_t length, const char *text) {
    size_t i = 0;
    while (i < length && text[i] && lower(item[i]) == lower(text[i])) i++;
    return i == length && text[i] == '\0';
}

static bool is_module(const char *item, size_t length, int slot) {
    return is_text(item, length, iol__modules[slot].name) || is_text(item, length, iol__modules[slot].key);
}

static bool is_any_module(const char *item, size_t length) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (is_module(item, length, slot)) return true;
    return false;
}

/* Asked for every module when a program starts: only its own names are compared. */
static bool names_module(const char *list, int slot) {
    for (size_t length; (length = next_item(&list)) != 0; list += length)
        if ((length == 1 && *list == '*') || is_module(list, length, slot)) return true;
    return false;
}

static bool setting_names(const iol__config *config, int setting, int slot) {
    unsigned at = 0;
    for (const char *list; (list = iol__setting_list(config, setting, &at)) != NULL;)
        if (names_module(list, slot)) return true;
    return false;
}

static bool lists_name(const iol__config *config, int setting, const char *name) {
    unsigned at = 0;
    const size_t wanted = strlen(name);
    for (const char *list; (list = iol__setting_list(config, setting, &at)) != NULL;)
        for (size_t length; (length = next_item(&list)) != 0; list += length)
            if ((length == 1 && *list == '*') || (length == wanted && memcmp(list, name, length) == 0)) return true;
    return false;
}

bool iol__custom_enabled(const iol__config *config, const char *name) {
    return lists_name(config, IOL_SET_MOD_ENABLE, name) || !lists_name(config, IOL_SET_MOD_DISABLE, name);
}

bool iol__module_enabled(const iol__config *config, int slot) {
    bool trace = slot == IOL_SLOT_DXT_POSIX || slot == IOL_SLOT_DXT_MPIIO;
    if (trace && !iol__module_enabled(config, slot == IOL_SLOT_DXT_POSIX ? IOL_SLOT_POSIX : IOL_SLOT_MPIIO))
        return false;
    if (trace && iol__setting_flag(config, IOL_SET_TRACE)) return true;
    if (setting_names(config, IOL_SET_MOD_ENABLE, slot)) return true;
    const char *usual = iol__settings[IOL_SET_MOD_DISABLE].value;
    return !names_module(usual, slot) &&
           (config->values[IOL_SET_MOD_DISABLE].text == usual || !setting_names(config, IOL_SET_MOD_DISABLE, slot));
}

/* Where a value comes from ---------------------------------------------------------------------------------------- */

/* A value on its way into the table. */
typedef struct offer {
    int setting;
    const char *text;
    iol__origin origin;
    const char *variable; /* NULL for a file */
    const char *path;     /* of the file */
    unsigned line;
    bool older; /* under a name of the older tool, with that tool's meaning */
} offer;

static void say_place(message *m, const offer *o) {
    if (o->variable) {
        say_some(m, o->variable, strcspn(o->variable, "="), NAME_MOST);
        return;
    }
    say(m, o->path);
    say(m, ":");
    say_number(m, o->line);
    say(m, ": ");
    say(m, iol__settings[o->setting].key);
}

/* "IOLITE_MEMORY=abc is not a number; 8 is used" */
static void refuse(const iol__config *config, const offer *o, const char *why, const char *used) {
    message m = {.length = 0};
    say_place(&m, o);
    if (o->variable || *o->text) say(&m, o->variable ? "=" : " ");
    say_some(&m, o->text, strlen(o->text), VALUE_SHOWN);
    say(&m, " ");
    say(&m, why);
    if (used) {
        say(&m, "; ");
        say(&m, *used ? used : "it");
        say(&m, *used ? " is used" : " is ignored");
    }
    tell(config, &m);
}

static void set(iol__config *config, const offer *o, const char *text) {
    config->values[o->setting] = (iol__setting_value){text, o->origin, o->variable, o->line};
}

/* The members of these pairs are meant together: one in the environment replaces both of the file. */
static int partner(int setting) {
    static const int pairs[][2] = {{IOL_SET_APP_EXCLUDE, IOL_SET_APP_INCLUDE},
                                   {IOL_SET_RANK_EXCLUDE, IOL_SET_RANK_INCLUDE},
                                   {IOL_SET_MOD_ENABLE, IOL_SET_MOD_DISABLE}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++)
            if (pairs[i][side] == setting) return pairs[i][!side];
    return setting;
}

static void check_modules(const iol__config *config, const offer *o, const char *list) {
    if (list[0] == '*') return;
    for (size_t length; (length = next_item(&list)) != 0; list += length) {
        if (is_any_module(list, length) || (length == 7 && memcmp(list, "REGIONS", 7) == 0)) continue;
        message m = {.length = 0};
        say_place(&m, o);
        say(&m, ": there is no module ");
        say_some(&m, list, length, VALUE_SHOWN);
        tell(config, &m);
    }
}

/* 3, 2:5, 2:, :5 and *. */
static bool is_rank_item(const char *item, size_t length) {
    size_t colons = 0, digits = 0;
    if (length == 1 && *item == '*') return true;
    for (size_t i = 0; i < length; i++) {
        if (item[i] == ':')
            colons++;
        else if (item[i] >= '0' && item[i] <= '9')
            digits++;
        else
            return false;
    }
    return colons <= 1 && digits > 0;
}

static bool check_ranks(const char *list) {
    for (size_t length; (length = next_item(&list)) != 0; list += length)
        if (!is_rank_item(list, length)) return false;
    return true;
}

/* False if a list cannot be used; unknown modules are reported and skipped. */
static bool check_list(const iol__config *config, const offer *o) {
    const char *behind = strchr(o->text, ' ');
    switch (o->setting) {
    case IOL_SET_MOD_ENABLE:
    case IOL_SET_MOD_DISABLE: check_modules(config, o, o->text); return true;
    case IOL_SET_RANK_EXCLUDE:
    case IOL_SET_RANK_INCLUDE:
        if (check_ranks(o->text)) return true;
        refuse(config, o, "is not a list of ranks such as 0,4:7", "");
        return false;
    case IOL_SET_MAX_RECORDS:
    case IOL_SET_NAME_EXCLUDE:
    case IOL_SET_NAME_INCLUDE:
        if (!behind ||
            (o->setting == IOL_SET_MAX_RECORDS && strspn(o->text, "0123456789") != (size_t)(behind - o->text))) {
            refuse(config, o,
                   o->setting == IOL_SET_MAX_RECORDS ? "must be a number and modules"
                                                     : "must be expressions and modules",
                   "");
            return false;
        }
        check_modules(config, o, behind + 1);
        return true;
    default: return true;
    }
}

static void take_number(iol__config *config, const offer *o) {
    const iol__setting *setting = &iol__settings[o->setting];
    const iol__setting_value *before = &config->values[o->setting];
    const char *why;
    if (!*o->text) return;
    /* The older tool has memory for modules, names and traces apart; its sizes may raise our one budget. A smaller one
       is less than that tool would have used in all, so the default is what it asks for. */
    if (o->older && o->setting == IOL_SET_MEMORY && parse_number(o->text) >= 0 &&
        parse_number(o->text) < parse_number(setting->value))
        return;
    if (iol__setting_valid(setting, o->text, &why)) {
        set(config, o, o->text);
        return;
    }
    refuse(config, o, why, before->text);
}

static void take_list(iol__config *config, const offer *o) {
    if (!check_list(config, o)) return;
    if (!o->variable) {
        if (config->n_lines == IOL_CONFIG_LINES) {
            refuse(config, o, "is one line too many of this kind", "");
            return;
        }
        config->lines[config->n_lines++] = (iol__line){o->setting, o->text, o->origin, o->line};
    }
    set(config, o, o->text);
}

/* A site may forbid what is a flag elsewhere; whatever is said before and after that does not count. */
static bool forbids_where(iol__config *config, const offer *o) {
    static const char never[] = "never";
    if (is_word(config->values[IOL_SET_WHERE].text, never)) return true;
    if (!o->path || strcmp(o->path, IOL_SITE_CONFIG) != 0 || !is_word(o->text, never)) return false;
    set(config, o, never);
    return true;
}

static void take(iol__config *config, const offer *o) {
    const iol__setting *setting = &iol__settings[o->setting];
    if (setting->type == IOL_SETTING_FLAG) {
        int on = o->older && o->variable ? 1 : parse_flag(o->text);
        if (o->setting == IOL_SET_DISABLE && !o->older && o->variable && !*o->text) on = 0;
        if (on < 0 && o->variable)
            refuse(config, o, "must be 0 or 1", config->values[o->setting].text);
        else
            set(config, o, on ? "1" : "0");
    } else if (is_number(setting->type))
        take_number(config, o);
    else if (setting->type == IOL_SETTING_LIST)
        take_list(config, o);
    else
        set(config, o, o->text);
}

/* Environment ----------------------------------------------------------------------------------------------------- */

/* Names that begin like a setting and belong to something else: the link between `iolite run` and its processes, where
   it finds its library, and the places that the project's own tests work with. */
static const char *const other_names[] = {"IOLITE_COMMAND", "IOLITE_LOG_LIBRARY", "IOLITE_RUN",   "IOLITE_CARRIED",
                                          "IOLITE_LIBRARY", "IOLITE_BIN",         "IOLITE_SEEDS", "IOLITE_TOOLS",
                                          "IOLITE_CORPUS",  "IOLITE_LIBDW"};
/* The same for what commands about a centre read: how such names begin. */
static const char *const site_names[] = {"IOLITE_STORE",
                                         "IOLITE_SITE_",
                                         "IOLITE_CONNECTORS",
                                         "IOLITE_HDF5",
                                         "IOLITE_ISDCT_FILES",
                                         "IOLITE_LFSSTATUS_",
                                         "IOLITE_DARSHAN_LOG_DIRS",
                                         "IOLITE_ESNET_",
                                         "IOLITE_LMT_",
                                         "IOLITE_JOBSDB_",
                                         "IOLITE_ES_",
                                         "IOLITE_SLURM_",
                                         "IOLITE_PBS_",
                                         "IOLITE_PROMETHEUS_"};

static bool has_name(const char *entry, size_t length, const char *name) {
    return *name && strncmp(entry, name, length) == 0 && name[length] == '\0';
}

static bool is_other_name(const char *entry, size_t length) {
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (has_name(entry, length, other_names[i])) return true;
    for (size_t i = 0; i < sizeof site_names / sizeof *site_names; i++)
        if (strncmp(entry, site_names[i], strlen(site_names[i])) == 0) return true;
    return false;
}

/* How many letters to change, add or leave out to come from one name to the other. */
static unsigned distance(const char *a, size_t a_length, const char *b) {
    unsigned row[NAME_MOST + 1];
    size_t b_length = strlen(b);
    if (a_length > NAME_MOST || b_length > NAME_MOST) return NAME_MOST;
    for (size_t k = 0; k <= b_length; k++) row[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            unsigned best = diagonal + (a[i - 1] != b[k - 1]);
            diagonal = row[k];
            if (row[k] + 1 < best) best = row[k] + 1;
            if (row[k - 1] + 1 < best) best = row[k - 1] + 1;
            row[k] = best;
        }
    }
    return row[b_length];
}

static void complain_about_name(const iol__config *config, const char *entry, size_t length) {
    enum { CLOSE = 3 };
    const char *nearest = NULL;
    unsigned best = CLOSE;
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const char *name = iol__settings[i].env;
        unsigned far = *name ? distance(entry, length, name) : CLOSE;
        if (far >= best) continue;
        best = far;
        nearest = name;
    }
    message m = {.length = 0};
    say_some(&m, entry, length, NAME_MOST);
    say(&m, " is not a setting");
    if (nearest) say(&m, "; did you mean ");
    if (nearest) say(&m, nearest);
    tell(config, &m);
}

/* IOLITE=0 is short for IOLITE_DISABLE=1. Any other value may be somebody's own, such as a path. */
static void take_switch(iol__config *config, const char *entry) {
    iol__setting_value *value = &config->values[IOL_SET_DISABLE];
    int on = entry[7] ? parse_flag(entry + 7) : -1;
    if (on >= 0 && value->origin != IOL_ORIGIN_ENV)
        *value = (iol__setting_value){on ? "0" : "1", IOL_ORIGIN_ENV, "IOLITE", 0};
}

static void take_variable(iol__config *config, const char *entry) {
    bool ours = strncmp(entry, "IOLITE_", 7) == 0;
    const char *equals = strchr(entry, '=');
    if (!equals) return;
    size_t length = (size_t)(equals - entry);
    iol__origin origin = ours ? IOL_ORIGIN_ENV : IOL_ORIGIN_ALIAS;
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const char *name = ours ? iol__settings[i].env : iol__settings[i].alias;
        if (!has_name(entry, length, name)) continue;
        bool shorthand = config->values[i].variable && strcmp(config->values[i].variable, "IOLITE") == 0;
        /* Of two entries of one name the first counts, as for getenv(). */
        if (config->values[i].origin < origin || (ours && shorthand))
            take(config,
                 &(offer){.setting = i, .text = equals + 1, .origin = origin, .variable = name, .older = !ours});
        return;
    }
    if (ours && !is_other_name(entry, length)) complain_about_name(config, entry, length);
}

static void read_environment(iol__config *config, char **environment) {
    for (; environment && *environment; environment++) {
        const char *entry = *environment;
        /* Most entries end here. */
        if (entry[0] != 'I' && entry[0] != 'D') continue;
        if (strncmp(entry, "IOLITE=", 7) == 0)
            take_switch(config, entry);
        else if (strncmp(entry, "IOLITE_", 7) == 0 || strncmp(entry, "DARSHAN_", 8) == 0 ||
                 strncmp(entry, "DXT_", 4) == 0)
            take_variable(config, entry);
    }
}

/* Files ----------------------------------------------------------------------------------------------------------- */

/* In a file a setting stands under its key, or under its variable's name without the prefix, the older one too. */
static bool key_matches(const iol__setting *setting, const char *word, bool *older) {
    if (!*setting->key) return false;
    *older = true;
    if (strcmp(word, setting->key) == 0) return true;
    if (strncmp(setting->alias, "DARSHAN_", 8) == 0 && strcmp(word, setting->alias + 8) == 0) return true;
    *older = false;
    return strncmp(setting->env, "IOLITE_", 7) == 0 && strcmp(word, setting->env + 7) == 0;
}

static int find_key(const char *word, bool *older) {
    for (int i = 0; i < IOL_SETTINGS; i++)
        if (key_matches(&iol__settings[i], word, older)) return i;
    return -1;
}

/* The first word of a line, terminated; *rest is what follows it. NULL if there is none. */
static char *cut_word(char *line, char **rest) {
    line += strspn(line, " \t\r");
    size_t length = strcspn(line, " \t\r");
    *rest = line + length;
    if (line[length]) {
        line[length] = '\0';
        (*rest)++;
    }
    return length ? line : NULL;
}

/* The parameters of a key: one word, for filters and limits two. They are put side by side in the text itself. */
static char *cut_parameters(int setting, char *rest) {
    bool two = setting == IOL_SET_MAX_RECORDS || setting == IOL_SET_NAME_EXCLUDE || setting == IOL_SET_NAME_INCLUDE;
    char *first = cut_word(rest, &rest);
    char *second = first && two ? cut_word(rest, &rest) : NULL;
    if (!second) return first;
    char *end = first + strlen(first);
    *end++ = ' ';
    memmove(end, second, strlen(second) + 1);
    return first;
}

static void unknown_key(const iol__config *config, const offer *place, const char *word) {
    message m = {.length = 0};
    say(&m, place->path);
    say(&m, ":");
    say_number(&m, place->line);
    say(&m, ": ");
    say_some(&m, word, strlen(word), NAME_MOST);
    say(&m, " is not a setting");
    tell(config, &m);
}

static void read_line(iol__config *config, char *line, const offer *place) {
    char *rest;
    char *word = cut_word(line, &rest);
    if (!word || *word == '#') return;
    offer o = *place;
    o.setting = find_key(word, &o.older);
    if (o.setting < 0) {
        unknown_key(config, place, word);
        return;
    }
    const iol__setting *setting = &iol__settings[o.setting];
    char *parameters = cut_parameters(o.setting, rest);
    o.text = parameters ? parameters : "";
    if (o.setting == IOL_SET_WHERE && forbids_where(config, &o)) return;
    if (config->values[o.setting].origin >= IOL_ORIGIN_ALIAS ||
        config->values[partner(o.setting)].origin >= IOL_ORIGIN_ALIAS)
        return;
    if (!parameters && setting->type != IOL_SETTING_FLAG && setting->type != IOL_SETTING_TEXT)
        refuse(config, &o, "needs a value", "");
    else
        take(config, &o);
}

static void read_config(iol__config *config, int number, const char *path, bool named, iol__read_file read) {
    char *text = config->text[number];
    long length = read(path, text, IOL_CONFIG_BYTES);
    message m = {.length = 0};
    if (length < 0) {
        if (!named) return;
        say(&m, "the config file ");
        say(&m, path);
        say(&m, " cannot be read; it is ignored");
        tell(config, &m);
        return;
    }
    if (length >= IOL_CONFIG_BYTES) {
        for (length = IOL_CONFIG_BYTES - 1; length > 0 && text[length - 1] != '\n';) length--;
        say(&m, path);
        say(&m, " is too long; what is behind its first 16 KiB is ignored");
        tell(config, &m);
    }
    text[length] = '\0';
    offer place = {.origin = number ? IOL_ORIGIN_FILE2 : IOL_ORIGIN_FILE, .path = path};
    for (char *line = text, *end; line < text + length; line = end + 1) {
        end = line + strcspn(line, "\n");
        *end = '\0';
        place.line++;
        read_line(config, line, &place);
    }
}

/* The whole ------------------------------------------------------------------------------------------------------- */

/* One setting under two names that say the opposite: whoever asks for the one gets the answer of both. */
static void join_reduction(iol__config *config) {
    const iol__setting_value *opposite = &config->values[IOL_SET_NO_SHARED_REDUCTION];
    iol__setting_value *value = &config->values[IOL_SET_SHARED_REDUCTION];
    if (opposite->text[0] != '1' || value->origin >= opposite->origin) return;
    *value = *opposite;
    value->text = "0";
}

void iol__resolve(iol__config *config, char **environment, iol__read_file read) {
    config->n_lines = 0;
    for (int i = 0; i < IOL_SETTINGS; i++)
        config->values[i] = (iol__setting_value){iol__settings[i].value, IOL_ORIGIN_DEFAULT, NULL, 0};
    read_environment(config, environment);

    const iol__setting_value *named = &config->values[IOL_SET_CONFIG];
    bool other = named->origin != IOL_ORIGIN_DEFAULT && *named->text;
    if (!other || strcmp(named->text, IOL_SITE_CONFIG) != 0) read_config(config, 0, IOL_SITE_CONFIG, false, read);
    if (other) read_config(config, 1, named->text, true, read);
    join_reduction(config);
}
