/* Layouts by name. Good ones first, then those with something wrong. */
#include "tests/lustre/blobs.h"

#include <string.h>

enum { PLAIN = 0x0BD10BD0, POOLED = 0x0BD30BD0, COMPOSITE = 0x0BD60BD0, FOREIGN = 0x0BD70BD0, EXTENDING = 0x0BD80BD0 };
enum { RAID0 = 1, MDT = 0x100, OVERSTRIPED = 0x200, USED = 0x10 };
#define TO_THE_END UINT64_MAX

static void add16(blob *to, uint32_t value) {
    to->bytes[to->length++] = (uint8_t)value;
    to->bytes[to->length++] = (uint8_t)(value >> 8);
}

static void add32(blob *to, uint32_t value) {
    add16(to, value & 0xffff);
    add16(to, value >> 16);
}

static void add64(blob *to, uint64_t value) {
    add32(to, (uint32_t)value);
    add32(to, (uint32_t)(value >> 32));
}

void blob_patch(blob *to, size_t at, uint32_t value) {
    const size_t length = to->length;
    to->length = at;
    add32(to, value);
    to->length = length;
}

static void add_plain(blob *to, const blob_stripes *s) {
    add32(to, s->pool ? POOLED : PLAIN);
    add32(to, s->pattern);
    add64(to, 0x1234);
    add64(to, 0x200000401);
    add32(to, s->size);
    add16(to, s->count);
    add16(to, 0);
    if (s->pool) {
        char name[16] = "";
        memcpy(name, s->pool, strlen(s->pool));
        memcpy(to->bytes + to->length, name, sizeof name);
        to->length += sizeof name;
    }
    for (uint16_t i = 0; i < s->there; i++) {
        add64(to, 0x100 + i);
        add64(to, 0);
        add32(to, 0);
        add32(to, s->osts[i]);
    }
}

void blob_plain(blob *to, const blob_stripes *layout) {
    to->length = 0;
    add_plain(to, layout);
}

void blob_composite(blob *to, uint32_t magic, const blob_part *parts, uint16_t count) {
    to->length = 32 + 48 * (size_t)count;
    memset(to->bytes, 0, to->length);
    for (uint16_t i = 0; i < count; i++) {
        const size_t at = to->length;
        add_plain(to, &parts[i].stripes);
        const size_t end = to->length;
        to->length = 32 + 48 * (size_t)i;
        add32(to, parts[i].id);
        add32(to, parts[i].flags);
        add64(to, parts[i].start);
        add64(to, parts[i].end);
        add32(to, (uint32_t)at);
        add32(to, (uint32_t)(end - at));
        to->length = end;
    }
    const size_t length = to->length;
    to->length = 0;
    add32(to, magic);
    add32(to, (uint32_t)length);
    add32(to, 7);
    add16(to, 0);
    add16(to, count);
    to->length = length;
}

/* Layouts ---------------------------------------------------------------------------------------------------------- */

static const uint32_t osts[] = {3, 5, 0, 7, 11, 12, 13, 14, 15, 16, 17, 18};

static void plain(blob *to) { blob_plain(to, &(blob_stripes){NULL, RAID0, 1 << 20, 4, osts, 4}); }
static void single(blob *to) { blob_plain(to, &(blob_stripes){NULL, RAID0, 1 << 20, 1, osts, 1}); }
static void pool(blob *to) { blob_plain(to, &(blob_stripes){"flash", RAID0, 4 << 20, 2, osts, 2}); }

static void wide(blob *to) {
    uint32_t many[2000];
    for (uint32_t i = 0; i < 2000; i++) many[i] = i;
    blob_plain(to, &(blob_stripes){NULL, RAID0, 1 << 20, 2000, many, 2000});
}

static void overstriped(blob *to) {
    static const uint32_t twice[] = {1, 2, 1, 2};
    blob_plain(to, &(blob_stripes){"flash", RAID0 | OVERSTRIPED, 1 << 20, 4, twice, 4});
}

static void released(blob *to) { blob_plain(to, &(blob_stripes){NULL, RAID0 | 0x80000000, 1 << 20, 4, NULL, 0}); }

static const blob_part growing[] = {
    {1, USED, 0, 64 << 20, {"flash", RAID0, 1 << 20, 1, osts, 1}},
    {2, USED, 64 << 20, 1 << 30, {"disk", RAID0, 4 << 20, 4, osts + 1, 4}},
    {3, 0, 1 << 30, TO_THE_END, {"disk", RAID0, 16 << 20, 0xffff, NULL, 0}},
};

static void progressive(blob *to) { blob_composite(to, COMPOSITE, growing, 3); }

/* The same file, written to the end. */
static void progressive_full(blob *to) {
    blob_part full[3];
    memcpy(full, growing, sizeof full);
    full[2].flags = USED;
    full[2].stripes = (blob_stripes){"disk", RAID0, 16 << 20, 12, osts, 12};
    blob_composite(to, COMPOSITE, full, 3);
}

