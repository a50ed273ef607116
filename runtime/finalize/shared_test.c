/* Records of all ranks: over a tree of messages they become what they are one after the other, to the last bit. */
#include "runtime/finalize/shared.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/finalize/lists.h"
#include "runtime/finalize/memory.h"
#include "runtime/finalize/platform.h"
#include "runtime/mpi/mpi.h"
#include "tests/support/runtime_stubs.h"

const char *iol__mpi_library(void) { return ""; }
const char *iol__mpi_host(void) { return ""; }
void iol__write_stderr(const char *text, size_t length) { fail_msg("%.*s", (int)length, text); }

enum { FILES = 5, WORDS = 160, RANKS = 37, FRONT = 48 };

static const int slots[] = {IOL_SLOT_POSIX,        IOL_SLOT_MPIIO,       IOL_SLOT_H5F,  IOL_SLOT_H5D,
                            IOL_SLOT_PNETCDF_FILE, IOL_SLOT_PNETCDF_VAR, IOL_SLOT_STDIO};
enum { SLOTS = sizeof slots / sizeof *slots };

static uint64_t records[RANKS][SLOTS][FILES][WORDS];
static uint64_t ids[FILES] = {3, 5, 8, 13, 21};
static uint32_t masks[FILES];
static const iol__file_list files = {ids, masks, FILES};

/* Common values out of `choice` many, those of one record all different and in their order. */
static void fill_table(const iol__common *t, int64_t *ints, uint64_t choice) {
    int64_t count = 4000, value = (int64_t)runtime_random(choice) + 1;
    for (int i = 0; i < 4; i++, value = value % (int64_t)choice + 1) {
        for (int k = 0; k < t->width; k++) ints[t->values + i * t->width + k] = value * 100 + k;
        ints[t->counts + i] = count -= 1 + (int64_t)runtime_random(900);
    }
}

static void fill(int slot, uint64_t *record, uint64_t choice) {
    const iol__module *module = &iol__modules[slot];
    const iol__layout *layout = iol__layout_of(slot);
    int64_t *ints = (int64_t *)(void *)(record + layout->ints);
    double *reals = (double *)(void *)(record + layout->reals);
    for (unsigned i = 0; i < module->ints; i++) ints[i] = runtime_random(3) ? (int64_t)runtime_random(1 << 20) : 0;
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_OR) ints[i] &= 1;
    for (unsigned i = 0; i < module->reals; i++)
        reals[i] = runtime_random(3) ? (double)runtime_random(1 << 30) * 0x1p-28 : 0;
    for (int t = 0; module->roles->traffic && t < 2; t++)
        if (module->roles->common[t].values >= 0) fill_table(&module->roles->common[t], ints, choice);
}

static void make_records(uint64_t choice) {
    for (int rank = 0; rank < RANKS; rank++)
        for (int s = 0; s < SLOTS; s++)
            for (int f = 0; f < FILES; f++) {
                memset(records[rank][s][f], 0, sizeof records[rank][s][f]);
                records[rank][s][f][0] = ids[f];
                fill(slots[s], records[rank][s][f], choice);
            }
    for (int f = 0; f < FILES; f++) {
        masks[f] = 1;
        for (int s = 0; s < SLOTS; s++)
            if (f != s % FILES) masks[f] |= UINT32_C(1) << slots[s]; /* not all files in all modules */
    }
}

static iol__shared sys(int rank) {
    iol__shared shared;
    assert_true(iol__shared_start(&shared, &files, rank, 0, FRONT));
    for (int s = 0; s < SLOTS; s++)
        for (int f = 0; f < FILES; f++) iol__shared_take(&shared, slots[s], (size_t)f, records[rank][s][f]);
    return shared;
}

typedef struct message {
    uint8_t *bytes;
    size_t length;
} message;

/* What ranks from `rank` on, `count` of them, have to say together, by halves that are cut at random. */
static void hear(iol__shared *shared, int rank, int count, message *kept, int *n);

static message say(int rank, int count) {
    message kept[RANKS], said;
    int n = 0;
    iol__shared shared = sys(rank);
    hear(&shared, rank + 1, count - 1, kept, &n);
    iol__buffer buffer = {0};
    assert_true(iol__shared_write(&shared, 0, &buffer));
    said.length = buffer.used - FRONT;
    said.bytes = malloc(said.length);
    memcpy(said.bytes, buffer.bytes + FRONT, said.length);
    iol__memory_back(buffer.bytes, buffer.room);
    while (n > 0) free(kept[--n].bytes);
    return said;
}

