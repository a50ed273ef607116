/* Makes up records. A number depends on the seed, the file, the rank and its place only, so that no order of writing
   matters. Finished logs go through the public writer; mapped ones are laid out by logmaker, as the runtime would. */
#include "tests/support/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"
#include "tests/support/logrecords.h"
#include "tests/support/runmaker.h"

enum { NAME_ROOM = 160, RUN_SECONDS = 60, FILES_A_RUN = 1024, BINS = 60, MAPPED_BINS = 200, OSTS = 4, BATCH = 256 };

static const int64_t start_seconds = 1700000000;

/* Numbers --------------------------------------------------------------------------------------------------------- */

typedef struct dice {
    uint64_t state;
} dice;

static uint64_t scramble(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t roll(dice *d) { return scramble(d->state += UINT64_C(0x9e3779b97f4a7c15)); }

static dice dice_for(const gen_plan *plan, int slot, uint64_t file, uint64_t rank) {
    return (dice){scramble(scramble(scramble(plan->seed + (uint64_t)slot) + file) + rank)};
}

/* Seconds up to `most`: any, or one of four values. */
static double seconds(const gen_plan *plan, dice *d, double most) {
    uint64_t number = roll(d);
    if (!plan->real) return most * (double)(1 + number % 4) / 8;
    return most * (double)(1 + (number >> 12)) / 0x1p52;
}

/* As writers get it: the difference of two readings of a clock that counts from 1970, in doubles. */
static double on_clock(const gen_plan *plan, double time) {
    return plan->real ? ((double)start_seconds + time) - (double)start_seconds : time;
}

/* Records of fixed layout ----------------------------------------------------------------------------------------- */

/* The counters that a made-up record fills, by the end of their names. */
enum {
    OPENS,
    WRITES,
    FSYNCS,
    SEQUENTIAL,
    CONSECUTIVE,
    HIGHEST,
    OPEN_START,
    WRITE_START,
    CLOSE_START,
    OPEN_END,
    WRITE_END,
    CLOSE_END,
    LONGEST,
    ENDINGS
};

static const char *const endings[ENDINGS] = {
    [OPENS] = "_OPENS",
    [WRITES] = "_WRITES",
    [FSYNCS] = "_FSYNCS",
    [SEQUENTIAL] = "_SEQ_WRITES",
    [CONSECUTIVE] = "_CONSEC_WRITES",
    [HIGHEST] = "_MAX_BYTE_WRITTEN",
    [OPEN_START] = "_F_OPEN_START_TIMESTAMP",
    [WRITE_START] = "_F_WRITE_START_TIMESTAMP",
    [CLOSE_START] = "_F_CLOSE_START_TIMESTAMP",
    [OPEN_END] = "_F_OPEN_END_TIMESTAMP",
    [WRITE_END] = "_F_WRITE_END_TIMESTAMP",
    [CLOSE_END] = "_F_CLOSE_END_TIMESTAMP",
    [LONGEST] = "_F_MAX_WRITE_TIME",
};

/* Where those counters are in a module; -1 where it has no such. */
typedef struct places {
    int at[ENDINGS];
} places;

static bool ends_in(const iol__counter *counter, const char *ending) {
    size_t length = strlen(ending);
    return counter->name_length > length && strcmp(counter->name + counter->name_length - length, ending) == 0;
}

static places find_places(int slot) {
    const iol__module *module = &iol__modules[slot];
    places found;
    for (int e = 0; e < ENDINGS; e++) {
        found.at[e] = -1;
        for (int i = module->ints + module->reals - 1; i >= 0; i--)
            if (ends_in(&module->counters[i], endings[e])) found.at[e] = i < module->ints ? i : i - module->ints;
    }
    return found;
}

static void set_int(lm_counts *counts, int at, int64_t value) {
    if (at >= 0) counts->ints[at] = value;
}

static void set_real(lm_counts *counts, int at, double value) {
    if (at >= 0) counts->reals[at] = value;
}

/* One file after the other. */
static void fill_times(const gen_plan *plan, const places *p, uint64_t file, dice *d, lm_counts *counts) {
    double place = plan->real ? (double)(file % FILES_A_RUN) / FILES_A_RUN : 0;
    double opened = on_clock(plan, RUN_SECONDS * place + seconds(plan, d, 0.01));
    double wrote = on_clock(plan, opened + seconds(plan, d, 0.001));
    double writing = on_clock(plan, seconds(plan, d, 0.04)), closing = on_clock(plan, seconds(plan, d, 0.001));
    set_real(counts, p->at[OPEN_START], opened);
    set_real(counts, p->at[OPEN_END], wrote);
    set_real(counts, p->at[WRITE_START], wrote);
    set_real(counts, p->at[WRITE_END], wrote + writing);
    set_real(counts, p->at[CLOSE_START], wrote + writing);
    set_real(counts, p->at[CLOSE_END], wrote + writing + closing);
    set_real(counts, p->at[LONGEST], on_clock(plan, writing / 4));
}

static void fill_extremes(const iol__roles *roles, const gen_plan *plan, dice *d, lm_counts *counts) {
    int64_t each = counts->ints[roles->bytes_written] / (int64_t)plan->ranks;
    counts->ints[roles->fastest_rank] = (int64_t)(roll(d) % plan->ranks);
    counts->ints[roles->slowest_rank] = (int64_t)(roll(d) % plan->ranks);
    counts->ints[roles->fastest_bytes] = counts->ints[roles->slowest_bytes] = each;
    counts->reals[roles->fastest_time] = on_clock(plan, seconds(plan, d, 0.5));
    counts->reals[roles->slowest_time] = on_clock(plan, 1 + seconds(plan, d, 8));
    if (roles->variance_time >= 0) counts->reals[roles->variance_time] = seconds(plan, d, 2);
}

static void fill_traffic(const gen_plan *plan, int slot, dice *d, int64_t calls, lm_counts *counts) {
    const iol__roles *roles = iol__modules[slot].roles;
    const int64_t size = 1 << 20;
    counts->ints[roles->bytes_written] = calls * size;
    if (roles->write_buckets >= 0) counts->ints[roles->write_buckets + 4] = calls;
    for (int i = 0; i < 2; i++) {
        if (roles->common[i].values < 0) continue;
        counts->ints[roles->common[i].values] = size;
        counts->ints[roles->common[i].counts] = calls;
    }
    counts->reals[roles->write_time] = on_clock(plan, seconds(plan, d, 0.04));
    counts->reals[roles->meta_time] = on_clock(plan, seconds(plan, d, 0.002));
}

/* Only counters at these places are ever touched, so that `counts` need not be cleared between records. */
static void fill(const gen_plan *plan, int slot, const places *p, uint64_t file, uint64_t rank, bool shared,
                 lm_counts *counts) {
    const iol__roles *roles = iol__modules[slot].roles;
    dice d = dice_for(plan, slot, file, rank);
    int64_t calls = 1 + (int64_t)(roll(&d) % 4);
    set_int(counts, p->at[OPENS], 1);
    set_int(counts, p->at[WRITES], calls);
    set_int(counts, p->at[FSYNCS], 1);
    set_int(counts, p->at[SEQUENTIAL], calls - 1);
    set_int(counts, p->at[CONSECUTIVE], calls - 1);
    fill_times(plan, p, file, &d, counts);
    if (!roles->traffic) return;
    fill_traffic(plan, slot, &d, calls, counts);
    set_int(counts, p->at[HIGHEST], counts->ints[roles->bytes_written] - 1);
    if (shared) fill_extremes(roles, plan, &d, counts);
}

/* Names and files ------------------------------------------------------------------------------------------------- */

/* Shared files come first, then those of rank 0, of rank 1, ... */
static uint64_t first_file(const gen_plan *plan, uint64_t rank) {
    uint64_t each = plan->files / plan->ranks, more = plan->files % plan->ranks;
    return plan->shared + rank * each + (rank < more ? rank : more);
}

static void put_digits(char *end, int digits, uint64_t number) {
    for (int i = 1; i <= digits; i++, number /= 10) end[-i] = (char)('0' + number % 10);
}

/* Not by snprintf(): a million of these would be a good part of what is measured. */
static void file_name(uint64_t file, char name[NAME_ROOM]) {
    static const char pattern[] = "/scratch/project/run-000000/output.0000000000.dat";
    memcpy(name, pattern, sizeof pattern);
    put_digits(name + 27, 6, file / 1024);
    put_digits(name + 45, 10, file);
}

/* Datasets and variables have names, and so ids, of their own. */
static void object_name(uint64_t file, int slot, char name[NAME_ROOM]) {
    file_name(file, name);
    size_t length = strlen(name);
    if (slot == IOL_SLOT_H5D) snprintf(name + length, NAME_ROOM - length, ":/field");
    if (slot == IOL_SLOT_PNETCDF_VAR) snprintf(name + length, NAME_ROOM - length, ":pressure");
}

static bool has_own_name(int slot) { return slot == IOL_SLOT_H5D || slot == IOL_SLOT_PNETCDF_VAR; }

static uint64_t object_id(uint64_t file, int slot) {
    char name[NAME_ROOM];
    object_name(file, slot, name);
    return iol_name_id(name, strlen(name));
}

static const char heatmap_name[] = "heatmap:POSIX";

bool gen_possible(int slot) {
    if (slot <= IOL_SLOT_NULL || slot >= IOL_SLOTS_KNOWN || slot == IOL_SLOT_BGQ) return false;
    return iol__modules[slot].form == IOL_FORM_FIXED || slot == IOL_SLOT_LUSTRE;
}

static bool has(const gen_plan *plan, int slot) { return plan->modules >> slot & 1; }

/* A finished log -------------------------------------------------------------------------------------------------- */

static iol_status write_job(const gen_plan *plan, iol_writer *writer) {
    static const char *const mounts[] = {"/scratch", "lustre", "/", "ext4"};
    const iol_job job = {.uid = 1000,
                         .start_seconds = start_seconds,
                         .end_seconds = start_seconds + RUN_SECONDS,
                         .processes = (int64_t)plan->ranks,
                         .job_id = 4711,
                         .exe = "/opt/app/solver --input case.nml"};
    return iol_writer_job(writer, &job, "lib_ver=3.5.0\n", mounts, 2);
}

static iol_status write_names(const gen_plan *plan, iol_writer *writer) {
    iol_status status = IOL_OK;
    for (uint64_t file = 0; status == IOL_OK && file < plan->shared + plan->files; file++) {
        char name[NAME_ROOM];
        file_name(file, name);
        status = iol_writer_name(writer, iol_name_id(name, strlen(name)), name);
        for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
            if (!has(plan, slot) || !has_own_name(slot)) continue;
            object_name(file, slot, name);
            status = iol_writer_name(writer, iol_name_id(name, strlen(name)), name);
        }
    }
    if (status == IOL_OK && plan->heatmap)
        status = iol_writer_name(writer, iol_name_id(heatmap_name, sizeof heatmap_name - 1), heatmap_name);
    return status;
}

