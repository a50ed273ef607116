/* Small files that claim, or unfold to, much more than they are. Reading one may take no more memory than 64 MiB and
   twice the file. Each case is built in one process and read in another, so that only the reading is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/logrecords.h"
#include "tests/support/read_all.h"
#include "tests/support/runmaker.h"
#include "tests/support/sanitized.h"

enum { SKIPPED = 77, MEBIBYTE = 1 << 20, BOMB_BYTES = 96 * MEBIBYTE };

/* Cases ------------------------------------------------------------------------------------------------------- */

static void zeros(lm_log *log, int slot, unsigned version) {
    bytes_fill(lm_records(log, slot, version), 0, BOMB_BYTES);
}

static void name_without_end(lm_log *log) {
    bytes_u64(&log->names.payload, 1);
    bytes_fill(&log->names.payload, 'n', BOMB_BYTES);
}

static void name_length_word(lm_log *log) {
    log->minor = 0;
    bytes_u64(&log->names.payload, 1);
    bytes_u32(&log->names.payload, UINT32_MAX);
    bytes_fill(&log->names.payload, 'n', BOMB_BYTES);
}

static void names_by_the_million(lm_log *log) {
    for (uint64_t id = 0; id < 4000000; id++) lm_name(log, id, "");
}

static void long_names(lm_log *log) {
    static char name[100001];
    memset(name, 'n', sizeof name - 1);
    for (uint64_t id = 0; id < 900; id++) lm_name(log, id, name);
}

static void job_without_end(lm_log *log) { bytes_fill(&log->job, 'j', BOMB_BYTES); }

static void equal_posix_records(lm_log *log) { zeros(log, LM_POSIX, 4); }

static void old_posix_records(lm_log *log) { zeros(log, LM_POSIX, 1); }

/* Zeros but for the id or the rank, which is what tables are made from. */
static void posix_records(lm_log *log, bool ids, bool ranks) {
    lm_counts counts = {0};
    for (int64_t i = 0; i < BOMB_BYTES / 704; i++)
        lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, ids ? (uint64_t)i : 1, ranks ? i : 0, 0, &counts);
}

static void many_files(lm_log *log) { posix_records(log, true, false); }

static void many_ranks(lm_log *log) { posix_records(log, false, true); }

static void files_and_ranks(lm_log *log) {
    posix_records(log, true, true);
    lm_counts counts = {0};
    for (int64_t i = 0; i < BOMB_BYTES / 248; i++)
        lm_fixed(lm_records(log, LM_STDIO, 2), LM_STDIO, 2, (uint64_t)i, i, 0, &counts);
}

static void trace_of_2_to_60(lm_log *log) {
    static const lm_segment segment = {0, 1, 0, 0, 0};
    bytes *b = lm_records(log, LM_DXT_POSIX, 2);
    lm_trace(b, 1, 0, "node", &segment, 1, 0, true);
    put_u64(b->data + 88, (uint64_t)1 << 60, false);
    bytes_fill(b, 0, BOMB_BYTES);
}

static void trace_of_2_to_56(lm_log *log) {
    trace_of_2_to_60(log);
    put_u64(log->slots[LM_DXT_POSIX].payload.data + 88, (uint64_t)1 << 56, false);
}

static void trace_records(lm_log *log) { zeros(log, LM_DXT_MPIIO, 3); }

static void heatmap(lm_log *log, uint64_t bins) {
    bytes *b = lm_records(log, LM_HEATMAP, 1);
    lm_heatmap(b, 1, 0, 0.1, 0, NULL, NULL);
    put_u64(b->data + 24, bins, false);
    bytes_fill(b, 0, BOMB_BYTES);
}

static void heatmap_of_2_to_50(lm_log *log) { heatmap(log, (uint64_t)1 << 50); }

static void heatmap_of_4_million(lm_log *log) { heatmap(log, 4000000); }

static void heatmap_of_half_a_million(lm_log *log) { heatmap(log, 500000); }

static void lustre(lm_log *log, uint64_t components, uint64_t stripes) {
    bytes *b = lm_records(log, LM_LUSTRE, 2);
    lm_lustre_2(b, 1, 0, NULL, 0, NULL, 0);
    put_u64(b->data + 16, components, false);
    put_u64(b->data + 24, stripes, false);
    bytes_fill(b, 0, BOMB_BYTES);
}

static void lustre_of_2_to_40(lm_log *log) { lustre(log, (uint64_t)1 << 40, 0); }

static void lustre_stripes_of_2_to_60(lm_log *log) { lustre(log, 1, (uint64_t)1 << 60); }

