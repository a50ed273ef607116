/* Frames of CPython, by the layout of its structures: of 3.9, 3.11 and 3.12 from a table that was tested with these versions, of 3.13
   as the interpreter itself describes it (_Py_DebugOffsets). Of any other version nothing is read. The first frames that are
   read in a process are read with care: what is not as expected switches this off. */
#include "runtime/where/python.h"

#include <stddef.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/core.h"
#include "runtime/core/text.h"

enum { LINES_OLD, LINES_LOCATIONS, OWNED_BY_C = 3, NOWHERE = UINT16_MAX };

/* Distances in the structures of a version. */
typedef struct layout {
    uint32_t version; /* major and minor */
    uint16_t thread_frame,
        frame_indirect; /* where the thread has its frame; NOWHERE, or where what it points to has it */
    uint16_t frame_back, frame_code, frame_at;
    uint16_t frame_owner; /* whose it is: not that of code from OWNED_BY_C on; NOWHERE: all are */
    uint16_t code_first_line, code_file, code_name, code_lines;
    uint16_t code_start;              /* instructions are counted from here; NOWHERE: the frame has a number */
    uint8_t lines;                    /* how the table of lines is written */
    uint8_t text_header, wide_header; /* of texts of ASCII, and of others */
} layout;

static const layout layouts[] = {
    {.version = 0x0309,
     .thread_frame = 24,
     .frame_indirect = NOWHERE,
     .frame_back = 24,
     .frame_code = 32,
     .frame_at = 104,
     .frame_owner = NOWHERE,
     .code_first_line = 40,
     .code_file = 104,
     .code_name = 112,
     .code_lines = 120,
     .code_start = NOWHERE,
     .lines = LINES_OLD,
     .text_header = 48,
     .wide_header = 72},
    {.version = 0x030b,
     .thread_frame = 56,
     .frame_indirect = 8,
     .frame_back = 48,
     .frame_code = 32,
     .frame_at = 56,
     .frame_owner = NOWHERE,
     .code_first_line = 72,
     .code_file = 112,
     .code_name = 128,
     .code_lines = 136,
     .code_start = 184,
     .lines = LINES_LOCATIONS,
     .text_header = 48,
     .wide_header = 72},
    {.version = 0x030c,
     .thread_frame = 56,
     .frame_indirect = 0,
     .frame_back = 8,
     .frame_code = 0,
     .frame_at = 56,
     .frame_owner = 70,
     .code_first_line = 68,
     .code_file = 112,
     .code_name = 128,
     .code_lines = 136,
     .code_start = 192,
     .lines = LINES_LOCATIONS,
     .text_header = 40,
     .wide_header = 56},
};

/* In a text of Python: its length, and its state. */
enum { TEXT_LENGTH = 16, TEXT_STATE = 32, TEXT_COMPACT = 1 << 5, TEXT_ASCII = 1 << 6 };

/* The interpreter of this process. */
static struct {
    const iol__object *object; /* NULL: there is none, or not one that is known */
    layout is;
    void *(*thread)(void), *(*first_interpreter)(void), *(*next_interpreter)(void *);
    const void *code_type;
} python;

static inline uintptr_t word_at(uintptr_t base, unsigned distance) {
    return *(const uintptr_t *)(base + distance); // NOLINT(performance-no-int-to-ptr)
}
static inline uint32_t number_at(uintptr_t base, unsigned distance) {
    return *(const uint32_t *)(base + distance); // NOLINT(performance-no-int-to-ptr)
}

/* Getting to know it ----------------------------------------------------------------------------------------------- */

/* Major and minor number; 0 if it does not say. */
static uint32_t version_of(const iol__object *object) {
    const unsigned long *number = iol__object_symbol(object, "Py_Version");
    if (number) return (uint32_t)(*number >> 16);
    const char *(*text)(void) = (const char *(*)(void))iol__object_symbol(object, "Py_GetVersion");
    const char *at = text ? text() : "";
    const long major = iol__text_take_number(&at);
    if (*at++ != '.') return 0;
    return (uint32_t)(major << 8 | iol__text_take_number(&at));
}

