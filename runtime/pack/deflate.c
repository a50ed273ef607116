/* zlib streams by libdeflate, else by zlib, else none. Memory comes from the kernel: at the end of a program its heap
   may be in any state. */
#include "runtime/pack/deflate.h"

#include <string.h>

#include "runtime/core/sys.h"

enum { ARENA = 2 << 20, LEVEL = 6 };

#if IOL_RUNTIME_LIBDEFLATE || IOL_RUNTIME_ZLIB
static char *arena;
static size_t arena_used;

/* Everything that is asked for while one log is written; given back all at once, by starting again. */
static void *give(size_t bytes) {
    if (!arena) arena = iol__sys_memory(ARENA);
    arena_used = (arena_used + 63) & ~(size_t)63;
    if (!arena || bytes > ARENA - arena_used) return NULL;
    char *given = arena + arena_used;
    arena_used += bytes;
    return given;
}
#endif

#if IOL_RUNTIME_LIBDEFLATE
#include <libdeflate.h>

static struct libdeflate_compressor *compressor;

static void keep(void *memory) { (void)memory; }

bool iol__deflate_start(void) {
    if (compressor) return true;
    libdeflate_set_memory_allocator(give, keep);
    compressor = libdeflate_alloc_compressor(LEVEL);
    return compressor != NULL;
}

bool iol__deflate_compresses(void) { return true; }
size_t iol__deflate_bound(size_t bytes) { return libdeflate_zlib_compress_bound(NULL, bytes); }

size_t iol__deflate(const void *from, size_t bytes, void *to, size_t room) {
    return compressor ? libdeflate_zlib_compress(compressor, from, bytes, to, room) : 0;
}

uint32_t iol__deflate_adler(uint32_t adler, const void *from, size_t bytes) {
    return libdeflate_adler32(adler, from, bytes);
}

#elif IOL_RUNTIME_ZLIB
#include <zlib.h>

static void *give_items(void *unused, unsigned items, unsigned size) {
    (void)unused;
    return give((size_t)items * size);
}

static void keep(void *unused, void *memory) {
    (void)unused;
    (void)memory;
}

bool iol__deflate_start(void) { return true; }
bool iol__deflate_compresses(void) { return true; }
size_t iol__deflate_bound(size_t bytes) { return bytes + bytes / 1000 + 64; }

size_t iol__deflate(const void *from, size_t bytes, void *to, size_t room) {
    z_stream z = {.zalloc = give_items, .zfree = keep};
    arena_used = 0;
    if (deflateInit(&z, LEVEL) != Z_OK) return 0;
    z.next_in = (Bytef *)(uintptr_t)from;
    z.avail_in = (uInt)bytes;
    z.next_out = to;
    z.avail_out = (uInt)room;
    const bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    const size_t length = z.total_out;
    deflateEnd(&z);
    return whole ? length : 0;
}

uint32_t iol__deflate_adler(uint32_t adler, const void *from, size_t bytes) {
    return (uint32_t)adler32_z(adler, from, bytes);
}

#else

bool iol__deflate_start(void) { return true; }
bool iol__deflate_compresses(void) { return false; }
size_t iol__deflate_bound(size_t bytes) { return bytes; }

size_t iol__deflate(const void *from, size_t bytes, void *to, size_t room) {
    if (bytes > room) return 0;
    memcpy(to, from, bytes);
    return bytes;
}

uint32_t iol__deflate_adler(uint32_t adler, const void *from, size_t bytes) {
    const unsigned char *at = from;
    uint32_t low = adler & 0xffff, high = adler >> 16;
    for (size_t i = 0; i < bytes; i++) {
        low = (low + at[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

#endif
