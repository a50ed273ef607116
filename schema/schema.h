/* The schema: every module, record version, counter and setting, as plain data.
   All of it comes from the .def tables beside this file; the enums and the arrays below are only their C form.
   Knows nothing of files, memory or the runtime, so that every other part may include it. */
#ifndef IOL_SCHEMA_SCHEMA_H
#define IOL_SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/patterns.h"

/* Module slots ------------------------------------------------------------------------------------------------ */

enum {
#define MODULE(slot, ident, name, key, form, current, slot20, slot00, former, named) IOL_SLOT_##ident = slot,
#include "schema/modules.def"
#undef MODULE
    IOL_SLOTS_KNOWN = 18, /* slots 18..63 exist in the header but are not assigned */
    IOL_SLOTS = 64
};

/* The shape of a module's records beyond base, integers and doubles. */
typedef enum iol__form {
    IOL_FORM_FIXED,   /* two arrays of counters, perhaps a few fixed fields */
    IOL_FORM_LUSTRE,  /* components and OST list */
    IOL_FORM_TRACE,   /* DXT segments */
    IOL_FORM_MDHIM,   /* counters and a histogram over servers */
    IOL_FORM_APXC,    /* one header, then counters */
    IOL_FORM_APMPI,   /* one header, then counters */
    IOL_FORM_HEATMAP, /* bins over time */
} iol__form;

/* Counters ---------------------------------------------------------------------------------------------------- */

/* How two values of a counter become one (docs/log-format.md, "Combining records"). */
typedef enum iol__reduce {
    IOL_REDUCE_NONE,
    IOL_REDUCE_SUM,
    IOL_REDUCE_SUM_M1, /* sum; a negative result becomes -1 */
    IOL_REDUCE_MIN_NZ, /* smallest above zero */
    IOL_REDUCE_MAX,
    IOL_REDUCE_MAX_WITH, /* goes along with the counter whose maximum it describes */
    IOL_REDUCE_ONE_SIDE, /* any of the values */
    IOL_REDUCE_OR,
    IOL_REDUCE_COMMON4, /* part of a table of the four most common values */
    IOL_REDUCE_FASTEST,
    IOL_REDUCE_SLOWEST,
    IOL_REDUCE_VARIANCE,
    IOL_REDUCE_DISTINCT,      /* number of different values */
    IOL_REDUCE_PER_RANK,      /* one record per rank, never combined */
    IOL_REDUCE_BLADE_AVERAGE, /* averaged by the writer over the ranks of one blade */
} iol__reduce;

typedef enum iol__kind { IOL_KIND_INT, IOL_KIND_UINT, IOL_KIND_REAL } iol__kind;

/* Texts stand in the rows themselves: a table of pointers would have to be relocated, and its pages copied, at the start
   of every recorded process. */
typedef struct iol__counter {
    char name[48];
    char unit[18];
    uint8_t name_length;
    uint8_t kind;   /* iol__kind */
    uint8_t reduce; /* iol__reduce */
    uint8_t since;  /* record version that introduced it */
    int16_t with;   /* MAX_WITH: the index of the other counter in its own array */
} iol__counter;

/* The enums: IOL_POSIX_OPENS is the index of POSIX_OPENS among the integers of its module, IOL_POSIX_F_READ_TIME
   that of its double among the doubles. IOL_POSIX_INTS and IOL_POSIX_REALS count them. */
#define INT(name, unit, reduce, since, meaning) IOL_##name,
#define UINT(name, unit, reduce, since, meaning) IOL_##name,
#define REAL(name, unit, reduce, since, meaning)
enum {
#include "schema/null.def"
    IOL_NULL_INTS
};
enum {
#include "schema/posix.def"
    IOL_POSIX_INTS
};
enum {
#include "schema/mpiio.def"
    IOL_MPIIO_INTS
};
enum {
#include "schema/h5f.def"
    IOL_H5F_INTS
};
enum {
#include "schema/h5d.def"
    IOL_H5D_INTS
};
enum {
#include "schema/pnetcdf_file.def"
    IOL_PNETCDF_FILE_INTS
};
enum {
#include "schema/pnetcdf_var.def"
    IOL_PNETCDF_VAR_INTS
};
enum {
#include "schema/bgq.def"
    IOL_BGQ_INTS
};
enum {
#include "schema/lustre_component.def"
    IOL_LUSTRE_COMP_INTS
};
enum {
#include "schema/stdio.def"
    IOL_STDIO_INTS
};
enum {
#include "schema/mdhim.def"
    IOL_MDHIM_INTS
};
enum {
#include "schema/apxc.def"
    IOL_APXC_INTS
};
enum {
#include "schema/apmpi.def"
    IOL_APMPI_INTS
};
enum {
#include "schema/dfs.def"
    IOL_DFS_INTS
};
enum {
#include "schema/daos.def"
    IOL_DAOS_INTS
};
#undef INT
#undef UINT
#undef REAL

#define INT(name, unit, reduce, since, meaning)
#define UINT(name, unit, reduce, since, meaning)
#define REAL(name, unit, reduce, since, meaning) IOL_##name,
enum {
#include "schema/null.def"
    IOL_NULL_REALS
};
enum {
#include "schema/posix.def"
    IOL_POSIX_REALS
};
enum {
#include "schema/mpiio.def"
    IOL_MPIIO_REALS
};
enum {
#include "schema/h5f.def"
    IOL_H5F_REALS
};
enum {
#include "schema/h5d.def"
    IOL_H5D_REALS
};
enum {
#include "schema/pnetcdf_file.def"
    IOL_PNETCDF_FILE_REALS
};
enum {
#include "schema/pnetcdf_var.def"
    IOL_PNETCDF_VAR_REALS
};
enum {
#include "schema/bgq.def"
    IOL_BGQ_REALS
};
enum {
#include "schema/stdio.def"
    IOL_STDIO_REALS
};
enum {
#include "schema/mdhim.def"
    IOL_MDHIM_REALS
};
enum {
#include "schema/apmpi.def"
    IOL_APMPI_REALS
};
enum {
#include "schema/dfs.def"
    IOL_DFS_REALS
};
enum {
#include "schema/daos.def"
    IOL_DAOS_REALS
};
#undef INT
#undef UINT
#undef REAL

