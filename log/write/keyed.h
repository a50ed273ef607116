/* Keyed hashes for pseudonyms. Without the key nobody can test a guess, which a plain hash would allow. */
#ifndef IOL_LOG_KEYED_H
#define IOL_LOG_KEYED_H

#include <stddef.h>
#include <stdint.h>

typedef struct iol__key {
    uint64_t words[2];
} iol__key;

/* SipHash-2-4. */
uint64_t iol__keyed_hash(const iol__key *key, const void *bytes, size_t length);
/* A key from a text, the same every time; or from the system's randomness when the text is NULL. */
iol__key iol__key_from(const char *text);
/* Jenkins' 32-bit "hashlittle", which the reference's obfuscation uses. */
uint32_t iol__hash_little(const void *bytes, size_t length, uint32_t seed);

#endif
