/* The facts of a log as JSON. */
#include "report/log_json.h"

#include <math.h>

#include "log/read/methods.h"
#include "log/trailer/lustre.h"
#include "log/trailer/operations.h"
#include "log/trailer/platform.h"
#include "log/trailer/processes.h"
#include "log/trailer/unseen.h"
#include "log/trailer/id_pairs.h"
#include "log/read/log_internal.h"
#include "record/mapped.h"

/* A key may occur twice in the text; an object must have it once. */
static bool key_seen_before(const iol_log *log, size_t index, const char *key) {
    const char *other, *value;
    for (size_t i = 0; i < index; i++)
        if (iol_log_metadata(log, i, &other, &value) == IOL_OK && strcmp(key, other) == 0) return true;
    return false;
}

static void log_json_metadata(iol__json *json, const iol_log *log) {
    iol__json_put_open(json, "metadata", '{');
    const char *key, *value;
    for (size_t i = 0; i < iol_log_metadata_count(log); i++) {
        if (iol_log_metadata(log, i, &key, &value) != IOL_OK || key_seen_before(log, i, key)) continue;
        iol__json_key_text(json, key);
        iol__json_text(json, value);
    }
    iol__json_close(json, '}');
}

static void put_if_known(iol__json *json, const char *key, int64_t value, bool known) {
    if (known)
        iol__json_put_i64(json, key, value);
    else
        iol__json_put_real(json, key, NAN);
}

void iol__json_job_members(iol__json *json, const iol_log *log) {
    const iol_job *j = iol_log_job(log);
    iol__json_put_i64(json, "uid", j->uid);
    put_if_known(json, "job_id", j->job_id, iol__job_id_known(log));
    iol__json_put_text(json, "exe", j->exe);
    put_if_known(json, "start_time", j->start_seconds, iol__start_known(log));
    iol__json_put_i64(json, "start_nanoseconds", j->start_nanoseconds);
    put_if_known(json, "end_time", j->end_seconds, iol__start_known(log));
    iol__json_put_i64(json, "end_nanoseconds", j->end_nanoseconds);
    iol__json_put_real(json, "run_time", j->run_time);
    iol__json_put_i64(json, "processes", j->processes);
    log_json_metadata(json, log);
}

