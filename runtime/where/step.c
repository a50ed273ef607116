/* A reader of .eh_frame_hdr and .eh_frame, for the forms that compilers write. Everything it reads lies inside the object
   that the tables are of; what does not is taken for damage, and gives no step. */
#include "runtime/where/step.h"

#include <string.h>

#if defined(__x86_64__)
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RA = 16 };
#else
enum { REGISTER_FP = 29, REGISTER_SP = 31, REGISTER_RA = 30 };
#endif

/* Encodings of pointers. */
enum { FORM = 0x0f, UDATA4 = 0x03, UDATA8 = 0x04, SDATA4 = 0x0b, SDATA8 = 0x0c, RELATIVE = 0x70, TO_PLACE = 0x10 };

/* Bytes that are read one after the other; once something is missing, all that follows is 0. */
typedef struct reader {
    const uint8_t *at, *end;
    bool bad;
} reader;

static const uint8_t *take(reader *r, size_t bytes) {
    static const uint8_t none[8];
    if (r->bad || (size_t)(r->end - r->at) < bytes) {
        r->bad = true;
        return none;
    }
    r->at += bytes;
    return r->at - bytes;
}

static uint8_t take_byte(reader *r) { return *take(r, 1); }
static uint16_t take_16(reader *r) {
    uint16_t value;
    memcpy(&value, take(r, sizeof value), sizeof value);
    return value;
}
static uint32_t take_32(reader *r) {
    uint32_t value;
    memcpy(&value, take(r, sizeof value), sizeof value);
    return value;
}
static uint64_t take_64(reader *r) {
    uint64_t value;
    memcpy(&value, take(r, sizeof value), sizeof value);
    return value;
}

static uint64_t take_unsigned(reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t byte = take_byte(r);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    r->bad = true;
    return 0;
}

static int64_t take_signed(reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t byte = take_byte(r);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        if ((byte & 0x40) && shift + 7 < 64) value |= ~UINT64_C(0) << (shift + 7);
        return (int64_t)value;
    }
    r->bad = true;
    return 0;
}

static uint64_t take_plain(reader *r, uint8_t form) {
    switch (form & FORM) {
    case 0:
    case UDATA8:
    case SDATA8: return take_64(r);
    case UDATA4: return take_32(r);
    case SDATA4: return (uint64_t)(int64_t)(int32_t)take_32(r);
    default: r->bad = true; return 0;
    }
}

static uint64_t take_pointer(reader *r, uint8_t form) {
    const uint64_t place = (uintptr_t)r->at;
    const uint64_t value = take_plain(r, form);
    if ((form & RELATIVE) == 0) return value;
    if ((form & RELATIVE) != TO_PLACE) r->bad = true;
    return place + value;
}

/* The tables ------------------------------------------------------------------------------------------------------- */

/* One of the sorted pairs of the head: where a function begins, and its entry, both from the head on. */
static const uint8_t *entry_of(const iol__object *o, uintptr_t pc) {
    enum { TABLE_FORM = 0x3b, PAIR = 8, PAIRS_AT = 12 };
    reader r = {o->frames, (const uint8_t *)o->end, false};
    const uint8_t version = take_byte(&r), frame_form = take_byte(&r), count_form = take_byte(&r);
    if (version != 1 || take_byte(&r) != TABLE_FORM || (frame_form & FORM) != SDATA4 || count_form != UDATA4)
        return NULL;
    take_32(&r);
    const uint32_t count = take_32(&r);
    if (r.bad || count == 0 || (size_t)(r.end - r.at) / PAIR < count) return NULL;
    const int64_t from_head = (int64_t)(pc - (uintptr_t)o->frames);
    uint32_t low = 0, high = count; /* the last one that begins at or before the address */
    int32_t begin, entry;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        memcpy(&begin, r.at + (size_t)PAIR * middle, sizeof begin);
        if (begin <= from_head)
            low = middle;
        else
            high = middle;
    }
    memcpy(&begin, r.at + (size_t)PAIR * low, sizeof begin);
    memcpy(&entry, r.at + (size_t)PAIR * low + sizeof begin, sizeof entry);
    if (begin > from_head) return NULL;
    const uintptr_t at = (uintptr_t)o->frames + (uintptr_t)(intptr_t)entry;
    return at >= o->start && at + 8 <= o->end ? (const uint8_t *)at : NULL;
}