static void lustre_of_100000(lm_log *log) { lustre(log, 100000, 100000); }

static void old_lustre(lm_log *log) {
    bytes *b = lm_records(log, LM_LUSTRE, 1);
    lm_lustre_1(b, 1, 0, 1, NULL, 0);
    put_u64(b->data + 48, 1000000, false);
    bytes_fill(b, 0, BOMB_BYTES);
}

static void mdhim(lm_log *log) {
    lm_counts counts = {0};
    bytes *b = lm_records(log, LM_MDHIM, 1);
    lm_mdhim(b, 1, 0, &counts, (const int64_t[]){0});
    put_u64(b->data + 48, 1000000, false);
    bytes_fill(b, 0, BOMB_BYTES);
}

static void trailer_claim(lm_log *log) {
    lm_trailer(log, "HUGE", 1, "x", 1);
    put_u64(log->trailer.data + 16, (uint64_t)1 << 62, false);
}

static void trailer_bomb(lm_log *log) {
    uint8_t *data = need(BOMB_BYTES);
    memset(data, 0, BOMB_BYTES);
    lm_trailer(log, "HUGE", 1, data, BOMB_BYTES);
    free(data);
}

static void trailer_sections(lm_log *log) {
    uint8_t *data = need(4 * MEBIBYTE);
    memset(data, 0, 4 * MEBIBYTE);
    for (int i = 0; i < 40; i++) lm_trailer(log, "MANY", 1, data, 4 * MEBIBYTE);
    free(data);
}

/* A frame that asks for a window of 2 GiB and then holds runs of zeros, 128 KiB for four bytes each. */
static void zstd_window(lm_log *log) {
    static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3};
    static const uint8_t run[] = {0x02, 0x00, 0x10, 0x00};
    bytes *b = lm_records(log, LM_POSIX, 4);
    bytes_raw(b, frame, sizeof frame);
    for (int i = 0; i < 1000; i++) bytes_raw(b, run, sizeof run);
    log->compression = LM_NONE; /* as it is; the header says zstd, see build() */
}

static void archive_blocks(lm_log *log, bytes *payload) {
    uint8_t *data = need(4 * MEBIBYTE);
    memset(data, 0, 4 * MEBIBYTE);
    for (int i = 0; i < BOMB_BYTES / (4 * MEBIBYTE); i++) lm_archive_plain(payload, data, 4 * MEBIBYTE);
    free(data);
    log->compression = LM_NONE;
}

static void archived_records(lm_log *log) { archive_blocks(log, lm_records(log, LM_POSIX, 4)); }

static void archived_names(lm_log *log) { archive_blocks(log, &log->names.payload); }

/* The smallest chunks there are, each of another file. */
static void traced_chunks(lm_log *log) {
    static const lm_segment segment = {0, 1, 0, 0, 0};
    rm_make(log, &(iol__mapped){.pid = 1});
    for (uint64_t id = 0; id < 700000; id++) rm_trace(log, LM_DXT_POSIX, id, id % 2, &segment, 1, 1);
}

static void process_images(lm_log *log) {
    bytes lines = {0};
    bytes_text(&lines, "{\"rank\":0,\"command\":\"a\",\"images\":[\"a\"", 38);
    for (int i = 0; i < 4000000; i++) bytes_text(&lines, ",\"\"", 3);
    bytes_text(&lines, "]}\n", 3);
    lm_trailer(log, "PROC", 1, lines.data, lines.length);
    bytes_free(&lines);
}

typedef struct hostile {
    const char *name;
    uint8_t compression;
    void (*build)(lm_log *log);
} hostile;