/* What an interpreter of 3.13 says of itself: words in a fixed order. */
static bool read_own_layout(const uint64_t *words, layout *is) {
    enum {
        VERSION = 1,
        FREE_THREADED = 2,
        CURRENT_FRAME = 23,
        PREVIOUS = 29,
        EXECUTABLE = 30,
        INSTRUCTION = 31,
        OWNER = 33,
        FILE_NAME = 35,
        QUALIFIED_NAME = 37,
        LINE_TABLE = 38,
        FIRST_LINE = 39,
        START = 43,
        FAR = 4096
    };
    static const uint8_t used[] = {CURRENT_FRAME,  PREVIOUS,   EXECUTABLE, INSTRUCTION, FILE_NAME,
                                   QUALIFIED_NAME, LINE_TABLE, FIRST_LINE, START};
    if (memcmp(words, "xdebugpy", 8) != 0 || words[VERSION] >> 16 != 0x030d || words[FREE_THREADED]) return false;
    for (size_t i = 0; i < sizeof used; i++)
        if (words[used[i]] >= FAR || words[used[i]] % 4) return false;
    if (words[OWNER] >= FAR) return false;
    *is = (layout){.version = 0x030d,
                   .thread_frame = (uint16_t)words[CURRENT_FRAME],
                   .frame_indirect = NOWHERE,
                   .frame_back = (uint16_t)words[PREVIOUS],
                   .frame_code = (uint16_t)words[EXECUTABLE],
                   .frame_at = (uint16_t)words[INSTRUCTION],
                   .frame_owner = (uint16_t)words[OWNER],
                   .code_first_line = (uint16_t)words[FIRST_LINE],
                   .code_file = (uint16_t)words[FILE_NAME],
                   .code_name = (uint16_t)words[QUALIFIED_NAME],
                   .code_lines = (uint16_t)words[LINE_TABLE],
                   .code_start = (uint16_t)words[START],
                   .lines = LINES_LOCATIONS,
                   .text_header = 40,
                   .wide_header = 56};
    return true;
}

static bool find_layout(const iol__object *object, layout *is) {
    const uint32_t version = version_of(object);
    const uint64_t *own = iol__object_symbol(object, "_PyRuntime");
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].version == version) {
            *is = layouts[i];
            return true;
        }
    return version == 0x030d && own && read_own_layout(own, is);
}

static bool is_readable(uintptr_t base, unsigned distance) {
    return base > 4096 && base % 8 == 0 && iol__there_at(base + distance) == 1;
}

/* The frames of this thread are what they should be. */
static bool fits(const layout *is, uintptr_t thread, const void *code_type) {
    if (!is_readable(thread, is->thread_frame)) return false;
    uintptr_t frame = word_at(thread, is->thread_frame);
    if (is->frame_indirect != NOWHERE) {
        if (!is_readable(frame, is->frame_indirect)) return false;
        frame = word_at(frame, is->frame_indirect);
    }
    for (int i = 0; i < 4 && frame; i++) {
        if (!is_readable(frame, is->frame_code) || !is_readable(frame, is->frame_back)) return false;
        const uintptr_t code = word_at(frame, is->frame_code);
        if (!is_readable(code, 8) || !is_readable(code, is->code_lines)) return false;
        if (i == 0 && word_at(code, 8) != (uintptr_t)code_type) return false;
        frame = word_at(frame, is->frame_back);
    }
    return true;
}

void iol__python_meet(const iol__object *object) {
    layout is;
    if (python.object) return;
    python.thread = (void *(*)(void))iol__object_symbol(object, "PyGILState_GetThisThreadState");
    python.first_interpreter = (void *(*)(void))iol__object_symbol(object, "PyInterpreterState_Head");
    python.next_interpreter = (void *(*)(void *))iol__object_symbol(object, "PyInterpreterState_Next");
    python.code_type = iol__object_symbol(object, "PyCode_Type");
    if (!python.thread || !python.first_interpreter || !python.next_interpreter || !python.code_type) return;
    const uintptr_t thread = (uintptr_t)python.thread();
    if (!thread || !find_layout(object, &is) || !fits(&is, thread, python.code_type)) return;
    python.is = is;
    __atomic_store_n(&python.object, object, __ATOMIC_RELEASE);
}

