/* Damaged logs by the thousand: every seed log, and the real ones where they are at hand, with bits flipped, bytes
   overwritten, ends cut off, and fields of the header replaced by absurd values. Compressors would catch most of that
   before it reaches a decoder, so the seeds are also rebuilt without compression and their payloads damaged.
   Nothing is asked of the result but what read_all() insists on, and that it comes soon.

   Every case has a name, from which alone its damage follows: --case NAME repeats one. --long runs many more. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/frame.h"
#include "tests/support/logrecords.h"
#include "tests/support/read_all.h"
#include "tests/support/sanitized.h"
#include "tests/support/seeds.h"

enum {
    SLOW_SECONDS = 10, /* for one case, on a busy machine, under a sanitizer */
    LONG_FACTOR = SANITIZED ? 30 : 100,
    FILE_CASES = SANITIZED ? 100 : 300, /* for each seed log */
    PAYLOAD_CASES = SANITIZED ? 60 : 200,
    CORPUS_CASES = SANITIZED ? 15 : 40,
    LARGE_FILE = 1 << 16,
    HUGE_FILE = 1 << 20,
};

/* Random numbers ---------------------------------------------------------------------------------------------- */

typedef struct chance {
    uint64_t state;
} chance;

static uint64_t draw(chance *c) {
    c->state += 0x9e3779b97f4a7c15;
    uint64_t z = c->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static size_t below(chance *c, size_t limit) { return limit > 0 ? (size_t)(draw(c) % limit) : 0; }

/* Cases ------------------------------------------------------------------------------------------------------- */

static char case_name[300];
static const char *only_case;
static size_t cases_run;
static int factor = 1;

static void tell_case(void) {
    static const char before[] = "mutate_test: failed in case ";
    (void)!write(STDERR_FILENO, before, sizeof before - 1);
    (void)!write(STDERR_FILENO, case_name, strlen(case_name));
    (void)!write(STDERR_FILENO, "\n", 1);
}

static void on_signal(int number) {
    tell_case();
    signal(number, SIG_DFL);
    raise(number);
}

/* Sanitizers end the process in their own way. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch_for_crashes(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(tell_case);
        return;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], on_signal);
}

/* False if another case was asked for. */
static bool begin_case(const char *log, const char *kind, size_t number) {
    snprintf(case_name, sizeof case_name, "%s:%s:%zu", log, kind, number);
    return only_case == NULL || strcmp(only_case, case_name) == 0;
}

static chance chance_of_case(void) { return (chance){lm_id(case_name)}; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void read_case(const uint8_t *file, size_t length) {
    double start = now();
    /* An exact copy, so that a read past the end is seen. */
    uint8_t *copy = need(length);
    if (length > 0) memcpy(copy, file, length);
    read_all(copy, length, case_name);
    free(copy);
    cases_run++;
    if (now() - start > SLOW_SECONDS) {
        fputs("mutate_test: one log kept the reader busy for too long\n", stderr);
        abort();
    }
}

/* Damage ------------------------------------------------------------------------------------------------------ */

static void flip_bits(chance *c, uint8_t *data, size_t length) {
    for (size_t n = 1 + below(c, 8); n > 0; n--) data[below(c, length)] ^= (uint8_t)(1u << below(c, 8));
}

static void set_bytes(chance *c, uint8_t *data, size_t length) {
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t n = 1 + below(c, 16); n > 0; n--)
        data[below(c, length)] = below(c, 2) ? values[below(c, sizeof values)] : (uint8_t)draw(c);
}

static uint64_t absurd(chance *c, size_t length) {
    const uint64_t values[] = {
        0,
        1,
        7,
        length,
        length - 1,
        length / 2,
        1u << 20,
        0x80000000u,
        UINT32_MAX,
        (uint64_t)1 << 32,
        (uint64_t)1 << 40,
        (uint64_t)1 << 60,
        INT64_MAX,
        (uint64_t)1 << 63,
        UINT64_MAX - 15,
        UINT64_MAX,
    };
    return values[below(c, sizeof values / sizeof *values)];
}

static void replace_word(chance *c, uint8_t *data, size_t length) {
    if (length < 8) return;
    put_u64(data + below(c, length / 8) * 8, absurd(c, length), below(c, 2));
}

static void copy_block(chance *c, uint8_t *data, size_t length) {
    size_t size = 1 + below(c, length < 64 ? length : 64);
    memmove(data + below(c, length - size + 1), data + below(c, length - size + 1), size);
}

static void clear_block(chance *c, uint8_t *data, size_t length) {
    size_t at = below(c, length);
    memset(data + at, below(c, 2) ? 0 : 0xff, below(c, length - at));
}

typedef void (*damage)(chance *c, uint8_t *data, size_t length);
static const damage damages[] = {flip_bits, set_bytes, replace_word, copy_block, clear_block};

static void damage_bytes(chance *c, uint8_t *data, size_t length) {
    if (length == 0) return;
    for (size_t n = 1 + below(c, 3); n > 0; n--) damages[below(c, sizeof damages / sizeof *damages)](c, data, length);
}

/* Whole files ------------------------------------------------------------------------------------------------- */

typedef struct sample {
    const char *name;
    const uint8_t *file;
    size_t length;
} sample;

static int minor_of(const sample *s) { return s->length >= 4 && memcmp(s->file, "3.41", 4) == 0 ? 41 : 21; }

/* The name map, a module map or a version: what says where regions are and how they are read. */
static void damage_header(chance *c, uint8_t *file, const sample *s) {
    int minor = minor_of(s);
    if (s->length < lm_header_bytes(minor)) return;
    int slot = (int)below(c, (size_t)lm_slot_count(minor)), other = (int)below(c, (size_t)lm_slot_count(minor));
    uint8_t *map = below(c, 6) == 0 ? file + lm_name_map_at(minor) : file + lm_map_at(minor, slot);
    switch (below(c, 6)) {
    case 0: put_u64(map, absurd(c, s->length), file[8] == 0); return;
    case 1: put_u64(map + 8, absurd(c, s->length), file[8] == 0); return;
    case 2: memcpy(map, file + lm_map_at(minor, other), 16); return; /* two modules in one place */
    case 3: put_u64(map, below(c, s->length), file[8] == 0); return;
    case 4: put_u32(file + lm_version_at(minor, slot), (uint32_t)below(c, 6), file[8] == 0); return;
    default: file[16] = (uint8_t)(below(c, 2) ? below(c, 3) : 128 + below(c, 2)); return;
    }
}

static void mutate_file(const sample *s, size_t count) {
    uint8_t *file = need(s->length);
    for (size_t number = 0; number < count; number++) {
        if (!begin_case(s->name, "file", number)) continue;
        chance c = chance_of_case();
        memcpy(file, s->file, s->length);
        if (below(&c, 2)) damage_header(&c, file, s);
        if (below(&c, 4)) damage_bytes(&c, file, below(&c, 3) ? s->length : lm_header_bytes(minor_of(s)));
        read_case(file, below(&c, 8) ? s->length : below(&c, s->length));
    }
    free(file);
}

static void truncate_file(const sample *s, size_t count) {
    size_t step = s->length / count + 1;
    for (size_t length = 0; length < s->length; length += step)
        if (begin_case(s->name, "cut", length)) read_case(s->file, length);
}

/* A large file costs more time for the same chance to find something. */
static size_t fair_count(size_t count, size_t length) {
    if (length <= LARGE_FILE / 4) return count;
    size_t fair = count * (LARGE_FILE / 4) / length;
    return fair > 4 ? fair : 4;
}

static void mutate_whole(const sample *s, size_t count) {
    if (s->length < lm_header_bytes(41)) return;
    if (begin_case(s->name, "whole", 0)) read_case(s->file, s->length);
    mutate_file(s, fair_count(count, s->length) * (size_t)factor);
    truncate_file(s, fair_count(count / 2, s->length) * (size_t)factor);
}

/* Payloads ---------------------------------------------------------------------------------------------------- */

static void read_log(lm_log *log) {
    size_t length;
    uint8_t *file = lm_finish(log, &length);
    read_case(file, length);
    free(file);
}

/* Put back what the mutation before has changed. */
static void restore(bytes *payload, const bytes *original) {
    payload->length = original->length;
    memcpy(payload->data, original->data, original->length);
}

static void mutate_randomly(const char *name, lm_log *log, bytes *payload, const bytes *original, const char *kind,
                            size_t count) {
    for (size_t number = 0; number < count; number++) {
        if (!begin_case(name, kind, number)) continue;
        chance c = chance_of_case();
        restore(payload, original);
        damage_bytes(&c, payload->data, payload->length);
        if (below(&c, 4) == 0) payload->length = 1 + below(&c, payload->length);
        read_log(log);
    }
}

/* Each of the first words in turn becomes each of the absurd values: that is where records keep their lengths. */
static void mutate_words(const char *name, lm_log *log, bytes *payload, const bytes *original, const char *kind) {
    static const uint64_t values[] = {0, 1, 2, UINT64_MAX, INT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 60, 1u << 24};
    enum { WORDS = 20, VALUES = sizeof values / sizeof *values };
    for (size_t number = 0; number < WORDS * VALUES; number++) {
        size_t at = number / VALUES * 8;
        if (at + 8 > original->length || !begin_case(name, kind, number)) continue;
        restore(payload, original);
        put_u64(payload->data + at, values[number % VALUES], log->big);
        read_log(log);
    }
}

static void mutate_payload(const char *name, lm_log *log, bytes *payload, const char *part, size_t count) {
    if (payload->length == 0) return;
    bytes original = {0};
    char kind[32];
    bytes_raw(&original, payload->data, payload->length);
    snprintf(kind, sizeof kind, "%s", part);
    mutate_randomly(name, log, payload, &original, kind, fair_count(count, payload->length) * (size_t)factor);
    snprintf(kind, sizeof kind, "%s-words", part);
    if (payload->length < LARGE_FILE / 4) mutate_words(name, log, payload, &original, kind);
    restore(payload, &original);
    bytes_free(&original);
}

static void mutate_payloads(const char *name, lm_log *log, size_t count) {
    log->compression = LM_NONE;
    bytes job = {0};
    frame_input(FRAME_JOB, log, &job);
    bytes_raw(&log->job, job.data + 1, job.length - 1); /* without the selector */
    bytes_free(&job);
    mutate_payload(name, log, &log->job, "job", count / 4);
    mutate_payload(name, log, &log->names.payload, "names", count / 4);
    mutate_payload(name, log, &log->trailer, "trailer", count);
    for (int slot = 0; slot < LM_KNOWN; slot++) {
        char part[16];
        snprintf(part, sizeof part, "slot%d", slot);
        mutate_payload(name, log, &log->slots[slot].payload, part, count);
    }
}

/* Logs -------------------------------------------------------------------------------------------------------- */

static void mutate_seeds(void) {
    for (size_t i = 0; i < seeds_count(); i++) {
        lm_log *log = seeds_log(i);
        if (log == NULL) continue;
        size_t length;
        uint8_t *file = lm_finish(log, &length);
        sample s = {seeds_name(i), file, length};
        mutate_whole(&s, FILE_CASES);
        mutate_payloads(seeds_name(i), log, PAYLOAD_CASES);
        free(file);
        lm_free(log);
    }
}

static uint8_t *load(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t *data = need(HUGE_FILE);
    *length = fread(data, 1, HUGE_FILE, file);
    fclose(file);
    return data;
}

static void mutate_real_log(const char *directory, const char *name) {
    char path[4096];
    size_t length;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) return;
    uint8_t *file = load(path, &length);
    if (file == NULL) return;
    /* What is larger than the buffer is not a small log, and the same code reads it. */
    sample s = {name, file, length};
    if (length < HUGE_FILE) mutate_whole(&s, CORPUS_CASES);
    free(file);
}

static void mutate_corpus(void) {
    char directory[4096];
    const char *corpus = getenv("IOLITE_CORPUS");
    if (corpus == NULL) return;
    snprintf(directory, sizeof directory, "%s/logs", corpus);
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') mutate_real_log(directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--long") == 0) {
            factor = LONG_FACTOR;
        } else if (strcmp(argv[i], "--case") == 0 && i + 1 < argc) {
            only_case = argv[++i];
        } else {
            fputs("usage: mutate_test [--long] [--case NAME]\n", stderr);
            return 2;
        }
    }
    watch_for_crashes();
    mutate_seeds();
    mutate_corpus();
    printf("%zu damaged logs read\n", cases_run);
    return cases_run > 0 ? 0 : 1;
}
