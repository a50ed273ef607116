/* The file of tokens has one line each: digest, role, user or "-", end or 0. A session is
   "DIGEST.EXPIRES.SIGNATURE": it names the token it was given for, so that taking the token away ends it too. */
#include "serve/tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "text/text.h"

enum { MOST_TOKENS = 100000 };

/* Files ----------------------------------------------------------------------------------------------------------- */

static iol_status system_trouble(iol_error *error, const char *path) {
    return iol__store_fail(error, IOL_SYSTEM, "%.200s: %s", path, strerror(errno));
}

/* Parents as others may have them, the directory itself for its owner alone. */
static bool make_tokens_directory(const char *path) {
    char *copy = strdup(path);
    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(copy, 0755);
        *slash = '/';
    }
    free(copy);
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Secrets that others could read or replace are none. */
static bool tokens_is_private(int fd, const char *path, iol_error *error) {
    struct stat status;
    if (fstat(fd, &status) != 0) return system_trouble(error, path), false;
    if (S_ISREG(status.st_mode) && status.st_uid == geteuid() && !(status.st_mode & 077)) return true;
    iol__store_fail(error, IOL_INVALID, "%.200s: must be a file of the user of the server, with mode 600", path);
    return false;
}

static iol_status read_tokens_key(const char *directory, iol__tokens *tokens, iol_error *error) {
    char path[4096];
    snprintf(path, sizeof path, "%s/key", directory);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        bool made = iol__random_bytes(tokens->key, sizeof tokens->key) &&
                    write(fd, tokens->key, sizeof tokens->key) == (ssize_t)sizeof tokens->key && fsync(fd) == 0;
        if (!made) unlink(path);
        close(fd);
        return made ? IOL_OK : system_trouble(error, path);
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return system_trouble(error, path);
    iol_status status = tokens_is_private(fd, path, error) ? IOL_OK : error->status;
    if (status == IOL_OK && read(fd, tokens->key, sizeof tokens->key) != (ssize_t)sizeof tokens->key)
        status = iol__store_fail(error, IOL_INVALID, "%.200s: is too short; remove it, and a new one is made", path);
    close(fd);
    return status;
}

static bool role_of(const char *name, unsigned *role) {
    static const unsigned roles[] = {IOL_ROLE_USER, IOL_ROLE_STAFF, IOL_ROLE_INGEST, IOL_ROLE_LIVE};
    for (size_t i = 0; i < IOL_COUNT(roles); i++)
        if (strcmp(iol__role_name(roles[i]), name) == 0) return *role = roles[i], true;
    return false;
}

/* Tokens of users are for one user, those of nodes for one host. */
static bool is_named(unsigned role) { return role == IOL_ROLE_USER || role == IOL_ROLE_LIVE; }

static bool read_tokens_line(const char *line, iol__token_row *row) {
    char role[16], user[IOL_USER_NAME];
    long long expires;
    *row = (iol__token_row){0};
    if (sscanf(line, "%64[0-9a-f] %15s %127s %lld", row->digest, role, user, &expires) != 4) return false;
    if (strlen(row->digest) != 64 || !role_of(role, &row->role)) return false;
    if (strcmp(user, "-") != 0) memcpy(row->user, user, strlen(user) + 1);
    row->expires = expires;
    return !is_named(row->role) || *row->user;
}

static void mark_file(const struct stat *status, int64_t mark[3]) {
    mark[0] = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
    mark[1] = (int64_t)status->st_size;
    mark[2] = (int64_t)status->st_ino;
}

static void note_tokens_file(iol__tokens *tokens, const struct stat *status) { mark_file(status, tokens->changed); }

