/* Modules that come from outside (include/iolite/module.h), and the regions that a program marks, which are one of
   them. Handles are private memory and stay; records are blocks in the store and start again after a fork. */
#ifndef IOL_RUNTIME_CUSTOM_H
#define IOL_RUNTIME_CUSTOM_H

#include "iolite/module.h"
#include "record/custom.h"
#include "runtime/core/core.h"

struct iolite_module {
    const iol__custom_schema *plan; /* the block, ready to be copied into a store */
    iol__custom_schema *schema;     /* in the store; NULL: to be made, or made again after a fork */
    const uint8_t *kinds, *rules;
    const char *name;
    size_t value_bytes;
    uint32_t spans; /* kept of this process */
    bool asked;     /* the settings, whether it is wanted */
    bool off;       /* it is not */
    bool failed;    /* its callback crashed: it is not called again */
    struct iolite_record *folded;
    struct iolite_record *records; /* all, the newest first */
    void (*finish)(void *context);
    void (*reduce)(void *context, void *into, const void *from);
    void *context;
};

struct iolite_record {
    iolite_module *module;
    iol__custom_record *block; /* in the store; NULL: to be made */
    uint64_t id;
    const char *name;
    uint32_t length;
    bool own;
    struct iolite_record *next_in_bucket, *next_in_module;
};

iolite_module *iol__custom_register(const iolite_definition *definition);
iolite_record *iol__custom_record_of(iolite_module *module, const char *name, unsigned flags);
void *iol__custom_values(iolite_record *record);
/* A span that has begun; NULL if there is no room. Its end is to be filled in. */
iol__custom_span *iol__custom_span_begin(iolite_record *record, double begin);
/* The modules one after the other; NULL at the end. */
iolite_module *iol__custom_numbered(unsigned number);

/* Shared objects that a setting names are loaded. */
void iol__custom_load(const iol__config *config);
/* In a forked child: nothing was recorded yet. */
void iol__custom_reset(void);
/* The last word of the modules. A crash in one of them is its own affair. */
void iol__custom_finish(void);
/* The section of the trailer, its head included; 0 if there is none. The memory stays. */
size_t iol__custom_section(const uint8_t **bytes);

void iol__region_begin(const char *name);
void iol__region_end(const char *name);
/* What is open ends with the process. */
void iol__regions_finish(void);
void iol__regions_reset(void);

#endif