/* The counters that fill() may have set, for the public interface. */
static iol_status set_counters(iol_record *record, int slot, const lm_counts *counts) {
    const iol__module *module = &iol__modules[slot];
    iol_status status = IOL_OK;
    for (unsigned i = 0; status == IOL_OK && i < module->ints; i++)
        status = iol_record_set_int(record, i, counts->ints[i]);
    for (unsigned i = 0; status == IOL_OK && i < module->reals; i++)
        status = iol_record_set_real(record, module->ints + i, counts->reals[i]);
    return status;
}

static iol_status write_fixed(const gen_plan *plan, iol_writer *writer, iol_record *record, int slot) {
    const places p = find_places(slot);
    lm_counts counts[2] = {0}; /* of all ranks, of one */
    iol_status status = IOL_OK;
    uint64_t rank = 0;
    for (uint64_t file = 0; status == IOL_OK && file < plan->shared + plan->files; file++) {
        bool shared = file < plan->shared;
        while (!shared && file >= first_file(plan, rank + 1)) rank++;
        lm_counts *values = &counts[!shared];
        fill(plan, slot, &p, file, rank, shared, values);
        iol_record_set_base(record, object_id(file, slot), shared ? -1 : (int64_t)rank);
        if (has_own_name(slot)) iol_record_set_owner(record, object_id(file, IOL_SLOT_POSIX));
        status = set_counters(record, slot, values);
        if (status == IOL_OK) status = iol_writer_record(writer, record);
    }
    return status;
}