/* What all functions of a compilation have in common. */
typedef struct common {
    reader instructions;
    uint64_t code_unit;
    int64_t data_unit;
    uint8_t form; /* of pointers */
    bool sized, interrupted;
} common;

/* A block of the table: its length, then its bytes. */
static reader block_at(const iol__object *o, const uint8_t *at) {
    reader r = {at, (const uint8_t *)o->end, (uintptr_t)at < o->start || (uintptr_t)at > o->end};
    const uint32_t length = take_32(&r);
    if (length == 0 || length >= 0xfffffff0 || (size_t)(r.end - r.at) < length) r.bad = true;
    if (!r.bad) r.end = r.at + length;
    return r;
}

static void skip_augmentation(reader *r, common *c, const char *letters) {
    for (; *letters && !r->bad; letters++) {
        if (*letters == 'R')
            c->form = take_byte(r);
        else if (*letters == 'L')
            take_byte(r);
        else if (*letters == 'S')
            c->interrupted = true;
        else if (*letters == 'P')
            take_plain(r, take_byte(r));
        else if (*letters != 'B')
            return;
    }
}

static bool read_common(const iol__object *o, const uint8_t *at, common *c) {
    reader r = block_at(o, at);
    *c = (common){0};
    if (take_32(&r) != 0) return false;
    const uint8_t version = take_byte(&r);
    const char *letters = (const char *)r.at;
    while (take_byte(&r) != 0 && !r.bad) {}
    if (version == 4) take(&r, 2);
    c->code_unit = take_unsigned(&r);
    c->data_unit = take_signed(&r);
    const uint64_t ra = version == 1 ? take_byte(&r) : take_unsigned(&r);
    if (r.bad || (version != 1 && version != 3 && version != 4) || ra != REGISTER_RA) return false;
    c->sized = *letters == 'z';
    if (c->sized) {
        const uint64_t length = take_unsigned(&r);
        if (r.bad || length > (size_t)(r.end - r.at)) return false;
        reader inside = {r.at, r.at + length, false};
        skip_augmentation(&inside, c, letters + 1);
        r.at += length;
        if (inside.bad) return false;
    } else if (*letters) {
        return false;
    }
    c->instructions = r;
    return !r.bad;
}

/* The program of a frame ------------------------------------------------------------------------------------------- */

enum { RULE_SAME, RULE_AT_CFA, RULE_AT_SP, RULE_GONE, RULE_OTHER };

typedef struct rule {
    uint8_t is;
    int64_t distance;
} rule;

typedef struct rules {
    uint8_t cfa_from, cfa_there;
    int64_t cfa;
    rule fp, ra;
} rules;

typedef struct machine {
    reader r;
    const common *common;
    uint64_t location, wanted;
    rules now, first, kept[4];
    unsigned n_kept;
    bool over;
} machine;

static void set_rule(machine *m, uint64_t number, uint8_t is, int64_t distance) {
    if (number == REGISTER_FP) m->now.fp = (rule){is, distance};
    if (number == REGISTER_RA) m->now.ra = (rule){is, distance};
}

static void restore_rule(machine *m, uint64_t number) {
    if (number == REGISTER_FP) m->now.fp = m->first.fp;
    if (number == REGISTER_RA) m->now.ra = m->first.ra;
}

static uint8_t base_of(uint64_t number) {
    return number == REGISTER_SP ? IOL_FROM_SP : number == REGISTER_FP ? IOL_FROM_FP : IOL_FROM_NOWHERE;
}

static void set_cfa(machine *m, uint8_t from, int64_t distance, bool there) {
    m->now.cfa_from = from;
    m->now.cfa = distance;
    m->now.cfa_there = there;
}

