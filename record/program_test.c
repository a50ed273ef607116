/* What program files are, from headers that are made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/program.h"

static bool interrupted; /* all reads are */
static bool rights;

static int test_open(int at, const char *path) { return openat(at, path, O_RDONLY | O_CLOEXEC); }

static long test_read(int fd, void *to, size_t bytes, uint64_t offset) {
    return interrupted ? -EINTR : pread(fd, to, bytes, (off_t)offset);
}

static int test_status(int fd, struct stat *facts) { return fstat(fd, facts); }

static void test_close(int fd) { close(fd); }

/* Files that are there for the search. */
static int test_may_run(int at, const char *path) {
    (void)at;
    if (strcmp(path, "/first/tool") == 0) return EACCES;
    return strcmp(path, "/second/tool") == 0 || strcmp(path, "here") == 0 || strcmp(path, "./x/y") == 0 ? 0 : ENOENT;
}

static bool test_rights(int fd, const struct stat *facts) {
    (void)fd;
    (void)facts;
    return rights;
}

static const iol__program_calls calls = {test_open, test_read, test_status, test_close, test_may_run, test_rights};

typedef struct made {
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[3];
    char loader[64];
    struct {
        ElfW(Nhdr) head;
        char name[8], text[8];
    } note;
} made;

static made start_of(const char *loader) {
    made m;
    memset(&m, 0, sizeof m);
    int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    assert_int_equal(pread(own, &m.header, sizeof m.header, 0), sizeof m.header);
    close(own);
    m.header.e_phoff = offsetof(made, segments);
    m.header.e_phnum = 3;
    if (!loader) return m;
    snprintf(m.loader, sizeof m.loader, "%s", loader);
    m.segments[1].p_type = PT_INTERP;
    m.segments[1].p_offset = offsetof(made, loader);
    m.segments[1].p_filesz = strlen(loader) + 1;
    return m;
}

static void add_note(made *m, const char *name, unsigned type, const char *text) {
    m->segments[2].p_type = PT_NOTE;
    m->segments[2].p_offset = offsetof(made, note);
    m->segments[2].p_filesz = sizeof m->note;
    m->note.head.n_namesz = (unsigned)strlen(name) + 1;
    m->note.head.n_descsz = (unsigned)strlen(text) + 1;
    m->note.head.n_type = type;
    memcpy(m->note.name, name, strlen(name));
    memcpy(m->note.name + (strlen(name) / 4 + 1) * 4, text, strlen(text));
}

static iol__program look_at(const void *bytes, size_t length, const char *name) {
    iol__program found;
    int fd = memfd_create("program", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), length);
    iol__program_look(&calls, fd, name, &found);
    close(fd);
    return found;
}

static iol__program look(const made *m) { return look_at(m, sizeof *m, "program"); }