static void stripe_over(const gen_plan *plan, uint64_t file, int64_t osts[OSTS]) {
    dice d = dice_for(plan, IOL_SLOT_LUSTRE, file, 0);
    int64_t first = (int64_t)(roll(&d) % 100);
    for (int i = 0; i < OSTS; i++) osts[i] = first + i;
}

static iol_status write_lustre(const gen_plan *plan, iol_writer *writer, iol_record *record) {
    iol_status status = IOL_OK;
    uint64_t rank = 0;
    for (uint64_t file = 0; status == IOL_OK && file < plan->shared + plan->files; file++) {
        int64_t osts[OSTS];
        bool shared = file < plan->shared;
        while (!shared && file >= first_file(plan, rank + 1)) rank++;
        stripe_over(plan, file, osts);
        iol_record_set_base(record, object_id(file, IOL_SLOT_LUSTRE), shared ? -1 : (int64_t)rank);
        const iol_stripes stripes = {.size = 1 << 20, .count = OSTS, .extent_end = -1, .pool = "flash"};
        status = iol_record_set_components(record, &stripes, 1, osts);
        if (status == IOL_OK) status = iol_writer_record(writer, record);
    }
    return status;
}

/* Each rank's operations on its first file, or on the first shared one. */
static iol_status write_traces(const gen_plan *plan, iol_writer *writer, iol_record *record) {
    iol_status status = IOL_OK;
    for (uint64_t rank = 0; status == IOL_OK && rank < plan->ranks; rank++) {
        dice d = dice_for(plan, IOL_SLOT_DXT_POSIX, 0, rank);
        iol_trace trace = {.writes = plan->segments};
        snprintf(trace.host, sizeof trace.host, "node%05llu", (unsigned long long)(rank / 64));
        uint64_t file = first_file(plan, rank) < first_file(plan, rank + 1) ? first_file(plan, rank) : 0;
        iol_record_set_base(record, object_id(file, IOL_SLOT_POSIX), (int64_t)rank);
        status = iol_record_set_trace(record, &trace);
        if (status == IOL_OK) status = iol_writer_record(writer, record);
        double now = 0;
        for (uint64_t done = 0; status == IOL_OK && done < plan->segments;) {
            iol_segment batch[BATCH];
            size_t n = 0;
            for (; n < BATCH && done < plan->segments; n++, done++) {
                double took = seconds(plan, &d, 0.001);
                batch[n] = (iol_segment){(int64_t)done << 20, 1 << 20, now, now + took, 0};
                now += took + seconds(plan, &d, 0.001);
            }
            status = iol_writer_segments(writer, batch, n);
        }
    }
    return status;
}

