/* SHA-256 and HMAC: for tokens at rest, for signatures of cursors and sessions, and for the hashes that a
   Content-Security-Policy names. */
#ifndef IOL_SERVE_SHA256_H
#define IOL_SERVE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_DIGEST = 32, IOL_DIGEST_HEX = 65 };

void iol__sha256(const void *bytes, size_t length, uint8_t digest[IOL_DIGEST]);
/* Of a text under a key of 32 bytes. */
void iol__hmac(const uint8_t key[IOL_DIGEST], const void *bytes, size_t length, uint8_t digest[IOL_DIGEST]);
void iol__hex_of(const uint8_t *bytes, size_t length, char *text);
/* Whether two secrets are equal, in a time that does not tell where they differ. */
bool iol__same_secret(const void *a, const void *b, size_t length);
/* Bytes that nobody can guess. False if the system has none. */
bool iol__random_bytes(void *bytes, size_t length);

#endif