static iol_status read_tokens(const char *directory, iol__tokens *tokens, iol_error *error) {
    char path[4096], line[512];
    snprintf(path, sizeof path, "%s/tokens", directory);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return errno == ENOENT ? IOL_OK : system_trouble(error, path);
    FILE *file = tokens_is_private(fd, path, error) ? fdopen(fd, "r") : NULL;
    struct stat status;
    if (file && fstat(fd, &status) == 0) note_tokens_file(tokens, &status);
    if (!file) {
        close(fd);
        return error->status;
    }
    while (fgets(line, sizeof line, file) && tokens->count < MOST_TOKENS) {
        iol__token_row row, *larger;
        if (!read_tokens_line(line, &row)) continue;
        if (!(larger = realloc(tokens->list, (tokens->count + 1) * sizeof row))) break;
        tokens->list = larger;
        tokens->list[tokens->count++] = row;
    }
    fclose(file);
    return IOL_OK;
}

iol_status iol__tokens_open(const char *directory, iol__tokens *tokens, iol_error *error) {
    *tokens = (iol__tokens){0};
    if (!make_tokens_directory(directory)) return system_trouble(error, directory);
    iol_status status = read_tokens_key(directory, tokens, error);
    return status == IOL_OK ? read_tokens(directory, tokens, error) : status;
}

void iol__tokens_refresh(const char *directory, iol__tokens *tokens) {
    char path[4096];
    struct stat status;
    int64_t mark[3] = {0};
    iol_error error;
    snprintf(path, sizeof path, "%s/tokens", directory);
    if (lstat(path, &status) == 0) mark_file(&status, mark);
    if (memcmp(mark, tokens->changed, sizeof mark) == 0) return;
    iol__tokens fresh = {0};
    if (read_tokens(directory, &fresh, &error) == IOL_OK) {
        free(tokens->list);
        tokens->list = fresh.list;
        tokens->count = fresh.count;
    } else {
        iol__complain("iolite serve: ", "goes on with the tokens it has: %s", error.message);
        iol__tokens_free(&fresh);
    }
    memcpy(tokens->changed, mark, sizeof mark);
}

void iol__tokens_free(iol__tokens *tokens) {
    free(tokens->list);
    *tokens = (iol__tokens){0};
}

/* Making ---------------------------------------------------------------------------------------------------------- */

static bool fresh(char token[IOL_TOKEN]) {
    uint8_t bytes[20];
    if (!iol__random_bytes(bytes, sizeof bytes)) return false;
    iol__hex_of(bytes, sizeof bytes, token);
    return true;
}

bool iol__tokens_own(iol__tokens *tokens) { return fresh(tokens->own); }

static void tokens_digest_of(const char *token, char hex[IOL_DIGEST_HEX]) {
    uint8_t digest[IOL_DIGEST];
    iol__sha256(token, strlen(token), digest);
    iol__hex_of(digest, sizeof digest, hex);
}

static iol_status tokens_append(const char *directory, const char *line, iol_error *error) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tokens", directory);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return system_trouble(error, path);
    iol_status status = tokens_is_private(fd, path, error) ? IOL_OK : error->status;
    if (status == IOL_OK && (write(fd, line, strlen(line)) != (ssize_t)strlen(line) || fsync(fd) != 0))
        status = system_trouble(error, path);
    close(fd);
    return status;
}

iol_status iol__tokens_make(const char *directory, const char *who, int64_t days, char token[IOL_TOKEN],
                            iol_error *error) {
    iol__viewer viewer = {0};
    const iol__trust nobody = {0};
    char role_name[16], digest[IOL_DIGEST_HEX], line[512];
    const char *colon = strchr(who, ':');
    size_t length = colon ? (size_t)(colon - who) : strlen(who);
    unsigned role = 0;
    snprintf(role_name, sizeof role_name, "%.*s", (int)(length < 15 ? length : 15), who);
    if (!role_of(role_name, &role) || (is_named(role) && !colon) ||
        (colon && !iol__access_user(&nobody, colon + 1, &viewer)))
        return iol__store_fail(error, IOL_INVALID,
                               "a token is for 'user:NAME', 'staff[:NAME]', 'ingest[:NAME]' or 'live:HOST'");
    if (!make_tokens_directory(directory)) return system_trouble(error, directory);
    if (!fresh(token)) return iol__store_fail(error, IOL_SYSTEM, "cannot read random bytes");
    tokens_digest_of(token, digest);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(line, sizeof line, "%s %s %s %lld\n", digest, role_name, *viewer.user ? viewer.user : "-",
             days ? (long long)(now.tv_sec + days * 86400) : 0LL);
    return tokens_append(directory, line, error);
}