/* Frames ----------------------------------------------------------------------------------------------------------- */

static bool has_code(uintptr_t frame, uintptr_t code) {
    const uint16_t owner = python.is.frame_owner;
    if (owner != NOWHERE && *(const uint8_t *)(frame + owner) >= OWNED_BY_C)
        return false; // NOLINT(performance-no-int-to-ptr)
    return code && word_at(code, 8) == (uintptr_t)python.code_type;
}

/* A number for a text by its length and its last sixteen bytes: code that is made at run time comes and goes, and finds
   itself with its names where other code was; their names differ at the end. */
static inline uint32_t end_of_text(uintptr_t object) {
    enum { LAST = 16 };
    if (!object) return 0;
    const uint32_t state = number_at(object, TEXT_STATE), width = state >> 2 & 7;
    const uint64_t bytes = width * word_at(object, TEXT_LENGTH);
    const uintptr_t end = object + (state & TEXT_ASCII ? python.is.text_header : python.is.wide_header) + bytes;
    uint64_t last[2] = {0};
    memcpy(last, (const void *)(end - (bytes < LAST ? bytes : LAST)),
           bytes < LAST ? bytes : LAST); // NOLINT(performance-no-int-to-ptr)
    return (uint32_t)(((last[0] * 31 + last[1]) * UINT64_C(0x9e3779b97f4a7c15)) >> 32) + (uint32_t)bytes;
}

/* Other frames are the interpreter's own. */
static bool settle(iol__python_frame *f) {
    const layout *is = &python.is;
    while (f->frame) {
        f->code = word_at(f->frame, is->frame_code);
        if (has_code(f->frame, f->code)) break;
        f->frame = word_at(f->frame, is->frame_back);
    }
    if (!f->frame) return false;
    f->at = is->code_start == NOWHERE ? number_at(f->frame, is->frame_at) : word_at(f->frame, is->frame_at);
    f->check = number_at(f->code, is->code_first_line) ^ (uint32_t)(word_at(f->code, is->code_name) << 5) ^
               end_of_text(word_at(f->code, is->code_file));
    return true;
}

/* Of several interpreters in a process it is not known which one this thread is in. */
bool iol__python_first(const iol__object *interpreter, iol__python_frame *f) {
    if (IOL_UNLIKELY(__atomic_load_n(&python.object, __ATOMIC_ACQUIRE) != interpreter)) return false;
    void *only = python.first_interpreter();
    if (!only || python.next_interpreter(only)) return false;
    const uintptr_t thread = (uintptr_t)python.thread();
    if (!thread) return false;
    f->frame = word_at(thread, python.is.thread_frame);
    if (f->frame && python.is.frame_indirect != NOWHERE) f->frame = word_at(f->frame, python.is.frame_indirect);
    return settle(f);
}

bool iol__python_next(iol__python_frame *f) {
    f->frame = word_at(f->frame, python.is.frame_back);
    return settle(f);
}

/* Texts ------------------------------------------------------------------------------------------------------------ */

static void add_character(iol__text *text, uint32_t c) {
    char bytes[4];
    size_t length = 0;
    if (c == '\t' || c == '\n') c = '?';
    if (c < 0x80) {
        bytes[length++] = (char)c;
    } else if (c < 0x800) {
        bytes[length++] = (char)(0xc0 | c >> 6);
        bytes[length++] = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        bytes[length++] = (char)(0xe0 | c >> 12);
        bytes[length++] = (char)(0x80 | (c >> 6 & 63));
        bytes[length++] = (char)(0x80 | (c & 63));
    } else {
        bytes[length++] = (char)(0xf0 | (c >> 18 & 7));
        bytes[length++] = (char)(0x80 | (c >> 12 & 63));
        bytes[length++] = (char)(0x80 | (c >> 6 & 63));
        bytes[length++] = (char)(0x80 | (c & 63));
    }
    iol__text_bytes(text, bytes, length);
}

/* A text of Python: its length, its state (how wide characters are, whether all is in one piece and all of it ASCII), and
   behind the header its characters. */