static void the_loader_tells_the_c_library(void **state) {
    (void)state;
    static const struct {
        const char *loader;
        iol__program_libc libc;
        bool harmed;
    } cases[] = {{"/lib64/ld-linux-x86-64.so.2", IOL_PROGRAM_GLIBC, false},
                 {"/store/abc-glibc/lib/ld-linux-aarch64.so.1", IOL_PROGRAM_GLIBC, false},
                 {"/lib64/ld64.so.2", IOL_PROGRAM_GLIBC, false},
                 {"/lib/ld-musl-x86_64.so.1", IOL_PROGRAM_MUSL, true},
                 {"/system/bin/linker64", IOL_PROGRAM_OTHER_LIBC, true},
                 {NULL, IOL_PROGRAM_STATIC, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const made m = start_of(cases[i].loader);
        const iol__program found = look(&m);
        assert_true(found.elf && found.native && !found.go && !found.carried[0]);
        assert_int_equal(found.libc, cases[i].libc);
        assert_int_equal(iol__program_harmed(&found), cases[i].harmed);
        assert_string_equal(found.loader, cases[i].loader ? cases[i].loader : "");
    }
}

static void a_loader_is_no_static_program(void **state) {
    (void)state;
    const made m = start_of(NULL);
    assert_int_equal(look_at(&m, sizeof m, "/lib/ld-musl-x86_64.so.1").libc, IOL_PROGRAM_MUSL);
    assert_int_equal(look_at(&m, sizeof m, "/lib64/ld-linux-x86-64.so.2").libc, IOL_PROGRAM_GLIBC);
    assert_int_equal(look_at(&m, sizeof m, "/usr/bin/ld.so").libc, IOL_PROGRAM_GLIBC);
    assert_int_equal(look_at(&m, sizeof m, "/usr/bin/ld").libc, IOL_PROGRAM_STATIC);
}

static void other_classes_and_machines_are_not_ours(void **state) {
    (void)state;
    made m = start_of("/lib64/ld-linux-x86-64.so.2");
    m.header.e_ident[EI_CLASS] = m.header.e_ident[EI_CLASS] == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64;
    iol__program found = look(&m);
    assert_true(found.elf && !found.native && found.bits != 8 * sizeof(void *) && iol__program_harmed(&found));
    m = start_of("/lib64/ld-linux-x86-64.so.2");
    m.header.e_machine = EM_68K;
    found = look(&m);
    assert_true(found.elf && !found.native && iol__program_harmed(&found));
    m = start_of("/lib64/ld-linux-x86-64.so.2");
    m.header.e_ident[EI_DATA] = m.header.e_ident[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
    found = look(&m);
    assert_false(found.native);
}

static void notes_tell_go_and_what_carries_iolite(void **state) {
    (void)state;
    made m = start_of(NULL);
    add_note(&m, "Go", 4, "id");
    assert_true(look(&m).go);
    m = start_of(NULL);
    add_note(&m, "Iolite", 1, "9.9.9");
    assert_string_equal(look(&m).carried, "9.9.9");
    add_note(&m, "Iolite", 2, "9.9.9");
    assert_string_equal(look(&m).carried, "");
    rights = true;
    assert_true(look(&m).privileged);
    rights = false;
    assert_false(look(&m).privileged);
}

static void damaged_programs_do_no_harm(void **state) {
    (void)state;
    made m = start_of("/lib64/ld-linux-x86-64.so.2");
    add_note(&m, "Iolite", 1, "9.9.9");
    for (size_t length = 0; length < sizeof m; length++) {
        const iol__program found = look_at(&m, length, "program");
        assert_int_equal(found.elf, length >= sizeof(Elf32_Ehdr));
    }
    m.note.head.n_namesz = UINT32_MAX;
    m.note.head.n_descsz = UINT32_MAX - 2;
    assert_string_equal(look(&m).carried, "");
    m.header.e_phoff = UINT64_MAX - 8;
    assert_string_equal(look(&m).loader, "");
    m = start_of("/lib64/ld-linux-x86-64.so.2");
    m.segments[1].p_filesz = UINT64_MAX;
    m.segments[1].p_offset = UINT64_MAX - 100;
    assert_string_equal(look(&m).loader, "");
    interrupted = true;
    assert_false(look(&m).elf);
    interrupted = false;
}

static void scripts_name_their_interpreter(void **state) {
    (void)state;
    static const struct {
        const char *start, *interpreter;
    } cases[] = {{"#!/bin/sh\necho", "/bin/sh"},
                 {"#! \t/usr/bin/env python3\n", "/usr/bin/env"},
                 {"#!/bin/busybox sh", "/bin/busybox"},
                 {"#!/a\r\n", "/a"},
                 {"#!\n", NULL},
                 {"echo\n", NULL},
                 {"#!", NULL},
                 {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char interpreter[PATH_MAX] = "";
        const bool script =
            iol__program_script(cases[i].start, strlen(cases[i].start), interpreter, sizeof interpreter);
        assert_int_equal(script, cases[i].interpreter != NULL);
        if (script) assert_string_equal(interpreter, cases[i].interpreter);
    }
    char small[7];
    assert_false(iol__program_script("#!/bin/sh", 9, small, sizeof small));
}

static void the_search_is_that_of_execvp(void **state) {
    (void)state;
    char path[PATH_MAX], list[3 * PATH_MAX];
    assert_int_equal(iol__program_search(&calls, "tool", "/none:/first:/second:/third", path, sizeof path), 0);
    assert_string_equal(path, "/second/tool");
    assert_int_equal(iol__program_search(&calls, "tool", "/none:/first", path, sizeof path), EACCES);
    assert_int_equal(iol__program_search(&calls, "tool", "/none", path, sizeof path), ENOENT);
    assert_int_equal(iol__program_search(&calls, "tool", NULL, path, sizeof path), ENOENT);
    assert_int_equal(iol__program_search(&calls, "here", "/none::/second", path, sizeof path), 0);
    assert_string_equal(path, "here");
    assert_int_equal(iol__program_search(&calls, "./x/y", "/second", path, sizeof path), 0);
    assert_int_equal(iol__program_search(&calls, "", "/second", path, sizeof path), ENOENT);
    assert_int_equal(iol__program_search(&calls, "tool", "/second", path, sizeof "/second/tool" - 1), ENOENT);
    assert_int_equal(iol__program_search(&calls, "tool", "/second", path, sizeof "/second/tool"), 0);
    memset(list, 'x', sizeof list);
    list[0] = '/';
    strcpy(list + sizeof list - 16, ":/second");
    assert_int_equal(iol__program_search(&calls, "tool", list, path, sizeof path), 0);
    list[sizeof list - 20] = 0;
    assert_int_equal(iol__program_search(&calls, list, NULL, path, sizeof path), ENAMETOOLONG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loader_tells_the_c_library),
        cmocka_unit_test(a_loader_is_no_static_program),
        cmocka_unit_test(other_classes_and_machines_are_not_ours),
        cmocka_unit_test(notes_tell_go_and_what_carries_iolite),
        cmocka_unit_test(damaged_programs_do_no_harm),
        cmocka_unit_test(scripts_name_their_interpreter),
        cmocka_unit_test(the_search_is_that_of_execvp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
