/* The table of seed logs. Most rows are one module in one record version; the rest have a function that puts in what
   they are named for. */
#include "tests/support/custommaker.h"
#include "tests/support/seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"
#include "tests/support/demo.h"
#include "tests/support/logrecords.h"
#include "tests/support/runmaker.h"

typedef struct seed {
    const char *name;
    int minor;
    bool big;
    uint8_t compression;
    int slot; /* with `version`: two sample records of a module */
    unsigned version;
    void (*build)(lm_log *log);
} seed;

static uint64_t named(lm_log *log, const char *name) {
    uint64_t id = lm_id(name);
    lm_name(log, id, name);
    return id;
}

/* A record of one rank and one of all ranks where the module knows such. */
static void two_records(lm_log *log, int slot, unsigned version) {
    bool per_rank = slot == LM_DXT_POSIX || slot == LM_DXT_MPIIO || slot == LM_HEATMAP || slot == LM_APMPI;
    lm_sample(log, slot, version, named(log, "/scratch/data/first.dat"), 0, 1);
    lm_sample(log, slot, version, named(log, "/home/user/second.dat"), per_rank ? 1 : -1, 2);
}

static void every_module(lm_log *log) {
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++)
        if (lm_stored_slot(log->minor, slot) >= 0) two_records(log, slot, lm_newest(slot));
}

/* What release 3.1.x could write. */
static void modules_of_3_10(lm_log *log) {
    two_records(log, LM_POSIX, 3);
    two_records(log, LM_MPIIO, 2);
    two_records(log, LM_PNETCDF_FILE, 1);
    two_records(log, LM_BGQ, 2);
    two_records(log, LM_LUSTRE, 1);
    two_records(log, LM_STDIO, 1);
    two_records(log, LM_DXT_POSIX, 1);
}

static void nothing(lm_log *log) { (void)log; }

static void anchored_empty(lm_log *log) {
    two_records(log, LM_STDIO, 2);
    log->slots[LM_MPIIO].anchored = true;
    log->slots[LM_MPIIO].version = 3;
}

static void streams_by_rank(lm_log *log) {
    uint64_t id = named(log, "/scratch/data/shared.dat");
    for (int rank = 0; rank < 4; rank++) {
        lm_sample(log, LM_POSIX, 4, id, rank, rank + 1);
        lm_cut(&log->slots[LM_POSIX]);
    }
    lm_cut(&log->names);
    named(log, "/scratch/data/other.dat");
}

/* Records and names that begin in one stream and end in another. */
static void streams_cut_anywhere(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    two_records(log, LM_DXT_POSIX, 2);
    lm_region *posix = &log->slots[LM_POSIX], *trace = &log->slots[LM_DXT_POSIX];
    const size_t posix_cuts[] = {5, 16, 300, 300, 1000}, trace_cuts[] = {100, 108, 250};
    memcpy(posix->cuts, posix_cuts, sizeof posix_cuts);
    posix->n_cuts = 5;
    memcpy(trace->cuts, trace_cuts, sizeof trace_cuts);
    trace->n_cuts = 3;
    log->names.cuts[0] = 20;
    log->names.n_cuts = 1;
}

static void regions_out_of_order(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    two_records(log, LM_STDIO, 2);
    two_records(log, LM_HEATMAP, 1);
    log->slots[LM_HEATMAP].order = 0;
    log->slots[LM_STDIO].order = 100;
    log->slots[LM_POSIX].order = 101;
    log->slots[LM_POSIX].gap = 77;
    log->slots[LM_STDIO].gap = 1;
}

static void incomplete(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->partial_flags = (uint64_t)1 << LM_POSIX | (uint64_t)1 << LM_STDIO;
}

static void unassigned(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    bytes_text(lm_records(log, 18, 1), "what a later release may put here", 64);
    bytes_text(lm_records(log, 63, 9), "the last slot", 64);
}

static void invalid_version(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->slots[LM_POSIX].version = 5;
    two_records(log, LM_STDIO, 2);
    log->slots[LM_STDIO].version = 0;
    two_records(log, LM_H5F, 3);
}

static void streams_in_posix_1(lm_log *log) {
    lm_counts counts;
    lm_fill(&counts, 1);
    lm_fixed(lm_records(log, LM_POSIX, 1), LM_POSIX, 1, named(log, "/scratch/streamed.txt"), 0, 0, &counts);
    lm_sample(log, LM_POSIX, 1, named(log, "/scratch/plain.dat"), 0, 2);
}

