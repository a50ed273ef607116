/* iolite top: look, show, wait for a key or the next look. On a terminal it owns the screen until it ends, and gives it
   back whatever ends it; anywhere else it prints once. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/run/run_directory.h"
#include "cmds/settings.h"
#include "cmds/top/top.h"

static const double shortest = 0.1, longest = 3600;

/* The terminal ---------------------------------------------------------------------------------------------------- */

static struct termios before;
static volatile sig_atomic_t stop;

static void ask_to_stop(int signal_number) { stop = signal_number; }

/* A handler at all, so that a wait ends when the window changes its size. */
static void ignore(int signal_number) { (void)signal_number; }

static void top_say(const char *text) {
    ssize_t written = write(STDOUT_FILENO, text, strlen(text));
    (void)written;
}

static void take_terminal(void) {
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    top_say("\033[?1049h\033[?25l\033[2J");
}

static void give_terminal_back(void) {
    top_say("\033[?25h\033[?1049l");
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static void top_measure(top_view *view) {
    struct winsize size;
    view->columns = terminal_columns();
    view->rows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

/* Keys ------------------------------------------------------------------------------------------------------------ */

/* The last letter, which may be several bytes. */
static void erase(char *text) {
    size_t length = strlen(text);
    while (length && (text[length - 1] & 0xc0) == 0x80) length--;
    if (length) text[length - 1] = '\0';
}

static void type_filter(top_view *view, char typed) {
    const size_t length = strlen(view->filter);
    const unsigned char key = (unsigned char)typed;
    if (key == '\r' || key == '\n' || key == 27) {
        if (key == 27) *view->filter = '\0';
        view->typing = false;
    } else if (key == 127 || key == 8) {
        erase(view->filter);
    } else if (key >= ' ' && length + 1 < TOP_FILTER) {
        view->filter[length] = typed;
        view->filter[length + 1] = '\0';
    }
}

static void move_selection(top_view *view, int step) {
    if (step < 0 && view->selected) view->selected--;
    if (step > 0 && view->selected + 1 < view->n_shown) view->selected++;
}

static void stop_for_now(void) {
    give_terminal_back();
    raise(SIGSTOP);
    take_terminal();
}

/* False: quit. */
static bool press(top_view *view, char key) {
    static const struct {
        char key;
        top_order order;
    } orders[] = {{'b', TOP_BY_BYTES}, {'r', TOP_BY_READ}, {'w', TOP_BY_WRITTEN},
                  {'c', TOP_BY_CALLS}, {'t', TOP_BY_TIME}, {'p', TOP_BY_PID}};
    for (size_t i = 0; i < IOL_COUNT(orders); i++)
        if (orders[i].key == key) view->order = orders[i].order;
    switch (key) {
    case 'q':
    case 3: return false; /* control-C */
    case 26: stop_for_now(); break;
    case ' ': view->look = true; break;
    case 'j':
        view->jobs = !view->jobs;
        view->follow = 0;
        break;
    case 'l': view->layers = !view->layers; break;
    case '/': view->typing = true; break;
    case '?':
    case 'h': view->help = !view->help; break;
    case 27:
        view->follow = 0;
        view->help = false;
        break;
    case '\r':
    case '\n':
        view->follow = view->jobs || view->follow ? 0 : view->selected_pid;
        view->jobs = false;
        break;
    case '+': view->interval = view->interval * 2 < longest ? view->interval * 2 : longest; break;
    case '-': view->interval = view->interval / 2 > shortest ? view->interval / 2 : shortest; break;
    default: break;
    }
    return true;
}

/* How many of these bytes are one key: arrows and others send an escape and more behind it. */
static size_t top_key_length(const char *keys, size_t n) {
    if (n < 3 || keys[0] != 27 || (keys[1] != '[' && keys[1] != 'O')) return 1;
    size_t i = 2;
    while (i < n && (keys[i] < '@' || keys[i] > '~')) i++;
    return i < n ? i + 1 : n;
}

/* Each key has the meaning that the one before it left: several may come at once. */
static bool press_all(top_view *view, const char *keys, size_t n) {
    for (size_t i = 0, length; i < n; i += length) {
        length = top_key_length(keys + i, n - i);
        const char last = keys[i + length - 1];
        if (length > 1 && !view->typing)
            move_selection(view, last == 'A' ? -1 : last == 'B' ? 1 : 0);
        else if (length == 1 && view->typing && last != 3)
            type_filter(view, last);
        else if (length == 1 && !press(view, last))
            return false;
    }
    return true;
}

/* Waiting --------------------------------------------------------------------------------------------------------- */

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Until it is time for the next look. Keys only repaint, except the space bar. False: quit. */
static bool wait_on_screen(iol__out *out, const iol__live_watch *watch, top_view *view) {
    double until = now_seconds() + view->interval;
    view->look = false;
    for (double left; !stop && (left = until - now_seconds()) > 0;) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        char keys[64];
        int ready = poll(&input, 1, (int)(left * 1000) + 1);
        if (ready <= 0) {
            if (ready < 0) return !stop; /* the window changed its size */
            continue;
        }
        ssize_t n = read(STDIN_FILENO, keys, sizeof keys);
        if (n <= 0 || !press_all(view, keys, (size_t)n)) return false;
        if (view->look) return true;
        top_measure(view);
        top_draw(out, watch, view);
    }
    return !stop;
}

static void wait_in_silence(double seconds) {
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (!stop && nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}

/* The command ----------------------------------------------------------------------------------------------------- */

static void watch_on_screen(iol__out *out, iol__live_watch *watch, top_view *view, unsigned long count) {
    struct sigaction action = {.sa_handler = ask_to_stop}, window = {.sa_handler = ignore};
    tcgetattr(STDIN_FILENO, &before);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGWINCH, &window, NULL);
    take_terminal();
    for (unsigned long looks = 0; !stop; looks++) {
        iol__live_look(watch);
        top_measure(view);
        top_draw(out, watch, view);
        if ((count && looks >= count) || !wait_on_screen(out, watch, view)) break;
    }
    give_terminal_back();
}

static void watch_as_json(iol__out *out, iol__live_watch *watch, double interval, unsigned long count) {
    iol__json json;
    iol__json_start(&json, out, 0);
    iol__live_look(watch);
    for (unsigned long looks = 0; !stop && !out->closed && (!count || looks < count); looks++) {
        wait_in_silence(interval);
        iol__live_look(watch);
        top_json(&json, watch);
        iol__out_flush(out);
    }
}

static int top_number_option(const iol__args *args, int option, double least, double most, double *value) {
    const char *text = argument_value(args, option);
    char *end;
    if (!text) return EXIT_DONE;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= most) return EXIT_DONE;
    return usage_error(args, "'%s' is not a number from %g to %g", text, least, most);
}

