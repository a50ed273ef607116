/* Footer and sections of the trailer, on bytes in memory; and the CRC that guards them. */
#include "record/trailer.h"

#include <string.h>

static const uint8_t magic[8] = "IOLTRAIL";

static uint64_t little(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

bool iol__trailer_footer_parse(const uint8_t bytes[IOL_TRAILER_FOOTER], iol__trailer_footer *footer) {
    if (memcmp(bytes, magic, sizeof magic) != 0) return false;
    footer->version = (uint32_t)little(bytes + 8, 4);
    footer->crc = (uint32_t)little(bytes + 12, 4);
    footer->offset = little(bytes + 16, 8);
    footer->length = little(bytes + 24, 8);
    return true;
}

bool iol__trailer_next(const uint8_t *bytes, size_t length, size_t *at, iol__trailer_section *section, bool *damaged) {
    size_t left = length - *at;
    *damaged = false;
    if (left == 0) return false;
    *damaged = true;
    if (left < IOL_TRAILER_HEAD) return false;
    const uint8_t *head = bytes + *at;
    memcpy(section->tag, head, 4);
    section->tag[4] = 0;
    section->method = (uint32_t)little(head + 4, 4);
    section->stored = little(head + 8, 8);
    section->raw = little(head + 16, 8);
    section->bytes = head + IOL_TRAILER_HEAD;
    if (section->stored > left - IOL_TRAILER_HEAD) return false;
    *damaged = false;
    *at += IOL_TRAILER_HEAD + (size_t)section->stored;
    return true;
}

static void put_little(uint8_t *bytes, uint64_t value, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

void iol__trailer_head(uint8_t bytes[IOL_TRAILER_HEAD], const char *tag, uint32_t method, uint64_t stored,
                       uint64_t raw) {
    memcpy(bytes, tag, 4);
    put_little(bytes + 4, method, 4);
    put_little(bytes + 8, stored, 8);
    put_little(bytes + 16, raw, 8);
}

void iol__trailer_footer_write(uint8_t bytes[IOL_TRAILER_FOOTER], const iol__trailer_footer *footer) {
    memcpy(bytes, magic, sizeof magic);
    put_little(bytes + 8, footer->version, 4);
    put_little(bytes + 12, footer->crc, 4);
    put_little(bytes + 16, footer->offset, 8);
    put_little(bytes + 24, footer->length, 8);
}

/* The reflected polynomial of zlib and Ethernet, four bits at a time: small, and fast enough for a trailer. */
uint32_t iol__crc32(uint32_t crc, const void *bytes, size_t length) {
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const uint8_t *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < length; i++) {
        crc = crc >> 4 ^ table[(crc ^ at[i]) & 15];
        crc = crc >> 4 ^ table[(crc ^ (uint32_t)(at[i] >> 4)) & 15];
    }
    return ~crc;
}