/* Of all expressions: a register and a distance, and perhaps the word that is there. */
typedef struct simple {
    uint8_t from;
    int64_t distance;
    bool there, good;
} simple;

static simple take_expression(reader *r) {
    enum { REGISTER_0 = 0x70, REGISTER_31 = 0x8f, WORD_THERE = 0x06 };
    const uint64_t length = take_unsigned(r);
    simple e = {0};
    if (r->bad || length > (size_t)(r->end - r->at)) {
        r->bad = true;
        return e;
    }
    reader inside = {r->at, r->at + length, false};
    r->at += length;
    const uint8_t first = take_byte(&inside);
    if (inside.bad || first < REGISTER_0 || first > REGISTER_31) return e;
    e.from = base_of((uint64_t)(first - REGISTER_0));
    e.distance = take_signed(&inside);
    if (inside.at < inside.end) e.there = take_byte(&inside) == WORD_THERE;
    e.good = !inside.bad && inside.at == inside.end && e.from != IOL_FROM_NOWHERE;
    return e;
}

static void advance(machine *m, uint64_t by) {
    m->location += by * m->common->code_unit;
    m->over = m->location > m->wanted;
}

static void keep_rules(machine *m) {
    if (m->n_kept == sizeof m->kept / sizeof *m->kept)
        m->r.bad = true;
    else
        m->kept[m->n_kept++] = m->now;
}

static void bring_rules_back(machine *m) {
    if (m->n_kept == 0)
        m->r.bad = true;
    else
        m->now = m->kept[--m->n_kept];
}

static void define_cfa_by_expression(machine *m) {
    const simple e = take_expression(&m->r);
    set_cfa(m, e.good ? e.from : IOL_FROM_NOWHERE, e.distance, e.there);
}

static void define_rule_by_expression(machine *m) {
    const uint64_t number = take_unsigned(&m->r);
    const simple e = take_expression(&m->r);
    const bool good = e.good && !e.there && e.from == IOL_FROM_SP;
    set_rule(m, number, good ? RULE_AT_SP : RULE_OTHER, e.distance);
}

/* Instructions whose number is all of their first byte. */
static void obey_extended(machine *m, uint8_t what) {
    reader *r = &m->r;
    const int64_t unit = m->common->data_unit;
    uint64_t number;
    switch (what) {
    case 0x00:        /* nothing */
    case 0x2d: break; /* how return addresses are signed */
    case 0x01:
        m->location = take_pointer(r, m->common->form);
        m->over = m->location > m->wanted;
        break;
    case 0x02: advance(m, take_byte(r)); break;
    case 0x03: advance(m, take_16(r)); break;
    case 0x04: advance(m, take_32(r)); break;
    case 0x05:
        number = take_unsigned(r);
        set_rule(m, number, RULE_AT_CFA, (int64_t)take_unsigned(r) * unit);
        break;
    case 0x06: restore_rule(m, take_unsigned(r)); break;
    case 0x07: set_rule(m, take_unsigned(r), RULE_GONE, 0); break;
    case 0x08: set_rule(m, take_unsigned(r), RULE_SAME, 0); break;
    case 0x09:
        number = take_unsigned(r);
        take_unsigned(r);
        set_rule(m, number, RULE_OTHER, 0);
        break;
    case 0x0a: keep_rules(m); break;
    case 0x0b: bring_rules_back(m); break;
    case 0x0c:
        number = take_unsigned(r);
        set_cfa(m, base_of(number), (int64_t)take_unsigned(r), false);
        break;
    case 0x0d: set_cfa(m, base_of(take_unsigned(r)), m->now.cfa, false); break;
    case 0x0e: m->now.cfa = (int64_t)take_unsigned(r); break;
    case 0x0f: define_cfa_by_expression(m); break;
    case 0x10: define_rule_by_expression(m); break;
    case 0x11:
        number = take_unsigned(r);
        set_rule(m, number, RULE_AT_CFA, take_signed(r) * unit);
        break;
    case 0x12:
        number = take_unsigned(r);
        set_cfa(m, base_of(number), take_signed(r) * unit, false);
        break;
    case 0x13: m->now.cfa = take_signed(r) * unit; break;
    case 0x14:
        number = take_unsigned(r);
        take_unsigned(r);
        set_rule(m, number, RULE_OTHER, 0);
        break;
    case 0x15:
        number = take_unsigned(r);
        take_signed(r);
        set_rule(m, number, RULE_OTHER, 0);
        break;
    case 0x16:
        number = take_unsigned(r);
        take_expression(r);
        set_rule(m, number, RULE_OTHER, 0);
        break;
    case 0x2e: take_unsigned(r); break;
    case 0x2f:
        number = take_unsigned(r);
        set_rule(m, number, RULE_AT_CFA, -(int64_t)take_unsigned(r) * unit);
        break;
    default: r->bad = true;
    }
}