static int top_choose(const iol__args *args, top_view *view, double *count) {
    double follow = 0;
    const char *order = argument_value(args, OPT_TOP_SORT), *filter = argument_value(args, OPT_TOP_FILTER);
    int status = top_number_option(args, OPT_INTERVAL, shortest, longest, &view->interval);
    if (status == EXIT_DONE) status = top_number_option(args, OPT_LOOKS, 1, 1e9, count);
    if (status == EXIT_DONE) status = top_number_option(args, OPT_PID, 1, INT32_MAX, &follow);
    if (status != EXIT_DONE) return status;
    view->follow = (pid_t)follow;
    view->jobs = args->given[OPT_TOP_JOBS];
    view->layers = args->given[OPT_TOP_LAYERS];
    if (filter) snprintf(view->filter, sizeof view->filter, "%s", filter);
    if (!order) return EXIT_DONE;
    for (int i = 0; i < TOP_ORDERS; i++) {
        if (strcmp(top_order_names[i], order) != 0) continue;
        view->order = (top_order)i;
        return EXIT_DONE;
    }
    return usage_error(args, "there is no order '%s'; it is bytes, read, written, calls, time or pid", order);
}

int cmd_top(const iol__args *args) {
    const char *places[RUN_PLACES];
    iol__live_watch watch = {.places = places, .n_places = mapped_places(load_settings(complain_on_stderr), places)};
    bool json = args->given[OPT_JSON], stream = args->given[OPT_NDJSON];
    top_view view = {.interval = 1, .colour = use_colour(STDOUT_FILENO)};
    double count = 0;
    iol__out out;
    int status = args->n_operands ? usage_error(args, "no operand is expected; --pid follows one process")
                                  : top_choose(args, &view, &count);
    if (status != EXIT_DONE) return status;
    iol__out_open(&out, STDOUT_FILENO);
    if (json || stream) {
        watch_as_json(&out, &watch, view.interval, stream ? (unsigned long)count : 1);
    } else if (isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)) {
        view.screen = true;
        watch_on_screen(&out, &watch, &view, (unsigned long)count);
    } else {
        iol__live_look(&watch);
        wait_in_silence(view.interval);
        iol__live_look(&watch);
        top_measure(&view);
        view.rows = INT16_MAX;
        top_draw(&out, &watch, &view);
    }
    iol__live_forget(&watch);
    return finish_output(&out, EXIT_DONE);
}
