/* iolite serve: the API and the portal. On a laptop it takes no option: the user's own logs, loopback, one address with a
   token in it. A service gets a store, where to listen, and whom to trust. */
#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/in_order.h"
#include "cmds/log_places.h"
#include "cmds/run/run_directory.h"
#include "cmds/settings.h"
#include "cmds/site/site_options.h"
#include "serve/serve.h"
#include "text/text.h"

enum {
    CONNECTIONS = 512,
    HEADER_BYTES = 32768,
    SECONDS = 30,
    ANSWER_SECONDS = 60,
    INTERVAL = 60,
    TOKEN_DAYS = 365,
    SHARED = 16
};
static const uint64_t upload_bytes = UINT64_C(256) << 20;

typedef struct serve_serving {
    const iol__args *args;
    iol__serve_options options;
    char *state, *own_logs;
    const char *logs[1];
    iol__shared_logs shared[SHARED];
    const char *live_places[RUN_PLACES];
} serve_serving;

/* Options --------------------------------------------------------------------------------------------------------- */

static bool serve_number(const iol__args *args, int option, uint64_t least, uint64_t most, uint64_t *value) {
    const char *text = argument_value(args, option);
    char *end;
    if (!text) return true;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value >= least && *value <= most;
}

static const char *serve_home(void) {
    const char *named = getenv("HOME");
    const struct passwd *user = named && *named ? NULL : getpwuid(geteuid());
    return named && *named ? named : user ? user->pw_dir : "/";
}

/* "/portal" from "portal/", and "" from "/". */
static int read_prefix(serve_serving *s) {
    const char *prefix = argument_value(s->args, OPT_SERVE_PREFIX);
    size_t length = prefix ? strlen(prefix) : 0;
    s->options.prefix = prefix && strcmp(prefix, "/") != 0 ? prefix : "";
    if (!length || !*s->options.prefix) return EXIT_DONE;
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./~";
    if (*prefix == '/' && prefix[length - 1] != '/' && strspn(prefix, plain) == length) return EXIT_DONE;
    return usage_error(s->args, "a prefix is a path such as /iolite");
}

static int read_serve_numbers(serve_serving *s) {
    const iol__args *args = s->args;
    uint64_t threads = usable_processors() < 2 ? 4 : 2 * usable_processors(), connections = CONNECTIONS,
             seconds = SECONDS, answer = ANSWER_SECONDS, interval = INTERVAL, upload = upload_bytes;
    if (!serve_number(args, OPT_SERVE_THREADS, 1, 256, &threads)) return usage_error(args, "--threads takes 1 to 256");
    if (!serve_number(args, OPT_SERVE_CONNECTIONS, 1, 100000, &connections))
        return usage_error(args, "--connections takes 1 to 100000");
    if (!serve_number(args, OPT_SERVE_SECONDS, 1, 3600, &seconds))
        return usage_error(args, "--timeout takes 1 to 3600");
    if (!serve_number(args, OPT_SERVE_ANSWER, 0, 86400, &answer))
        return usage_error(args, "--limit-seconds takes seconds, or 0 for no limit");
    if (!serve_number(args, OPT_SERVE_INTERVAL, 1, 86400, &interval))
        return usage_error(args, "--interval takes seconds");
    if (!serve_number(args, OPT_SERVE_LIMIT, 1, UINT64_C(1) << 40, &upload))
        return usage_error(args, "--limit-bytes takes a number of bytes");
    s->options.threads = (unsigned)threads;
    s->options.connections = (unsigned)(connections < threads ? threads : connections);
    s->options.seconds = (unsigned)seconds;
    s->options.answer_seconds = (double)answer;
    s->options.interval = (unsigned)interval;
    s->options.upload_bytes = upload;
    s->options.header_bytes = HEADER_BYTES;
    return EXIT_DONE;
}

