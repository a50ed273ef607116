/* The file is mapped and may be anything: every offset is checked against its length. */
#include "cmds/where/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"

/* So many bytes of the file; NULL if they are not all there. */
static const void *part(const elf_file *file, uint64_t at, uint64_t bytes) {
    return at <= file->length && bytes <= file->length - at ? file->bytes + at : NULL;
}

bool open_elf(const char *path, elf_file *file) {
    struct stat st;
    *file = (elf_file){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size > sizeof(ElfW(Ehdr))) {
        void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) *file = (elf_file){bytes, (size_t)st.st_size};
    }
    close(fd);
    const ElfW(Ehdr) *head = (const void *)file->bytes;
    if (head && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
        head->e_phentsize == sizeof(ElfW(Phdr)))
        return true;
    close_elf(file);
    return false;
}

void close_elf(elf_file *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (elf_file){0};
}

static bool note_build_id(const uint8_t *at, uint64_t bytes, char text[BUILD_TEXT]) {
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const uint64_t name = ((uint64_t)note.n_namesz + 3) & ~UINT64_C(3),
                       content = ((uint64_t)note.n_descsz + 3) & ~UINT64_C(3);
        const uint64_t whole = sizeof note + name + content;
        if (whole > bytes) return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0 &&
            note.n_descsz <= (BUILD_TEXT - 1) / 2) {
            for (uint32_t i = 0; i < note.n_descsz; i++)
                snprintf(text + 2 * (size_t)i, 3, "%02x", at[sizeof note + name + i]);
            return true;
        }
        at += whole;
        bytes -= whole;
    }
    return false;
}

void elf_build_id(const elf_file *file, char text[BUILD_TEXT]) {
    const ElfW(Ehdr) *head = (const void *)file->bytes;
    strcpy(text, "-");
    for (unsigned i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) segment;
        const void *at = part(file, head->e_phoff + i * sizeof segment, sizeof segment);
        if (!at) return;
        memcpy(&segment, at, sizeof segment);
        const void *notes = segment.p_type == PT_NOTE ? part(file, segment.p_offset, segment.p_filesz) : NULL;
        if (notes && note_build_id(notes, segment.p_filesz, text)) return;
    }
}

static bool section_of(const elf_file *file, uint64_t number, ElfW(Shdr) * section) {
    const ElfW(Ehdr) *head = (const void *)file->bytes;
    const void *at = head->e_shentsize == sizeof *section && number < head->e_shnum
                         ? part(file, head->e_shoff + number * sizeof *section, sizeof *section)
                         : NULL;
    if (at) memcpy(section, at, sizeof *section);
    return at != NULL;
}

static const char *in_symbols(const elf_file *file, const ElfW(Shdr) * table, uint64_t address) {
    ElfW(Shdr) strings;
    const uint8_t *symbols = part(file, table->sh_offset, table->sh_size);
    if (!symbols || !section_of(file, table->sh_link, &strings)) return NULL;
    const char *texts = part(file, strings.sh_offset, strings.sh_size);
    if (!texts || strings.sh_size == 0 || texts[strings.sh_size - 1]) return NULL;
    for (uint64_t i = 0; i < table->sh_size / sizeof(ElfW(Sym)); i++) {
        ElfW(Sym) symbol;
        memcpy(&symbol, symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
            address - symbol.st_value < symbol.st_size && symbol.st_name < strings.sh_size)
            return texts + symbol.st_name;
    }
    return NULL;
}

const char *elf_function(const elf_file *file, uint64_t address) {
    const ElfW(Ehdr) *head = (const void *)file->bytes;
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t t = 0; t < IOL_COUNT(types); t++)
        for (uint64_t i = 0; i < head->e_shnum; i++) {
            ElfW(Shdr) section;
            if (!section_of(file, i, &section) || section.sh_type != types[t]) continue;
            const char *name = in_symbols(file, &section, address);
            if (name) return name;
        }
    return NULL;
}
