/* Looking at programs before they run. Files are read, never mapped, and every offset in them is checked: a damaged
   program is the user's to find out about, not ours to crash on. */
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

#include "cmds/program.h"

enum { LEVELS = 4, SHEBANG = 256, TABLE_MOST = 64 << 20, HEADERS_MOST = 512 };

/* Files ----------------------------------------------------------------------------------------------------------- */

static bool read_at(int fd, uint64_t offset, void *to, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(fd, (char *)to + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

/* A part of a file in memory, with a NUL behind it; NULL if it is not there or is too large. */
static char *load(int fd, uint64_t offset, uint64_t length) {
    char *bytes = length <= TABLE_MOST && offset <= INT64_MAX - TABLE_MOST ? malloc(length + 1) : NULL;
    if (!bytes) return NULL;
    bytes[length] = '\0';
    if (read_at(fd, offset, bytes, length)) return bytes;
    free(bytes);
    return NULL;
}

/* 0, or the errno that exec would give. */
static int executable(const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) return errno;
    if (!S_ISREG(facts.st_mode)) return EACCES;
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* As execvp: a name with a slash is a path, others are looked for in PATH; no right to run one is told last. */
static int search(const char *name, char path[PATH_MAX]) {
    const char *list = getenv("PATH");
    int error = ENOENT;
    if (!*name) return ENOENT;
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return executable(path);
    }
    if (!list) list = "/bin:/usr/bin";
    for (const char *end; list; list = *end ? end + 1 : NULL) {
        end = strchrnul(list, ':');
        int length = (int)(end - list);
        if (snprintf(path, PATH_MAX, "%.*s%s%s", length, list, length ? "/" : "", name) >= PATH_MAX) continue;
        int found = executable(path);
        if (found == 0) return 0;
        if (found == EACCES) error = EACCES;
    }
    snprintf(path, PATH_MAX, "%s", name);
    return error;
}

/* ELF ------------------------------------------------------------------------------------------------------------- */

/* Headers of our own class; others are not looked into. */
typedef struct elf_file {
    int fd;
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[HEADERS_MOST];
    size_t n_segments;
} elf_file;

static bool read_headers(elf_file *elf) {
    const ElfW(Ehdr) *h = &elf->header;
    if (!read_at(elf->fd, 0, &elf->header, sizeof elf->header)) return false;
    if (h->e_phentsize != sizeof elf->segments[0] || h->e_phnum > HEADERS_MOST) return false;
    elf->n_segments = h->e_phnum;
    return read_at(elf->fd, h->e_phoff, elf->segments, elf->n_segments * sizeof elf->segments[0]);
}

static const ElfW(Phdr) * find_segment(const elf_file *elf, unsigned type) {
    for (size_t i = 0; i < elf->n_segments; i++)
        if (elf->segments[i].p_type == type) return &elf->segments[i];
    return NULL;
}

static bool file_offset(const elf_file *elf, uint64_t address, uint64_t *offset) {
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
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(library, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static void find_sanitizer(const elf_file *elf, const ElfW(Dyn) * entries, size_t count, program *facts) {
    uint64_t address = 0, size = 0, offset;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].d_tag == DT_STRTAB) address = entries[i].d_un.d_ptr;
        if (entries[i].d_tag == DT_STRSZ) size = entries[i].d_un.d_val;
    }
    char *names = file_offset(elf, address, &offset) ? load(elf->fd, offset, size) : NULL;
    for (size_t i = 0; names && i < count && entries[i].d_tag != DT_NULL; i++) {
        uint64_t at = entries[i].d_un.d_val;
        if (entries[i].d_tag != DT_NEEDED || at >= size || !is_sanitizer(names + at)) continue;
        snprintf(facts->sanitizer, sizeof facts->sanitizer, "%s", names + at);
        break;
    }
    free(names);
}

static program_libc libc_of(const char *loader) {
    const char *slash = strrchr(loader, '/'), *name = slash ? slash + 1 : loader;
    if (strncmp(name, "ld-musl", 7) == 0) return PROGRAM_MUSL;
    if (strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0) return PROGRAM_GLIBC;
    return PROGRAM_OTHER_LIBC;
}

