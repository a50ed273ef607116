/* The layouts that Lustre has had: plain ones of two versions (the second names a pool), and composite ones, which are
   a table of ranges that each refer to a plain layout further on. All numbers are little-endian. */
#include "runtime/lustre/layout.h"

#include <string.h>

enum {
    PLAIN = 0x0BD10BD0,
    POOLED = 0x0BD30BD0,
    CHOSEN = 0x0BD50BD0, /* pooled, with the OSTs chosen by the user */
    COMPOSITE = 0x0BD60BD0,
    FOREIGN = 0x0BD70BD0,   /* the data is somewhere else */
    EXTENDING = 0x0BD80BD0, /* composite, with components that grow by themselves */
};

enum { PLAIN_HEAD = 32, POOLED_HEAD = 48, FOREIGN_HEAD = 16, STRIPE = 24, COMPOSITE_HEAD = 32, ENTRY = 48 };
enum { USED = 0x10, RAID0 = 1, MDT = 0x100, OVERSTRIPED = 0x200, RELEASED = INT32_MIN };

/* As Lustre's library numbers them. */
enum { IS_UNKNOWN = -1, IS_RAID0 = 0, IS_MDT = 2, IS_OVERSTRIPED = 4, IS_FOREIGN = 8 };

static uint32_t u16(const uint8_t *at) { return (uint32_t)(at[0] | at[1] << 8); }
static uint32_t u32(const uint8_t *at) { return u16(at) | u16(at + 2) << 16; }
static int64_t i64(const uint8_t *at) { return (int64_t)(u32(at) | (uint64_t)u32(at + 4) << 32); }

static int64_t pattern_of(uint32_t pattern) {
    switch (pattern & 0xffff) { /* what is above are marks: holes, released to an archive */
    case RAID0: return IS_RAID0;
    case RAID0 | OVERSTRIPED: return IS_OVERSTRIPED;
    case MDT: return IS_MDT;
    default: return IS_UNKNOWN;
    }
}

/* A plain layout, alone or as a part. Files whose data is elsewhere have no stripes here, nor have components that are
   only planned, whatever number they give. */
static bool read_plain(iol__layout_part *part, const uint8_t *at, size_t length) {
    const uint32_t magic = length >= FOREIGN_HEAD ? u32(at) : 0;
    int64_t *counters = part->counters;
    if (magic == FOREIGN) {
        counters[IOL_LUSTRE_COMP_STRIPE_PATTERN] = IS_FOREIGN;
        return true;
    }
    const bool pooled = magic == POOLED || magic == CHOSEN;
    const size_t head = pooled ? POOLED_HEAD : PLAIN_HEAD;
    if ((magic != PLAIN && !pooled) || length < head) return false;
    const uint32_t pattern = u32(at + 4);
    const bool elsewhere = pattern & (uint32_t)RELEASED || pattern_of(pattern) == IS_MDT;
    const uint32_t stripes = part->used && !elsewhere ? u16(at + 28) : 0;
    if (stripes > (length - head) / STRIPE) return false;
    counters[IOL_LUSTRE_COMP_STRIPE_SIZE] = u32(at + 24);
    counters[IOL_LUSTRE_COMP_STRIPE_COUNT] = stripes;
    counters[IOL_LUSTRE_COMP_STRIPE_PATTERN] = pattern_of(pattern);
    if (pooled) memcpy(part->pool, at + PLAIN_HEAD, IOL_POOL_BYTES);
    part->stripes = at + head;
    return true;
}

static bool read_entry(const iol__lustre_layout *layout, uint32_t number, iol__layout_part *part) {
    const uint8_t *entry = layout->bytes + COMPOSITE_HEAD + (size_t)ENTRY * number;
    const uint32_t at = u32(entry + 24), length = u32(entry + 28);
    part->counters[IOL_LUSTRE_COMP_MIRROR_ID] = u32(entry) >> 16 & 0x7fff;
    part->counters[IOL_LUSTRE_COMP_FLAGS] = u32(entry + 4);
    part->counters[IOL_LUSTRE_COMP_EXT_START] = i64(entry + 8);
    part->counters[IOL_LUSTRE_COMP_EXT_END] = i64(entry + 16);
    part->used = u32(entry + 4) & USED;
    return at <= layout->length && length <= layout->length - at && read_plain(part, layout->bytes + at, length);
}

static bool read_part(const iol__lustre_layout *layout, uint32_t number, iol__layout_part *part) {
    memset(part, 0, sizeof *part);
    if (layout->composite) return read_entry(layout, number, part);
    part->used = true;
    part->counters[IOL_LUSTRE_COMP_EXT_END] = -1; /* the end of the file, wherever that is */
    return read_plain(part, layout->bytes, layout->length);
}

static bool open_composite(iol__lustre_layout *layout) {
    if (layout->length < COMPOSITE_HEAD) return false;
    const size_t length = u32(layout->bytes + 4);
    layout->composite = true;
    layout->parts = u16(layout->bytes + 14);
    if (length > layout->length || length < COMPOSITE_HEAD + (size_t)ENTRY * layout->parts) return false;
    layout->length = length;
    return layout->parts > 0;
}

bool iol__layout_open(iol__lustre_layout *layout, const uint8_t *bytes, size_t length) {
    *layout = (iol__lustre_layout){.bytes = bytes, .length = length, .parts = 1};
    if (length < sizeof(uint32_t) || length > IOL_LAYOUT_MOST) return false;
    const uint32_t magic = u32(bytes);
    if ((magic == COMPOSITE || magic == EXTENDING) && !open_composite(layout)) return false;
    /* Ranges that all refer to the same stripes could claim more than there are. */
    iol__layout_part part;
    uint64_t stripes = 0;
    for (uint32_t i = 0; i < layout->parts; i++) {
        if (!read_part(layout, i, &part)) return false;
        stripes += (uint64_t)part.counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
    }
    return stripes <= length / STRIPE;
}

bool iol__layout_next(iol__lustre_layout *layout, iol__layout_part *part) {
    return layout->next < layout->parts && read_part(layout, layout->next++, part);
}

int64_t iol__layout_ost(const iol__layout_part *part, int64_t stripe) {
    return (int32_t)u32(part->stripes + STRIPE * stripe + 20);
}
