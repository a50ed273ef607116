/* The summary as JSON: the facts of the log, then what was computed. Unknown figures are null. */
#include "report/summary_json.h"

#include <math.h>

#include "report/custom_json.h"
#include "report/fields.h"
#include "report/log_json.h"
#include "report/record_json.h"

static void put_summary_json_known(iol__json *json, const char *key, double value) {
    iol__json_put_real(json, key, value < 0 ? NAN : value);
}

typedef struct totals_output {
    iol__json *json;
    const bool *unknown;
} totals_output;

static void totals_field(void *context, const iol__record_field *field) {
    const totals_output *to = context;
    if (field->counter >= 0 && to->unknown[field->counter])
        iol__json_put_real(to->json, field->name, NAN);
    else
        iol__json_field(to->json, field);
}

static void summary_json_counters(iol__json *json, const iol__summary_totals *totals) {
    totals_output to = {json, totals->unknown};
    iol__json_put_open(json, "totals", '{');
    iol__fields_counters(&totals->record, totals_field, &to);
    iol__json_close(json, '}');
}

static void performance(iol__json *json, const iol_performance *p) {
    iol__json_put_open(json, "performance", '{');
    iol__json_put_i64(json, "total_bytes", p->total_bytes);
    iol__json_put_i64(json, "slowest_rank", p->slowest_rank);
    iol__json_put_real(json, "slowest_rank_io_time", p->slowest_rank_io_time);
    iol__json_put_real(json, "slowest_rank_meta_time", p->slowest_rank_meta_time);
    iol__json_put_real(json, "slowest_rank_rw_time", p->slowest_rank_rw_time);
    iol__json_put_real(json, "shared_time", p->shared_time);
    iol__json_put_real(json, "time", p->time);
    iol__json_put_real(json, "mib_per_second", p->mib_per_second);
    iol__json_close(json, '}');
}

