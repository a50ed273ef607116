/* libdw of elfutils, loaded when it is first needed: nobody needs it to read a log. */
#ifndef IOL_CMDS_LIBDW_H
#define IOL_CMDS_LIBDW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Structs of its interface. */
typedef struct libdw_die {
    void *address, *unit, *abbreviation;
    long padding;
} libdw_die;

typedef struct libdw_attribute {
    unsigned code, form;
    unsigned char *value;
    void *unit;
} libdw_attribute;

typedef struct libdw_callbacks {
    int (*find_elf)(void *, void **, const char *, uint64_t, char **, void **);
    int (*find_debuginfo)(void *, void **, const char *, uint64_t, const char *, const char *, uint32_t, char **);
    int (*section_address)(void *, void **, const char *, uint64_t, const char *, uint32_t, const void *, uint64_t *);
    char **debuginfo_path;
} libdw_callbacks;

typedef struct libdw {
#define DW(result, name, arguments) result(*name) arguments;
#include "cmds/where/libdw.def"
#undef DW
} libdw;

/* NULL: it is not installed, or IOLITE_LIBDW=0 says that it is not to be used. */
const libdw *load_libdw(void);

#endif
