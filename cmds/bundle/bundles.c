/* iolite archive: which action, and what all of them share. */
#include "cmds/bundle/bundles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/in_order.h"
#include "text/text.h"

enum { DAY = 86400, COPY_BYTES = 1 << 16 };

static const struct {
    const char *name;
    int (*act)(archiving *a);
} actions[] = {
    {"pack", archive_pack},       {"list", archive_list},   {"verify", archive_verify},
    {"restore", archive_restore}, {"purge", archive_purge},
};

void archive_trouble(void *context, const char *path, const char *reason) {
    archiving *a = context;
    iol__out out;
    iol__out_open(&out, STDERR_FILENO);
    iol__out_text(&out, "iolite: ");
    iol__out_safe(&out, path);
    iol__out_text(&out, ": ");
    iol__out_safe(&out, reason);
    iol__out_char(&out, '\n');
    iol__out_close(&out);
    if (a->status == EXIT_DONE) a->status = EXIT_INPUT;
}

bool archive_list_logs(archiving *a, size_t from, iol__retained_list *list) {
    const iol__retaining how = {.before = a->before, .trouble = archive_trouble, .context = a};
    const int error = iol__retained_find((const char *const *)a->operands + from, a->n_operands - from, &how, list);
    if (!error) return true;
    tell_stderr("%s", error == EEXIST ? "two logs would have the same name in the bundle" : strerror(error));
    a->status = EXIT_TROUBLE;
    return false;
}

uint8_t *read_log_bytes(int fd, uint64_t size) {
    if (size > IOL_PACKED_LOG_MOST) return NULL;
    uint8_t *bytes = malloc((size_t)size + 1);
    for (size_t done = 0; bytes && done < size;) {
        const ssize_t n = pread(fd, bytes + done, (size_t)size - done, (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            free(bytes);
            return NULL;
        }
        done += (size_t)n;
    }
    return bytes;
}

/* A log that was kept as it is, piece by piece. */
static bool same_copy(iol__bundle *bundle, const iol__bundle_entry *entry, int fd, iol_error *error) {
    FILE *copy = tmpfile();
    if (!copy) error->status = IOL_SYSTEM;
    if (!copy) return false;
    bool same = iol__bundle_copy(bundle, entry, fileno(copy), error) == IOL_OK;
    uint8_t a[COPY_BYTES], b[COPY_BYTES];
    for (uint64_t at = 0; same && at < entry->size;) {
        const size_t part = entry->size - at < sizeof a ? (size_t)(entry->size - at) : sizeof a;
        same = pread(fd, a, part, (off_t)at) == (ssize_t)part &&
               pread(fileno(copy), b, part, (off_t)at) == (ssize_t)part && memcmp(a, b, part) == 0;
        at += part;
    }
    fclose(copy);
    return same;
}

/* What the bundle gives back was checked against the hash of what was packed. So if it is not what is in the file, then
   somebody has written to the file since, even if its times do not tell (a mapping): ESTALE, and not the bundle's fault. */
bool same_as_original(iol__bundle *bundle, const iol__bundle_entry *entry, const iol__retained *log) {
    iol_error error = {0};
    uint8_t *restored = NULL, *original = NULL;
    const int fd = iol__retained_open(log);
    if (fd < 0) return false;
    bool same = entry->size == (uint64_t)log->seen.st_size, restorable = true;
    if (same && entry->size > IOL_PACKED_LOG_MOST) {
        same = same_copy(bundle, entry, fd, &error);
        restorable = error.status == IOL_OK;
    } else if (same) {
        original = read_log_bytes(fd, entry->size);
        restorable = iol__bundle_restore(bundle, entry, &restored, &error) == IOL_OK;
        same = original && restorable && memcmp(original, restored, (size_t)entry->size) == 0;
    }
    free(restored);
    free(original);
    close(fd);
    errno = restorable ? ESTALE : EIO;
    return same;
}

static bool read_bundles_options(archiving *a) {
    const char *days = argument_value(a->args, OPT_OLDER_THAN), *threads = argument_value(a->args, OPT_THREADS);
    char *end = NULL;
    a->threads = usable_processors();
    if (days) {
        const double number = strtod(days, &end);
        if (!*days || *end || !(number >= 0) || number > 1e6) {
            a->status = usage_error(a->args, "--older-than takes a number of days, not '%s'", days);
            return false;
        }
        a->before = (int64_t)time(NULL) - (int64_t)(number * DAY);
    }
    if (threads) {
        const long number = strtol(threads, &end, 10);
        if (!*threads || *end || number < 1 || number > 1024) {
            a->status = usage_error(a->args, "--threads takes a number from 1 on, not '%s'", threads);
            return false;
        }
        a->threads = (size_t)number;
    }
    return true;
}

int cmd_archive(const iol__args *args) {
    archiving a = {.args = args};
    if (args->n_operands == 0) return usage_error(args, "an action is needed: pack, list, verify, restore or purge");
    a.operands = args->operands + 1;
    a.n_operands = args->n_operands - 1;
    if (!read_bundles_options(&a)) return a.status;
    for (size_t i = 0; i < IOL_COUNT(actions); i++)
        if (strcmp(args->operands[0], actions[i].name) == 0) return actions[i].act(&a);
    return usage_error(args, "there is no action '%s': pack, list, verify, restore or purge", args->operands[0]);
}
