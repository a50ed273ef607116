/* When files whose names are in a log were removed: the section WENT of a trailer. Of each file it has where its name begins
   in the region of names, as bytes from the one before it here, and when it was removed, as ticks from that one's time.
   Both are numbers with the sign in the lowest bit, seven bits in a byte, lowest first; all bytes but a number's last have
   the highest bit. Programs remove files much in the order in which they made them: most take two or three bytes. */
#ifndef IOL_RECORD_REMOVALS_H
#define IOL_RECORD_REMOVALS_H

#include <stddef.h>
#include <stdint.h>

#define IOL_TAG_REMOVED_NAMES "WENT"
#define IOL_REMOVAL_TICK 0x1p-20       /* seconds */
enum { IOL_REMOVAL_NUMBER_MOST = 10 }; /* bytes */

/* Returns the byte behind it. */
static inline uint8_t *iol__removal_number_put(uint8_t *to, int64_t value) {
    uint64_t left = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    for (; left > 127; left >>= 7) *to++ = (uint8_t)(left | 128);
    *to++ = (uint8_t)left;
    return to;
}

/* The same; NULL if it does not end before the end, or is none. */
static inline const uint8_t *iol__removal_number_take(const uint8_t *at, const uint8_t *end, int64_t *value) {
    uint64_t all = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        const uint8_t byte = *at++;
        all |= (uint64_t)(byte & 127) << shift;
        if (byte & 128) continue;
        *value = (int64_t)(all >> 1 ^ (0 - (all & 1)));
        return at;
    }
    return NULL;
}

#endif