static void summary_json_files(iol__json *json, const iol_files *by_category) {
    static const char *const names[IOL_CATEGORIES] = {
        [IOL_FILES_ALL] = "total",
        [IOL_FILES_READ_ONLY] = "read_only",
        [IOL_FILES_WRITE_ONLY] = "write_only",
        [IOL_FILES_READ_WRITE] = "read_write",
        [IOL_FILES_UNIQUE] = "unique",
        [IOL_FILES_SHARED] = "shared",
        [IOL_FILES_PART_SHARED] = "part_shared",
    };
    iol__json_put_open(json, "files", '{');
    for (int c = 0; c < IOL_CATEGORIES; c++) {
        iol__json_put_open(json, names[c], '{');
        iol__json_put_i64(json, "count", by_category[c].count);
        iol__json_put_i64(json, "bytes", by_category[c].bytes);
        if (by_category[c].max_offset < 0)
            iol__json_put_real(json, "max_offset", NAN);
        else
            iol__json_put_i64(json, "max_offset", by_category[c].max_offset);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void summary_json_traffic(iol__json *json, const iol__layer *layer, const iol_job *job) {
    iol__json_put_real(json, "bytes_read", layer->bytes_read);
    iol__json_put_real(json, "bytes_written", layer->bytes_written);
    iol__json_put_real(json, "reads", layer->reads);
    iol__json_put_real(json, "writes", layer->writes);
    iol__json_put_real(json, "read_time", layer->read_time);
    iol__json_put_real(json, "write_time", layer->write_time);
    iol__json_put_real(json, "meta_time", layer->meta_time);
    iol__json_put_real(json, "time", layer->time);
    put_summary_json_known(json, "bytes_per_second", layer->bytes_per_second);
    put_summary_json_known(json, "share_of_run_time", iol__layer_run_share(layer, job));
    put_summary_json_known(json, "metadata_share", iol__layer_meta_share(layer));
}

void iol__json_modules(iol__json *json, const iol__summary *summary) {
    iol__json_put_open(json, "modules", '[');
    for (size_t i = 0; i < summary->n_layers; i++) {
        const iol__layer *layer = &summary->layers[i];
        iol__json_open(json, '{');
        iol__json_module_facts(json, &layer->module);
        iol__json_put_bool(json, "readable", layer->readable);
        iol__json_put_bool(json, "damaged", layer->damaged);
        iol__json_put_u64(json, "records", layer->records);
        if (layer->traffic) summary_json_traffic(json, layer, iol_log_job(summary->log));
        const iol__summary_totals *totals = layer->totals;
        if (totals) summary_json_counters(json, totals);
        if (totals && totals->estimated) {
            performance(json, &totals->performance);
            summary_json_files(json, totals->files);
        }
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void top_files(iol__json *json, const iol__summary *summary) {
    iol__json_put_open(json, "top_files", '[');
    for (size_t i = 0; i < summary->n_top; i++) {
        const iol__file_total *file = &summary->top[i];
        iol__json_open(json, '{');
        iol__json_put_id(json, "id", file->id);
        iol__json_put_text(json, "name", iol_log_name(summary->log, file->id));
        iol__json_put_text(json, "module", iol__modules[file->slot].name);
        iol__json_put_bool(json, "shared", file->shared);
        int64_t processes = iol_log_job(summary->log)->processes;
        put_summary_json_known(json, "ranks",
                               file->shared ? processes > 0 ? (double)processes : -1 : (double)file->ranks);
        iol__json_put_real(json, "bytes_read", file->bytes_read);
        iol__json_put_real(json, "bytes_written", file->bytes_written);
        iol__json_put_real(json, "calls", file->calls);
        put_summary_json_known(json, "seeks", file->seeks);
        put_summary_json_known(json, "size", file->size);
        iol__json_put_real(json, "time", file->time);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void access_sizes(iol__json *json, const iol__summary *summary) {
    const iol__layer *layer = iol__summary_sizes(summary);
    iol__json_key(json, "access_sizes");
    if (!layer) {
        iol__json_text(json, NULL);
        return;
    }
    iol__json_open(json, '{');
    iol__json_put_text(json, "module", layer->module.name);
    iol__json_put_open(json, "buckets", '[');
    for (size_t b = 0; b < IOL_SIZE_BUCKETS; b++) {
        iol__json_open(json, '{');
        iol__json_put_i64(json, "above", b ? iol__size_bounds[b - 1] : 0);
        iol__json_put_real(json, "up_to", iol__size_bounds[b] ? (double)iol__size_bounds[b] : NAN);
        put_summary_json_known(json, "reads", iol__layer_size_count(layer, false, b));
        put_summary_json_known(json, "writes", iol__layer_size_count(layer, true, b));
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

/* The names of the modules for which `test` holds. */
static void module_list(iol__json *json, const char *key, const iol__summary *summary,
                        bool (*test)(const iol__layer *)) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < summary->n_layers; i++) {
        const iol_module *module = &summary->layers[i].module;
        if (!test(&summary->layers[i])) continue;
        if (module->name)
            iol__json_text(json, module->name);
        else
            iol__json_i64(json, module->slot);
    }
    iol__json_close(json, ']');
}

static bool summary_json_is_partial(const iol__layer *layer) { return layer->module.partial; }
static bool is_damaged(const iol__layer *layer) { return layer->damaged; }
static bool summary_json_is_unreadable(const iol__layer *layer) { return layer->module.length > 0 && !layer->readable; }

void iol__json_quality(iol__json *json, const iol__summary *summary) {
    const iol_info *info = iol_log_info(summary->log);
    uint64_t odd = 0;
    for (size_t i = 0; i < summary->n_layers; i++) odd += summary->layers[i].odd_records;
    iol__json_put_open(json, "quality", '{');
    iol__json_put_bool(json, "unfinished",
                       !info->job_damaged && (info->mapped || iol_log_job(summary->log)->end_seconds == 0));
    iol__json_put_bool(json, "job_damaged", info->job_damaged);
    iol__json_put_bool(json, "common_accesses_unreliable", info->minor == 20);
    module_list(json, "partial_modules", summary, summary_json_is_partial);
    module_list(json, "damaged_modules", summary, is_damaged);
    module_list(json, "unreadable_modules", summary, summary_json_is_unreadable);
    module_list(json, "older_modules", summary, iol__layer_is_older);
    iol__json_put_u64(json, "odd_records", odd);
    iol__json_put_u64(json, "added_damaged_bytes", iol_log_custom_damaged(summary->log));
    iol__json_put_bool(json, "top_files_approximate", summary->top_lossy);
    iol__json_put_u64(json, "error_count", iol_log_error_count(summary->log));
    iol__json_log_errors(json, summary->log);
    iol__json_close(json, '}');
}

enum { CUSTOM_SHOWN = 100 /* records of a module of others, and spans */ };

void iol__json_summary(iol__json *json, const iol__summary *summary) {
    iol__json_open(json, '{');
    iol__json_log_facts(json, summary->log);
    iol__json_figures(json, summary->figures.value);
    iol__json_modules(json, summary);
    top_files(json, summary);
    access_sizes(json, summary);
    iol__json_regions(json, summary->log, false);
    iol__json_custom(json, summary->log, &(iol__custom_choice){.most = CUSTOM_SHOWN});
    iol__json_quality(json, summary);
    iol__json_close(json, '}');
}
