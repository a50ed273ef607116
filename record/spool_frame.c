/* Packing is what a program waits for at its end, so it looks at words, and leaves out what is quick to leave out. */
#include "record/spool_frame.h"

#include <string.h>

static size_t map_spool_frame_bytes(size_t all) { return (all / IOL_SPOOL_FRAME_LINE + 63) / 64 * 8; }

void iol__spool_frame_begin(iol__packing *packing, uint8_t *to, size_t all) {
    const size_t map = map_spool_frame_bytes(all);
    *packing = (iol__packing){.to = to, .used = map};
    memset(to, 0, map);
}

static bool spool_frame_is_empty(const uint8_t *line) {
    uint64_t words[IOL_SPOOL_FRAME_LINE / 8];
    memcpy(words, line, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) == 0;
}

static void add_spool_frame_line(iol__packing *packing, const uint8_t *line) {
    const size_t number = packing->lines++;
    if (spool_frame_is_empty(line)) return;
    packing->to[number / 8] |= (uint8_t)(1u << number % 8);
    memcpy(packing->to + packing->used, line, IOL_SPOOL_FRAME_LINE);
    packing->used += IOL_SPOOL_FRAME_LINE;
}

void iol__spool_frame_add(iol__packing *packing, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    for (; length >= IOL_SPOOL_FRAME_LINE; at += IOL_SPOOL_FRAME_LINE, length -= IOL_SPOOL_FRAME_LINE)
        add_spool_frame_line(packing, at);
    if (length == 0) return;
    uint8_t last[IOL_SPOOL_FRAME_LINE] = {0};
    memcpy(last, at, length);
    add_spool_frame_line(packing, last);
}

bool iol__spool_frame_unpack_first(const iol__spool_frame_head *head, const uint8_t *packed, uint8_t *to,
                                   size_t length) {
    if (head->unpacked == 0 || head->unpacked > IOL_SPOOL_FRAME_MOST || head->unpacked % IOL_SPOOL_FRAME_LINE != 0)
        return false;
    if (length > head->unpacked || length % IOL_SPOOL_FRAME_LINE != 0) return false;
    const size_t lines = length / IOL_SPOOL_FRAME_LINE;
    size_t at = map_spool_frame_bytes(head->unpacked);
    if (head->length < at) return false;
    for (size_t i = 0; i < lines; i++, to += IOL_SPOOL_FRAME_LINE) {
        if (!(packed[i / 8] >> i % 8 & 1)) {
            memset(to, 0, IOL_SPOOL_FRAME_LINE);
            continue;
        }
        if (head->length - at < IOL_SPOOL_FRAME_LINE) return false;
        memcpy(to, packed + at, IOL_SPOOL_FRAME_LINE);
        at += IOL_SPOOL_FRAME_LINE;
    }
    return true;
}

bool iol__spool_frame_unpack(const iol__spool_frame_head *head, const uint8_t *packed, uint8_t *to) {
    return iol__spool_frame_unpack_first(head, packed, to, head->unpacked);
}
