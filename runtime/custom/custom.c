/* Custom modules: their schemas, their records by name, and the blocks of the store that hold them. A name is looked up
   without a lock, because handles are never given back; what is new is made behind the lock of the files. */
#include "runtime/custom/custom.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/custom/maps.h"

enum { BUCKETS = 1024, HANDLES_MOST = 65536, TEXTS = 3 };

static const char folded_name[] = "<FOLDED>";
static iolite_module modules[IOL_CUSTOM_MODULES];
static unsigned n_modules;
static iolite_record *buckets[BUCKETS];
static unsigned n_handles;

iolite_module *iol__custom_numbered(unsigned number) { return number < n_modules ? &modules[number] : NULL; }

/* Definitions ------------------------------------------------------------------------------------------------------ */

static bool text_good(const char *text) { return !text || strnlen(text, IOL_CUSTOM_TEXT) < IOL_CUSTOM_TEXT; }

static const char *counters_wrong(const iolite_definition *d) {
    for (size_t i = 0; i < d->n_counters; i++) {
        const iolite_counter *c = &d->counters[i];
        if (!c->name || !iol__custom_name_good(c->name)) return "the name of a counter is not one";
        if (!text_good(c->unit) || !text_good(c->meaning)) return "a unit or meaning is too long";
        if ((unsigned)c->kind > IOLITE_INSTANT || (unsigned)c->rule > IOLITE_KEEP)
            return "a counter is of no known kind";
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->name, d->counters[k].name) == 0) return "two counters have the same name";
    }
    return NULL;
}

/* What is wrong with a definition; NULL if nothing. */
static const char *wrong(const iolite_definition *d) {
    if (d->bytes < sizeof *d) return "its definition is of an unknown size";
    if (!d->name || !iol__custom_name_good(d->name)) return "its name is not one";
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (iol__modules[slot].name && strcmp(d->name, iol__modules[slot].name) == 0)
            return "Iolite has a module of this name";
    if (!text_good(d->meaning)) return "its meaning is too long";
    if (!d->counters || d->n_counters == 0) return "it has no counters";
    if (d->n_counters > IOL_CUSTOM_COUNTERS) return "it has too many counters";
    if (d->record_bytes != 8 * d->n_counters) return "its record is not 8 bytes a counter";
    return counters_wrong(d);
}

static size_t plan_bytes(const iolite_definition *d) {
    size_t bytes = sizeof(iol__custom_schema) + 2 * d->n_counters + strlen(d->name) + 2;
    if (d->meaning) bytes += strlen(d->meaning);
    for (size_t i = 0; i < d->n_counters; i++) {
        const iolite_counter *c = &d->counters[i];
        bytes += strlen(c->name) + (c->unit ? strlen(c->unit) : 0) + (c->meaning ? strlen(c->meaning) : 0) + TEXTS;
    }
    return iol__custom_round(bytes);
}

static char *put_text(char *to, const char *text) {
    const size_t length = text ? strlen(text) : 0;
    if (length) memcpy(to, text, length);
    to[length] = 0;
    return to + length + 1;
}

/* The block of the schema, made once. The memory is zero, so what is left at the end is, too. */
static bool make_plan(iolite_module *m, const iolite_definition *d) {
    const size_t bytes = plan_bytes(d);
    iol__custom_schema *plan = iol__files_memory(bytes);
    if (!plan) return false;
    *plan = (iol__custom_schema){.head = {IOL_CUSTOM_SCHEMA, (uint32_t)bytes},
                                 .module = n_modules,
                                 .version = d->version,
                                 .counters = (uint32_t)d->n_counters};
    uint8_t *bits = (uint8_t *)(plan + 1);
    for (size_t i = 0; i < d->n_counters; i++) {
        bits[i] = (uint8_t)d->counters[i].kind;
        bits[d->n_counters + i] = (uint8_t)d->counters[i].rule;
    }
    m->kinds = bits;
    m->rules = bits + d->n_counters;
    m->name = (char *)bits + 2 * d->n_counters;
    char *text = put_text((char *)bits + 2 * d->n_counters, d->name);
    text = put_text(text, d->meaning);
    for (size_t i = 0; i < d->n_counters; i++) {
        text = put_text(text, d->counters[i].name);
        text = put_text(text, d->counters[i].unit);
        text = put_text(text, d->counters[i].meaning);
    }
    m->plan = plan;
    return true;
}

