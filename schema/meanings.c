/* What each counter counts, in the order of the tables in schema.c, and words for codes. Apart from them, because only
   readers need it. */
#include <string.h>

#include "schema/schema.h"

#define INT(name, unit, reduce, since, meaning) meaning,
#define UINT(name, unit, reduce, since, meaning) meaning,
#define REAL(name, unit, reduce, since, meaning) meaning,

static const char *const meanings_NULL[] = {
#include "schema/null.def"
};
static const char *const meanings_POSIX[] = {
#include "schema/posix.def"
};
static const char *const meanings_MPIIO[] = {
#include "schema/mpiio.def"
};
static const char *const meanings_H5F[] = {
#include "schema/h5f.def"
};
static const char *const meanings_H5D[] = {
#include "schema/h5d.def"
};
static const char *const meanings_PNETCDF_FILE[] = {
#include "schema/pnetcdf_file.def"
};
static const char *const meanings_PNETCDF_VAR[] = {
#include "schema/pnetcdf_var.def"
};
static const char *const meanings_BGQ[] = {
#include "schema/bgq.def"
};
static const char *const meanings_STDIO[] = {
#include "schema/stdio.def"
};
static const char *const meanings_MDHIM[] = {
#include "schema/mdhim.def"
};
static const char *const meanings_APXC[] = {
#include "schema/apxc.def"
};
static const char *const meanings_APMPI[] = {
#include "schema/apmpi.def"
};
static const char *const meanings_DFS[] = {
#include "schema/dfs.def"
};
static const char *const meanings_DAOS[] = {
#include "schema/daos.def"
};
/* Those of a component. */
static const char *const meanings_LUSTRE[] = {
#include "schema/lustre_component.def"
};

#define MEANINGS(module) \
    { meanings_##module, sizeof meanings_##module / sizeof *meanings_##module }

static const struct {
    const char *const *texts;
    size_t count;
} meanings[IOL_SLOTS_KNOWN] = {
    [IOL_SLOT_NULL] = MEANINGS(NULL),
    [IOL_SLOT_POSIX] = MEANINGS(POSIX),
    [IOL_SLOT_MPIIO] = MEANINGS(MPIIO),
    [IOL_SLOT_H5F] = MEANINGS(H5F),
    [IOL_SLOT_H5D] = MEANINGS(H5D),
    [IOL_SLOT_PNETCDF_FILE] = MEANINGS(PNETCDF_FILE),
    [IOL_SLOT_PNETCDF_VAR] = MEANINGS(PNETCDF_VAR),
    [IOL_SLOT_BGQ] = MEANINGS(BGQ),
    [IOL_SLOT_LUSTRE] = MEANINGS(LUSTRE),
    [IOL_SLOT_STDIO] = MEANINGS(STDIO),
    [IOL_SLOT_MDHIM] = MEANINGS(MDHIM),
    [IOL_SLOT_APXC] = MEANINGS(APXC),
    [IOL_SLOT_APMPI] = MEANINGS(APMPI),
    [IOL_SLOT_DFS] = MEANINGS(DFS),
    [IOL_SLOT_DAOS] = MEANINGS(DAOS),
};

const char *iol__counter_meaning(int slot, size_t index) {
    return slot >= 0 && slot < IOL_SLOTS_KNOWN && index < meanings[slot].count ? meanings[slot].texts[index] : "";
}

const char *iol__lustre_pattern(int64_t pattern) {
    switch (pattern) {
    case 0: return "raid0";
    case 2: return "mdt";
    case 4: return "raid0,overstriped";
    case 8: return "foreign";
    default: return "N/A";
    }
}

const char *iol__lustre_flags(char text[IOL_LUSTRE_FLAGS_TEXT], int64_t flags) {
    static const char *const words[] = {"stale",     "prefrd", "prefwr",   "offline", "init",    "nosync",
                                        "extension", "parity", "compress", "partial", "nocompr", "neg"};
    if (flags == -1) return strcpy(text, "N/A");
    char *at = text;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(flags >> i & 1)) continue;
        if (at != text) *at++ = ',';
        at = stpcpy(at, words[i]);
    }
    return at == text ? strcpy(text, "0") : text;
}