static const hostile cases[] = {
    {"a name without end", LM_ZLIB, name_without_end},
    {"a name of 4 GiB in the old form", LM_ZLIB, name_length_word},
    {"four million names", LM_ZLIB, names_by_the_million},
    {"900 names of 100 kB", LM_ZLIB, long_names},
    {"a job record without end", LM_ZLIB, job_without_end},
    {"equal POSIX records", LM_ZLIB, equal_posix_records},
    {"equal POSIX records, bzip2", LM_BZIP2, equal_posix_records},
    {"equal POSIX records, zstd", LM_ZSTD, equal_posix_records},
    {"equal POSIX 1 records", LM_ZLIB, old_posix_records},
    {"a file in every record", LM_ZLIB, many_files},
    {"a rank in every record", LM_ZLIB, many_ranks},
    {"files and ranks in two modules", LM_ZLIB, files_and_ranks},
    {"a trace of 2^60 segments", LM_ZLIB, trace_of_2_to_60},
    {"a trace of 2^56 segments", LM_ZLIB, trace_of_2_to_56},
    {"traces without segments", LM_ZLIB, trace_records},
    {"a heat map of 2^50 bins", LM_ZLIB, heatmap_of_2_to_50},
    {"a heat map of 4 million bins", LM_ZLIB, heatmap_of_4_million},
    {"heat maps of half a million bins", LM_ZLIB, heatmap_of_half_a_million},
    {"2^40 LUSTRE components", LM_ZLIB, lustre_of_2_to_40},
    {"2^60 LUSTRE stripes", LM_ZLIB, lustre_stripes_of_2_to_60},
    {"100000 LUSTRE components", LM_ZLIB, lustre_of_100000},
    {"a million LUSTRE 1 stripes", LM_ZLIB, old_lustre},
    {"a million MDHIM servers", LM_ZLIB, mdhim},
    {"a trailer section of 2^62 bytes", LM_ZLIB, trailer_claim},
    {"a trailer section that unfolds", LM_ZLIB, trailer_bomb},
    {"many trailer sections that unfold", LM_ZLIB, trailer_sections},
    {"a zstd window of 2 GiB", LM_ZSTD, zstd_window},
    {"archived records that unfold", LM_ARCHIVE, archived_records},
    {"archived names that unfold", LM_ARCHIVE, archived_names},
    {"a chunk for every traced operation", LM_NONE, traced_chunks},
    {"a process of four million images", LM_ZLIB, process_images},
};

/* Building and reading ---------------------------------------------------------------------------------------- */

static void write_all(const char *path, const uint8_t *data, size_t length) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, length, file) != length || fclose(file) != 0) _exit(2);
}

static void build(const hostile *h, const char *path) {
    size_t length;
    lm_log *log = lm_new(41, false, h->compression);
    h->build(log);
    uint8_t *file = lm_finish(log, &length);
    file[16] = h->compression;
    write_all(path, file, length);
}

/* 4 KiB in which every region is said to have terabytes, each in the middle of the others. */
static void build_claims(const char *path) {
    size_t length;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) log->slots[slot].version = lm_newest(slot);
    uint8_t *file = lm_finish(log, &length), whole[4096] = {0};
    memcpy(whole, file, length);
    put_u64(whole + lm_name_map_at(41) + 8, (uint64_t)1 << 43, false);
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        put_u64(whole + lm_map_at(41, slot), 1400 + 16 * (uint64_t)slot, false);
        put_u64(whole + lm_map_at(41, slot) + 8, (uint64_t)1 << 42, false);
    }
    write_all(path, whole, sizeof whole);
}

/* The most memory this process has had, in bytes. */
static size_t peak(void) {
    char line[256];
    size_t kibibytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %zu kB", &kibibytes) == 1) break;
    if (file != NULL) fclose(file);
    return kibibytes * 1024;
}

static void read_measured(const char *name, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) _exit(2);
    size_t length = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = need(length);
    if (fread(data, 1, length, file) != length) _exit(2);
    fclose(file);
    size_t before = peak();
    read_all(data, length, name);
    size_t used = peak() - before, most = 64 * MEBIBYTE + 2 * length;
    printf("%-36s %9zu bytes, %6.1f MiB taken, %6.1f allowed\n", name, length, (double)used / MEBIBYTE,
           (double)most / MEBIBYTE);
    fflush(stdout);
    _exit(used <= most ? 0 : 1);
}

/* Run one step in a process of its own; its exit status. */
static int apart(void (*step)(const hostile *, const char *), const hostile *h, const char *path) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        step(h, path);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void build_step(const hostile *h, const char *path) {
    if (h != NULL)
        build(h, path);
    else
        build_claims(path);
}

static void read_step(const hostile *h, const char *path) {
    read_measured(h != NULL ? h->name : "terabytes in a file of 4 KiB", path);
}

static int failures(const hostile *h, const char *path) {
    if (apart(build_step, h, path) == 0 && apart(read_step, h, path) == 0) return 0;
    printf("failed: %s\n", h != NULL ? h->name : "terabytes in a file of 4 KiB");
    return 1;
}

int main(void) {
    if (SANITIZED || peak() == 0) {
        puts("skipped: memory cannot be measured here");
        return SKIPPED;
    }
    char path[] = "/tmp/iolite-memory-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0) return 1;
    close(descriptor);
    int failed = failures(NULL, path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lm_can(cases[i].compression)) failed += failures(&cases[i], path);
    unlink(path);
    return failed > 0 ? 1 : 0;
}