static bool add_text(iol__text *text, uintptr_t object, size_t most) {
    if (!object) return false;
    const uintptr_t length = word_at(object, TEXT_LENGTH);
    const uint32_t state = number_at(object, TEXT_STATE), width = state >> 2 & 7;
    if (!(state & TEXT_COMPACT) || (width != 1 && width != 2 && width != 4)) return false;
    const uintptr_t at = object + (state & TEXT_ASCII ? python.is.text_header : python.is.wide_header);
    for (uintptr_t i = 0; i < length && i < most; i++) {
        const void *c = (const void *)(at + i * width); // NOLINT(performance-no-int-to-ptr)
        add_character(text, width == 1   ? *(const uint8_t *)c
                            : width == 2 ? *(const uint16_t *)c
                                         : *(const uint32_t *)c);
    }
    return true;
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

/* Pairs of how many instructions, and how many lines, forward or back. */
static uint32_t line_of_pairs(const uint8_t *table, size_t bytes, uint32_t line, uint64_t at) {
    uint64_t address = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        address += table[i];
        if (address > at) break;
        line += (uint32_t)(table[i + 1] < 128 ? table[i + 1] : table[i + 1] - 256);
    }
    return line;
}

static uint32_t take_varint(const uint8_t **table, const uint8_t *end) {
    uint32_t value = 0;
    for (unsigned shift = 0; *table < end && shift < 32; shift += 6) {
        const uint8_t byte = *(*table)++;
        value |= (uint32_t)(byte & 63) << shift;
        if (!(byte & 64)) break;
    }
    return value;
}

static int32_t take_signed_varint(const uint8_t **table, const uint8_t *end) {
    const uint32_t value = take_varint(table, end);
    return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

/* Entries of a first byte, with their form and how many instructions they are for, and what the form has behind it. */
static uint32_t line_of_locations(const uint8_t *table, size_t bytes, uint32_t line, uint64_t at) {
    enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
    const uint8_t *end = table + bytes;
    uint64_t address = 0;
    while (table < end) {
        const unsigned form = *table >> 3 & 15, length = (*table & 7u) + 1;
        table++;
        if (form == LONG) {
            line += (uint32_t)take_signed_varint(&table, end);
            for (int i = 0; i < 3; i++) take_varint(&table, end);
        } else if (form == NO_COLUMNS) {
            line += (uint32_t)take_signed_varint(&table, end);
        } else if (form >= ONE_LINE && form < NO_COLUMNS) {
            line += form - (unsigned)ONE_LINE;
            table += 2;
        } else if (form < ONE_LINE) {
            table++;
        }
        address += 2 * (uint64_t)length;
        if (address > at) return form == NONE ? 0 : line;
    }
    return 0;
}

static uint32_t line_of(const iol__python_frame *f) {
    enum { SIZE = 16, BYTES = 32 };
    const layout *is = &python.is;
    const uint32_t first = number_at(f->code, is->code_first_line);
    const uintptr_t table = word_at(f->code, is->code_lines);
    if (!table) return 0;
    const uint8_t *bytes = (const uint8_t *)(table + BYTES); // NOLINT(performance-no-int-to-ptr)
    const size_t size = word_at(table, SIZE);
    if (is->lines == LINES_OLD) return line_of_pairs(bytes, size, first, f->at);
    const uint64_t at = f->at - (f->code + is->code_start);
    return line_of_locations(bytes, size, first, at);
}

const char *iol__python_describe(const iol__python_frame *f, uint64_t *key, uint32_t *line) {
    enum { ROOM = 1536, FUNCTION = 256, FILE_NAME = 1024, KEY = 8 };
    static char name[ROOM];
    iol__text text = {name, sizeof name, 0};
    iol__text_add(&text, "p 01234567 ");
    const size_t from = text.length;
    *line = line_of(f);
    if (!add_text(&text, word_at(f->code, python.is.code_name), FUNCTION)) return "";
    iol__text_add(&text, "\t");
    if (!add_text(&text, word_at(f->code, python.is.code_file), FILE_NAME)) return "";
    *key = (uint32_t)iol__hash(name + from, text.length - from, 0) | 0x80000000u; /* always eight digits */
    for (int i = 0; i < KEY; i++) name[2 + i] = "0123456789abcdef"[*key >> (28 - 4 * i) & 15];
    return name;
}