void iol__json_mounts(iol__json *json, const iol_log *log) {
    iol__json_put_open(json, "mounts", '[');
    const char *point, *type;
    for (size_t i = 0; i < iol_log_mount_count(log); i++) {
        if (iol_log_mount(log, i, &point, &type) != IOL_OK) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "mount_point", point);
        iol__json_put_text(json, "fs_type", type);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static bool process(void *context, const iol__process *p) {
    static const char *const targets[3] = {"stdin", "stdout", "stderr"};
    iol__json *json = context;
    iol__json_open(json, '{');
    iol__json_put_i64(json, "rank", p->rank);
    iol__json_put_i64(json, "pid", p->pid);
    iol__json_put_i64(json, "parent", p->parent);
    iol__json_put_real(json, "start", p->start);
    iol__json_put_real(json, "end", p->end);
    iol__json_put_text(json, "ended", p->ended == IOL_ENDED_EXIT ? "exit" : p->ended == IOL_ENDED_EXEC ? "exec" : NULL);
    if (p->signal > 0) iol__json_put_i64(json, "signal", p->signal);
    if (p->status > 0) iol__json_put_i64(json, "status", p->status);
    iol__json_put_text(json, "command", p->images[p->n_images - 1]);
    if (p->n_images > 1) {
        iol__json_put_open(json, "images", '[');
        for (size_t i = 0; i < p->n_images; i++) iol__json_text(json, p->images[i]);
        iol__json_close(json, ']');
    }
    for (int i = 0; i < 3; i++)
        if (p->targets[i] && *p->targets[i]) iol__json_put_text(json, targets[i], p->targets[i]);
    iol__json_close(json, '}');
    return true;
}

void iol__json_processes(iol__json *json, iol_log *log) {
    if (!iol__processes_any(log)) return;
    iol__json_put_open(json, "processes", '[');
    iol__processes_each(log, process, json);
    iol__json_close(json, ']');
}

void iol__json_unseen(iol__json *json, iol_log *log) {
    iol__unseen unseen = {0};
    iol__unseen_add(log, &unseen);
    if (!iol__unseen_total(&unseen)) return;
    iol__json_put_open(json, "not_recorded", '[');
    for (size_t i = 0; i < unseen.count; i++) {
        const iol__unseen_program *one = &unseen.of[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "why", iol__unseen_name(one->why));
        iol__json_put_text(json, "program", one->program[0] ? one->program : NULL);
        iol__json_put_u64(json, "count", one->count);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__json_folded(iol__json *json, iol_log *log) {
    iol__folded counts = {0};
    iol__folded_add(log, &counts);
    if (!iol__folded_any(&counts)) return;
    iol__json_put_open(json, "folded", '{');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (counts.files[slot]) iol__json_put_u64(json, iol__modules[slot].name, counts.files[slot]);
    if (counts.trace_lost) iol__json_put_u64(json, "trace_lost", counts.trace_lost);
    if (counts.lost) iol__json_put_u64(json, "lost", counts.lost);
    if (counts.ring_unseen) iol__json_put_u64(json, "ring_unseen", counts.ring_unseen);
    if (counts.calls_unseen) iol__json_put_u64(json, "calls_unseen", counts.calls_unseen);
    if (counts.spaces_unseen) iol__json_put_u64(json, "spaces_unseen", counts.spaces_unseen);
    if (counts.stopped) iol__json_put_u64(json, "stopped", counts.stopped);
    if (counts.trailer_lost) iol__json_put_u64(json, "trailer_lost", counts.trailer_lost);
    iol__json_close(json, '}');
}

void iol__json_operations(iol__json *json, iol_log *log) {
    iol__operation_totals totals = {0};
    iol__operations_add(log, &totals);
    if (!iol__operations_any(&totals)) return;
    iol__json_put_open(json, "operations", '{');
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        const iol__operation_total *total = &totals.of[i];
        if (!total->count && !total->failed) continue;
        iol__json_put_open(json, iol__operation_name(i), '{');
        iol__json_put_u64(json, "count", total->count);
        iol__json_put_u64(json, "failed", total->failed);
        iol__json_put_real(json, "time", total->time);
        iol__json_put_real(json, "slowest", total->slowest);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void json_lustre(iol__json *json, iol_log *log) {
    iol__lustre_list list = {0};
    iol__lustre_add(log, &list);
    if (list.count == 0) return;
    iol__json_put_open(json, "lustre", '{');
    for (size_t i = 0; i < list.count; i++) {
        const iol__lustre_total *total = &list.of[i];
        iol__json_put_open(json, total->name, '{');
        iol__json_put_text(json, "mount", total->mount);
        if (total->osts) iol__json_put_i64(json, "osts", total->osts);
        if (total->mdts) iol__json_put_i64(json, "mdts", total->mdts);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void put_log_json_known(iol__json *json, const char *key, const char *text) {
    if (text && *text) iol__json_put_text(json, key, text);
}

static void json_platform(iol__json *json, iol_log *log) {
    iol__platform p;
    iol__platform_read(log, &p);
    if (p.nodes) {
        iol__json_put_open(json, "platform", '{');
        iol__json_put_i64(json, "nodes", p.nodes);
        iol__json_put_i64(json, "ranks_per_node_min", p.ranks_per_node[0]);
        iol__json_put_i64(json, "ranks_per_node_max", p.ranks_per_node[1]);
        put_log_json_known(json, "node_list", p.node_list);
        put_log_json_known(json, "scheduler", p.scheduler);
        put_log_json_known(json, "scheduler_job", p.scheduler_job);
        put_log_json_known(json, "mpi", p.mpi);
        put_log_json_known(json, "kernel", p.kernel);
        put_log_json_known(json, "machine", p.machine);
        put_log_json_known(json, "processor", p.processor);
        if (p.page_bytes) iol__json_put_i64(json, "page_bytes", p.page_bytes);
        put_log_json_known(json, "container", p.container);
        iol__json_close(json, '}');
    }
    iol__platform_free(&p);
}

static void json_pairs(iol__json *json, iol_log *log, iol__id_pairs_kind kind, const char *key) {
    iol__id_pairs pairs = {0};
    char id[24];
    if (iol__id_pairs_add(log, kind, 0, &pairs) && pairs.ids.count) {
        iol__json_put_open(json, key, '{');
        for (size_t i = 0; i < pairs.ids.count; i++) {
            snprintf(id, sizeof id, "%llu", (unsigned long long)pairs.ids.keys[i]);
            if (kind == IOL_PAIRS_SIZES)
                iol__json_put_i64(json, id, pairs.values[i]);
            else
                iol__json_put_real(json, id, iol__id_pairs_time(&pairs, pairs.ids.keys[i]));
        }
        iol__json_close(json, '}');
    }
    iol__id_pairs_free(&pairs);
}

void iol__json_log_form(iol__json *json, const iol_log *log) {
    const iol_info *info = iol_log_info(log);
    iol__json_put_text(json, "version", info->version);
    iol__json_put_text(json, "compression", iol__method_name(info->compression));
    iol__json_put_bool(json, "foreign_order", info->foreign_order);
    iol__json_put_bool(json, "mapped", info->mapped);
    iol__json_put_u64(json, "file_bytes", info->file_bytes);
    const char *note;
    iol__json_put_open(json, "notes", '[');
    for (size_t i = 0; (note = iol__log_note(log, i)); i++) iol__json_text(json, note);
    iol__json_close(json, ']');
}

void iol__json_log_facts(iol__json *json, iol_log *log) {
    iol__json_put_text(json, "path", iol_log_info(log)->path);
    iol__json_log_form(json, log);
    iol__json_put_open(json, "job", '{');
    iol__json_job_members(json, log);
    iol__json_close(json, '}');
    iol__json_mounts(json, log);
    iol__json_processes(json, log);
    iol__json_folded(json, log);
    iol__json_unseen(json, log);
    iol__json_operations(json, log);
    json_platform(json, log);
    json_lustre(json, log);
    iol__json_hints(json, log);
    json_pairs(json, log, IOL_PAIRS_SIZES, "file_sizes");
    json_pairs(json, log, IOL_PAIRS_REMOVED, "removed_files");
}

void iol__json_module_facts(iol__json *json, const iol_module *module) {
    iol__json_put_text(json, "name", module->name);
    iol__json_put_i64(json, "slot", module->slot);
    iol__json_put_u64(json, "version", module->version);
    iol__json_put_u64(json, "bytes", module->length);
    iol__json_put_bool(json, "partial", module->partial);
}

void iol__json_figures(iol__json *json, const double value[IOL_JOB_FIGURES]) {
    iol__json_put_open(json, "figures", '{');
    for (int i = 0; i < IOL_JOB_FIGURES; i++) iol__json_put_real(json, iol__figure_infos[i].name, value[i]);
    iol__json_close(json, '}');
}

static void put_log_json_error(iol__json *json, const iol_error *error) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "status", iol_status_text(error->status));
    iol__json_put_i64(json, "slot", error->slot);
    if (error->offset != IOL_NO_OFFSET) iol__json_put_u64(json, "offset", error->offset);
    iol__json_put_text(json, "message", error->message);
    iol__json_close(json, '}');
}

void iol__json_log_errors(iol__json *json, const iol_log *log) {
    iol__json_put_open(json, "errors", '[');
    const iol_error *error;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++) put_log_json_error(json, error);
    iol__json_close(json, ']');
}

void iol__json_unreadable(iol__json *json, const char *path, const iol_error *error) {
    iol__json_open(json, '{');
    if (path) iol__json_put_text(json, "path", path);
    iol__json_put_bool(json, "unreadable", true);
    iol__json_put_open(json, "errors", '[');
    put_log_json_error(json, error);
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}
