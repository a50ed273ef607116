/* iolite archive pack: a dictionary from samples, each log in its smallest form, everything read back and compared, then the
   name, then, if asked to, the originals. Whenever it is killed, originals are there or a complete bundle is. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/bundle/bundles.h"
#include "cmds/in_order.h"
#include "cmds/site/site_options.h"
#include "log/bundle/write.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"

enum {
    SAMPLES = 2000,          /* logs that a dictionary is learned from, at most */
    SAMPLE_MOST = 64 << 10,  /* bytes of such a log */
    SAMPLES_MOST = 24 << 20, /* bytes of all of them without their compression */
    DICTIONARY_SHARE = 64,   /* a dictionary is no larger than this part of the samples */
    DICTIONARY_LEAST = 4096,
    DICTIONARY_MOST = 96 << 10, /* a larger one makes logs hardly smaller, and reading one of them slower */
    BUNDLE_MODE = 0400,
    MOST_THREADS = 64,
};

typedef struct packing {
    archiving *a;
    iol__retained_list list;
    iol__dictionary *dictionary;
    iol__bundle_writer *writer;
    const char *path;    /* of the bundle */
    int directory, lock; /* that it goes to */
    bool *packed, *same; /* by log */
    int file;            /* the bundle without a name, to be read back */
    /* What threads work with: taken and given back. */
    pthread_mutex_t guard;
    iol__bundle_packing idle[MOST_THREADS];
    iol__bundle *readers[MOST_THREADS];
    size_t n_idle, n_readers;
    uint64_t logs, log_bytes, bundle_bytes, removed, differ;
} packing;

/* Where the bundle goes ------------------------------------------------------------------------------------------------- */

/* Root's bundles go where only root can change names. */
static const char *unsafe(const struct stat *st) {
    if (geteuid() != 0) return NULL;
    return st->st_uid != 0 || (st->st_mode & 022)
               ? "others can write to the directory of the bundle; choose one that belongs "
                 "to root, with mode 755 or less"
               : NULL;
}

