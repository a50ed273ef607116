/* Looking at program files. They are read, never mapped, and every offset in them is checked: a damaged program is the
   user's to find out about, not ours to crash on. All that is kept is on the stack, and small. */
#include "record/program.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/resource.h>

enum { SEGMENTS_MOST = 512, NOTES_MOST = 64, NOTE_NAME = 16, TRIES = 100, START = 1024 };

const iol__program_limit iol__program_limits[IOL_PROGRAM_LIMITS] = {
    {RLIMIT_AS, 64u << 20}, {RLIMIT_DATA, 32u << 20}, {RLIMIT_STACK, 64u << 10}, {RLIMIT_NOFILE, 4}};

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#elif defined(__powerpc64__)
enum { MACHINE = EM_PPC64 };
#elif defined(__riscv)
enum { MACHINE = EM_RISCV };
#elif defined(__s390x__)
enum { MACHINE = EM_S390 };
#else
enum { MACHINE = EM_NONE }; /* any of our class */
#endif

typedef struct program_reading {
    const iol__program_calls *calls;
    int fd;
    bool failed; /* the system refused, which says nothing of the program; one that is cut short is another matter */
    size_t have; /* of the start, where the headers usually are */
    unsigned char start[START];
} program_reading;

static void read_start(program_reading *from) {
    long got = -EINTR;
    for (int tries = 0; got == -EINTR && tries < TRIES; tries++)
        got = from->calls->read_at(from->fd, from->start, sizeof from->start, 0);
    from->have = got > 0 ? (size_t)got : 0;
}