enum {
    IOL_LUSTRE_REALS = 0,
    IOL_APXC_REALS = 0,
    IOL_MAX_INTS = IOL_APMPI_INTS,   /* most integers a record of any version has */
    IOL_MAX_REALS = IOL_APMPI_REALS, /* most doubles */
    IOL_APMPI_TIMES = 222,           /* doubles of APMPI before the sync times */
    IOL_APMPI_SYNCS = 16,
    IOL_SIZE_BUCKETS = 10,
};

/* Record versions --------------------------------------------------------------------------------------------- */

typedef struct iol__version {
    uint8_t slot;
    uint8_t version;
    uint16_t fixed_bytes; /* to be read before the whole size is known */
    uint16_t counters_at; /* offset of the first integer */
    uint16_t ints;
    uint16_t reals;
    const char *size; /* formula where the size varies, else "" */
    const char *first_release;
    const char *note;
} iol__version;

typedef enum iol__edit {
    IOL_EDIT_SKIP_IF_POSITIVE,
    IOL_EDIT_DELETE_INTS,
    IOL_EDIT_ADD_INT,
    IOL_EDIT_INSERT_INTS,
    IOL_EDIT_INSERT_REALS,
} iol__edit;

typedef struct iol__upgrade {
    uint8_t slot;
    uint8_t from;
    uint8_t edit; /* iol__edit */
    uint8_t position;
    uint8_t count;
    int8_t value;
} iol__upgrade;

/* Roles ------------------------------------------------------------------------------------------------------- */

/* One table of the four most common values: `width` integers a value, then the four counts. */
typedef struct iol__common {
    int16_t values; /* index of the first value, -1 for no table */
    int16_t width;
    int16_t counts;
} iol__common;

/* The counters that totals, estimates and summaries are made of; -1 where a module has no such counter. */
typedef struct iol__roles {
    bool traffic;   /* the module moves bytes; without it nothing below means anything */
    bool estimated; /* file counts and a performance estimate exist */
    int16_t bytes_read, bytes_written;
    int16_t max_byte_read, max_byte_written;
    int16_t read_buckets, write_buckets; /* first of ten size classes */
    int16_t read_time, write_time, meta_time;
    int16_t fastest_rank, fastest_bytes, slowest_rank, slowest_bytes;
    int16_t fastest_time, slowest_time;
    int16_t variance_time, variance_bytes;
    iol__common common[2];
} iol__roles;

/* Modules ----------------------------------------------------------------------------------------------------- */

typedef struct iol__module {
    const char *name;
    const char *key; /* JSON */
    uint8_t name_length;
    uint8_t form; /* iol__form */
    uint8_t current;
    int8_t slot_320; /* slot in logs 3.20 and 3.21, -1 if none */
    int8_t slot_300; /* slot in logs 3.00 and 3.10 */
    uint16_t ints;
    uint16_t reals;
    const iol__counter *counters; /* ints, then reals */
    const char *former;
    const char *named_after;
    const iol__roles *roles;
} iol__module;

extern const iol__module iol__modules[IOL_SLOTS_KNOWN];
extern const iol__version iol__versions[];
extern const size_t iol__versions_count;
extern const iol__upgrade iol__upgrades[];
extern const size_t iol__upgrades_count;
extern const iol__counter iol__lustre_component[IOL_LUSTRE_COMP_INTS];

/* What a counter counts, and for Lustre what one of a component does; empty if there is no such counter. The runtime has
   no need of it, and goes without (schema/meanings.c). */
const char *iol__counter_meaning(int slot, size_t index);
/* Words for how a component is striped and for its flags; "N/A" where the log does not know. */
enum { IOL_LUSTRE_FLAGS_TEXT = 160 };
const char *iol__lustre_pattern(int64_t pattern);
const char *iol__lustre_flags(char text[IOL_LUSTRE_FLAGS_TEXT], int64_t flags);
/* The layout of a version, or NULL when that version never existed. */
const iol__version *iol__version_find(int slot, unsigned version);
/* The slot of a module by its printed name or JSON key, any case; -1 if unknown. */
int iol__module_find(const char *name);
const char *iol__reduce_name(unsigned reduce);

/* Settings ---------------------------------------------------------------------------------------------------- */

typedef enum iol__setting_type {
    IOL_SETTING_FLAG,
    IOL_SETTING_PATH,
    IOL_SETTING_TEXT,
    IOL_SETTING_LIST,
    IOL_SETTING_MEBIBYTES,
    IOL_SETTING_BYTES,
    IOL_SETTING_FRACTION,
    IOL_SETTING_SECONDS,
    IOL_SETTING_COUNT,
    IOL_SETTING_MODE, /* octal permissions of a file that nobody writes to */
} iol__setting_type;

enum {
#define SETTING(ident, env, alias, key, type, value, help) IOL_SET_##ident,
#include "schema/settings.def"
#undef SETTING
    IOL_SETTINGS
};

typedef struct iol__setting {
    const char *ident;
    const char *env;
    const char *alias;
    const char *key;
    iol__setting_type type;
    const char *value;
    const char *help;
} iol__setting;

extern const iol__setting iol__settings[IOL_SETTINGS];

#endif
