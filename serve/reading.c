/* A bound on work that takes long, and the policy of reports. */
#include "serve/reading.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "report/html/html_internal.h"
#include "serve/serve.h"

bool iol__reading_begin(iol__exchange *x) {
    int most = (int)x->serve->options->threads / 2 + 1;
    x->reading = true;
    if (atomic_fetch_add(&x->serve->reading, 1) < most) return true;
    iol__reading_end(x);
    iol__answer_error(x, 429, "too many logs are being read at the moment; try again in a few seconds");
    iol__header_add(x, "Retry-After", "3");
    return false;
}

void iol__reading_end(iol__exchange *x) {
    if (x->reading) atomic_fetch_sub(&x->serve->reading, 1);
    x->reading = false;
}

/* Hashes ---------------------------------------------------------------------------------------------------------- */

enum { HASH = 64 };
static char hashes[3][HASH]; /* loader, application, style */
static pthread_once_t hashed = PTHREAD_ONCE_INIT;

static void reading_hash_of(const void *bytes, size_t length, char text[HASH]) {
    uint8_t digest[IOL_DIGEST];
    iol__out out;
    iol__sha256(bytes, length, digest);
    iol__out_open(&out, -1);
    iol__html_base64(&out, digest, sizeof digest);
    memcpy(text, out.buffer, out.length < HASH ? out.length : HASH - 1);
    iol__out_close(&out);
}

/* The application is embedded as a gzip stream, and runs as the text that comes out. */
static void hash_app(char text[HASH]) {
    size_t room = 64 << 20;
    z_stream z = {.next_in = (Bytef *)(uintptr_t)iol__web_app, .avail_in = (uInt)iol__web_app_length};
    unsigned char *plain = malloc(room);
    z.next_out = plain;
    z.avail_out = (uInt)room;
    if (plain && inflateInit2(&z, 15 + 16) == Z_OK) {
        if (inflate(&z, Z_FINISH) == Z_STREAM_END) reading_hash_of(plain, z.total_out, text);
        inflateEnd(&z);
    }
    free(plain);
}

static void make_hashes(void) {
    reading_hash_of(iol__html_loader, strlen(iol__html_loader), hashes[0]);
    hash_app(hashes[1]);
    reading_hash_of(iol__web_style, iol__web_style_length, hashes[2]);
}

const char *iol__html_policy(iol__arena *arena) {
    pthread_once(&hashed, make_hashes);
    return iol__arena_print(arena,
                            "default-src 'none'; script-src 'sha256-%s' 'sha256-%s' blob:; style-src 'sha256-%s'; "
                            "style-src-attr 'unsafe-inline'; img-src data: blob:; worker-src blob:; base-uri 'none'; "
                            "form-action 'none'; frame-ancestors 'self'",
                            hashes[0], hashes[1], hashes[2]);
}
