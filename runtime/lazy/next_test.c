/* What is found under a name is what the loader finds, for every name that the C library has. */
#include "runtime/lazy/next.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct link_map *libc_object(void) {
    const struct link_map *map = iol__our_object();
    while (map && !strstr(map->l_name, "/libc.so.6")) map = map->l_next;
    return map;
}

/* Symbols from the first with a hash on. */
static uint32_t last_symbol(const iol__symbols *o) {
    const uint32_t *head = o->gnu_hash,
                   *bucket = (const void *)((const ElfW(Addr) *)(const void *)(head + 4) + head[2]);
    const uint32_t *chain = bucket + head[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < head[0]; i++) last = bucket[i] > last ? bucket[i] : last;
    while (!(chain[last - head[1]] & 1)) last++;
    return last;
}

static void finds_what_the_loader_finds(void **state) {
    (void)state;
    const struct link_map *map = libc_object();
    iol__symbols libc;
    if (!map || !iol__symbols_next(&map, &libc) || !libc.gnu_hash) skip();
    unsigned same = 0, chosen = 0;
    for (uint32_t i = libc.gnu_hash[1]; i <= last_symbol(&libc); i++) {
        const ElfW(Sym) *symbol = &libc.symbols[i];
        const char *name = libc.strings + symbol->st_name;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS) continue;
        const void *loaders = dlsym(RTLD_NEXT, name), *ours = iol__next_symbol(name);
        if (ours != loaders) print_error("%s\n", name);
        assert_ptr_equal(ours, loaders);
        same += ours != NULL;
        chosen += ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
    }
    assert_true(same > 1000);
    assert_true(chosen > 0); /* memcpy, strlen, time */
}

static void finds_nothing_under_a_name_that_nobody_has(void **state) {
    (void)state;
    assert_null(iol__next_symbol("iolite_no_such_name"));
    assert_null(iol__next_symbol(""));
}

static void what_is_our_own_is_not_behind_us(void **state) {
    (void)state;
    assert_ptr_equal(dlsym(RTLD_DEFAULT, "main") ? iol__next_symbol("main") : NULL, NULL);
}

/* An object of three symbols with the older kind of hash table: one in two versions, one in an old version alone. */
static void knows_the_older_hash_and_versions(void **state) {
    (void)state;
    static const char strings[] = "\0one\0two\0three";
    const ElfW(Sym) symbols[] = {
        {0},
        {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1, .st_value = 0x10},
        {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1, .st_value = 0x20},
        {.st_name = 5, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1, .st_value = 0x30},
        {.st_name = 9, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = SHN_UNDEF, .st_value = 0x40},
    };
    const ElfW(Half) versions[] = {0, 2 | 0x8000, 3, 2 | 0x8000, 1};
    const uint32_t hash[] = {1, 5, 1, 0, 2, 3, 4, 0};
    const struct link_map map = {.l_addr = 0x1000};
    const iol__symbols object = {&map, symbols, strings, NULL, hash, versions};
    assert_ptr_equal(iol__symbol_in(&object, "one", iol__symbol_hash("one")), (void *)0x1020);
    assert_null(iol__symbol_in(&object, "two", iol__symbol_hash("two")));
    assert_null(iol__symbol_in(&object, "three", iol__symbol_hash("three")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_the_loader_finds),
        cmocka_unit_test(finds_nothing_under_a_name_that_nobody_has),
        cmocka_unit_test(what_is_our_own_is_not_behind_us),
        cmocka_unit_test(knows_the_older_hash_and_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