static void fill_bins(const gen_plan *plan, uint64_t rank, int64_t *written, int64_t *read, size_t bins) {
    dice d = dice_for(plan, IOL_SLOT_HEATMAP, 0, rank);
    for (size_t i = 0; i < bins; i++) {
        uint64_t number = roll(&d);
        written[i] = number % 3 ? 0 : (int64_t)(number >> 40);
        read[i] = 0;
    }
}

static iol_status write_heatmaps(const gen_plan *plan, iol_writer *writer, iol_record *record) {
    iol_status status = IOL_OK;
    for (uint64_t rank = 0; status == IOL_OK && rank < plan->ranks; rank++) {
        int64_t written[BINS], read[BINS];
        fill_bins(plan, rank, written, read, BINS);
        iol_record_set_base(record, iol_name_id(heatmap_name, sizeof heatmap_name - 1), (int64_t)rank);
        status = iol_record_set_heatmap(record, &(iol_heatmap){1.0, BINS, written, read});
        if (status == IOL_OK) status = iol_writer_record(writer, record);
    }
    return status;
}

static iol_status write_module(const gen_plan *plan, iol_writer *writer, int slot) {
    iol_record *record = iol_record_new(slot);
    if (!record) return IOL_SYSTEM;
    iol_status status = iol_writer_module(writer, slot, false);
    if (status == IOL_OK && slot == IOL_SLOT_LUSTRE)
        status = write_lustre(plan, writer, record);
    else if (status == IOL_OK && slot == IOL_SLOT_DXT_POSIX)
        status = write_traces(plan, writer, record);
    else if (status == IOL_OK && slot == IOL_SLOT_HEATMAP)
        status = write_heatmaps(plan, writer, record);
    else if (status == IOL_OK)
        status = write_fixed(plan, writer, record, slot);
    iol_record_free(record);
    return status;
}