static bool program_read_all(program_reading *from, uint64_t offset, void *to, size_t bytes) {
    if (offset > (uint64_t)INT64_MAX - bytes) return false;
    if (offset + bytes <= from->have) {
        memcpy(to, from->start + offset, bytes);
        return true;
    }
    size_t done = 0;
    for (int tries = 0; done < bytes && tries < TRIES; tries++) {
        const long got = from->calls->read_at(from->fd, (char *)to + done, bytes - done, offset + done);
        if (got == -EINTR) continue;
        if (got < 0) from->failed = true;
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return done == bytes;
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static const char *program_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static iol__program_libc libc_of(const char *loader) {
    const char *name = program_last_part(loader);
    if (starts_with(name, "ld-musl")) return IOL_PROGRAM_MUSL;
    if (starts_with(name, "ld-linux") || starts_with(name, "ld64.so") || starts_with(name, "ld.so"))
        return IOL_PROGRAM_GLIBC;
    return IOL_PROGRAM_OTHER_LIBC;
}

/* Notes: Go's linker leaves its build id in every program, libiolite.a its version. */
static void take_note(program_reading *from, const ElfW(Nhdr) * head, uint64_t content, const char *name,
                      iol__program *program) {
    enum { GO_BUILD_ID = 4, OWN_VERSION = 1 };
    if (head->n_type == GO_BUILD_ID && head->n_namesz >= 3 && memcmp(name, "Go", 3) == 0) program->go = true;
    if (head->n_type != OWN_VERSION || head->n_namesz < 7 || memcmp(name, "Iolite", 7) != 0) return;
    const size_t room = sizeof program->carried - 1, length = head->n_descsz < room ? head->n_descsz : room;
    if (!program_read_all(from, content, program->carried, length)) program->carried[0] = 0;
}

static void read_notes(program_reading *from, const ElfW(Phdr) * segment, iol__program *program) {
    const uint64_t size = segment->p_filesz;
    uint64_t at = 0;
    for (int n = 0; n < NOTES_MOST && at <= size && size - at >= sizeof(ElfW(Nhdr)); n++) {
        ElfW(Nhdr) head;
        char name[NOTE_NAME] = "";
        if (!program_read_all(from, segment->p_offset + at, &head, sizeof head)) return;
        at += sizeof head;
        const uint64_t name_bytes = ((uint64_t)head.n_namesz + 3) & ~UINT64_C(3);
        const uint64_t content = ((uint64_t)head.n_descsz + 3) & ~UINT64_C(3);
        if (name_bytes > size - at || content > size - at - name_bytes) return;
        const size_t length = head.n_namesz < sizeof name - 1 ? head.n_namesz : sizeof name - 1;
        if (!program_read_all(from, segment->p_offset + at, name, length)) return;
        take_note(from, &head, segment->p_offset + at + name_bytes, name, program);
        at += name_bytes + content;
    }
}

static void read_loader(program_reading *from, const ElfW(Phdr) * segment, iol__program *program) {
    const size_t room = sizeof program->loader - 1;
    const size_t length = segment->p_filesz < room ? (size_t)segment->p_filesz : room;
    if (!program_read_all(from, segment->p_offset, program->loader, length)) program->loader[0] = 0;
    program->libc = libc_of(program->loader);
}

static void look_native(program_reading *from, const char *name, iol__program *program) {
    ElfW(Ehdr) header;
    if (!program_read_all(from, 0, &header, sizeof header)) return;
    for (size_t i = 0; header.e_phentsize == sizeof(ElfW(Phdr)) && i < header.e_phnum && i < SEGMENTS_MOST; i++) {
        ElfW(Phdr) segment;
        if (!program_read_all(from, header.e_phoff + i * sizeof segment, &segment, sizeof segment)) return;
        if (segment.p_type == PT_INTERP) read_loader(from, &segment, program);
        if (segment.p_type == PT_NOTE) read_notes(from, &segment, program);
    }
    /* A loader is not loaded by another, but it does load libraries. */
    if (!program->loader[0] && libc_of(name) != IOL_PROGRAM_OTHER_LIBC) program->libc = libc_of(name);
}

void iol__program_look(const iol__program_calls *calls, int fd, const char *name, iol__program *program) {
    const union {
        uint16_t number;
        unsigned char first;
    } order = {.number = 1};
    unsigned char start[sizeof(Elf32_Ehdr)];
    uint16_t machine;
    struct stat facts;
    program_reading file, *from = &file;
    file.calls = calls;
    file.fd = fd;
    file.failed = false;
    read_start(from);
    memset(program, 0, sizeof *program);
    if (!program_read_all(from, 0, start, sizeof start) || memcmp(start, ELFMAG, SELFMAG) != 0) return;
    memcpy(&machine, start + offsetof(Elf32_Ehdr, e_machine), sizeof machine);
    program->elf = true;
    program->privileged = calls->status(fd, &facts) == 0 && calls->gains_rights(fd, &facts);
    program->bits = start[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    program->native = program->bits == 8 * sizeof(void *) &&
                      start[EI_DATA] == (order.first ? ELFDATA2LSB : ELFDATA2MSB) &&
                      (MACHINE == EM_NONE || machine == MACHINE);
    if (program->native) look_native(from, name, program);
    if (file.failed)
        program->libc = IOL_PROGRAM_GLIBC; /* what the system does not let us read is taken for the usual */
}

bool iol__program_harmed(const iol__program *program) {
    return program->elf &&
           (!program->native || program->libc == IOL_PROGRAM_MUSL || program->libc == IOL_PROGRAM_OTHER_LIBC);
}

bool iol__program_script(const char *start, size_t length, char *interpreter, size_t room) {
    size_t at = 2, used = 0;
    if (length < 3 || start[0] != '#' || start[1] != '!') return false;
    while (at < length && (start[at] == ' ' || start[at] == '\t')) at++;
    for (; at < length && !strchr(" \t\r\n", start[at]); at++) {
        if (used + 1 == room) return false;
        interpreter[used++] = start[at];
    }
    interpreter[used] = 0;
    return used > 0;
}

static bool put_together(char *path, size_t room, const char *directory, size_t length, const char *name) {
    const size_t name_bytes = strlen(name) + 1, slash = length > 0;
    if (length + slash + name_bytes > room) return false;
    memcpy(path, directory, length);
    if (slash) path[length] = '/';
    memcpy(path + length + slash, name, name_bytes);
    return true;
}

int iol__program_search(const iol__program_calls *calls, const char *name, const char *list, char *path, size_t room) {
    enum { HERE = -100 /* AT_FDCWD */ };
    int error = ENOENT;
    path[0] = 0;
    if (!*name) return ENOENT;
    if (strchr(name, '/')) {
        if (!put_together(path, room, "", 0, name)) return ENAMETOOLONG;
        return calls->may_run(HERE, path);
    }
    if (!list) list = "/bin:/usr/bin";
    for (const char *end; list; list = *end ? end + 1 : NULL) {
        end = strchrnul(list, ':');
        if (!put_together(path, room, list, (size_t)(end - list), name)) continue;
        const int found = calls->may_run(HERE, path);
        if (found == 0) return 0;
        if (found == EACCES) error = EACCES;
    }
    if (!put_together(path, room, "", 0, name)) path[0] = 0;
    return error;
}