static void hear(iol__shared *shared, int rank, int count, message *kept, int *n) {
    while (count > 0) {
        const int part = 1 + (int)runtime_random((uint64_t)count);
        kept[*n] = say(rank, part);
        iol__shared_hear(shared, kept[*n].bytes, kept[*n].length);
        ++*n;
        rank += part;
        count -= part;
    }
}

typedef struct result {
    uint64_t records[SLOTS][FILES][WORDS];
    size_t count;
} result;

static void keep(int slot, const uint64_t *record, void *context) {
    result *r = context;
    int s = 0, f = 0;
    while (slots[s] != slot) s++;
    while (ids[f] != record[0]) f++;
    assert_int_equal((int64_t)record[1], -1);
    memcpy(r->records[s][f], record, 8 * (size_t)iol__layout_of(slot)->words);
    r->count++;
}

static void combine(result *r) {
    message kept[RANKS];
    int n = 0;
    iol__shared shared = sys(0);
    memset(r, 0, sizeof *r);
    hear(&shared, 1, RANKS - 1, kept, &n);
    assert_true(iol__shared_each(&shared, RANKS, keep, r));
    while (n > 0) free(kept[--n].bytes);
}

static void the_tree_does_not_matter(void **state) {
    (void)state;
    static result first, other;
    make_records(8); /* as many as travel */
    combine(&first);
    assert_int_equal(first.count, SLOTS * (FILES - 1));
    for (int i = 0; i < 20; i++) {
        combine(&other);
        assert_memory_equal(first.records, other.records, sizeof first.records);
    }
}

/* Against the rules as merging has them, which take one record after the other. */
static void as_one_after_the_other(void **state) {
    (void)state;
    static result tree;
    static iol__aggregate a;
    make_records(4);
    combine(&tree);
    for (int s = 0; s < SLOTS; s++)
        for (int f = 0; f < FILES; f++) {
            if (!(masks[f] >> slots[s] & 1)) continue;
            const iol__layout *layout = iol__layout_of(slots[s]);
            const iol__module *module = &iol__modules[slots[s]];
            iol__aggregate_start(&a, slots[s], IOL_RULES_SHARED);
            for (int rank = 0; rank < RANKS; rank++)
                iol__aggregate_add(&a, ids[f], rank, (int64_t *)(void *)(records[rank][s][f] + layout->ints),
                                   (double *)(void *)(records[rank][s][f] + layout->reals));
            assert_memory_equal(tree.records[s][f] + layout->ints, a.ints, module->ints * sizeof *a.ints);
            const double *reals = (double *)(void *)(tree.records[s][f] + layout->reals);
            for (unsigned i = 0; i < module->reals; i++)
                if (module->counters[module->ints + i].reduce == IOL_REDUCE_VARIANCE)
                    assert_true(fabs(reals[i] - a.reals[i]) <= 1e-9 * fabs(a.reals[i]));
                else
                    assert_true(reals[i] == a.reals[i]);
        }
}

static void damaged_messages_are_refused(void **state) {
    (void)state;
    static result ignored;
    make_records(9);
    message good = say(1, 6);
    for (int i = 0; i < 2000; i++) {
        const size_t length = i % 2 ? good.length : runtime_random(good.length);
        uint8_t *copy = malloc(length + !length); /* not a byte more: what is read behind it is found */
        memcpy(copy, good.bytes, length);
        for (uint64_t n = i % 2 ? 1 + runtime_random(8) : 0; n > 0; n--)
            copy[runtime_random(length)] ^= (uint8_t)(1 << runtime_random(8));
        iol__shared shared = sys(0);
        iol__shared_hear(&shared, copy, length);
        memset(&ignored, 0, sizeof ignored);
        const bool taken = iol__shared_each(&shared, 7, keep, &ignored);
        if (i % 2 == 0) assert_false(taken);
        iol__memory_all_back();
        free(copy);
    }
    free(good.bytes);
}

