/* The trailer section of custom modules, for a process that writes a log of its own: the blocks as they are in the
   store, behind the two words that say how to read them. */
#include <string.h>

#include "record/trailer.h"
#include "runtime/custom/custom.h"
#include "runtime/pack/deflate.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"

/* Compressed if that works and helps. */
static size_t pack(uint8_t *section, const uint8_t *raw, size_t bytes) {
    uint8_t *to = section + IOL_TRAILER_HEAD;
    size_t packed = iol__deflate_compresses() ? iol__deflate(raw, bytes, to, iol__deflate_bound(bytes)) : 0;
    const bool stored = packed == 0 || packed >= bytes;
    if (stored) memcpy(to, raw, packed = bytes);
    iol__trailer_head(section, IOL_TAG_CUSTOM, stored ? IOL_TRAILER_STORED : IOL_TRAILER_ZLIB, packed, bytes);
    return IOL_TRAILER_HEAD + packed;
}

size_t iol__custom_section(const uint8_t **bytes) {
    const iol__area *area = &iol__store_state.custom;
    const uint32_t words[2] = {IOL_CUSTOM_MARK, IOL_CUSTOM_VERSION};
    const size_t raw_bytes = sizeof words + area->used, bound = iol__deflate_bound(raw_bytes);
    _Static_assert(sizeof words == IOL_CUSTOM_HEAD, "the head of the section");
    static uint8_t *section; /* of the last time: an exec that failed comes again */
    static size_t section_bytes;
    if (area->used == 0) return 0;
    if (section) sys(munmap, section, section_bytes);
    section_bytes = IOL_TRAILER_HEAD + (bound > raw_bytes ? bound : raw_bytes);
    section = iol__sys_memory(section_bytes);
    uint8_t *raw = section ? iol__sys_memory(raw_bytes) : NULL;
    if (!raw) return 0;
    memcpy(raw, words, sizeof words);
    memcpy(raw + sizeof words, iol__store_state.base + area->at, area->used);
    const size_t length = pack(section, raw, raw_bytes);
    sys(munmap, raw, raw_bytes);
    *bytes = section;
    return length;
}
