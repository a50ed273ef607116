/* The value of every setting, and where it came from: environment, config file, or the default of the table.
   Used by the runtime at the start of every process and by the commands, so it allocates nothing: values point into the
   environment, the table, or the block that the config file was read into. */
#ifndef IOL_SCHEMA_RESOLVE_H
#define IOL_SCHEMA_RESOLVE_H

#include "schema/schema.h"

#define IOL_SITE_CONFIG "/etc/iolite/iolite.conf"

typedef enum iol__origin {
    IOL_ORIGIN_DEFAULT,
    IOL_ORIGIN_FILE,  /* the site's config file */
    IOL_ORIGIN_FILE2, /* the file that IOLITE_CONFIG names */
    IOL_ORIGIN_ALIAS, /* DARSHAN_* or DXT_* */
    IOL_ORIGIN_ENV,   /* IOLITE_* */
} iol__origin;

enum { IOL_CONFIG_BYTES = 16384, IOL_CONFIG_LINES = 64 };

/* A setting that may stand in a config file many times (MAX_RECORDS, NAME_EXCLUDE, ...): each line on its own. */
typedef struct iol__line {
    int setting;
    const char *value; /* its words, one blank between them */
    iol__origin origin;
    unsigned line;
} iol__line;

typedef struct iol__setting_value {
    const char *text; /* never NULL; flags are "0" or "1"; a list that stands in the file many times: its last line */
    iol__origin origin;
    const char *variable; /* the variable it came from, or NULL */
    unsigned line;        /* of the config file, or 0 */
} iol__setting_value;

typedef struct iol__config {
    iol__setting_value values[IOL_SETTINGS];
    /* Called once for each thing that is wrong, with a sentence without "iolite: " and newline; the default (or what
       was valid before) stays. May be NULL. */
    void (*complain)(const char *text);
    unsigned n_lines;
    iol__line lines[IOL_CONFIG_LINES]; /* LIST settings of the file, in order */
    char text[2][IOL_CONFIG_BYTES];    /* the config files, cut into words */
} iol__config;

/* Reads a whole file: bytes read, at most `room`, or -1. The runtime reads in its own way. */
typedef long (*iol__read_file)(const char *path, char *to, size_t room);

/* Sets everything but `complain`, which the caller has set. */
void iol__resolve(iol__config *config, char **environment, iol__read_file read);

bool iol__setting_flag(const iol__config *config, int setting);
unsigned iol__setting_mode(const iol__config *config, int setting);
/* The main switch, from the entries of an environment in their order: IOLITE_DISABLE with a word for on or off, an empty one
   being off; else IOLITE=0; else DARSHAN_DISABLE with any value at all. */
typedef struct iol__main_switch {
    signed char own, brief, older; /* 1: Iolite is off, 0: it is on, -1: nothing was said */
} iol__main_switch;
#define IOL_MAIN_SWITCH \
    { -1, -1, -1 }
void iol__main_switch_read(iol__main_switch *is, const char *entry);
bool iol__main_switch_off(const iol__main_switch *is);
/* Bytes for MEBIBYTES and BYTES; seconds and fractions as they are; -1 where the text is empty. */
double iol__setting_number(const iol__config *config, int setting);
/* Whether a value is one of its type; else *why says what is wrong with it. */
bool iol__setting_valid(const iol__setting *setting, const char *text, const char **why);
/* The texts of a LIST setting one after the other, wherever they came from; NULL at the end. Start with *at = 0. */
const char *iol__setting_list(const iol__config *config, int setting, unsigned *at);
/* Whether a module is on: (defaults and MOD_DISABLE) without MOD_ENABLE; tracing switches the DXT modules on, and they
   need the module whose operations they trace. */
bool iol__module_enabled(const iol__config *config, int slot);
/* The same for one that is no part of Iolite, by its name. */
bool iol__custom_enabled(const iol__config *config, const char *name);

#endif
