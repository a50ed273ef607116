/* Logging in and out with a browser: a token becomes a session in a cookie, from an address or from a form. Where a proxy says
   who somebody is, nothing of this is used. */
#include "serve/login.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "serve/page_parts.h"
#include "serve/params.h"
#include "serve/serve.h"

enum { MOST_FORM = 4096 };

/* Cookies know no ports: two servers of one machine would take each other's. */
static const char *cookie_name(iol__exchange *x) {
    return x->serve->port ? iol__arena_print(&x->arena, "iolite_%u", x->serve->port) : "iolite";
}

const char *iol__login_session(iol__exchange *x) {
    const char *name = cookie_name(x);
    const size_t length = strlen(name);
    for (const char *at = x->headers.cookie; at && *at;) {
        const size_t piece = strcspn(at, ";");
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return iol__arena_text(&x->arena, at + length + 1, piece - length - 1);
        at += piece;
        at += strspn(at, "; ");
    }
    return NULL;
}

/* Whether the browser's connection is encrypted: a proxy that we trust says so. */
static bool is_encrypted(const iol__exchange *x) {
    const char *scheme = x->headers.forwarded_proto;
    return scheme && strcmp(scheme, "https") == 0 && iol__access_trusts(&x->serve->trust, &x->peer);
}

static void set_cookie(iol__exchange *x, const char *session, int seconds) {
    iol__header_add(x, "Set-Cookie",
                    iol__arena_print(&x->arena, "%s=%s; Path=%s/; HttpOnly; SameSite=Lax; Max-Age=%d%s", cookie_name(x),
                                     session, x->serve->options->prefix, seconds, is_encrypted(x) ? "; Secure" : ""));
}

bool iol__login_with(iol__exchange *x, const char *token, const char *to) {
    iol__viewer viewer;
    char session[IOL_SESSION];
    const int64_t now = (int64_t)time(NULL);
    iol__serve_hold_tokens(x->serve);
    const bool good = iol__token_viewer(&x->serve->tokens, &x->serve->trust, token, now, &viewer);
    if (good) iol__session_make(&x->serve->tokens, token, now, session);
    iol__serve_release_tokens(x->serve);
    if (!good) {
        iol__answer_error(x, 401, "this token is not known, or has expired");
        return false;
    }
    x->status = 303;
    iol__header_add(x, "Location", iol__arena_print(&x->arena, "%s%s", x->serve->options->prefix, to));
    set_cookie(x, session, IOL_SESSION_SECONDS);
    return true;
}

/* A page elsewhere must not log anybody in or out. */
static bool is_from_elsewhere(iol__exchange *x) {
    const char *site = x->headers.sec_fetch_site;
    if (!site || strcmp(site, "same-origin") == 0) return false;
    iol__answer_error(x, 403, "this form came from another page");
    return true;
}

static const char *form_value(iol__exchange *x, const char *name) {
    char form[MOST_FORM];
    const ssize_t length = x->body_file >= 0 ? pread(x->body_file, form, sizeof form - 1, 0) : 0;
    if (length <= 0) return NULL;
    form[length] = 0;
    return iol__query_value(&x->arena, form, name);
}

static const char *login_trimmed(iol__arena *arena, const char *text) {
    text += strspn(text, " \t\r\n");
    return iol__arena_text(arena, text, strcspn(text, " \t\r\n"));
}

void iol__serve_login(iol__exchange *x) {
    if (is_from_elsewhere(x)) return;
    const char *token = form_value(x, "token");
    if (!token) {
        iol__answer_error(x, 401, "a token is needed");
        return;
    }
    iol__login_with(x, login_trimmed(&x->arena, token), "/");
}

void iol__serve_page_login(iol__exchange *x) {
    iol__page_begin(x, "Log in");
    iol__page_login_form(x);
    iol__page_end(x);
}

void iol__serve_logout(iol__exchange *x) {
    if (is_from_elsewhere(x)) return;
    const char *session = iol__login_session(x);
    iol__serve_hold_tokens(x->serve);
    if (session) iol__session_end(&x->serve->tokens, session);
    iol__serve_release_tokens(x->serve);
    x->status = 303;
    iol__header_add(x, "Location", iol__arena_print(&x->arena, "%s/login", x->serve->options->prefix));
    set_cookie(x, "", 0);
}
