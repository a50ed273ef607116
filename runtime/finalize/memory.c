/* A table of what was taken. Beyond its size memory is not noted, and stays. */
#include "runtime/finalize/memory.h"

#include <sys/mman.h>

#include "runtime/core/own.h"

enum { BLOCKS = 1024 };

static struct {
    void *memory;
    size_t bytes;
} blocks[BLOCKS];
static size_t n_blocks;

static void change(const void *memory, void *now, size_t bytes) {
    for (size_t i = n_blocks; i-- > 0;) {
        if (blocks[i].memory != memory) continue;
        blocks[i].memory = now;
        blocks[i].bytes = bytes;
        while (n_blocks > 0 && !blocks[n_blocks - 1].memory) n_blocks--;
        return;
    }
}

void *iol__memory_take(size_t bytes) {
    void *memory = iol__own_memory(bytes);
    if (memory && n_blocks < BLOCKS) {
        blocks[n_blocks].memory = memory;
        blocks[n_blocks++].bytes = bytes;
    }
    return memory;
}

void *iol__memory_grow(void *memory, size_t bytes, size_t wanted) {
    if (!memory) return iol__memory_take(wanted);
    const long at = own(mremap, memory, bytes, wanted, MREMAP_MAYMOVE);
    if (at == -1) return NULL;
    change(memory, (void *)at, wanted);
    return (void *)at;
}

void iol__memory_back(void *memory, size_t bytes) {
    if (!memory) return;
    own(munmap, memory, bytes);
    change(memory, NULL, 0);
}

void iol__memory_all_back(void) {
    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].memory) own(munmap, blocks[i].memory, blocks[i].bytes);
    n_blocks = 0;
}
