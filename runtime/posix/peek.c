/* The kernel is asked, a page at a time, whether memory can be read. */
#include "runtime/posix/peek.h"

#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"

enum { PAGE = 4096 /* or a multiple of it */ };

/* Whether the page of an address is there. */
static bool page_there(uint64_t address) {
    const int answer = iol__there_at(address);
    if (answer < 0) iol__count_lost();
    return answer == 1;
}

bool iol__peek(void *to, uint64_t from, size_t bytes) {
    if (bytes == 0 || from > UINT64_MAX - bytes) return bytes == 0;
    for (uint64_t page = from / PAGE; page <= (from + bytes - 1) / PAGE; page++)
        if (!page_there(page * PAGE)) return false;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

size_t iol__peek_pieces(void *to, const uint64_t *from, size_t count, size_t bytes) {
    size_t n = 0;
    if (count > IOL_PEEK_PIECES) count = IOL_PEEK_PIECES;
    while (n < count && iol__peek((char *)to + n * bytes, from[n], bytes)) n++;
    return n;
}

/* A page is asked for when the string reaches it: the one behind its end need not be there. */
bool iol__peek_string(char *to, uint64_t from, size_t room) {
    for (size_t length = 0; length < room; length++) {
        if ((length == 0 || (from + length) % PAGE == 0) && !page_there((from + length) / PAGE * PAGE)) return false;
        to[length] = ((const char *)(uintptr_t)from)[length];
        if (!to[length]) return true;
    }
    return false;
}

bool iol__peek_vector_unaligned(uint64_t vector, uint64_t count) {
    enum { STEP = 16, MOST = 1024 /* as the kernel has it */ };
    struct iovec part[STEP];
    if (count > MOST) return false;
    for (uint64_t i = 0; i < count; i += STEP) {
        const size_t n = count - i < STEP ? (size_t)(count - i) : STEP;
        if (!iol__peek(part, vector + i * sizeof *part, n * sizeof *part)) return false;
        if (iol__posix_vector_unaligned(part, (int)n)) return true;
    }
    return false;
}
