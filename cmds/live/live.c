/* iolite live: look, tell, answer until the next look. All is done by one thread but for the sending, which may have to wait
   for others. */
#include "cmds/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/write_all.h"
#include "cmds/cmd.h"
#include "cmds/run/run_directory.h"
#include "cmds/settings.h"
#include "text/text.h"

enum { USUAL_INTERVAL = 5, MOST_SERIES = 10000 };

typedef struct live_service {
    const iol__args *args;
    const char *host, *cluster, *textfile;
    double interval, count;
    size_t series;
    bool print;
    iol__live_node node;
    live_door door;
    live_push push;
    iol__out metrics; /* of the last look */
    iol__arena arena; /* of the state */
} live_service;

static volatile sig_atomic_t live_stop;

static void ask_live_to_stop(int signal_number) { live_stop = signal_number; }

/* Telling --------------------------------------------------------------------------------------------------------- */

/* Whoever reads the file sees a whole one, the old or the new. */
static void write_live_textfile(const live_service *s) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s.new", s->textfile) >= (int)sizeof path) return;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool good = fd >= 0 && iol__write_all(fd, s->metrics.buffer, s->metrics.length);
    if (fd >= 0 && close(fd) != 0) good = false;
    if (!good || rename(path, s->textfile) != 0) iol__complain("iolite live: ", "%s: %s", s->textfile, strerror(errno));
}

static void print_live_state(const iol__live_state *state) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json_start(&json, &out, 0);
    iol__live_state_json(&json, state);
    if (iol__out_close(&out) != 0 || out.closed) live_stop = SIGPIPE;
}

static void push_live_state(live_service *s, const iol__live_state *state) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__live_state_json(&json, state);
    iol__out_char(&out, '\0');
    send_live_state(&s->push, out.buffer);
}

static void tell(live_service *s) {
    iol__live_wish wishes[IOL_LIVE_WISHES];
    jmp_buf exhausted;
    s->arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        const size_t n = s->push.running ? take_live_wishes(&s->push, wishes) : 0;
        iol__live_state state = iol__live_node_state(&s->node, &s->arena, wishes, n);
        state.host = s->host;
        state.cluster = s->cluster;
        s->metrics.length = 0;
        iol__live_metrics(&s->metrics, &s->node, &state, s->series);
        if (s->textfile) write_live_textfile(s);
        if (s->print) print_live_state(&state);
        if (s->push.running) push_live_state(s, &state);
    } else {
        iol__complain("iolite live: ", "out of memory");
    }
    iol__arena_free(&s->arena);
    s->door.text = s->metrics.buffer;
    s->door.length = s->metrics.length;
}

/* Options --------------------------------------------------------------------------------------------------------- */

static int read_live_number(const iol__args *args, int option, double least, double most, double *value) {
    const char *text = argument_value(args, option);
    char *end;
    if (!text) return EXIT_DONE;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= most) return EXIT_DONE;
    return usage_error(args, "'%s' is not a number from %g to %g", text, least, most);
}

static int read_live_options(live_service *s) {
    static struct utsname here;
    const iol__args *args = s->args;
    double series = 0;
    s->interval = USUAL_INTERVAL;
    int status = read_live_number(args, OPT_LIVE_INTERVAL, 0.1, 3600, &s->interval);
    if (status == EXIT_DONE) status = read_live_number(args, OPT_LIVE_LOOKS, 1, 1e9, &s->count);
    if (status == EXIT_DONE) status = read_live_number(args, OPT_LIVE_SERIES, 0, MOST_SERIES, &series);
    if (status != EXIT_DONE) return status;
    s->series = (size_t)series;
    s->host = argument_value(args, OPT_LIVE_HOST);
    if (!s->host && uname(&here) == 0) s->host = here.nodename;
    s->cluster = argument_value(args, OPT_LIVE_CLUSTER);
    s->textfile = argument_value(args, OPT_LIVE_TEXTFILE);
    s->print = args->given[OPT_LIVE_NDJSON];
    if (args->n_operands) return usage_error(args, "no operand is expected");
    if (!argument_value(args, OPT_LIVE_LISTEN) && !argument_value(args, OPT_LIVE_PUSH) && !s->textfile && !s->print)
        return usage_error(args, "where to? --listen, --textfile, --push or --ndjson");
    if (argument_value(args, OPT_LIVE_PUSH) && !argument_value(args, OPT_LIVE_TOKEN_FILE))
        return usage_error(args, "--push needs --token-file: iolite serve --make-token live:%s makes one", s->host);
    return EXIT_DONE;
}

/* Running --------------------------------------------------------------------------------------------------------- */

/* The file of each process is kept open. */
static void allow_live_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Signals come while it waits, and at no other time. */
static void catch_live_signals(sigset_t *waiting) {
    struct sigaction action = {.sa_handler = ask_live_to_stop};
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGINT);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_BLOCK, &ours, waiting);
}

static void watch_node(live_service *s, const sigset_t *waiting) {
    double next = iol__monotonic_seconds();
    for (uint64_t looks = 0; !live_stop; looks++) {
        iol__live_node_look(&s->node);
        tell(s);
        if (s->count > 0 && (double)looks + 1 >= s->count) return;
        const double now = iol__monotonic_seconds();
        next = next + s->interval > now ? next + s->interval : now; /* after a long stop it does not catch up */
        answer_at_live_door(&s->door, next, waiting);
    }
}

static int run_live(live_service *s) {
    const char *listen = argument_value(s->args, OPT_LIVE_LISTEN), *portal = argument_value(s->args, OPT_LIVE_PUSH);
    const char *places[RUN_PLACES];
    sigset_t waiting;
    s->node.watch = (iol__live_watch){.places = places,
                                      .n_places = mapped_places(load_settings(complain_on_stderr), places),
                                      .limits = iol__live_careful};
    s->door.fd = -1;
    allow_live_files();
    catch_live_signals(&waiting);
    if (listen && !open_live_door(&s->door, listen)) return EXIT_TROUBLE;
    if (portal && !open_live_push(&s->push, portal, argument_value(s->args, OPT_LIVE_TOKEN_FILE))) return EXIT_INPUT;
    iol__out_open(&s->metrics, -1);
    watch_node(s, &waiting);
    close_live_push(&s->push);
    close_live_door(&s->door);
    iol__out_close(&s->metrics);
    iol__live_node_close(&s->node);
    return EXIT_DONE;
}

int cmd_live(const iol__args *args) {
    live_service service = {.args = args};
    const int status = read_live_options(&service);
    return status == EXIT_DONE ? run_live(&service) : status;
}