static bool write_finished(const gen_plan *plan, const char *path, iol_error *error) {
    iol_writer *writer;
    if (iol_writer_open(path, &plan->write, &writer, error) != IOL_OK) return false;
    iol_status status = write_job(plan, writer);
    if (status == IOL_OK) status = write_names(plan, writer);
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        bool wanted = has(plan, slot) || (slot == IOL_SLOT_DXT_POSIX && plan->segments) ||
                      (slot == IOL_SLOT_HEATMAP && plan->heatmap);
        if (wanted) status = write_module(plan, writer, slot);
    }
    if (status == IOL_OK) status = iol_writer_finish(writer);
    if (status == IOL_OK) return true;
    *error = *iol_writer_error(writer);
    iol_writer_abort(writer);
    return false;
}

/* Mapped logs ----------------------------------------------------------------------------------------------------- */

static void add_file(const gen_plan *plan, lm_log *log, const places *all, uint64_t file, uint64_t rank) {
    int64_t stored = plan->layout == GEN_MAPPED ? (int64_t)rank : 0;
    char name[NAME_ROOM];
    file_name(file, name);
    lm_name(log, lm_id(name), name);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!has(plan, slot)) continue;
        bytes *records = lm_records(log, slot, lm_newest(slot));
        object_name(file, slot, name);
        uint64_t id = lm_id(name);
        if (has_own_name(slot)) lm_name(log, id, name);
        if (slot == IOL_SLOT_LUSTRE) {
            int64_t osts[OSTS];
            stripe_over(plan, file, osts);
            lm_lustre_2(records, id, stored, &(lm_component){{1 << 20, OSTS, 0, 0, 0, -1, 0}, "flash"}, 1, osts, OSTS);
        } else {
            lm_counts counts = {0};
            fill(plan, slot, &all[slot], file, rank, false, &counts);
            lm_fixed(records, slot, lm_newest(slot), id, stored, object_id(file, IOL_SLOT_POSIX), &counts);
        }
    }
}