static void refuse(const iolite_definition *d, const char *why) {
    static char line[128 + IOL_CUSTOM_TEXT];
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, "the module ");
    iol__text_bytes(&text, d->name ? d->name : "?", d->name ? strnlen(d->name, IOL_CUSTOM_NAME) : 1);
    iol__text_add(&text, " is left out: ");
    iol__text_add(&text, why);
    iol__trouble(line, "");
}

/* With the lock held. The same module again, from a second copy of a library, is the one that is there. */
static iolite_module *enlist(const iolite_definition *d, const char **why) {
    for (unsigned i = 0; i < n_modules; i++) {
        const iolite_module *m = &modules[i];
        if (strcmp(m->name, d->name) != 0) continue;
        if (m->plan->version == d->version && m->plan->counters == d->n_counters) return &modules[i];
        *why = "another one of this name is there";
        return NULL;
    }
    if (n_modules == IOL_CUSTOM_MODULES) {
        *why = "there are too many";
        return NULL;
    }
    iolite_module *m = &modules[n_modules];
    *m = (iolite_module){
        .value_bytes = d->record_bytes, .finish = d->finish, .reduce = d->reduce, .context = d->context};
    if (!make_plan(m, d)) return NULL;
    n_modules++;
    return m;
}

iolite_module *iol__custom_register(const iolite_definition *definition) {
    if (iol__core_state.phase == IOL_PHASE_OFF || !definition) return NULL;
    const int saved = errno;
    const char *why = wrong(definition);
    iolite_module *module = NULL;
    if (!why && iol__files_enter()) {
        module = enlist(definition, &why);
        iol__files_leave();
    }
    if (why) refuse(definition, why);
    errno = saved;
    return module;
}

/* Handles ---------------------------------------------------------------------------------------------------------- */

static iolite_record **bucket_of(const iolite_module *module, uint64_t id) {
    return &buckets[(id ^ (uint64_t)(module - modules) * UINT64_C(0x9e3779b97f4a7c15)) % BUCKETS];
}

static iolite_record *find(iolite_module *module, uint64_t id) {
    iolite_record *record = __atomic_load_n(bucket_of(module, id), __ATOMIC_ACQUIRE);
    while (record && (record->id != id || record->module != module || record->own)) record = record->next_in_bucket;
    return record;
}

