/* make-seeds DIR: write the seed logs to DIR/NAME.darshan, and what each fuzzer can begin with to
   DIR/fuzz/TARGET/NAME. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/lustre/blobs.h"
#include "tests/support/dialectmaker.h"
#include "tests/support/frame.h"
#include "tests/support/oldmaker.h"
#include "tests/support/seeds.h"

enum { PATH_BYTES = 4096 };

static void give_up(const char *path) {
    fprintf(stderr, "make-seeds: %s: %s\n", path, strerror(errno));
    exit(1);
}

static void make_directory(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) give_up(path);
}

static void write_file(const char *path, const uint8_t *data, size_t length) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) give_up(path);
    if (fwrite(data, 1, length, file) != length || fclose(file) != 0) give_up(path);
}

static void write_log(const char *directory, const char *name, lm_log *log) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.darshan", directory, name);
    size_t length;
    uint8_t *file = lm_finish(log, &length);
    write_file(path, file, length);
    free(file);
}

/* Fuzzers like small inputs; the demo log is only for people. */
static void write_fuzz_inputs(const char *directory, const char *name, lm_log *log) {
    if (strcmp(name, "demo") == 0) return;
    for (int target = 0; target < frame_targets(); target++) {
        bytes input = {0};
        if (frame_name(target) != NULL && frame_input(target, log, &input)) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, "%s/fuzz/%s/%s", directory, frame_name(target), name);
            write_file(path, input.data, input.length);
        }
        bytes_free(&input);
    }
}

static void make_directories(const char *directory) {
    char path[PATH_BYTES];
    make_directory(directory);
    snprintf(path, sizeof path, "%s/fuzz", directory);
    make_directory(path);
    for (int target = 0; target < frame_targets(); target++) {
        if (frame_name(target) == NULL) continue;
        snprintf(path, sizeof path, "%s/fuzz/%s", directory, frame_name(target));
        make_directory(path);
    }
}

/* Layouts of Lustre are no part of a log. */
static void write_layouts(const char *directory) {
    static blob layout;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/fuzz/layout", directory);
    make_directory(path);
    for (unsigned i = 0; blob_name(i); i++) {
        snprintf(path, sizeof path, "%s/fuzz/layout/%s", directory, blob_name(i));
        if (blob_named(&layout, blob_name(i))) write_file(path, layout.bytes, layout.length);
    }
}

/* Logs of 1.x and 2.x, as fuzz_old.c takes them: a choice, then the bytes of the log or of its stream. */
static void write_old(const char *directory) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/fuzz/old", directory);
    make_directory(path);
    for (size_t i = 0; i < om_versions(); i++)
        for (int packed = 0; packed < 2; packed++) {
            bytes raw = {0}, input = {0};
            om_log(&raw, om_version_at(i), true);
            bytes_fill(&input, packed ? 31 : (uint8_t)(2 * i + 1), 1);
            if (packed)
                om_gzip(&raw, &input);
            else
                bytes_raw(&input, raw.data, raw.length);
            snprintf(path, sizeof path, "%s/fuzz/old/%s%s", directory, om_version_at(i)->name, packed ? ".gz" : "");
            write_file(path, input.data, input.length);
            bytes_free(&raw);
            bytes_free(&input);
        }
}

static void write_dialect(const char *directory, const char *name, lm_log *log) {
    char path[PATH_BYTES];
    bytes input = {0};
    snprintf(path, sizeof path, "%s/fuzz/dialect/%s", directory, name);
    if (dm_input(log, &input)) write_file(path, input.data, input.length);
    bytes_free(&input);
    lm_free(log);
}

/* Records that do not keep to their version, as fuzz_dialect.c takes them. */
static void write_dialects(const char *directory) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/fuzz/dialect", directory);
    make_directory(path);
    write_dialect(directory, "threads", dm_traced(LM_DXT_POSIX, 1, false, 40, NULL));
    write_dialect(directory, "texts-64", dm_traced(LM_DXT_POSIX, 1, true, 96, "pthread_id=5"));
    write_dialect(directory, "texts-80", dm_traced(LM_DXT_MPIIO, 2, false, 112, "pthread_id=77"));
    write_dialect(directory, "standard", dm_traced(LM_DXT_MPIIO, 2, false, 32, NULL));
    write_dialect(directory, "leftovers-64", dm_lustre(false, LM_ZLIB, 64, 2));
    write_dialect(directory, "leftovers-312", dm_lustre(true, LM_ZLIB, 312, 3));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make-seeds DIR\n", stderr);
        return 2;
    }
    make_directories(argv[1]);
    write_layouts(argv[1]);
    write_old(argv[1]);
    write_dialects(argv[1]);
    for (size_t i = 0; i < seeds_count(); i++) {
        lm_log *log = seeds_log(i);
        if (log == NULL) continue;
        write_log(argv[1], seeds_name(i), log);
        write_fuzz_inputs(argv[1], seeds_name(i), log);
        lm_free(log);
    }
    return 0;
}
