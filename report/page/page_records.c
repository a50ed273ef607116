/* The raw records of the files that cost most, and what every counter means. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "report/page/page_internal.h"

enum { MOST_RECORDS = 300, MOST_OF_A_FILE = 24 };

/* Files in the order of cost, until their records are enough. */
void iol__page_records_start(iol__page *page) {
    iol__page_records *records = &page->records;
    size_t expected = 0;
    for (size_t i = 0; i < page->shown && expected < MOST_RECORDS; i++) {
        const iol__facts_file *file = &page->facts->file[page->order[i]];
        size_t mine = 0;
        for (int l = 0; l < IOL_LAYERS; l++) {
            const iol__facts_use *use = iol__facts_layer_of(file, (iol__facts_layer)l);
            mine += use->records + (use->whole != NULL);
        }
        if (file->hdf5) mine += (size_t)file->hdf5->file_records + file->hdf5->dataset_records;
        if (file->pnetcdf) mine += (size_t)file->pnetcdf->file_records + file->pnetcdf->variable_records;
        expected += mine < MOST_OF_A_FILE ? mine : MOST_OF_A_FILE;
        if (iol__idmap_add(&records->wanted, file->id) == IOL_IDMAP_NONE) longjmp(page->exhausted, 1);
    }
    records->taken = iol__page_alloc(page, records->wanted.count + 1, sizeof *records->taken);
}

void iol__page_records_visit(iol__page *page, const iol_record *record) {
    iol__page_records *records = &page->records;
    size_t which = iol__idmap_find(&records->wanted, record->owner ? record->owner : record->id);
    if (which == IOL_IDMAP_NONE || records->taken[which] >= MOST_OF_A_FILE) return;
    records->taken[which]++;
    iol__out *out = &records->rows[record->slot];
    if (!records->count[record->slot]) iol__out_open(out, -1);
    if (records->count[record->slot]++) iol__out_char(out, ',');
    iol__json json;
    iol__json_start(&json, out, 0);
    iol__json_open(&json, '{');
    iol__json_put_id(&json, "id", record->id);
    if (record->owner) iol__json_put_id(&json, "file", record->owner);
    const char *name = record->owner ? iol_log_name(page->log, record->id) : NULL;
    if (name) iol__json_put_text(&json, "name", name);
    iol__json_put_i64(&json, "rank", record->rank);
    iol__json_put_open(&json, "values", '[');
    for (unsigned i = 0; i < record->n_ints; i++) iol__json_i64(&json, record->ints[i]);
    for (unsigned i = 0; i < record->n_reals; i++) iol__json_real(&json, record->reals[i]);
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
}

void iol__page_records_free(iol__page *page) {
    iol__page_records *records = &page->records;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (records->count[slot]) iol__out_close(&records->rows[slot]);
    iol__idmap_free(&records->wanted);
}

void iol__page_records_write(iol__json *json, const iol__page *page) {
    const iol__page_records *records = &page->records;
    iol__json_put_open(json, "records", '{');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *module = &iol__modules[slot];
        if (!records->count[slot]) continue;
        iol__json_put_open(json, module->name, '{');
        iol__json_put_open(json, "counters", '[');
        for (int i = 0; i < module->ints + module->reals; i++) iol__json_text(json, module->counters[i].name);
        iol__json_close(json, ']');
        iol__json_put_open(json, "rows", '[');
        iol__out_bytes(json->out, records->rows[slot].buffer, records->rows[slot].length);
        iol__json_close(json, ']');
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

void iol__page_counters_write(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "counters", '{');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__layer *layer = iol__page_layer(page, slot);
        const iol__module *module = &iol__modules[slot];
        if (!layer || (!layer->totals && !page->records.count[slot])) continue;
        for (int i = 0; i < module->ints + module->reals; i++) {
            iol__json_put_open(json, module->counters[i].name, '{');
            iol__json_put_text(json, "meaning", iol__counter_meaning(slot, (size_t)i));
            iol__json_put_text(json, "unit", module->counters[i].unit);
            iol__json_close(json, '}');
        }
    }
    iol__json_close(json, '}');
}