static void inspect_native(elf_file *elf, program *facts) {
    if (!read_headers(elf)) return;
    const ElfW(Phdr) *loader = find_segment(elf, PT_INTERP), *dynamic = find_segment(elf, PT_DYNAMIC);
    char *name = loader ? load(elf->fd, loader->p_offset, loader->p_filesz) : NULL;
    if (name) {
        snprintf(facts->loader, sizeof facts->loader, "%s", name);
        facts->libc = libc_of(name);
        free(name);
    }
    ElfW(Dyn) *entries = dynamic ? (void *)load(elf->fd, dynamic->p_offset, dynamic->p_filesz) : NULL;
    if (entries) find_sanitizer(elf, entries, dynamic->p_filesz / sizeof *entries, facts);
    free(entries);
}

/* The machine that this command was built for, from its own headers. */
static unsigned own_machine(void) {
    ElfW(Ehdr) header = {.e_machine = EM_NONE};
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !read_at(fd, 0, &header, sizeof header)) header.e_machine = EM_NONE;
    if (fd >= 0) close(fd);
    return header.e_machine;
}

static void inspect_elf(int fd, const unsigned char *start, program *facts) {
    uint16_t machine;
    memcpy(&machine, start + offsetof(Elf32_Ehdr, e_machine), sizeof machine);
    facts->elf = true;
    facts->bits = start[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    facts->native = facts->bits == 8 * sizeof(void *) && machine == own_machine();
    if (!facts->native) return;
    elf_file *elf = calloc(1, sizeof *elf);
    if (!elf) return;
    elf->fd = fd;
    inspect_native(elf, facts);
    free(elf);
}

/* Rights that its user does not have already: a setuid program of root is nothing special to root. */
static bool has_privileges(int fd) {
    struct stat facts;
    if (fstat(fd, &facts) != 0) return false;
    if ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != geteuid()) return true;
    if ((facts.st_mode & S_ISGID) != 0 && facts.st_gid != getegid()) return true;
    return geteuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Scripts --------------------------------------------------------------------------------------------------------- */

/* The program that a first line names: of "#!/usr/bin/env -S python3 -u" that is python3. False if there is none. */
static bool script_program(char *line, char name[PATH_MAX]) {
    char *rest = line, *word = strsep(&rest, " \t");
    const char *slash = strrchr(word, '/');
    if (strcmp(slash ? slash + 1 : word, "env") == 0)
        for (char *next; (next = strsep(&rest, " \t")) != NULL;) {
            if (!*next || *next == '-' || strchr(next, '=')) continue;
            word = next;
            break;
        }
    snprintf(name, PATH_MAX, "%s", word);
    return *word != '\0';
}

/* One step: true if `facts->path` is a script, and `name` the program behind it. */
static bool step(program *facts, char name[PATH_MAX]) {
    char start[SHEBANG + 1] = "";
    int fd = open(facts->path, O_RDONLY | O_CLOEXEC);
    /* What may be run but not read cannot be judged. */
    if (fd < 0) return false;
    ssize_t got = pread(fd, start, SHEBANG, 0);
    bool script = false;
    if (got >= (ssize_t)sizeof(Elf32_Ehdr) && memcmp(start, ELFMAG, SELFMAG) == 0) {
        facts->privileged = has_privileges(fd);
        inspect_elf(fd, (unsigned char *)start, facts);
    } else if (got > 2 && start[0] == '#' && start[1] == '!') {
        start[strcspn(start, "\r\n")] = '\0';
        char *line = start + 2 + strspn(start + 2, " \t");
        script = script_program(line, name);
    } else {
        /* exec refuses it, and then the shell is asked. */
        snprintf(name, PATH_MAX, "/bin/sh");
        script = true;
    }
    close(fd);
    return script;
}

void inspect_program(const char *name, program *facts) {
    char next[PATH_MAX];
    memset(facts, 0, sizeof *facts);
    facts->error = search(name, facts->path);
    for (int level = 0; level < LEVELS && facts->error == 0 && step(facts, next); level++) {
        if (!facts->script[0]) memcpy(facts->script, facts->path, sizeof facts->script);
        facts->error = search(next, facts->path);
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
        ElfW(Sym) *symbols = (void *)load(fd, sections[i].sh_offset, sections[i].sh_size);
        char *names = load(fd, text->sh_offset, text->sh_size);
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
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool listed = false;
    if (fd < 0) return false;
    if (read_at(fd, 0, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
        header.e_shentsize == sizeof(ElfW(Shdr))) {
        ElfW(Shdr) *sections = (void *)load(fd, header.e_shoff, (uint64_t)header.e_shnum * sizeof *sections);
        listed = sections && list_section(fd, sections, header.e_shnum, imported, each, context);
        free(sections);
    }
    close(fd);
    return listed;
}