static void mirrored(blob *to) {
    static const blob_part parts[] = {
        {0x10001, USED | 4, 0, TO_THE_END, {NULL, RAID0, 1 << 20, 2, osts, 2}},
        {0x20002, USED | 1, 0, TO_THE_END, {NULL, RAID0, 1 << 20, 2, osts + 2, 2}},
    };
    blob_composite(to, COMPOSITE, parts, 2);
}

static void on_mdt(blob *to) {
    static const blob_part parts[] = {
        {1, USED, 0, 1 << 20, {NULL, MDT, 1 << 20, 0, NULL, 0}},
        {2, USED, 1 << 20, TO_THE_END, {NULL, RAID0, 1 << 20, 2, osts, 2}},
    };
    blob_composite(to, COMPOSITE, parts, 2);
}

static void extending(blob *to) {
    static const blob_part parts[] = {
        {1, USED, 0, 64 << 20, {NULL, RAID0, 1 << 20, 1, osts, 1}},
        {2, 0x40, 64 << 20, TO_THE_END, {NULL, RAID0, 1 << 20, 0, NULL, 0}},
    };
    blob_composite(to, EXTENDING, parts, 2);
}

static void foreign(blob *to) {
    to->length = 0;
    add32(to, FOREIGN);
    add32(to, 8);
    add32(to, 1);
    add32(to, 0);
    add64(to, 0x4242);
}

static void unknown_pattern(blob *to) { blob_plain(to, &(blob_stripes){NULL, 2, 1 << 20, 1, osts, 1}); }

/* What is wrong ---------------------------------------------------------------------------------------------------- */

static void empty(blob *to) { to->length = 0; }

static void bad_magic(blob *to) {
    plain(to);
    to->bytes[0] ^= 1;
}

static void bad_short(blob *to) {
    plain(to);
    to->length -= 1;
}

static void bad_head(blob *to) {
    pool(to);
    to->length = 40;
}

static void bad_table(blob *to) {
    progressive(to);
    to->length = 32 + 48;
    blob_patch(to, 4, (uint32_t)to->length);
}

static void bad_size(blob *to) {
    progressive(to);
    blob_patch(to, 4, (uint32_t)to->length + 1);
}

static void bad_offset(blob *to) {
    progressive(to);
    blob_patch(to, 32 + 24, 0xfffffff0);
}

static void bad_length(blob *to) {
    progressive(to);
    blob_patch(to, 32 + 28, 0xffffffff);
}

static void bad_none(blob *to) {
    progressive(to);
    to->bytes[14] = to->bytes[15] = 0;
}

static void bad_nested(blob *to) {
    progressive(to);
    blob_patch(to, 32 + 24, 0);
    blob_patch(to, 32 + 28, (uint32_t)to->length);
}

/* Every component refers to the same thousand stripes. */
static void bad_overlap(blob *to) {
    uint32_t many[1000] = {0};
    blob_part parts[100];
    for (uint32_t i = 0; i < 100; i++)
        parts[i] = (blob_part){i + 1, USED, i, i + 1, {NULL, RAID0, 1 << 20, 0, NULL, 0}};
    parts[99].stripes = (blob_stripes){NULL, RAID0, 1 << 20, 1000, many, 1000};
    blob_composite(to, COMPOSITE, parts, 100);
    const uint32_t at = (uint32_t)(to->length - 32 - 24 * 1000);
    for (size_t i = 0; i < 100; i++) {
        blob_patch(to, 32 + 48 * i + 24, at);
        blob_patch(to, 32 + 48 * i + 28, 32 + 24 * 1000);
    }
}

/* Names ------------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*make)(blob *to);
} all[] = {
    {"plain", plain},
    {"single", single},
    {"pool", pool},
    {"wide", wide},
    {"overstriped", overstriped},
    {"released", released},
    {"progressive", progressive},
    {"progressive_full", progressive_full},
    {"mirrored", mirrored},
    {"on_mdt", on_mdt},
    {"extending", extending},
    {"foreign", foreign},
    {"unknown_pattern", unknown_pattern},
    {"bad_empty", empty},
    {"bad_magic", bad_magic},
    {"bad_short", bad_short},
    {"bad_head", bad_head},
    {"bad_table", bad_table},
    {"bad_size", bad_size},
    {"bad_offset", bad_offset},
    {"bad_length", bad_length},
    {"bad_none", bad_none},
    {"bad_nested", bad_nested},
    {"bad_overlap", bad_overlap},
};

const char *blob_name(unsigned number) { return number < sizeof all / sizeof *all ? all[number].name : NULL; }

bool blob_named(blob *to, const char *name) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0) return all[i].make(to), true;
    return false;
}
