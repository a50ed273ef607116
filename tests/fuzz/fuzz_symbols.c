/* The fuzzer of programs that are asked for names: any bytes as an ELF file with its symbols and DWARF, at a few offsets. Names
   are looked for by libdw, and by symbols alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmds/where/elf_symbols.h"
#include "cmds/where/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OFFSETS = 8 };

static void name_offsets(const char *path, const char *build, const uint8_t *offsets) {
    iol__where_object object = {.key = 1, .build = build, .path = path};
    iol__where_frame frames[OFFSETS] = {0};
    iol__where_all all = {.objects = &object, .n_objects = 1, .frames = frames, .n_frames = OFFSETS};
    for (int i = 0; i < OFFSETS; i++) frames[i].offset = (uint64_t)offsets[2 * i] << 8 | offsets[2 * i + 1];
    if (!symbolize_frames(&all, NULL, NULL, NULL)) abort();
    for (int i = 0; i < OFFSETS; i++) free(frames[i].places);
    for (size_t i = 0; i < all.n_texts; i++) free(all.texts[i]);
    free(all.texts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64], build[BUILD_TEXT];
    elf_file file;
    if (size < 2 * OFFSETS) return 0;
    const int fd = memfd_create("program", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data + 2 * OFFSETS, size - 2 * OFFSETS) < 0) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (open_elf(path, &file)) {
        elf_build_id(&file, build);
        close_elf(&file);
        name_offsets(path, build, data);
    }
    close(fd);
    return 0;
}
