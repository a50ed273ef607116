/* See oldmaker.h. */
#include "tests/support/oldmaker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif

static const om_version versions[] = {
    {"1.21", "1.21", 1, 121, 28, 0, 1024, 1192},      {"1.22", "1.22", 1, 122, 28, 0, 1024, 1248},
    {"1.23", "1.23", 1, 123, 28, 0, 1024, 1264},      {"1.24", "1.24", 1, 123, 28, 0, 1024, 1264},
    {"2.00", "2.00", 2, 200, 56, 0, 1024, 1328},      {"2.00-early", "2.00", 2, 123, 48, 0, 1024, 1264},
    {"2.01", "2.01", 2, 200, 120, 64, 1024, 1328},    {"2.02", "2.02", 2, 200, 120, 64, 1024, 1328},
    {"2.03", "2.03", 2, 200, 120, 64, 1024, 1328},    {"2.04", "2.04", 2, 200, 1080, 1024, 4096, 1328},
    {"2.05", "2.05", 2, 200, 1080, 1024, 4096, 1328}, {"2.06", "2.06", 2, 200, 1080, 1024, 4096, 1328},
};

size_t om_versions(void) { return sizeof versions / sizeof *versions; }
const om_version *om_version_at(size_t index) { return &versions[index]; }

const om_version *om_version_named(const char *name) {
    for (size_t i = 0; i < om_versions(); i++)
        if (strcmp(versions[i].name, name) == 0) return &versions[i];
    fprintf(stderr, "no old version is called %s\n", name);
    abort();
}

static int int_since(int index) {
    if ((index >= 23 && index <= 25) || index == 60 || index == 61) return 122; /* libraries; slowest calls */
    if (index == 138 || index == 139) return 123;                               /* device, size at open */
    return index >= 140 ? 200 : 121;                                            /* fastest and slowest rank */
}

static int real_since(int index) { return index >= 14 ? 200 : index >= 12 ? 122 : 121; }

bool om_has_int(const om_version *v, int index) { return int_since(index) <= v->knows; }
bool om_has_real(const om_version *v, int index) { return real_since(index) <= v->knows; }

void om_sample(om_record *record, uint64_t id, int64_t rank, const char *suffix, int seed) {
    *record = (om_record){.id = id, .rank = rank, .suffix = suffix};
    for (int i = 0; i < OM_INTS; i++) record->ints[i] = 1000 * seed + i + 1;
    for (int i = 0; i < OM_REALS; i++) record->reals[i] = seed + 0.125 * (i + 1);
    record->ints[138] = 12; /* the device */
}

void om_put_job(bytes *raw, const om_version *v, const om_job *job) {
    bytes_text(raw, v->text, 8);
    if (v->generation == 1) {
        bytes_u32(raw, 0);
        const int64_t fields[] = {job->uid, job->start, job->end, job->processes};
        for (int i = 0; i < 4; i++) bytes_u32(raw, (uint32_t)fields[i]);
    } else {
        const int64_t fields[] = {6567223, job->uid, job->start, job->end, job->processes, job->job_id};
        for (int i = 0; i < (v->job > 48 ? 6 : 5); i++) bytes_i64(raw, fields[i]);
    }
    bytes_text(raw, job->metadata ? job->metadata : "", (size_t)v->metadata);
    bytes_text(raw, job->text, (size_t)(v->area - v->job));
}

void om_put_record(bytes *raw, const om_version *v, const om_record *record) {
    bytes_u64(raw, record->id);
    if (v->generation == 1) {
        bytes_u32(raw, (uint32_t)record->rank);
        bytes_u32(raw, 0);
    } else {
        bytes_i64(raw, record->rank);
        bytes_text(raw, record->suffix, 16);
    }
    for (int i = 0; i < OM_INTS; i++)
        if (om_has_int(v, i)) bytes_i64(raw, record->ints[i]);
    for (int i = 0; i < OM_REALS; i++)
        if (om_has_real(v, i)) bytes_f64(raw, record->reals[i]);
    if (v->generation == 1) bytes_text(raw, record->suffix, 16);
}

void om_gzip(const bytes *raw, bytes *packed) {
    z_stream z = {0};
    if (deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    const uLong room = deflateBound(&z, (uLong)raw->length);
    uint8_t *out = need(room);
    z.next_in = raw->data;
    z.avail_in = (uInt)raw->length;
    z.next_out = out;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
    bytes_raw(packed, out, z.total_out);
    deflateEnd(&z);
    free(out);
}

bool om_bzip2(const bytes *raw, bytes *packed) {
#if IOL_HAVE_BZIP2
    unsigned room = (unsigned)(raw->length + raw->length / 50 + 1000);
    uint8_t *out = need(room);
    if (BZ2_bzBuffToBuffCompress((char *)out, &room, (char *)raw->data, (unsigned)raw->length, 9, 0, 0) != BZ_OK)
        abort();
    bytes_raw(packed, out, room);
    free(out);
    return true;
#else
    (void)raw, (void)packed;
    return false;
#endif
}

void om_log(bytes *raw, const om_version *v, bool big) {
    om_record record;
    const bool old = v->generation == 1;
    raw->big = big;
    om_put_job(raw, v,
               &(om_job){.uid = 4279,
                         .start = 1300000000,
                         .end = 1300000099,
                         .processes = 8,
                         .job_id = 180936,
                         .metadata = "lib_ver=2.2\nh=cb_nodes=4\n",
                         .text = "/home/user/app -f x\n10\tnfs\t/home\n12\tgpfs\t/scratch\n12345678901\text4\t/"});
    om_sample(&record, 11, -1, old ? "points.0001" : "checkpoint.0001", 1);
    om_put_record(raw, v, &record);
    om_sample(&record, 12, 3, "input.txt", 2);
    for (int i = 0; i <= 10; i++) record.ints[i] = 0; /* no MPI-IO */
    record.ints[45] = record.ints[23] = record.ints[24] = record.ints[25] = 0;
    record.ints[138] = 10;
    om_put_record(raw, v, &record);
    record = (om_record){.id = 13, .rank = 0, .suffix = "log", .ints = {[19] = 2, [17] = 5, [47] = 4096}};
    om_put_record(raw, v, &record);
}

void om_put_single_layers(bytes *raw, const om_version *v) {
    om_record record = {
        .id = 14, .rank = 1, .suffix = "mpi", .ints = {[0] = 2, [53] = 8, [60] = 7}, .reals = {[8] = 0.1}};
    record.reals[9] = 0.25;
    om_put_record(raw, v, &record);
    record = (om_record){.id = 15, .rank = 1, .suffix = "h5", .ints = {[25] = 3, [44] = 1}, .reals = {[0] = 1.5}};
    record.reals[11] = 0.7;
    om_put_record(raw, v, &record);
}