/* With the lock held. */
static iolite_record *new_handle(iolite_module *module, const char *name, size_t length, uint64_t id, bool own) {
    iolite_record *record = iol__files_memory(sizeof *record + length + 1);
    if (!record) return NULL;
    char *copy = (char *)(record + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    iolite_record **bucket = bucket_of(module, id);
    *record = (iolite_record){.module = module,
                              .id = id,
                              .name = copy,
                              .length = (uint32_t)length,
                              .own = own,
                              .next_in_bucket = *bucket,
                              .next_in_module = module->records};
    module->records = record;
    n_handles++;
    __atomic_store_n(bucket, record, __ATOMIC_RELEASE);
    return record;
}

/* The record of all names without room. */
static iolite_record *folded_of(iolite_module *module) {
    const size_t length = sizeof folded_name - 1;
    if (!module->folded)
        module->folded = new_handle(module, folded_name, length, iol__hash(folded_name, length, 0), true);
    return module->folded;
}

/* A library may register before the settings are known, so they are looked at when there is something to record. */
static bool wanted(iolite_module *module) {
    if (!module->asked && iol__core_state.phase == IOL_PHASE_RUNNING) {
        module->off = !iol__custom_enabled(&iol__core_state.config, module->name);
        module->asked = true;
    }
    return !module->off;
}

iolite_record *iol__custom_record_of(iolite_module *module, const char *name, unsigned flags) {
    if (!module || !name || iol__core_state.phase == IOL_PHASE_OFF) return NULL;
    if (!wanted(module)) return NULL;
    const bool own = flags & IOLITE_RECORD_OWN;
    const size_t length = strnlen(name, IOL_CUSTOM_RECORD_NAME - 1);
    const uint64_t id = iol__hash(name, length, 0);
    iolite_record *record = own ? NULL : find(module, id);
    if (record || !iol__files_enter()) return record;
    const int saved = errno;
    if (!own) record = find(module, id);
    if (!record && n_handles < HANDLES_MOST) record = new_handle(module, name, length, id, own);
    if (!record) {
        record = folded_of(module);
        if (record && module->schema) module->schema->folded++;
    }
    errno = saved;
    iol__files_leave();
    return record;
}

/* Blocks ----------------------------------------------------------------------------------------------------------- */

/* All with the lock held. */
static bool make_schema(iolite_module *module) {
    if (module->schema) return true;
    const uint32_t bytes = module->plan->head.bytes;
    iol__custom_schema *schema = iol__store_custom(bytes, true);
    if (!schema) return false;
    memcpy(schema, module->plan, bytes);
    iol__store_custom_commit(bytes);
    module->schema = schema;
    return true;
}

static bool make_block(iolite_record *record, bool beyond) {
    const iolite_module *module = record->module;
    const uint32_t bytes = iol__custom_round(sizeof *record->block + module->value_bytes + record->length + 1);
    iol__custom_record *block = iol__store_custom(bytes, beyond);
    if (!block) return false;
    *block = (iol__custom_record){.head = {IOL_CUSTOM_RECORD, bytes}, .module = module->plan->module, .id = record->id};
    memset(block + 1, 0, module->value_bytes);
    memcpy((uint8_t *)(block + 1) + module->value_bytes, record->name, record->length + 1);
    iol__store_custom_commit(bytes);
    __atomic_store_n(&record->block, block, __ATOMIC_RELEASE);
    return true;
}

static iol__custom_record *fold(iolite_record *record) {
    iolite_record *folded = folded_of(record->module);
    if (!folded || (!folded->block && !make_block(folded, true))) return NULL;
    if (record != folded) record->module->schema->folded++;
    __atomic_store_n(&record->block, folded->block, __ATOMIC_RELEASE);
    return folded->block;
}

void *iol__custom_values(iolite_record *record) {
    if (!record || !iol__awake() || !wanted(record->module)) return NULL;
    iol__custom_record *block = __atomic_load_n(&record->block, __ATOMIC_ACQUIRE);
    if (IOL_LIKELY(block != NULL)) return block + 1;
    if (!iol__files_enter()) return NULL;
    const int saved = errno;
    block = record->block;
    if (!block && make_schema(record->module)) block = make_block(record, false) ? record->block : fold(record);
    if (!block) iol__count_lost();
    errno = saved;
    iol__files_leave();
    return block ? block + 1 : NULL;
}

/* Names without a record of their own have their spans with their totals. */
static uint64_t span_id(const iolite_record *record) {
    const iolite_record *folded = record->module->folded;
    return folded && record->block == folded->block ? folded->id : record->id;
}

iol__custom_span *iol__custom_span_begin(iolite_record *record, double begin) {
    iolite_module *module = record->module;
    if (!iol__custom_values(record) || !iol__files_enter()) return NULL;
    const int saved = errno;
    iol__custom_span *span = module->spans < IOL_CUSTOM_SPANS ? iol__store_custom(sizeof *span, false) : NULL;
    if (span) {
        *span = (iol__custom_span){.head = {IOL_CUSTOM_SPAN, sizeof *span},
                                   .module = module->plan->module,
                                   .id = span_id(record),
                                   .thread = (uint64_t)pthread_self(),
                                   .begin = begin,
                                   .end = -1};
        iol__store_custom_commit(sizeof *span);
        module->spans++;
    } else if (module->schema) {
        module->schema->spans_lost++;
    }
    errno = saved;
    iol__files_leave();
    return span;
}

void iol__custom_reset(void) {
    for (unsigned i = 0; i < n_modules; i++) {
        modules[i].schema = NULL;
        modules[i].spans = 0;
        for (iolite_record *record = modules[i].records; record; record = record->next_in_module) record->block = NULL;
    }
    iol__regions_reset();
    iol__maps_reset();
}

iol__runtime_module iol__custom_module = {.reset = iol__custom_reset, .finish = iol__custom_finish};

/* What programs and modules see ------------------------------------------------------------------------------------ */

static double now(void) { return iol__awake() ? iol__now() : -1; }

static void record_span(iolite_record *record, double begin, double end) {
    if (!record || !(begin >= 0) || !(end >= begin)) return;
    iol__custom_span *span = iol__custom_span_begin(record, begin);
    if (span) span->end = end;
}

IOL_EXPORT const iolite_functions *iolite_interface(void) {
    static const iolite_functions functions = {
        .bytes = sizeof functions,
        .region_begin = iol__region_begin,
        .region_end = iol__region_end,
        .now = now,
        .module_register = iol__custom_register,
        .module_record = iol__custom_record_of,
        .record_values = iol__custom_values,
        .record_span = record_span,
    };
    return &functions;
}