static void obey(machine *m) {
    enum { ADVANCE = 1, OFFSET = 2, RESTORE = 3, MOST = 4096 };
    for (unsigned n = 0; !m->over && !m->r.bad && m->r.at < m->r.end; n++) {
        const uint8_t byte = take_byte(&m->r), low = byte & 0x3f;
        switch (byte >> 6) {
        case ADVANCE: advance(m, low); break;
        case OFFSET: set_rule(m, low, RULE_AT_CFA, (int64_t)take_unsigned(&m->r) * m->common->data_unit); break;
        case RESTORE: restore_rule(m, low); break;
        default: obey_extended(m, byte);
        }
        if (n == MOST) m->r.bad = true;
    }
}

static bool small(int64_t distance) { return distance > -(1 << 24) && distance < 1 << 24; }

static iol__step step_of(const rules *now, bool interrupted) {
    const iol__step none = {0};
    if (now->ra.is == RULE_GONE) return (iol__step){.top = true};
    if (now->cfa_from == IOL_FROM_NOWHERE || !small(now->cfa) || !small(now->fp.distance) || !small(now->ra.distance))
        return none;
    if ((now->ra.is != RULE_AT_CFA && now->ra.is != RULE_AT_SP) || now->fp.is == RULE_OTHER) return none;
    return (iol__step){
        .cfa = (int32_t)now->cfa,
        .fp = (int32_t)now->fp.distance,
        .ra = (int32_t)now->ra.distance,
        .cfa_from = now->cfa_from,
        .cfa_there = now->cfa_there != 0,
        .fp_from = now->fp.is == RULE_AT_CFA  ? IOL_FROM_CFA
                   : now->fp.is == RULE_AT_SP ? IOL_FROM_SP
                                              : IOL_FROM_NOWHERE,
        .ra_from = now->ra.is == RULE_AT_SP ? IOL_FROM_SP : IOL_FROM_CFA,
        .interrupted = interrupted,
    };
}

iol__step iol__step_at(const iol__object *o, uintptr_t pc, bool call) {
    const iol__step none = {0};
    common c;
    if (call) pc--;
    const uint8_t *entry = o->frames ? entry_of(o, pc) : NULL;
    if (!entry) return none;
    reader r = block_at(o, entry);
    const uint8_t *here = r.at;
    const uint32_t back = take_32(&r);
    if (r.bad || back == 0 || !read_common(o, here - back, &c)) return none;
    const uint64_t begin = take_pointer(&r, c.form), length = take_plain(&r, c.form & FORM);
    if (r.bad || pc < begin || pc - begin >= length) return none;
    if (c.sized) {
        const uint64_t more = take_unsigned(&r);
        if (r.bad || more > (size_t)(r.end - r.at)) return none;
        r.at += more;
    }
    machine m = {.r = c.instructions, .common = &c, .location = begin, .wanted = UINT64_MAX};
    obey(&m);
    if (m.r.bad) return none;
    m.first = m.now;
    m.r = r;
    m.location = begin;
    m.wanted = pc;
    obey(&m);
    return m.r.bad ? none : step_of(&m.now, c.interrupted);
}
