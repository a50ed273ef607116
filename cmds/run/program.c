/* Looking at programs before they run. What decides whether a library can be in them is found by record/program.c, as at
   every exec inside of a run; here is what only a person wants to know. Files are read, never mapped, and every offset
   in them is checked: a damaged program is the user's to find out about, not ours to crash on. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/run/instructions.h"
#include "cmds/run/program.h"

enum { LEVELS = 4, TABLE_MOST = 64 << 20, HEADERS_MOST = 512 };

/* Files ----------------------------------------------------------------------------------------------------------- */

static bool program_read_at(int fd, uint64_t offset, void *to, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(fd, (char *)to + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

/* A part of a file in memory, with a NUL behind it; NULL if it is not there or is too large. */
static char *program_load(int fd, uint64_t offset, uint64_t length) {
    char *bytes = length <= TABLE_MOST && offset <= INT64_MAX - TABLE_MOST ? malloc(length + 1) : NULL;
    if (!bytes) return NULL;
    bytes[length] = '\0';
    if (program_read_at(fd, offset, bytes, length)) return bytes;
    free(bytes);
    return NULL;
}

static int open_program_program(int at, const char *path) {
    const int fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -errno : fd;
}

static long read_program(int fd, void *to, size_t bytes, uint64_t offset) {
    const ssize_t got = pread(fd, to, bytes, (off_t)offset);
    return got < 0 ? -errno : got;
}

static int program_status_of(int fd, struct stat *facts) { return fstat(fd, facts) == 0 ? 0 : -errno; }

static void close_program(int fd) { close(fd); }

static int program_may_run(int at, const char *path) {
    struct stat facts;
    if (fstatat(at, path, &facts, 0) != 0) return errno;
    if (!S_ISREG(facts.st_mode)) return EACCES;
    return faccessat(at, path, X_OK, 0) == 0 ? 0 : errno;
}

/* Rights that its user does not have already: a setuid program of root is nothing special to root. */
static bool gains_rights(int fd, const struct stat *facts) {
    if ((facts->st_mode & S_ISUID) != 0 && facts->st_uid != geteuid()) return true;
    if ((facts->st_mode & S_ISGID) != 0 && facts->st_gid != getegid()) return true;
    return geteuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static const iol__program_calls calls = {open_program_program, read_program,    program_status_of,
                                         close_program,        program_may_run, gains_rights};

/* ELF ------------------------------------------------------------------------------------------------------------- */

/* Headers of our own class; others are not looked into. */
typedef struct program_elf_file {
    int fd;
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[HEADERS_MOST];
    size_t n_segments;
} program_elf_file;

static bool read_headers(program_elf_file *elf) {
    const ElfW(Ehdr) *h = &elf->header;
    if (!program_read_at(elf->fd, 0, &elf->header, sizeof elf->header)) return false;
    if (h->e_phentsize != sizeof elf->segments[0] || h->e_phnum > HEADERS_MOST) return false;
    elf->n_segments = h->e_phnum;
    return program_read_at(elf->fd, h->e_phoff, elf->segments, elf->n_segments * sizeof elf->segments[0]);
}

static const ElfW(Phdr) * find_segment(const program_elf_file *elf, unsigned type) {
    for (size_t i = 0; i < elf->n_segments; i++)
        if (elf->segments[i].p_type == type) return &elf->segments[i];
    return NULL;
}

static bool file_offset(const program_elf_file *elf, uint64_t address, uint64_t *offset) {
    for (size_t i = 0; i < elf->n_segments; i++) {
        const ElfW(Phdr) *segment = &elf->segments[i];
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
        if (address - segment->p_vaddr >= segment->p_filesz) continue;
        *offset = address - segment->p_vaddr + segment->p_offset;
        return true;
    }
    return false;
}

static bool is_sanitizer(const char *library) {
    static const char *const starts[] = {"libasan.", "libtsan.", "liblsan.", "libhwasan.", "libubsan.", "libclang_rt."};
    for (size_t i = 0; i < IOL_COUNT(starts); i++)
        if (strncmp(library, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static void find_sanitizer(const program_elf_file *elf, const ElfW(Dyn) * entries, size_t count, program *facts) {
    uint64_t address = 0, size = 0, offset;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].d_tag == DT_STRTAB) address = entries[i].d_un.d_ptr;
        if (entries[i].d_tag == DT_STRSZ) size = entries[i].d_un.d_val;
    }
    char *names = file_offset(elf, address, &offset) ? program_load(elf->fd, offset, size) : NULL;
    for (size_t i = 0; names && i < count && entries[i].d_tag != DT_NULL; i++) {
        uint64_t at = entries[i].d_un.d_val;
        if (entries[i].d_tag != DT_NEEDED || at >= size || !is_sanitizer(names + at)) continue;
        snprintf(facts->sanitizer, sizeof facts->sanitizer, "%s", names + at);
        break;
    }
    free(names);
}

/* Entering the kernel without libc --------------------------------------------------------------------------------- */

/* Number 426, io_uring_enter, put where the kernel looks for it, and the instruction that goes there, soon after. */
#if defined(__x86_64__)
static bool enters_ring(const char *code, size_t size) {
    static const char number[] = "\xb8\xaa\x01\0\0", enter[] = "\x0f\x05"; /* mov $426, %eax; syscall */
    enum { NEAR = 48 };
    const char *end = code + size, *at = code;
    for (; (at = memmem(at, (size_t)(end - at), number, sizeof number - 1)) != NULL; at++) {
        size_t left = (size_t)(end - at);
        if (memmem(at, left < NEAR ? left : NEAR, enter, sizeof enter - 1)) return true;
    }
    return false;
}
#elif defined(__aarch64__)
static bool enters_ring(const char *code, size_t size) {
    enum { NEAR = 12 };
    const uint32_t number_w = 0x52803548, number_x = 0xd2803548, enter = 0xd4000001; /* mov w8 or x8, #426; svc #0 */
    size_t since = NEAR;
    for (size_t at = 0; at + 4 <= size; at += 4, since++) {
        uint32_t word;
        memcpy(&word, code + at, sizeof word);
        if (word == number_w || word == number_x) since = 0;
        if (word == enter && since < NEAR) return true;
    }
    return false;
}
#else
static bool enters_ring(const char *code, size_t size) { return code == NULL && size > 0; }
#endif

static void inspect_piece(const program_elf_file *elf, uint64_t offset, uint64_t size, own_entries *found) {
    char *code = program_load(elf->fd, offset, size);
    if (!code) return;
    found->rings = found->rings || enters_ring(code, size);
    found->calls = found->calls || enters_kernel((const uint8_t *)code, size);
    free(code);
}

/* False: there are no sections that separate code from what is only loaded beside it. */
static bool inspect_sections(const program_elf_file *elf, own_entries *found) {
    const ElfW(Ehdr) *h = &elf->header;
    if (h->e_shentsize != sizeof(ElfW(Shdr)) || h->e_shnum == 0) return false;
    const ElfW(Shdr) *sections = (const void *)program_load(elf->fd, h->e_shoff, h->e_shnum * sizeof *sections);
    if (!sections) return false;
    for (size_t i = 0; i < h->e_shnum; i++)
        if (sections[i].sh_type == SHT_PROGBITS && sections[i].sh_flags & SHF_EXECINSTR)
            inspect_piece(elf, sections[i].sh_offset, sections[i].sh_size, found);
    free((void *)sections);
    return true;
}

static void inspect_code(const program_elf_file *elf, own_entries *found) {
    if (inspect_sections(elf, found)) return;
    for (size_t i = 0; i < elf->n_segments; i++) {
        const ElfW(Phdr) *segment = &elf->segments[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            inspect_piece(elf, segment->p_offset, segment->p_filesz, found);
    }
}

own_entries find_own_entries(const program *facts) {
    program_elf_file *elf = facts->elf && facts->native ? calloc(1, sizeof *elf) : NULL;
    own_entries found = {0};
    if (!elf) return found;
    elf->fd = open(facts->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (elf->fd >= 0) {
        if (read_headers(elf)) inspect_code(elf, &found);
        close(elf->fd);
    }
    free(elf);
    return found;
}

static void inspect_elf(int fd, program *facts) {
    iol__program found;
    iol__program_look(&calls, fd, facts->path, &found);
    facts->elf = found.elf;
    facts->bits = found.bits;
    facts->native = found.native;
    facts->privileged = found.privileged;
    facts->libc = found.libc;
    facts->go = found.go;
    memcpy(facts->loader, found.loader, sizeof facts->loader);
    memcpy(facts->carried, found.carried, sizeof facts->carried);
    program_elf_file *elf = found.native ? malloc(sizeof *elf) : NULL;
    if (!elf) return;
    elf->fd = fd;
    elf->n_segments = 0;
    const ElfW(Phdr) *dynamic = read_headers(elf) ? find_segment(elf, PT_DYNAMIC) : NULL;
    ElfW(Dyn) *entries = dynamic ? (void *)program_load(fd, dynamic->p_offset, dynamic->p_filesz) : NULL;
    if (entries) find_sanitizer(elf, entries, dynamic->p_filesz / sizeof *entries, facts);
    free(entries);
    free(elf);
}

/* Scripts --------------------------------------------------------------------------------------------------------- */

/* The program that the words behind an interpreter name: of "#!/usr/bin/env -S python3 -u" that is python3. */
static void look_behind_env(char *line, char name[PATH_MAX]) {
    const char *slash = strrchr(name, '/');
    if (strcmp(slash ? slash + 1 : name, "env") != 0) return;
    line[strcspn(line, "\r\n")] = '\0';
    char *rest = line + 2 + strspn(line + 2, " \t");
    strsep(&rest, " \t");
    for (char *next; (next = strsep(&rest, " \t")) != NULL;) {
        if (!*next || *next == '-' || strchr(next, '=')) continue;
        snprintf(name, PATH_MAX, "%s", next);
        return;
    }
}

/* One step: true if `facts->path` is a script, and `name` the program behind it. */
static bool program_step(program *facts, char name[PATH_MAX]) {
    char start[IOL_PROGRAM_START + 1] = "";
    const int fd = open_program_program(AT_FDCWD, facts->path);
    /* What may be run but not read cannot be judged. */
    if (fd < 0) return false;
    const ssize_t got = pread(fd, start, IOL_PROGRAM_START, 0);
    const bool script = got > 0 && iol__program_script(start, (size_t)got, name, PATH_MAX);
    if (script)
        look_behind_env(start, name);
    else
        inspect_elf(fd, facts);
    close(fd);
    if (script || facts->elf) return script;
    snprintf(name, PATH_MAX, "/bin/sh"); /* exec refuses it, and then the shell is asked */
    return true;
}

void inspect_program(const char *name, program *facts) {
    char next[PATH_MAX];
    facts->path[0] = facts->script[0] = '\0';
    memset((char *)facts + offsetof(program, elf), 0, sizeof *facts - offsetof(program, elf));
    facts->error = iol__program_search(&calls, name, getenv("PATH"), facts->path, PATH_MAX);
    for (int level = 0; level < LEVELS && facts->error == 0 && program_step(facts, next); level++) {
        if (!facts->script[0]) strcpy(facts->script, facts->path);
        facts->error = iol__program_search(&calls, next, getenv("PATH"), facts->path, PATH_MAX);
    }
}

/* Symbols --------------------------------------------------------------------------------------------------------- */

static void each_symbol(const ElfW(Sym) * symbols, size_t count, const char *names, size_t size, bool imported,
                        void (*each)(void *context, const char *name), void *context) {
    for (size_t i = 1; i < count; i++) {
        unsigned type = ELF64_ST_TYPE(symbols[i].st_info);
        if ((symbols[i].st_shndx == SHN_UNDEF) != imported || symbols[i].st_name >= size) continue;
        if (type != STT_FUNC && type != STT_GNU_IFUNC && !(imported && type == STT_NOTYPE)) continue;
        each(context, names + symbols[i].st_name);
    }
}

static bool list_section(int fd, const ElfW(Shdr) * sections, size_t count, bool imported,
                         void (*each)(void *context, const char *name), void *context) {
    for (size_t i = 0; i < count; i++) {
        if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= count) continue;
        const ElfW(Shdr) *text = &sections[sections[i].sh_link];
        ElfW(Sym) *symbols = (void *)program_load(fd, sections[i].sh_offset, sections[i].sh_size);
        char *names = program_load(fd, text->sh_offset, text->sh_size);
        bool both = symbols && names;
        if (both)
            each_symbol(symbols, sections[i].sh_size / sizeof *symbols, names, text->sh_size, imported, each, context);
        free(symbols);
        free(names);
        return both;
    }
    return false;
}

bool list_symbols(const char *path, bool imported, void (*each)(void *context, const char *name), void *context) {
    ElfW(Ehdr) header;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool listed = false;
    if (fd < 0) return false;
    if (program_read_at(fd, 0, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
        header.e_shentsize == sizeof(ElfW(Shdr))) {
        ElfW(Shdr) *sections = (void *)program_load(fd, header.e_shoff, (uint64_t)header.e_shnum * sizeof *sections);
        listed = sections && list_section(fd, sections, header.e_shnum, imported, each, context);
        free(sections);
    }
    close(fd);
    return listed;
}