/* Looking --------------------------------------------------------------------------------------------------------- */

static bool stands_for(const iol__tokens *tokens, const iol__trust *trust, const char digest[IOL_DIGEST_HEX],
                       int64_t now, iol__viewer *viewer) {
    char own[IOL_DIGEST_HEX];
    *viewer = (iol__viewer){0};
    if (*tokens->own) {
        tokens_digest_of(tokens->own, own);
        if (iol__same_secret(own, digest, IOL_DIGEST_HEX)) {
            viewer->role = IOL_ROLE_STAFF;
            return true;
        }
    }
    const iol__token_row *found = NULL;
    for (size_t i = 0; i < tokens->count; i++)
        if (iol__same_secret(tokens->list[i].digest, digest, IOL_DIGEST_HEX)) found = &tokens->list[i];
    if (!found || (found->expires && found->expires <= now)) return false;
    if (*found->user && !iol__access_user(trust, found->user, viewer)) return false;
    viewer->role = found->role;
    return true;
}

bool iol__token_viewer(const iol__tokens *tokens, const iol__trust *trust, const char *token, int64_t now,
                       iol__viewer *viewer) {
    char digest[IOL_DIGEST_HEX];
    if (strlen(token) >= IOL_TOKEN) return *viewer = (iol__viewer){0}, false;
    tokens_digest_of(token, digest);
    return stands_for(tokens, trust, digest, now, viewer);
}

void iol__sign(const iol__tokens *tokens, const char *use, const char *text, size_t length,
               char signature[IOL_SIGNATURE]) {
    uint8_t key[IOL_DIGEST], digest[IOL_DIGEST];
    iol__hmac(tokens->key, use, strlen(use), key);
    iol__hmac(key, text, length, digest);
    iol__hex_of(digest, 16, signature);
}

void iol__session_make(const iol__tokens *tokens, const char *token, int64_t now, char session[IOL_SESSION]) {
    char digest[IOL_DIGEST_HEX], signature[IOL_SIGNATURE];
    tokens_digest_of(token, digest);
    int length = snprintf(session, IOL_SESSION, "%s.%lld", digest, (long long)now + IOL_SESSION_SECONDS);
    iol__sign(tokens, "session", session, (size_t)length, signature);
    snprintf(session + length, IOL_SESSION - (size_t)length, ".%s", signature);
}

bool iol__session_viewer(const iol__tokens *tokens, const iol__trust *trust, const char *session, int64_t now,
                         iol__viewer *viewer) {
    char digest[IOL_DIGEST_HEX] = "", signature[IOL_SIGNATURE];
    const char *dot = strrchr(session, '.');
    *viewer = (iol__viewer){0};
    if (!dot || strlen(dot + 1) != IOL_SIGNATURE - 1 || dot - session < 66) return false;
    for (size_t i = 0; i < IOL_ENDED; i++)
        if (strcmp(tokens->ended[i], dot + 1) == 0) return false;
    iol__sign(tokens, "session", session, (size_t)(dot - session), signature);
    if (!iol__same_secret(signature, dot + 1, IOL_SIGNATURE - 1)) return false;
    memcpy(digest, session, 64);
    if (session[64] != '.' || strtoll(session + 65, NULL, 10) <= now) return false;
    return stands_for(tokens, trust, digest, now, viewer);
}

/* The signature names a session: it is over all of its text. */
static const char *signature_of(const char *session) {
    const char *dot = strrchr(session, '.');
    return dot && strlen(dot + 1) == IOL_SIGNATURE - 1 ? dot + 1 : NULL;
}

void iol__session_end(iol__tokens *tokens, const char *session) {
    const char *signature = signature_of(session);
    if (signature) memcpy(tokens->ended[tokens->n_ended++ % IOL_ENDED], signature, IOL_SIGNATURE);
}
