/* Sending states to a portal. The answer says which jobs somebody looks at, so that findings are made for those alone. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/live/live.h"
#include "site/connect/http.h"
#include "site/tree.h"
#include "text/text.h"

enum { MOST_TOKEN = 256 };

/* The first word of a file that others cannot read. */
static char *read_live_token(const char *path) {
    char text[MOST_TOKEN + 1] = "";
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t n = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, text, MOST_TOKEN) : -1;
    const char *why = n < 0             ? strerror(fd < 0 ? errno : EINVAL)
                      : st.st_mode & 07 ? "others can read it; it must be theirs alone who send"
                                        : NULL;
    if (fd >= 0) close(fd);
    if (n > 0) text[strcspn(text, " \t\r\n")] = 0;
    if (!why && !*text) why = "there is no token in it";
    if (!why) return strdup(text);
    iol__complain("iolite live: ", "%s: %s", path, why);
    return NULL;
}

/* Answers --------------------------------------------------------------------------------------------------------- */

static void take_answer(live_push *push, const iol__feed *answer) {
    iol__tree_document document;
    const iol__tree_limits limits = {.bytes = 1 << 20, .values = 10000, .depth = 8};
    if (iol__tree_parse(answer->bytes, answer->length, "answer", &limits, &document, NULL) != IOL_OK) return;
    const iol__tree *wanted = iol__tree_member(document.top, "wanted");
    pthread_mutex_lock(&push->lock);
    push->n_wishes = 0;
    for (const iol__tree *one = wanted ? wanted->first : NULL; one && push->n_wishes < IOL_LIVE_WISHES;
         one = one->next) {
        const char *job = iol__tree_text(iol__tree_member(one, "job_id"));
        int64_t uid = -1;
        if (!job || !iol__tree_i64(iol__tree_member(one, "uid"), &uid) || uid < 0 || uid > UINT32_MAX) continue;
        push->wishes[push->n_wishes++] = (iol__live_wish){.job = strtoll(job, NULL, 10), .uid = (uid_t)uid};
    }
    pthread_mutex_unlock(&push->lock);
    iol__tree_free(&document);
}

/* Said once, and again when it is over. */
static void note_outcome(live_push *push, const char *why) {
    if (why && !push->failing) iol__complain("iolite live: ", "the portal does not take it: %s", why);
    if (!why && push->failing) iol__complain("iolite live: ", "the portal takes it again");
    push->failing = why != NULL;
}

static void send_document(live_push *push, const char *document) {
    char why[400] = "";
    iol__feed answer = {0};
    long code = 0;
    const iol__http_secrets secrets = {.token = push->token};
    if (iol__http_post(push->url, document, &secrets, &answer, &code, why) != IOL_OK) {
        note_outcome(push, why);
        return;
    }
    if (code == 200) {
        take_answer(push, &answer);
    } else {
        snprintf(why, sizeof why, "it answers with status %ld", code);
    }
    note_outcome(push, code == 200 ? NULL : why);
    iol__feed_close(&answer);
}

/* The thread ------------------------------------------------------------------------------------------------------ */

static void *send_documents(void *context) {
    live_push *push = context;
    pthread_mutex_lock(&push->lock);
    while (push->document || !push->stop) {
        if (!push->document) {
            pthread_cond_wait(&push->wake, &push->lock);
            continue;
        }
        char *document = push->document;
        push->document = NULL;
        pthread_mutex_unlock(&push->lock);
        send_document(push, document);
        free(document);
        pthread_mutex_lock(&push->lock);
    }
    pthread_mutex_unlock(&push->lock);
    return NULL;
}

bool open_live_push(live_push *push, const char *portal, const char *token_file) {
    const size_t length = strlen(portal);
    if (!iol__is_url(portal) || iol__url_tells_password(portal)) {
        iol__complain("iolite live: ", "--push takes the address of a portal: https://HOST/PREFIX, without a password");
        return false;
    }
    if (!(push->token = read_live_token(token_file))) return false;
    if (asprintf(&push->url, "%s%sapi/v1/live", portal, portal[length - 1] == '/' ? "" : "/") < 0) return false;
    pthread_mutex_init(&push->lock, NULL);
    pthread_cond_init(&push->wake, NULL);
    push->running = pthread_create(&push->thread, NULL, send_documents, push) == 0;
    return push->running;
}

void send_live_state(live_push *push, char *document) {
    pthread_mutex_lock(&push->lock);
    free(push->document);
    push->document = document;
    pthread_cond_signal(&push->wake);
    pthread_mutex_unlock(&push->lock);
}

size_t take_live_wishes(live_push *push, iol__live_wish wishes[IOL_LIVE_WISHES]) {
    pthread_mutex_lock(&push->lock);
    const size_t count = push->n_wishes;
    memcpy(wishes, push->wishes, count * sizeof *wishes);
    push->n_wishes = 0;
    pthread_mutex_unlock(&push->lock);
    return count;
}

void close_live_push(live_push *push) {
    if (!push->running) return;
    pthread_mutex_lock(&push->lock);
    push->stop = true;
    pthread_cond_signal(&push->wake);
    pthread_mutex_unlock(&push->lock);
    pthread_join(push->thread, NULL);
    pthread_cond_destroy(&push->wake);
    pthread_mutex_destroy(&push->lock);
    free(push->url);
    free(push->token);
}