/* From loopback every process of this machine can set the header. */
static void warn_of_local_proxy(const iol__trust *t) {
    for (size_t i = 0; t->proxy_header && i < t->n_proxy_addresses; i++)
        if (strncmp(t->proxy_addresses[i], "127.", 4) == 0 || strcmp(t->proxy_addresses[i], "::1") == 0)
            fprintf(
                stderr,
                "iolite serve: with --proxy-from %s every process of this machine can be any user: listen at a Unix "
                "socket that only the proxy may open (--listen unix:PATH)\n",
                t->proxy_addresses[i]);
}

static int read_trust(serve_serving *s) {
    const iol__args *args = s->args;
    iol__trust *t = &s->options.trust;
    t->proxy_header = argument_value(args, OPT_SERVE_PROXY_HEADER);
    t->proxy_addresses = args->values[OPT_SERVE_PROXY_FROM];
    t->n_proxy_addresses = args->n_values[OPT_SERVE_PROXY_FROM];
    s->options.hosts = args->values[OPT_SERVE_HOST];
    s->options.n_hosts = args->n_values[OPT_SERVE_HOST];
    t->staff = args->values[OPT_SERVE_STAFF];
    t->n_staff = args->n_values[OPT_SERVE_STAFF];
    bool local = s->options.listen && strncmp(s->options.listen, "unix:", 5) == 0;
    if (t->proxy_header && !local && !t->n_proxy_addresses)
        return usage_error(args, "--proxy-header counts over a Unix socket, or from the addresses of --proxy-from");
    warn_of_local_proxy(t);
    return EXIT_DONE;
}

/* A place that jobs write to, beside the directory in the home: the site's tree, or one that the user has set. */
static void take_shared_place(void *context, const char *directory, bool dated) {
    serve_serving *s = context;
    if (s->options.n_shared_logs == SHARED || strcmp(directory, s->own_logs) == 0) return;
    char *path = strdup(directory);
    if (path) s->shared[s->options.n_shared_logs++] = (iol__shared_logs){.path = path, .dated = dated};
}

/* Without a store and a tree, the user's own logs are meant, wherever settings send them. */
static void choose_logs(serve_serving *s) {
    const iol__args *args = s->args;
    s->options.logs = args->values[OPT_SERVE_LOGS];
    s->options.n_logs = args->n_values[OPT_SERVE_LOGS];
    if (s->options.n_logs || s->options.store) return;
    if (asprintf(&s->own_logs, "%s/.local/share/iolite/logs", serve_home()) < 0) return;
    s->logs[0] = s->own_logs;
    s->options.logs = s->logs;
    s->options.n_logs = 1;
    s->options.shared_logs = s->shared;
    each_log_place(take_shared_place, s);
    s->options.live_places = s->live_places;
    s->options.n_live_places = mapped_places(load_settings(NULL), s->live_places);
}

static int read_serve_options(serve_serving *s) {
    const iol__args *args = s->args;
    iol__serve_options *o = &s->options;
    const char *state = argument_value(args, OPT_SERVE_STATE), *data = getenv("XDG_DATA_HOME");
    int length = state           ? asprintf(&s->state, "%s", state)
                 : data && *data ? asprintf(&s->state, "%s/iolite/serve", data)
                                 : asprintf(&s->state, "%s/.local/share/iolite/serve", serve_home());
    if (length < 0) return EXIT_TROUBLE;
    o->state = s->state;
    o->store = store_url(args);
    o->site_file = argument_value(args, OPT_SITE_FILE);
    o->cluster = argument_value(args, OPT_CLUSTER);
    o->listen = argument_value(args, OPT_SERVE_LISTEN);
    o->socket_group = argument_value(args, OPT_SERVE_SOCKET_GROUP);
    o->request_log = argument_value(args, OPT_SERVE_LOG);
    if (!o->request_log && !isatty(STDERR_FILENO)) o->request_log = "-";
    choose_logs(s);
    int outcome = read_prefix(s);
    if (outcome == EXIT_DONE) outcome = read_trust(s);
    return outcome == EXIT_DONE ? read_serve_numbers(s) : outcome;
}