/* As short as they are, and back again; nothing behind the last one is needed. */
static void numbers_in_messages(void **state) {
    (void)state;
    static const struct {
        uint64_t word;
        size_t length;
    } known[] = {{0, 1},
                 {1, 1},
                 {127, 1},
                 {128, 2},
                 {16383, 2},
                 {16384, 3},
                 {(UINT64_C(1) << 49) - 1, 7},
                 {(UINT64_C(1) << 56) - 1, 8},
                 {UINT64_C(1) << 56, 9},
                 {UINT64_MAX, 9}};
    uint8_t text[2 * IOL_WORD_MOST];
    uint64_t back;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        memset(text, 255, sizeof text);
        assert_int_equal(iol__word_put(text, known[i].word) - text, known[i].length);
        assert_int_equal(iol__word_get(text, &back) - text, known[i].length);
        assert_true(back == known[i].word);
    }
    for (int i = 0; i < 10000; i++) {
        const uint64_t word = runtime_random(UINT64_MAX) >> runtime_random(64);
        const uint8_t *end = iol__word_put(text, word);
        assert_ptr_equal(iol__word_get(text, &back), end);
        assert_true(back == word);
    }
}

static void unknown_stays_unknown(void **state) {
    (void)state;
    static result r;
    make_records(4);
    for (int rank = 0; rank < RANKS; rank++)
        for (int f = 0; f < FILES; f++)
            ((int64_t *)(void *)(records[rank][3][f] + iol__layout_of(IOL_SLOT_H5D)->ints))[IOL_H5D_FLUSHES] = -1;
    combine(&r);
    assert_int_equal(((int64_t *)(void *)(r.records[3][0] + iol__layout_of(IOL_SLOT_H5D)->ints))[IOL_H5D_FLUSHES], -1);
}

static void variances(void **state) {
    (void)state;
    iol__pack_spread spread = {0};
    const int64_t four[] = {4000, 0, 0, 0};
    for (int i = 0; i < 4; i++) iol__spread_add(&spread, four[i]);
    assert_true(iol__spread_variance(&spread, 4) == 3000000);
    spread = (iol__pack_spread){0};
    for (int i = 0; i < 1000; i++) iol__spread_add(&spread, INT64_C(1) << 52 | (i & 1)); /* doubles would say 0 */
    assert_true(iol__spread_variance(&spread, 1000) == 0.25);
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

static const char *list_of(const char *const *names) {
    static char text[4096];
    iol__lists lists = {0}, one;
    for (int rank = 0; names[rank]; rank++) {
        one = (iol__lists){0};
        iol__lists_own(&one, rank, 0, names[rank], false);
        iol__lists_merge(&lists, IOL_LIST_HOSTS, one.of[IOL_LIST_HOSTS].bytes, one.of[IOL_LIST_HOSTS].used, 0);
    }
    iol__text json = {text, sizeof text, 0};
    iol__platform_say(&json, &lists.of[IOL_LIST_HOSTS]);
    char *begin = strstr(text, "\"node_list\":\"") + 13;
    *strchr(begin, '"') = 0;
    return begin;
}

static void nodes_are_listed_in_short(void **state) {
    (void)state;
    assert_string_equal(list_of((const char *const[]){"a", "a", NULL}), "a");
    assert_string_equal(list_of((const char *const[]){"nid0012", "nid0010", "nid0011", "nid0010", NULL}),
                        "nid[0010-0012]");
    assert_string_equal(list_of((const char *const[]){"n9", "n10", "n11", "n8", "n13", NULL}), "n[8-11,13]");
    assert_string_equal(list_of((const char *const[]){"n1.x", "n2.x", "n2.y", "b", "n3.x", NULL}), "b,n[1-3].x,n2.y");
    assert_string_equal(list_of((const char *const[]){"n01", "n1", NULL}), "n[1,01]");
    assert_string_equal(list_of((const char *const[]){"7", "8", "x\"y", NULL}), "[7-8],x?y");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_does_not_matter),     cmocka_unit_test(as_one_after_the_other),
        cmocka_unit_test(damaged_messages_are_refused), cmocka_unit_test(numbers_in_messages),
        cmocka_unit_test(unknown_stays_unknown),        cmocka_unit_test(variances),
        cmocka_unit_test(nodes_are_listed_in_short),
    };
    return cmocka_run_group_tests_name("shared", tests, NULL, NULL);
}
