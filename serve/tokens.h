/* Proofs of who somebody is: bearer tokens, of which only digests are kept; the one token of a server on loopback; and
   sessions, which are signed texts in a cookie. */
#ifndef IOL_SERVE_TOKENS_H
#define IOL_SERVE_TOKENS_H

#include "serve/access.h"
#include "serve/sha256.h"

enum { IOL_TOKEN = 64, IOL_SESSION = 320, IOL_SESSION_SECONDS = 12 * 3600, IOL_ENDED = 256 };
enum { IOL_SIGNATURE = 33 };

typedef struct iol__token_row {
    char digest[IOL_DIGEST_HEX];
    unsigned role;
    char user[IOL_USER_NAME];
    int64_t expires; /* seconds; 0: never */
} iol__token_row;

typedef struct iol__tokens {
    uint8_t key[IOL_DIGEST]; /* signs sessions and cursors */
    char own[IOL_TOKEN];     /* of a server on loopback; "": none */
    iol__token_row *list;
    size_t count;
    int64_t changed[3];                   /* of the file of tokens: when, how long, which */
    char ended[IOL_ENDED][IOL_SIGNATURE]; /* sessions that were logged out of, the oldest replaced first */
    size_t n_ended;
} iol__tokens;

/* The key and the tokens of a directory that only its owner may read; both are made if they are not there. */
iol_status iol__tokens_open(const char *directory, iol__tokens *tokens, iol_error *error);
void iol__tokens_free(iol__tokens *tokens);
/* A new token for a role and user, "user:ana", "staff", "ingest" or "live:node1". It is written nowhere but into `token`. */
iol_status iol__tokens_make(const char *directory, const char *who, int64_t days, char token[IOL_TOKEN],
                            iol_error *error);
/* The token of a server on loopback, new every time. */
bool iol__tokens_own(iol__tokens *tokens);

/* Whom a bearer token stands for. False: nobody. `now` is in seconds. */
bool iol__token_viewer(const iol__tokens *tokens, const iol__trust *trust, const char *token, int64_t now,
                       iol__viewer *viewer);
/* Reads the file of tokens again if it is another than before; on failure everything stays as it was. */
void iol__tokens_refresh(const char *directory, iol__tokens *tokens);
/* The session for a token that was good, and back: it ends with its token. */
void iol__session_make(const iol__tokens *tokens, const char *token, int64_t now, char session[IOL_SESSION]);
bool iol__session_viewer(const iol__tokens *tokens, const iol__trust *trust, const char *session, int64_t now,
                         iol__viewer *viewer);

/* This session is good no longer. */
void iol__session_end(iol__tokens *tokens, const char *session);

/* A signature of 32 hexadecimal digits over a text. `use` keeps kinds of texts apart. */
void iol__sign(const iol__tokens *tokens, const char *use, const char *text, size_t length,
               char signature[IOL_SIGNATURE]);

#endif