static void metadata_lines(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->metadata = "lib_ver=3.4.2\nh=romio_no_indep_rw=true;cb_nodes=4\n\nno equals sign\nfork_parent=712\n";
}

void seed_synced_pieces(lm_log *log, uint64_t id, const char *name, double seconds) {
    const unsigned version = lm_newest(LM_POSIX);
    lm_counts counts = {.ints = {[IOL_POSIX_OPENS] = 1,
                                 [IOL_POSIX_WRITES] = 5000,
                                 [IOL_POSIX_BYTES_WRITTEN] = 5000000,
                                 [IOL_POSIX_MAX_BYTE_WRITTEN] = 4999999,
                                 [IOL_POSIX_SIZE_WRITE_100_1K] = 5000,
                                 [IOL_POSIX_FSYNCS] = 5000},
                        .reals = {[IOL_POSIX_F_WRITE_TIME] = seconds}};
    lm_name(log, id, name);
    lm_fixed(lm_records(log, LM_POSIX, version), LM_POSIX, version, id, 0, 0, &counts);
}

/* Names that try to break out of whatever shows them: markup, quotes, line ends, control sequences of both kinds, bytes
   that are no UTF-8, a change of direction, a formula. Their files are written in tiny synced pieces, so that findings
   name them. */
static void hostile_names(lm_log *log) {
    static const char *const names[] = {
        "/scratch/<script>alert(1)</script>&amp;.h5",
        "/scratch/\"double\" 'single' `back`$(x).h5",
        "/scratch/line\nend\rreturn\ttab.h5",
        "/scratch/\033]0;title\007\033[2J\302\23331m.h5",
        "/scratch/\377\376 cut \303.h5",
        "/scratch/\342\200\256five\342\200\213.h5",
        "/scratch/]]> --> \357\277\276\357\277\277",
        "/scratch/=cmd|' -C calc'!A1,\\,{name} %s%n",
    };
    log->start = 1000;
    log->end = 1100;
    log->text = "/bin/<b>\033]0;x\007\"solver\" & \377\nlustre\t/scratch\next4\t/";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) seed_synced_pieces(log, lm_id(names[i]), names[i], 9);
}

static void hostile_trace(lm_log *log) {
    static const char name[] = "/scratch/\033]0;title\007\n\302\23331m,\377.dat";
    log->text = "/bin/<b>\033]0;x\007\nlustre\t/scratch\next4\t/";
    lm_name(log, lm_id(name), name);
    lm_sample(log, LM_POSIX, lm_newest(LM_POSIX), lm_id(name), 0, 1);
    lm_sample(log, LM_DXT_POSIX, 1, lm_id(name), 0, 1);
}

static void newline_in_command(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->text = "/bin/sh -c one\ntwo three\n\next4\t/\nlustre\t/scratch";
}

static void no_mounts(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->text = "/opt/app/solver --no-mounts-at-all";
}

static void many_mounts(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    log->text = "/opt/app/solver\next4\t/\nxfs\t/aa\nlustre\t/scratch\nbeegfs\t/bb\ngpfs\t/scratch/data\nnfs\t/home";
}

static void names_again(lm_log *log) {
    uint64_t id = lm_id("/scratch/a");
    lm_name(log, id, "");
    lm_name(log, id, "/scratch/a");
    lm_name(log, id, "/scratch/other");
    lm_name(log, 5, "");
    lm_sample(log, LM_POSIX, 4, id, 0, 1);
    lm_sample(log, LM_POSIX, 4, 6, 0, 2);
}

static void heatmaps_uneven(lm_log *log) {
    static const int64_t bins[] = {10, 20, 30, 40, 50, 60};
    uint64_t id = named(log, "heatmap:POSIX");
    for (int rank = 0; rank < 3; rank++) {
        static const size_t count[] = {4, 5, 3};
        lm_heatmap(lm_records(log, LM_HEATMAP, 1), id, rank, 0.2, count[rank], bins, bins + 1);
    }
}

