/* The trailer: what Iolite knows beyond the Darshan format, behind the last region of a log, where other readers do not
   look. Found from the end of the file. All numbers are little-endian, whatever the byte order of the log.

     sections   tag[4], u32 method, u64 stored length, u64 raw length, stored bytes      (any number)
     footer     magic[8], u32 version, u32 CRC-32 of the sections, u64 their offset, u64 their length

   Small texts share a section, IOL_TAG_TEXTS, so that they cost little in the log of a small job: each is its tag[4],
   the text, NUL. */
#ifndef IOL_RECORD_TRAILER_H
#define IOL_RECORD_TRAILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IOL_TRAILER_FOOTER = 32,
    IOL_TRAILER_HEAD = 24, /* of one section */
    IOL_TRAILER_VERSION = 1,
    IOL_TRAILER_STORED = 0,
    IOL_TRAILER_ZLIB = 1,
    IOL_TRAILER_WORDS = 2, /* a raw stream of deflate, with a dictionary */
    IOL_TRAILER_TAG = 4,
};

#define IOL_TAG_TEXTS "TEXT"

/* The dictionary: words of these texts, the most frequent last. It is part of the format and never changes; another one
   would be another method. */
extern const char iol__trailer_words[];
size_t iol__trailer_words_length(void);

typedef struct iol__trailer_footer {
    uint32_t version, crc;
    uint64_t offset, length;
} iol__trailer_footer;

typedef struct iol__trailer_section {
    char tag[5];
    uint32_t method;
    uint64_t stored, raw;
    const uint8_t *bytes;
} iol__trailer_section;

/* False if these last 32 bytes of a file are not a footer. */
bool iol__trailer_footer_parse(const uint8_t bytes[IOL_TRAILER_FOOTER], iol__trailer_footer *footer);
/* The section at *at, which moves on behind it. False at the end; *damaged says whether that is a true end. */
bool iol__trailer_next(const uint8_t *bytes, size_t length, size_t *at, iol__trailer_section *section, bool *damaged);
/* The same the other way: the head of a section, the footer. */
void iol__trailer_head(uint8_t bytes[IOL_TRAILER_HEAD], const char *tag, uint32_t method, uint64_t stored,
                       uint64_t raw);
/* The text at *at in a section of texts, as a section of its own. As above. */
bool iol__trailer_text(const uint8_t *bytes, size_t length, size_t *at, iol__trailer_section *section, bool *damaged);
void iol__trailer_footer_write(uint8_t bytes[IOL_TRAILER_FOOTER], const iol__trailer_footer *footer);
uint32_t iol__crc32(uint32_t crc, const void *bytes, size_t length);

#endif
