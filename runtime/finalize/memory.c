/* A table of what was taken. Beyond its size memory is not noted, and stays. */
#include "runtime/finalize/memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { BLOCKS = 1024, LARGE_PAGE = 2 << 20, LARGEST_PART = 1 << 20 };

static struct {
    void *memory;
    size_t bytes;
} blocks[BLOCKS];
static size_t n_blocks;

static bool plentiful;
static uint8_t *part_at, *part_end, *last_part; /* of the large page that is being given away */

void iol__memory_plenty(bool plenty) { plentiful = plenty; }

static void change(const void *memory, void *now, size_t bytes) {
    for (size_t i = n_blocks; i-- > 0;) {
        if (blocks[i].memory != memory) continue;
        blocks[i].memory = now;
        blocks[i].bytes = bytes;
        while (n_blocks > 0 && !blocks[n_blocks - 1].memory) n_blocks--;
        return;
    }
}

static bool is_part(const void *memory) {
    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].bytes == 2 * LARGE_PAGE && (const uint8_t *)memory >= (uint8_t *)blocks[i].memory &&
            (const uint8_t *)memory < (uint8_t *)blocks[i].memory + blocks[i].bytes)
            return true;
    return false;
}

void *iol__memory_reserve(size_t bytes) {
    void *memory = iol__sys_memory(bytes);
    if (memory && n_blocks < BLOCKS) {
        blocks[n_blocks].memory = memory;
        blocks[n_blocks++].bytes = bytes;
    }
    return memory;
}

/* The next large page, wherever it begins in twice as much. */
static bool next_page(void) {
    uint8_t *memory = iol__memory_reserve(2 * LARGE_PAGE);
    if (!memory) return false;
    part_at = (uint8_t *)(((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1));
    part_end = part_at + LARGE_PAGE;
    sys(madvise, part_at, LARGE_PAGE, MADV_HUGEPAGE);
    return true;
}

void *iol__memory_take(size_t bytes) {
    const size_t room = (bytes + 63) & ~(size_t)63;
    if (!plentiful || room > LARGEST_PART) return iol__memory_reserve(bytes);
    if (room > (size_t)(part_end - part_at) && !next_page()) return NULL;
    last_part = part_at;
    part_at += room;
    return last_part;
}

/* In one go: page by page, as they are touched, is what costs time. Old kernels do not know how, and need not. */
void *iol__memory_filled(size_t bytes) {
    void *memory = iol__memory_take(bytes);
    if (memory && !is_part(memory)) sys(madvise, memory, bytes, MADV_POPULATE_WRITE);
    return memory;
}

/* Only the last part can go back, and memory that was used is not zero any more. */
void iol__memory_back(void *memory, size_t bytes) {
    if (!memory) return;
    if (plentiful && is_part(memory)) {
        if (memory != last_part) return;
        memset(memory, 0, bytes);
        part_at = last_part;
        last_part = NULL;
        return;
    }
    sys(munmap, memory, bytes);
    change(memory, NULL, 0);
}

void *iol__memory_grow(void *memory, size_t bytes, size_t wanted) {
    if (!memory) return iol__memory_take(wanted);
    if (plentiful && is_part(memory)) {
        void *larger = iol__memory_take(wanted);
        if (larger) memcpy(larger, memory, bytes);
        return larger;
    }
    const long at = sys(mremap, memory, bytes, wanted, MREMAP_MAYMOVE);
    if (at == -1) return NULL;
    change(memory, (void *)at, wanted);
    return (void *)at;
}

bool iol__buffer_room(iol__buffer *b, size_t more) {
    if (more <= b->room - b->used) return true;
    const size_t room = b->used + more + b->room / 2;
    uint8_t *bytes = iol__memory_grow(b->bytes, b->room, room);
    if (!bytes) return false;
    b->bytes = bytes;
    b->room = room;
    return true;
}

void iol__memory_all_back(void) {
    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].memory) sys(munmap, blocks[i].memory, blocks[i].bytes);
    n_blocks = 0;
    part_at = part_end = last_part = NULL;
    plentiful = false;
}
