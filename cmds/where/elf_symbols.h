/* The build id and the function symbols of an ELF file. */
#ifndef IOL_CMDS_ELF_SYMBOLS_H
#define IOL_CMDS_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct elf_file {
    const uint8_t *bytes;
    size_t length;
} elf_file;

/* Maps a file; false if it is none, or not of this machine's kind. */
bool open_elf(const char *path, elf_file *file);
void close_elf(elf_file *file);
enum { BUILD_TEXT = 129 };
/* In hexadecimal; "-": it has none. */
void elf_build_id(const elf_file *file, char text[BUILD_TEXT]);
/* The function around an address; NULL if no symbol covers it. */
const char *elf_function(const elf_file *file, uint64_t address);

#endif