static bool hold_directory(packing *p) {
    const char *slash = strrchr(p->path, '/');
    char *directory = !slash             ? strdup(".")
                      : slash == p->path ? strdup("/")
                                         : strndup(p->path, (size_t)(slash - p->path));
    struct stat st;
    p->directory = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(directory);
    const char *why = p->directory < 0 || fstat(p->directory, &st) != 0 ? strerror(errno) : unsafe(&st);
    if (!why) {
        p->lock =
            openat(p->directory, ".iolite-archive.lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (p->lock < 0) why = strerror(errno);
    }
    if (!why && flock(p->lock, LOCK_EX | LOCK_NB) != 0)
        why = errno == EWOULDBLOCK ? "another archiver is at work in this directory" : strerror(errno);
    if (why) archive_trouble(p->a, p->path, why);
    if (why) p->a->status = EXIT_TROUBLE;
    return !why;
}

/* The dictionary --------------------------------------------------------------------------------------------------------- */

static bool add_sample(iol__bundle_packing *with, const iol__retained *log, iol__body *samples) {
    if (log->seen.st_size == 0 || log->seen.st_size > SAMPLE_MOST) return false;
    const int fd = iol__retained_open(log);
    uint8_t *bytes = fd < 0 ? NULL : read_log_bytes(fd, (uint64_t)log->seen.st_size);
    if (fd >= 0) close(fd);
    const size_t before = samples->length;
    const bool good = bytes && iol__pack_sample(with, bytes, (size_t)log->seen.st_size, samples);
    free(bytes);
    return good && samples->length > before;
}

static void bundle_pack_learn(packing *p, iol__body *dictionary) {
    const size_t step = p->list.count / SAMPLES + 1;
    size_t *lengths = calloc(p->list.count / step + 1, sizeof *lengths), count = 0;
    iol__body samples = {0};
    iol__bundle_packing with;
    if (lengths && iol__packing_open(&with, NULL)) {
        for (size_t i = 0; i < p->list.count && samples.length < SAMPLES_MOST; i += step) {
            const size_t before = samples.length;
            if (add_sample(&with, &p->list.all[i], &samples)) lengths[count++] = samples.length - before;
        }
        size_t most = samples.length / DICTIONARY_SHARE * step;
        if (most > DICTIONARY_MOST) most = DICTIONARY_MOST;
        if (most >= DICTIONARY_LEAST) iol__dictionary_train(samples.bytes, lengths, count, most, dictionary);
        iol__packing_close(&with);
    }
    free(samples.bytes);
    free(lengths);
    if (dictionary->length) p->dictionary = iol__dictionary_new(dictionary->bytes, dictionary->length, true);
    if (!p->dictionary) dictionary->length = 0;
}

/* Packing ---------------------------------------------------------------------------------------------------------------- */

typedef struct bundle_pack_result {
    uint8_t *bytes;
    iol__packed packed;
    int fd; /* of a log that is copied, else -1 */
    const char *why;
    bool good;
} bundle_pack_result;

static iol__bundle_packing take_idle(packing *p) {
    iol__bundle_packing with = {0};
    pthread_mutex_lock(&p->guard);
    if (p->n_idle) with = p->idle[--p->n_idle];
    pthread_mutex_unlock(&p->guard);
    if (!with.framer) iol__packing_open(&with, p->dictionary);
    return with;
}

static void give_idle(packing *p, iol__bundle_packing *with) {
    pthread_mutex_lock(&p->guard);
    const bool room = with->framer && p->n_idle < MOST_THREADS;
    if (room) p->idle[p->n_idle++] = *with;
    pthread_mutex_unlock(&p->guard);
    if (!room) iol__packing_close(with);
}

static void *pack_one(size_t index, void *data) {
    packing *p = data;
    const iol__retained *log = &p->list.all[index];
    const uint64_t size = (uint64_t)log->seen.st_size;
    bundle_pack_result *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->fd = iol__retained_open(log);
    if (r->fd < 0) {
        r->why = errno == ESTALE ? "it changed while it was to be packed, left alone" : strerror(errno);
        return r;
    }
    r->good = size > IOL_PACKED_LOG_MOST;
    if (r->good) return r;
    r->bytes = read_log_bytes(r->fd, size);
    close(r->fd);
    r->fd = -1;
    iol__bundle_packing with = take_idle(p);
    r->good = r->bytes && with.framer && iol__pack_log(&with, r->bytes, (size_t)size, &r->packed);
    give_idle(p, &with);
    if (!r->good) r->why = r->bytes ? "out of memory" : "it became shorter while it was read, left alone";
    return r;
}

static iol_status add_bundle_log(packing *p, const iol__retained *log, const bundle_pack_result *r) {
    const struct stat *st = &log->seen;
    const iol__bundle_entry entry = {.name = log->name,
                                     .mtime = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
                                     .mode = st->st_mode & 0777,
                                     .uid = st->st_uid,
                                     .gid = st->st_gid};
    if (r->fd >= 0) return iol__bundle_writer_copy(p->writer, &entry, r->fd, (uint64_t)st->st_size);
    return iol__bundle_writer_add(p->writer, &entry, r->bytes, (size_t)st->st_size, &r->packed);
}

static void take_packed(size_t index, void *given, void *data) {
    packing *p = data;
    bundle_pack_result *r = given;
    const iol__retained *log = &p->list.all[index];
    if (r && r->good && p->a->status != EXIT_TROUBLE) {
        p->packed[index] = add_bundle_log(p, log, r) == IOL_OK;
        if (!p->packed[index]) p->a->status = EXIT_TROUBLE;
        p->logs++;
        p->log_bytes += (uint64_t)log->seen.st_size;
    } else if (!r || !r->good) {
        archive_trouble(p->a, log->name, r && r->why ? r->why : "out of memory");
    }
    if (!r) return;
    if (r->fd >= 0) close(r->fd);
    free(r->bytes);
    iol__packed_free(&r->packed);
    free(r);
}

/* Comparing -------------------------------------------------------------------------------------------------------------- */

static iol__bundle *take_reader(packing *p) {
    iol__bundle *reader = NULL;
    iol_error error;
    pthread_mutex_lock(&p->guard);
    if (p->n_readers) reader = p->readers[--p->n_readers];
    pthread_mutex_unlock(&p->guard);
    if (!reader && iol__bundle_open_file(p->file, p->path, &reader, &error) != IOL_OK) tell_stderr("%s", error.message);
    return reader;
}

static void give_reader(packing *p, iol__bundle *reader) {
    pthread_mutex_lock(&p->guard);
    const bool room = reader && p->n_readers < MOST_THREADS;
    if (room) p->readers[p->n_readers++] = reader;
    pthread_mutex_unlock(&p->guard);
    if (!room) iol__bundle_close(reader);
}

/* 0: the same; else an errno value, EIO for other bytes. */
static void *compare_one(size_t index, void *data) {
    packing *p = data;
    if (!p->packed[index]) return NULL;
    int failed = EIO;
    iol__bundle_entry entry;
    iol__bundle *reader = take_reader(p);
    if (reader && iol__bundle_find(reader, p->list.all[index].name, &entry, NULL) == IOL_OK) {
        p->same[index] = same_as_original(reader, &entry, &p->list.all[index]);
        failed = p->same[index] ? 0 : errno;
    }
    give_reader(p, reader);
    return (void *)(intptr_t)failed;
}

static void take_compared(size_t index, void *given, void *data) {
    packing *p = data;
    const int failed = (int)(intptr_t)given;
    if (!failed) return;
    if (failed == EIO) p->differ++;
    archive_trouble(p->a, p->list.all[index].name,
                    failed == EIO      ? "the bundle does not give it back byte by byte"
                    : failed == ESTALE ? "it changed while it was packed; the bundle has what was there before"
                                       : strerror(failed));
}

static bool compare_all(packing *p) {
    p->file = iol__bundle_writer_complete(p->writer);
    if (p->file < 0) return false;
    struct stat st;
    if (fstat(p->file, &st) == 0) p->bundle_bytes = (uint64_t)st.st_size;
    work_in_order(&(in_order){p->list.count, p->a->threads, compare_one, take_compared, p});
    while (p->n_readers) iol__bundle_close(p->readers[--p->n_readers]);
    return p->differ == 0;
}

/* All of it -------------------------------------------------------------------------------------------------------------- */

static void remove_originals(packing *p) {
    for (size_t i = 0; i < p->list.count; i++) {
        if (!p->same[i]) continue;
        const int failed = iol__retained_remove(&p->list.all[i]);
        if (failed)
            archive_trouble(p->a, p->list.all[i].name, failed == ESTALE ? "it changed, and stays" : strerror(failed));
        else
            p->removed++;
    }
}

static void bundle_pack_tell(const packing *p) {
    const iol__args *args = p->a->args;
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], d[IOL_HUMAN];
    iol__out out;
    iol__json json;
    if (args->given[OPT_BUNDLE_JSON]) {
        iol__out_open(&out, STDOUT_FILENO);
        iol__json_start(&json, &out, 1);
        iol__json_open(&json, '{');
        iol__json_put_text(&json, "bundle", p->path);
        iol__json_put_u64(&json, "logs", p->logs);
        iol__json_put_u64(&json, "log_bytes", p->log_bytes);
        iol__json_put_u64(&json, "bundle_bytes", p->bundle_bytes);
        iol__json_put_u64(&json, "skipped", p->list.skipped);
        iol__json_put_u64(&json, "removed", p->removed);
        iol__json_close(&json, '}');
        iol__json_finish(&json);
        finish_output(&out, EXIT_DONE);
    } else if (!args->given[OPT_BUNDLE_QUIET]) {
        fprintf(stderr, "%s logs, %s in %s", iol__human_number(a, (double)p->logs),
                iol__human_bytes(b, (double)p->log_bytes), iol__human_bytes(c, (double)p->bundle_bytes));
        if (p->removed) fprintf(stderr, "; %s originals removed", iol__human_number(d, (double)p->removed));
        fputc('\n', stderr);
    }
}