static void lustre_with_unused(lm_log *log) {
    const lm_component components[] = {
        {{1 << 20, 2, 0, 0, 0, 1 << 30, 0}, "hdd"},
        {{1 << 22, 1, 4, 0, 1 << 30, -1, 0}, ""},
        {{-1, 8, -1, -1, -1, -1, -1}, ""},
        {{-1, 0, -1, -1, -1, -1, -1}, ""},
    };
    const int64_t osts[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
    bytes *b = lm_records(log, LM_LUSTRE, 2);
    lm_lustre_2(b, named(log, "/scratch/striped"), 0, components, 4, osts, 11);
    lm_lustre_2(b, named(log, "/scratch/empty"), 0, NULL, 0, NULL, 0);
}

static void run_time_log(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    two_records(log, LM_STDIO, 2);
    lustre_with_unused(log);
    int64_t bins[200] = {0};
    for (int i = 0; i < 37; i++) bins[i] = 4096 * (i + 1);
    lm_heatmap(lm_records(log, LM_HEATMAP, 1), named(log, "heatmap:POSIX"), 3, 0.1, 200, bins, bins);
    log->slots[LM_MPIIO].version = 3;
    lm_make_mapped(log);
}

/* What a process of Iolite leaves that was killed: traced operations and one heat map a thread. */
static void run_of_iolite(lm_log *log) {
    static const lm_segment segments[] = {{0, 4096, 0.5, 0.75, 7}, {4096, 4096, 0.75, 1, 7}, {0, 100, 1.5, 1.75, 8}};
    static const int64_t bins[5] = {4096, 0, 4096, 0, 0};
    rm_make(log, &(iol__mapped){.pid = 700, .parent = 699, .born = 5000, .start = 0.25, .lost = 1, .trace_lost = 3});
    uint64_t id = named(log, "/scratch/data/first.dat");
    lm_sample(log, LM_POSIX, 4, id, 0, 1);
    lm_sample(log, LM_STDIO, 2, named(log, "<STDOUT>"), 0, 2);
    for (int thread = 0; thread < 2; thread++)
        lm_heatmap(lm_records(log, LM_HEATMAP, 1), named(log, "heatmap:POSIX"), 0, 0.5, 5, bins, bins);
    rm_trace(log, LM_DXT_POSIX, id, false, segments + 2, 1, 2);
    rm_trace(log, LM_DXT_POSIX, id, true, segments, 2, 2);
    rm_trace(log, LM_DXT_MPIIO, lm_id("/home/user/second.dat"), true, segments, 2, 3);
    rm_trace(log, LM_DXT_POSIX, id, true, segments, 1, 1);
    log->packed = true;
}

static void process_list(lm_log *log) {
    static const char lines[] = "{\"rank\":0,\"pid\":700,\"parent\":1,\"start\":0.250000000,\"end\":9.5,\"ended\":"
                                "\"exit\",\"command\":\"app -n 2\","
                                "\"images\":[\"sh -c app\",\"app -n 2\"],\"stdout\":\"/home/user/out\"}\n"
                                "{\"rank\":1,\"pid\":701,\"parent\":700,\"start\":0.5,\"end\":null,\"ended\":null,"
                                "\"command\":\"a\xef\xbf\xbd\","
                                "\"command_hex\":\"61ff\"}\n";
    static const char folded[] = "{\"POSIX\":12,\"trace_lost\":5}\n";
    two_records(log, LM_POSIX, 4);
    log->processes = 2;
    lm_trailer(log, "PROC", 1, lines, sizeof lines - 1);
    lm_trailer(log, "FOLD", 0, folded, sizeof folded - 1);
    static const char operations[] = "{\"open\":{\"count\":7,\"failed\":2,\"time\":0.5,\"slowest\":0.125},"
                                     "\"unlink\":{\"count\":3,\"failed\":0,\"time\":1.25,\"slowest\":1.0}}";
    static const uint8_t sizes[] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0};
    lm_trailer(log, "OPER", 1, operations, sizeof operations - 1);
    lm_trailer(log, "SIZE", 0, sizes, sizeof sizes);
    static const char lustre[] = "{\"testfs\":{\"mount\":\"/scratch\",\"osts\":96,\"mdts\":4}}";
    lm_trailer(log, "LUST", 1, lustre, sizeof lustre - 1);
    bytes custom = {0};
    am_sample(&custom);
    lm_trailer(log, "MODS", 1, custom.data, custom.length);
    bytes_free(&custom);
}

