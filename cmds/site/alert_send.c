/* The channels that alerts can take. */
#include "cmds/site/alert_send.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/write_all.h"
#include "site/connect/http.h"
#include "text/number.h"

enum { USUAL_SECONDS = 60, PAUSE_MS = 20, WORDS = 64 };

/* Targets ---------------------------------------------------------------------------------------------------------------- */

static bool one_line(const char *text) { return text && *text && !strpbrk(text, "\r\n"); }

static bool read_words(iol__arena *arena, const iol__tree *list, alert_target *target, char why[400]) {
    target->words = iol__arena_alloc(arena, WORDS + 1, sizeof *target->words);
    for (size_t i = 0; list && i < list->count; i++) {
        target->words[i] = i < WORDS ? iol__tree_text(iol__tree_item(list, i)) : NULL;
        if (!target->words[i]) target->words[0] = NULL;
        if (!target->words[i]) break;
    }
    if (target->words[0] && target->words[0][0] == '/') {
        target->name = iol__arena_print(arena, "command %s", target->words[0]);
        return true;
    }
    snprintf(why, 400, "site file: alerts: a command is a list of texts that begins with an absolute path");
    return false;
}

static const char hook_password[] =
    "a password does not belong into the address of a web hook, which others see; ${NAME} "
    "in its path stands for a secret of the environment";

static bool read_target(iol__arena *arena, const iol__tree *from, alert_target *target, char why[400]) {
    static const struct {
        const char *key;
        alert_channel channel;
    } channels[] = {
        {"file", CHANNEL_FILE}, {"mail", CHANNEL_MAIL}, {"mail_users", CHANNEL_USERS}, {"webhook", CHANNEL_WEBHOOK}};
    if (iol__tree_member(from, "sendmail")) {
        snprintf(
            why, 400,
            "site file: alerts: 'sendmail' names a program for all mail: it stands beside \"targets\", not in one");
        return false;
    }
    const iol__tree *command = iol__tree_member(from, "command");
    *target = (alert_target){.channel = CHANNEL_COMMAND};
    if (command) return read_words(arena, command, target, why);
    for (size_t i = 0; i < IOL_COUNT(channels); i++) {
        const char *where = iol__tree_text(iol__tree_member(from, channels[i].key));
        if (!where) continue;
        *target = (alert_target){.channel = channels[i].channel, .where = where};
        target->name = iol__arena_print(arena, "%s %s", channels[i].key, where);
        if (channels[i].channel == CHANNEL_WEBHOOK && iol__url_tells_password(where)) {
            snprintf(why, 400, "site file: alerts: %s", hook_password);
            return false;
        }
        const bool good =
            one_line(where) && *where != '-' && (channels[i].channel != CHANNEL_USERS || strstr(where, "{user}"));
        if (!good) snprintf(why, 400, "site file: alerts: '%.100s' is not a target of this kind", where);
        return good;
    }
    snprintf(why, 400, "site file: alerts: a target is file, command, mail, mail_users or webhook");
    return false;
}

bool read_alert_targets(iol__arena *arena, const iol__site *site, const alert_target **targets, size_t *count,
                        char why[400]) {
    static const alert_target report = {.channel = CHANNEL_REPORT, .name = "report"};
    const iol__tree *list = iol__tree_member(iol__site_value(site, "alerts"), "targets");
    *targets = &report;
    *count = 1;
    if (!list || !list->count) return true;
    alert_target *made = iol__arena_alloc(arena, list->count, sizeof *made);
    *targets = made;
    *count = list->count;
    for (size_t i = 0; i < list->count; i++)
        if (!read_target(arena, iol__tree_item(list, i), &made[i], why)) return false;
    return true;
}

bool is_user_name(const char *name) {
    if (!isalnum((unsigned char)*name)) return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-+", *c)) return false;
    return true;
}

/* Ways ------------------------------------------------------------------------------------------------------------------- */

static bool alert_send_failed(char why[400], const char *what, const char *reason) {
    snprintf(why, 400, "%.200s: %.150s", what, reason);
    return false;
}

static double alert_send_seconds_of(const iol__site *site) {
    double seconds = USUAL_SECONDS;
    iol__tree_real(iol__tree_member(iol__site_value(site, "alerts"), "seconds"), &seconds);
    return seconds > 0 && seconds < 1e5 ? seconds : USUAL_SECONDS;
}