/* A bundle with its name, or none. */
static bool make_bundle(packing *p) {
    char held[300];
    iol__body dictionary = {0};
    iol_error error = {0};
    const char *slash = strrchr(p->path, '/');
    snprintf(held, sizeof held, "/proc/self/fd/%d/%.255s", p->directory, slash ? slash + 1 : p->path);
    bundle_pack_learn(p, &dictionary);
    iol_status status = iol__bundle_writer_open(held, p->path, dictionary.bytes, dictionary.length, &p->writer, &error);
    free(dictionary.bytes);
    if (status == IOL_OK) {
        work_in_order(&(in_order){p->list.count, p->a->threads, pack_one, take_packed, p});
        const bool good = p->a->status != EXIT_TROUBLE && compare_all(p);
        error = *iol__bundle_writer_error(p->writer);
        if (good) {
            status = iol__bundle_writer_finish(p->writer, BUNDLE_MODE, &error);
        } else {
            status = IOL_SYSTEM;
            iol__bundle_writer_abort(p->writer);
        }
    }
    if (status == IOL_OK) return true;
    if (error.status != IOL_OK) tell_stderr("%s", error.message);
    p->a->status = EXIT_TROUBLE;
    return false;
}

static void bundle_pack_clean_up(packing *p) {
    while (p->n_idle) iol__packing_close(&p->idle[--p->n_idle]);
    iol__dictionary_free(p->dictionary);
    iol__retained_free(&p->list);
    free(p->packed);
    free(p->same);
    if (p->lock >= 0) close(p->lock);
    if (p->directory >= 0) close(p->directory);
    pthread_mutex_destroy(&p->guard);
}

int archive_pack(archiving *a) {
    packing p = {.a = a, .directory = -1, .lock = -1, .file = -1, .path = argument_value(a->args, OPT_BUNDLE_OUTPUT)};
    struct stat st;
    if (!p.path || !*p.path) return usage_error(a->args, "a bundle to write is needed: --output BUNDLE");
    if (!a->n_operands) return usage_error(a->args, "at least one log is needed");
    if (lstat(p.path, &st) == 0) {
        tell_stderr("%s is there already. What it holds can be removed by `iolite archive purge --bundle`", p.path);
        return EXIT_TROUBLE;
    }
    pthread_mutex_init(&p.guard, NULL);
    if (hold_directory(&p) && archive_list_logs(a, 0, &p.list)) {
        p.packed = calloc(p.list.count + 1, sizeof *p.packed);
        p.same = calloc(p.list.count + 1, sizeof *p.same);
        if (!p.list.count) {
            fputs("iolite: there are no logs to pack\n", stderr);
            if (a->status == EXIT_DONE) a->status = EXIT_INPUT;
        } else if (p.packed && p.same && make_bundle(&p)) {
            if (a->args->given[OPT_REMOVE]) remove_originals(&p);
            bundle_pack_tell(&p);
        }
    }
    bundle_pack_clean_up(&p);
    return a->status;
}
