/* Finding system calls among instructions. On x86-64 the two bytes of one are in any larger program, inside of other
   instructions: so code is walked through instruction by instruction, for which their lengths are enough. What is no
   code between them puts the walk off its track for a few instructions only. */
#include "cmds/run/instructions.h"

#include <string.h>

#if defined(__x86_64__)

typedef struct instructions_walk {
    const uint8_t *at, *end;
    bool wide, narrow, short_address; /* REX.W, and the prefixes 66 and 67 */
} instructions_walk;

static bool instructions_among(uint8_t byte, const char *list, size_t count) {
    return memchr(list, byte, count) != NULL;
}
#define AMONG(byte, list) instructions_among(byte, list, sizeof(list) - 1)

static void skip_prefixes(instructions_walk *w) {
    for (; w->at < w->end && AMONG(*w->at, "\x66\x67\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65"); w->at++) {
        w->narrow |= *w->at == 0x66;
        w->short_address |= *w->at == 0x67;
    }
    if (w->at < w->end && (*w->at & 0xf0) == 0x40) w->wide = *w->at++ & 8;
}

/* The byte that names operands, and what it says that follows. */
static size_t operand_bytes(const instructions_walk *w) {
    if (w->end - w->at < 2) return 2;
    const uint8_t mode = w->at[0] >> 6, base = w->at[0] & 7;
    if (mode == 3) return 1;
    const size_t index = base == 4;
    if (mode == 0) return 1 + index + (base == 5 || (index && (w->at[1] & 7) == 5) ? 4 : 0);
    return 1 + index + (mode == 1 ? 1 : 4);
}

/* Behind the opcode, in the first map. */
static size_t rest_plain(const instructions_walk *w, uint8_t op) {
    const size_t word = w->narrow ? 2 : 4, low = op & 7;
    if (op < 0x40) return low < 4 ? operand_bytes(w) : low == 4 ? 1 : low == 5 ? word : 0;
    if (AMONG(op, "\x80\x82\x83\xc0\xc1\xc6\x6b")) return operand_bytes(w) + 1;
    if (AMONG(op, "\x81\xc7\x69")) return operand_bytes(w) + word;
    if (op == 0xf6 || op == 0xf7) {
        const bool test = w->at < w->end && (*w->at >> 3 & 6) == 0;
        return operand_bytes(w) + (!test ? 0 : op == 0xf6 ? 1 : word);
    }
    if (op == 0x63 || (op >= 0x84 && op <= 0x8f) || (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) ||
        op >= 0xfe)
        return operand_bytes(w);
    if ((op >= 0x70 && op <= 0x7f) || (op >= 0xb0 && op <= 0xb7) || (op >= 0xe0 && op <= 0xe7)) return 1;
    if (AMONG(op, "\x6a\xa8\xcd\xd4\xd5\xeb")) return 1;
    if (op >= 0xb8 && op <= 0xbf) return w->wide ? 8 : word;
    if (op == 0x68 || op == 0xa9) return word;
    if (op == 0xe8 || op == 0xe9) return 4;
    if (op >= 0xa0 && op <= 0xa3) return w->short_address ? 4 : 8;
    return op == 0xc2 || op == 0xca ? 2 : op == 0xc8 ? 3 : 0;
}

/* In the maps behind 0f, 0f 38 and 0f 3a, which vector instructions use too. */
static size_t rest_mapped(const instructions_walk *w, unsigned map, uint8_t op) {
    if (map != 1) return operand_bytes(w) + (map == 3);
    if (op >= 0x80 && op <= 0x8f) return 4;
    if ((op >= 0x30 && op <= 0x37) || op >> 3 == 0xc8 >> 3 || AMONG(op, "\x05\x06\x07\x08\x09\x0b\x0e\x77")) return 0;
    if (AMONG(op, "\xa0\xa1\xa2\xa8\xa9\xaa")) return 0;
    const bool number = (op >= 0x70 && op <= 0x73) || AMONG(op, "\x0f\xa4\xac\xba\xc2\xc4\xc5\xc6");
    return operand_bytes(w) + number;
}

/* The bytes of a prefix of vector instructions behind its first one; 0: it is none. */
static size_t vector_prefix(uint8_t op) { return op == 0xc5 ? 1 : op == 0xc4 ? 2 : op == 0x62 ? 3 : 0; }

/* Passes one instruction; true if it enters the kernel. */
static bool instructions_step(instructions_walk *w) {
    skip_prefixes(w);
    if (w->end - w->at < 5) {
        const bool last = w->end - w->at >= 2 && w->at[0] == 0x0f && w->at[1] == 0x05;
        w->at += w->at < w->end ? 1 : 0;
        return last;
    }
    const uint8_t op = *w->at++;
    const size_t vector = vector_prefix(op);
    if (vector) {
        const unsigned map = op == 0xc5 ? 1 : w->at[0] & 7;
        w->at += vector + 1;
        w->at += rest_mapped(w, map, w->at[-1]);
        return false;
    }
    if (op != 0x0f) {
        w->at += rest_plain(w, op);
        return false;
    }
    const uint8_t second = *w->at++;
    const unsigned map = second == 0x38 ? 2 : second == 0x3a ? 3 : 1;
    w->at += map > 1;
    w->at += rest_mapped(w, map, w->at[-1]);
    return second == 0x05;
}

bool enters_kernel(const uint8_t *code, size_t size) {
    const uint8_t *end = code + size;
    for (instructions_walk w = {.at = code, .end = end}; w.at < end; w = (instructions_walk){.at = w.at, .end = end}) {
        if (instructions_step(&w)) return true;
        if (w.at > end) break;
    }
    return false;
}

#elif defined(__aarch64__)

bool enters_kernel(const uint8_t *code, size_t size) {
    const uint32_t enter = 0xd4000001; /* svc #0 */
    for (size_t at = 0; at + sizeof enter <= size; at += sizeof enter)
        if (memcmp(code + at, &enter, sizeof enter) == 0) return true;
    return false;
}

#else

bool enters_kernel(const uint8_t *code, size_t size) { return code == NULL && size > 0; }

#endif