/* One who does not come to an end is ended, with all that it has started. */
static bool wait_alert_for(pid_t child, const char *name, double seconds, char why[400]) {
    int status = 0;
    for (long pauses = (long)(seconds * 1e3 / PAUSE_MS) + 1; pauses > 0; pauses--) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
            return alert_send_failed(why, name, WIFEXITED(status) ? "it ended with an error" : "it was killed");
        }
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    }
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    char reason[80], limit[IOL_HUMAN];
    snprintf(reason, sizeof reason, "it took longer than %s and was ended", iol__human_seconds(limit, seconds));
    return alert_send_failed(why, name, reason);
}

/* The message is its standard input; what it prints goes to standard error. */
static bool run_with(const iol__site *site, const char *const *words, const char *message, char why[400]) {
    const int input = memfd_create("iolite-alert", MFD_CLOEXEC);
    if (input < 0 || !iol__write_all(input, message, strlen(message)) || lseek(input, 0, SEEK_SET) != 0) {
        if (input >= 0) close(input);
        return alert_send_failed(why, words[0], strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP); /* a group of its own */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    const int error = posix_spawn(&child, words[0], &actions, &attributes, (char *const *)(uintptr_t)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(input);
    return error ? alert_send_failed(why, words[0], strerror(error))
                 : wait_alert_for(child, words[0], alert_send_seconds_of(site), why);
}

static bool send_mail(const iol__site *site, const char *to, const char *subject, const char *text, char why[400]) {
    const char *sendmail = iol__tree_text(iol__tree_path(iol__site_value(site, "alerts"), "sendmail"));
    const char *const words[] = {sendmail && *sendmail == '/' ? sendmail : "/usr/sbin/sendmail", "-i", "-t", NULL};
    char *message;
    if (asprintf(&message,
                 "To: %s\nSubject: %s\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
                 "Content-Transfer-Encoding: 8bit\nAuto-Submitted: auto-generated\n\n%s",
                 to, subject, text) < 0)
        return alert_send_failed(why, to, "out of memory");
    const bool good = run_with(site, words, message, why);
    free(message);
    return good;
}

static bool mail_user(const iol__site *site, const char *pattern, const char *user, const char *subject,
                      const char *text, char why[400]) {
    const char *mark = strstr(pattern, "{user}");
    char to[512];
    if (!is_user_name(user)) return alert_send_failed(why, "users", "a name that no address can have");
    snprintf(to, sizeof to, "%.*s%.100s%.150s", (int)(mark - pattern > 150 ? 150 : mark - pattern), pattern, user,
             mark + strlen("{user}"));
    return send_mail(site, to, subject, text, why);
}

static bool alert_send_append(const char *path, const char *text, char why[400]) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
    const bool good = fd >= 0 && iol__write_all(fd, text, strlen(text));
    if (!good) alert_send_failed(why, path, strerror(errno));
    if (fd >= 0) close(fd);
    return good;
}

/* Reasons go to the screen and into the store: without the address, which may hold a secret. */
static bool alert_send_post(const char *where, const char *json, char why[400]) {
    char *url = iol__site_expand(where), reason[400] = "";
    iol__feed answer = {0};
    long code = 0;
    if (!url) return alert_send_failed(why, "webhook", "out of memory");
    bool good = false;
    if (!iol__is_url(url)) {
        alert_send_failed(why, "webhook", "the address is not an http or https URL");
    } else if (iol__url_tells_password(url)) {
        alert_send_failed(why, "webhook", hook_password);
    } else if (iol__http_post(url, json, &(iol__http_secrets){0}, &answer, &code, reason) != IOL_OK) {
        const char *behind = strstr(reason, ": "); /* no URL holds a space */
        alert_send_failed(why, "webhook", behind ? behind + 2 : "it cannot be reached");
    } else {
        iol__feed_close(&answer);
        good = code >= 200 && code < 300;
        if (!good) snprintf(why, 400, "the web hook answered with status %ld", code);
    }
    free(url);
    return good;
}

bool send_alert(const iol__site *site, const alert_target *target, const char *user, const char *subject,
                const char *text, const char *json, char why[400]) {
    switch (target->channel) {
    case CHANNEL_FILE: return alert_send_append(target->where, text, why);
    case CHANNEL_COMMAND: return run_with(site, target->words, text, why);
    case CHANNEL_MAIL: return send_mail(site, target->where, subject, text, why);
    case CHANNEL_USERS: return mail_user(site, target->where, user, subject, text, why);
    case CHANNEL_WEBHOOK: return alert_send_post(target->where, json, why);
    case CHANNEL_REPORT: break;
    }
    return true;
}