static void trailer_sections(lm_log *log) {
    two_records(log, LM_POSIX, 4);
    char text[600];
    memset(text, 'x', sizeof text);
    lm_trailer(log, "PHAS", 1, text, sizeof text);
    lm_trailer(log, "NOTE", 0, "a stored note", 13);
    lm_trailer(log, "VOID", 0, "", 0);
}

#define BIG true
#define LITTLE false
#define MODULE_SEED(name, minor, order, slot, version) \
    { name, minor, order, LM_ZLIB, slot, version, NULL }
#define SEED(name, minor, order, compression, build) \
    { name, minor, order, compression, -1, 0, build }

static const seed seeds[] = {
    MODULE_SEED("posix-v1-3.00", 0, LITTLE, LM_POSIX, 1),
    MODULE_SEED("posix-v1-be-3.00", 0, BIG, LM_POSIX, 1),
    MODULE_SEED("posix-v2-3.10", 10, LITTLE, LM_POSIX, 2),
    MODULE_SEED("posix-v3-3.10", 10, LITTLE, LM_POSIX, 3),
    MODULE_SEED("posix-v3-be-3.10", 10, BIG, LM_POSIX, 3),
    MODULE_SEED("posix-v4-3.20", 20, LITTLE, LM_POSIX, 4),
    MODULE_SEED("posix-v4-be-3.21", 21, BIG, LM_POSIX, 4),
    MODULE_SEED("posix-v4-3.41", 41, LITTLE, LM_POSIX, 4),
    MODULE_SEED("posix-v4-be-3.41", 41, BIG, LM_POSIX, 4),
    MODULE_SEED("mpiio-v1-be-3.00", 0, BIG, LM_MPIIO, 1),
    MODULE_SEED("mpiio-v2-3.10", 10, LITTLE, LM_MPIIO, 2),
    MODULE_SEED("mpiio-v3-3.41", 41, LITTLE, LM_MPIIO, 3),
    MODULE_SEED("stdio-v1-3.10", 10, LITTLE, LM_STDIO, 1),
    MODULE_SEED("stdio-v2-3.41", 41, LITTLE, LM_STDIO, 2),
    MODULE_SEED("h5f-v1-be-3.00", 0, BIG, LM_H5F, 1),
    MODULE_SEED("h5f-v2-3.10", 10, LITTLE, LM_H5F, 2),
    MODULE_SEED("h5f-v3-3.41", 41, LITTLE, LM_H5F, 3),
    MODULE_SEED("h5d-v1-3.20", 20, LITTLE, LM_H5D, 1),
    MODULE_SEED("h5d-v2-be-3.41", 41, BIG, LM_H5D, 2),
    MODULE_SEED("pnetcdf-file-v1-be-3.00", 0, BIG, LM_PNETCDF_FILE, 1),
    MODULE_SEED("pnetcdf-file-v2-3.21", 21, LITTLE, LM_PNETCDF_FILE, 2),
    MODULE_SEED("pnetcdf-file-v3-3.41", 41, LITTLE, LM_PNETCDF_FILE, 3),
    MODULE_SEED("pnetcdf-var-v1-3.41", 41, LITTLE, LM_PNETCDF_VAR, 1),
    MODULE_SEED("bgq-v1-be-3.00", 0, BIG, LM_BGQ, 1),
    MODULE_SEED("bgq-v2-be-3.10", 10, BIG, LM_BGQ, 2),
    MODULE_SEED("lustre-v1-3.10", 10, LITTLE, LM_LUSTRE, 1),
    MODULE_SEED("lustre-v2-be-3.41", 41, BIG, LM_LUSTRE, 2),
    MODULE_SEED("dxt-posix-v1-3.10", 10, LITTLE, LM_DXT_POSIX, 1),
    MODULE_SEED("dxt-posix-v2-be-3.41", 41, BIG, LM_DXT_POSIX, 2),
    MODULE_SEED("dxt-mpiio-v1-3.10", 10, LITTLE, LM_DXT_MPIIO, 1),
    MODULE_SEED("dxt-mpiio-v2-3.21", 21, LITTLE, LM_DXT_MPIIO, 2),
    MODULE_SEED("dxt-mpiio-v3-3.41", 41, LITTLE, LM_DXT_MPIIO, 3),
    MODULE_SEED("mdhim-v1-3.41", 41, LITTLE, LM_MDHIM, 1),
    MODULE_SEED("apxc-v1-3.21", 21, LITTLE, LM_APXC, 1),
    MODULE_SEED("apmpi-v1-be-3.41", 41, BIG, LM_APMPI, 1),
    MODULE_SEED("heatmap-v1-be-3.41", 41, BIG, LM_HEATMAP, 1),
    MODULE_SEED("dfs-v1-3.41", 41, LITTLE, LM_DFS, 1),
    MODULE_SEED("daos-v1-3.41", 41, LITTLE, LM_DAOS, 1),
    SEED("every-module-bzip2-3.41", 41, LITTLE, LM_BZIP2, every_module),
    SEED("every-module-none-be-3.41", 41, BIG, LM_NONE, every_module),
    SEED("every-module-zstd-3.41", 41, LITTLE, LM_ZSTD, every_module),
    SEED("modules-of-3.10-bzip2", 10, LITTLE, LM_BZIP2, modules_of_3_10),
    SEED("no-records", 41, LITTLE, LM_ZLIB, nothing),
    SEED("no-records-3.00", 0, LITTLE, LM_ZLIB, nothing),
    SEED("anchored-empty-region", 41, LITTLE, LM_ZLIB, anchored_empty),
    SEED("streams-by-rank", 41, LITTLE, LM_ZLIB, streams_by_rank),
    SEED("streams-by-rank-zstd", 41, LITTLE, LM_ZSTD, streams_by_rank),
    SEED("streams-cut-anywhere", 41, LITTLE, LM_ZLIB, streams_cut_anywhere),
    SEED("streams-cut-anywhere-bzip2", 41, LITTLE, LM_BZIP2, streams_cut_anywhere),
    SEED("regions-out-of-order", 41, LITTLE, LM_ZLIB, regions_out_of_order),
    SEED("incomplete", 41, LITTLE, LM_ZLIB, incomplete),
    SEED("incomplete-be-3.21", 21, BIG, LM_ZLIB, incomplete),
    SEED("unassigned-slots", 41, LITTLE, LM_ZLIB, unassigned),
    SEED("invalid-module-versions", 41, LITTLE, LM_ZLIB, invalid_version),
    SEED("posix-v1-with-streams", 0, LITTLE, LM_ZLIB, streams_in_posix_1),
    SEED("metadata-lines", 41, LITTLE, LM_ZLIB, metadata_lines),
    SEED("newline-in-command", 41, LITTLE, LM_ZLIB, newline_in_command),
    SEED("hostile-names", 41, LITTLE, LM_ZLIB, hostile_names),
    SEED("hostile-trace", 41, LITTLE, LM_ZLIB, hostile_trace),
    SEED("no-mounts", 41, LITTLE, LM_ZLIB, no_mounts),
    SEED("many-mounts", 41, LITTLE, LM_ZLIB, many_mounts),
    SEED("names-repeated", 41, LITTLE, LM_ZLIB, names_again),
    SEED("names-repeated-3.00", 0, LITTLE, LM_ZLIB, names_again),
    SEED("heatmaps-uneven", 41, LITTLE, LM_ZLIB, heatmaps_uneven),
    SEED("lustre-unused-components", 41, LITTLE, LM_ZLIB, lustre_with_unused),
    SEED("mapped", 41, LITTLE, LM_NONE, run_time_log),
    SEED("mapped-be", 41, BIG, LM_NONE, run_time_log),
    SEED("mapped-iolite", 41, LITTLE, LM_NONE, run_of_iolite),
    SEED("processes", 41, LITTLE, LM_ZLIB, process_list),
    SEED("trailer", 41, LITTLE, LM_ZLIB, trailer_sections),
    SEED("trailer-be", 41, BIG, LM_ZLIB, trailer_sections),
    SEED("demo", 41, LITTLE, LM_ZLIB, demo_build),
};

size_t seeds_count(void) { return sizeof seeds / sizeof *seeds; }

const char *seeds_name(size_t index) { return seeds[index].name; }

lm_log *seeds_log(size_t index) {
    const seed *s = &seeds[index];
    if (!lm_can(s->compression)) return NULL;
    lm_log *log = lm_new(s->minor, s->big, s->compression);
    if (s->build != NULL)
        s->build(log);
    else
        two_records(log, s->slot, s->version);
    return log;
}

size_t seeds_find(const char *name) {
    for (size_t i = 0; i < seeds_count(); i++)
        if (strcmp(seeds[i].name, name) == 0) return i;
    fprintf(stderr, "no seed log is called %s\n", name);
    abort();
}