/* Tokens ---------------------------------------------------------------------------------------------------------- */

static int make_token(const serve_serving *s, const char *who) {
    char token[IOL_TOKEN];
    iol_error error;
    uint64_t days = TOKEN_DAYS;
    if (!serve_number(s->args, OPT_SERVE_DAYS, 0, 36500, &days)) return usage_error(s->args, "--days takes a number");
    iol_status status = iol__tokens_make(s->options.state, who, (int64_t)days, token, &error);
    if (status == IOL_INVALID) return usage_error(s->args, "%s", error.message);
    if (status != IOL_OK) {
        iol__complain("iolite serve: ", "%s", error.message);
        return EXIT_TROUBLE;
    }
    printf("%s\n", token);
    fputs("It is shown this once. A server that runs knows it at once.\n", stderr);
    return EXIT_DONE;
}

/* Serving --------------------------------------------------------------------------------------------------------- */

static void ready(const iol__serve *serve, const char *url) {
    const iol__serve_options *o = serve->options;
    if (*serve->tokens.own)
        printf("%s%s/?token=%s\n", url, o->prefix, serve->tokens.own);
    else
        printf("%s%s\n", url, strncmp(url, "unix:", 5) == 0 ? "" : o->prefix);
    fflush(stdout);
}

/* A store that is not there yet is made, if logs are to go into it. */
static int make_serve_store(const serve_serving *s) {
    iol__store *store;
    if (!s->options.n_logs) return EXIT_DONE;
    int outcome = open_store(s->options.store, IOL_STORE_WRITE, &store);
    if (outcome == EXIT_DONE) iol__store_close(store);
    return outcome;
}

static int serve(serve_serving *s) {
    static iol__serve server;
    char uploads[4096];
    pthread_t indexer;
    iol_error error;
    int outcome = make_serve_store(s);
    if (outcome != EXIT_DONE) return outcome;
    if (iol__serve_open(&s->options, &server, &error) != IOL_OK) {
        iol__complain("iolite serve: ", "%s", error.message);
        return EXIT_INPUT;
    }
    snprintf(uploads, sizeof uploads, "%s/uploads", s->options.state);
    mkdir(uploads, 0700);
    bool own = !s->options.listen;
    if (own) s->options.listen = "127.0.0.1:0";
    if (own && !iol__tokens_own(&server.tokens)) return EXIT_TROUBLE;
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* threads leave signals to the one that waits for them */
    bool indexing = pthread_create(&indexer, NULL, iol__serve_indexer, &server) == 0;
    outcome = iol__serve_listen(&server, ready) == 0 ? EXIT_DONE : EXIT_TROUBLE;
    iol__serve_stop = iol__serve_stop ? iol__serve_stop : 1;
    if (indexing) pthread_join(indexer, NULL);
    iol__serve_close(&server);
    return outcome;
}

int cmd_serve(const iol__args *args) {
    serve_serving s = {.args = args};
    const char *who = argument_value(args, OPT_SERVE_TOKEN);
    if (args->n_operands) return usage_error(args, "no operand is expected");
    if (args->given[OPT_SERVE_DESCRIBE] || args->given[OPT_SERVE_TYPES]) {
        iol__out out;
        iol__out_open(&out, STDOUT_FILENO);
        (args->given[OPT_SERVE_TYPES] ? iol__serve_types : iol__serve_describe)(&out);
        return finish_output(&out, EXIT_DONE);
    }
    int outcome = read_serve_options(&s);
    if (outcome == EXIT_DONE) outcome = who ? make_token(&s, who) : serve(&s);
    free(s.state);
    free(s.own_logs);
    for (size_t i = 0; i < s.options.n_shared_logs; i++) free((char *)(uintptr_t)s.shared[i].path);
    return outcome;
}