static lm_log *mapped_log(const gen_plan *plan, const places *all, uint64_t rank) {
    lm_log *log = lm_new(41, false, LM_NONE);
    lm_make_mapped(log);
    log->start = start_seconds;
    log->start_ns = plan->layout == GEN_PROCESSES ? (int64_t)(rank % 1000) * 1000000 : 0;
    log->processes = plan->layout == GEN_MAPPED ? (int64_t)plan->ranks : 1;
    log->job_id = 4711;
    for (uint64_t file = 0; file < plan->shared; file++) add_file(plan, log, all, file, rank);
    for (uint64_t file = first_file(plan, rank); file < first_file(plan, rank + 1); file++)
        add_file(plan, log, all, file, rank);
    if (plan->heatmap) {
        int64_t written[MAPPED_BINS] = {0}, read[MAPPED_BINS] = {0};
        fill_bins(plan, rank, written, read, BINS);
        lm_name(log, lm_id(heatmap_name), heatmap_name);
        lm_heatmap(lm_records(log, IOL_SLOT_HEATMAP, 1), lm_id(heatmap_name),
                   plan->layout == GEN_MAPPED ? (int64_t)rank : 0, 1.0, MAPPED_BINS, written, read);
    }
    return log;
}

/* The same as a frame of a spool. */
static void spool_process(const gen_plan *plan, const places *all, uint64_t rank, bytes *spool, bytes *list) {
    lm_log *log = mapped_log(plan, all, rank);
    const iol__mapped facts = {.ended = IOL_ENDED_EXIT,
                               .pid = (int32_t)(1000 + rank),
                               .parent = 999,
                               .born = 100 + rank,
                               .run = plan->seed,
                               .zero_s = log->start,
                               .zero_ns = log->start_ns,
                               .start = 0.001 * (double)(rank + 1),
                               .end = 100};
    rm_make(log, &facts);
    rm_process(list, &facts, "/opt/app/bin/worker --number 1 of many", 0);
    rm_spool(spool, log);
}

static bool write_bytes(const char *path, const void *data, size_t length) {
    FILE *file = fopen(path, "wbx");
    if (!file) return false;
    bool good = fwrite(data, 1, length, file) == length;
    return fclose(file) == 0 && good;
}

static bool write_mapped(const gen_plan *plan, const char *folder, iol_error *error) {
    places all[IOL_SLOTS_KNOWN];
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++)
        if (has(plan, slot) && slot != IOL_SLOT_LUSTRE) all[slot] = find_places(slot);
    for (uint64_t rank = 0; rank < plan->ranks; rank++) {
        char path[4096];
        size_t length;
        lm_log *log = mapped_log(plan, all, rank);
        uint8_t *file = lm_finish(log, &length);
        lm_free(log);
        snprintf(path, sizeof path, "%s/mapped-%08llu.darshan", folder, (unsigned long long)rank);
        bool good = write_bytes(path, file, length);
        free(file);
        if (good) continue;
        *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .offset = IOL_NO_OFFSET};
        snprintf(error->message, sizeof error->message, "cannot write %.300s: %m", path);
        return false;
    }
    return true;
}

static bool write_run(const gen_plan *plan, const char *folder, iol_error *error) {
    places all[IOL_SLOTS_KNOWN];
    bytes spool = {0}, list = {0};
    char path[4096];
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++)
        if (has(plan, slot) && slot != IOL_SLOT_LUSTRE) all[slot] = find_places(slot);
    for (uint64_t rank = 0; rank < plan->ranks; rank++) spool_process(plan, all, rank, &spool, &list);
    snprintf(path, sizeof path, "%s/%s", folder, IOL_RUN_SPOOL);
    bool good = write_bytes(path, spool.data, spool.length);
    if (good) snprintf(path, sizeof path, "%s/%s", folder, IOL_RUN_PROCESSES);
    good = good && write_bytes(path, list.data, list.length);
    bytes_free(&spool);
    bytes_free(&list);
    if (good) return true;
    *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .offset = IOL_NO_OFFSET};
    snprintf(error->message, sizeof error->message, "cannot write %.300s: %m", path);
    return false;
}

bool gen_write(const gen_plan *plan, const char *to, iol_error *error) {
    if (plan->layout == GEN_FINISHED) return write_finished(plan, to, error);
    return plan->layout == GEN_RUN ? write_run(plan, to, error) : write_mapped(plan, to, error);
}
