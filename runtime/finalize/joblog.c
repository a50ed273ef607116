/* The parts of the file: header, job, names, one region a module, trailer. In each region the ranks that write come one
   after the other. Blocks are those of a stripe, because servers lock by these; the header is written last. */
#include "runtime/finalize/joblog.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "record/header.h"
#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/pack/deflate.h"
#include "runtime/core/job_record.h"
#include "runtime/core/sys.h"
#include "runtime/output/places.h"
#include "runtime/core/store.h"
#include "runtime/finalize/blocks.h"
#include "runtime/finalize/jobtrailer.h"
#include "runtime/finalize/platform.h"
#include "runtime/finalize/memory.h"
#include "runtime/pack/pack.h"

enum { JOB_ROOM = 8192, CHUNK = 4 << 20 };

static const char part_mark[8] = "IOLPART";

/* What a writer sends, and what it gets back. */
typedef struct sizes {
    uint64_t bytes[IOL_SLOTS_KNOWN];
    uint64_t partial;
} sizes;

enum { ORDER_WRITE = 1, ORDER_SEND, ORDER_END };

typedef struct joblog_order {
    uint64_t kind, nonce;
    uint64_t at[IOL_SLOTS_KNOWN];
    char path[IOL_PLACE_BYTES + 16];
} joblog_order;

typedef struct answer {
    int64_t status;   /* 0 written, else errno */
    uint64_t reached; /* the file was there */
} answer;

typedef struct chunk {
    uint64_t at; /* UINT64_MAX: that was all */
    uint64_t bytes;
} chunk;

typedef struct joblog {
    iol__rt_gathered *g;
    iol__rt_exchange *x;
    iol__joblog_times *times;
    int writers;
    sizes *theirs;        /* by writer; the first is rank 0 */
    joblog_order *orders; /* the same; where each puts its parts */
    iol__log_header header;
    uint8_t job[JOB_ROOM];
    size_t job_bytes;
    uint64_t end; /* of the last region */
    const uint8_t *trailer;
    size_t trailer_bytes;
    int64_t began; /* looking for a place */
} joblog;

static int rank_of(const joblog *log, int writer) { return writer * (int)log->g->survey->plan.group; }

/* The piles ------------------------------------------------------------------------------------------------------- */

static void pack(iol__rt_gathered *g, sizes *mine) {
    *mine = (sizes){.partial = g->partial};
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const int64_t before = iol__clock_monotonic();
        iol__pile_pack(&g->piles[slot], true);
        mine->bytes[slot] = iol__pile_bytes(&g->piles[slot]);
        if (g->piles[slot].failed) mine->partial |= UINT64_C(1) << slot;
        g->took[slot] += iol__clock_monotonic() - before;
    }
}

static bool write_piles(iol__blocks *blocks, const iol__rt_gathered *g, const uint64_t at[IOL_SLOTS_KNOWN]) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        size_t length;
        const uint8_t *bytes;
        if (g->piles[slot].used) iol__blocks_seek(blocks, at[slot]);
        for (size_t next = 0; (bytes = iol__pile_next(&g->piles[slot], &next, &length)) != NULL;)
            iol__blocks_put(blocks, bytes, length);
    }
    return iol__blocks_flush(blocks);
}

/* Ranks that help -------------------------------------------------------------------------------------------------- */

/* The same file, and not one of the same name on another machine. */
static int open_part(const joblog_order *o) {
    struct {
        char mark[8];
        uint64_t nonce;
    } found = {{0}, 0};
    const int fd = iol__sys_open(AT_FDCWD, o->path, O_RDWR | O_NOFOLLOW, 0);
    if (fd < 0) return -1;
    if (sys(pread64, fd, &found, sizeof found, 0L) == (long)sizeof found && found.nonce == o->nonce &&
        memcmp(found.mark, part_mark, sizeof part_mark) == 0)
        return fd;
    sys(close, fd);
    return -1;
}

static answer write_part(const iol__rt_gathered *g, const joblog_order *o) {
    const int fd = open_part(o);
    if (fd < 0) return (answer){ENOENT, 0};
    iol__blocks blocks;
    const bool good = iol__blocks_start(&blocks, fd) && write_piles(&blocks, g, o->at);
    int why = good ? 0 : errno ? errno : EIO;
    iol__blocks_stop(&blocks);
    if (sys(close, fd) != 0 && good) why = errno; /* where a quota strikes late */
    return (answer){why, 1};
}

/* In chunks, because the receiver has no more memory than others. */
static bool send_part(const iol__rt_gathered *g, iol__rt_exchange *x, const joblog_order *o) {
    uint8_t *message = iol__memory_reserve(sizeof(chunk) + CHUNK);
    if (!message) return false;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        uint64_t at = o->at[slot];
        const uint8_t *bytes;
        size_t length;
        for (size_t next = 0; (bytes = iol__pile_next(&g->piles[slot], &next, &length)) != NULL;)
            for (size_t done = 0, part; done < length; done += part, at += part) {
                part = length - done < CHUNK ? length - done : CHUNK;
                memcpy(message, &(chunk){at, part}, sizeof(chunk));
                memcpy(message + sizeof(chunk), bytes + done, part);
                if (!iol__exchange_send(x, 0, IOL_TAG_BYTES, message, sizeof(chunk) + part) || !iol__exchange_settle(x))
                    return false;
            }
    }
    memcpy(message, &(chunk){UINT64_MAX, 0}, sizeof(chunk));
    const bool sent = iol__exchange_send(x, 0, IOL_TAG_BYTES, message, sizeof(chunk)) && iol__exchange_settle(x);
    iol__memory_back(message, sizeof(chunk) + CHUNK);
    return sent;
}

bool iol__joblog_help(iol__rt_gathered *g, iol__rt_exchange *x) {
    static sizes mine;
    static joblog_order o;
    static answer a;
    pack(g, &mine);
    if (!iol__exchange_send(x, 0, IOL_TAG_SIZES, &mine, sizeof mine)) return false;
    for (;;) {
        iol__message message;
        if (!iol__exchange_receive(x, 0, IOL_TAG_ORDER, &message)) return false;
        const bool good = message.length == sizeof o;
        if (good) memcpy(&o, message.bytes, sizeof o);
        iol__message_free(&message);
        if (!good) return false;
        if (o.kind == ORDER_END) return true;
        if (o.kind == ORDER_SEND) {
            if (!send_part(g, x, &o)) return false;
            continue;
        }
        o.path[sizeof o.path - 1] = 0;
        a = write_part(g, &o);
        if (!iol__exchange_send(x, 0, IOL_TAG_ANSWER, &a, sizeof a) || !iol__exchange_settle(x)) return false;
    }
}

/* Rank 0 and its helpers ------------------------------------------------------------------------------------------- */

static bool hear_sizes(joblog *log) {
    for (int w = 1; w < log->writers; w++) {
        iol__message message;
        if (!iol__exchange_receive(log->x, rank_of(log, w), IOL_TAG_SIZES, &message)) return false;
        const bool good = message.length == sizeof *log->theirs;
        if (good) memcpy(&log->theirs[w], message.bytes, sizeof *log->theirs);
        iol__message_free(&message);
        if (!good) return false;
    }
    return true;
}

static bool tell(joblog *log, int writer, uint64_t kind) {
    log->orders[writer].kind = kind;
    return iol__exchange_send(log->x, rank_of(log, writer), IOL_TAG_ORDER, &log->orders[writer], sizeof(joblog_order));
}

static bool tell_all(joblog *log, uint64_t kind, const char *partial) {
    for (int w = 1; w < log->writers; w++) {
        joblog_order *o = &log->orders[w];
        o->nonce = log->g->survey->plan.nonce;
        if (partial) strncpy(o->path, partial, sizeof o->path - 1);
        if (!tell(log, w, kind)) return false;
    }
    return true;
}

static bool take_part(joblog *log, iol__blocks *blocks, int writer) {
    if (!tell(log, writer, ORDER_SEND)) return false;
    for (;;) {
        iol__message message;
        chunk c = {0};
        if (!iol__exchange_receive(log->x, rank_of(log, writer), IOL_TAG_BYTES, &message)) return false;
        const bool good = message.length >= sizeof c;
        if (good) memcpy(&c, message.bytes, sizeof c);
        const bool last = good && c.at == UINT64_MAX;
        if (good && !last && c.bytes == message.length - sizeof c) {
            iol__blocks_seek(blocks, c.at);
            iol__blocks_put(blocks, message.bytes + sizeof c, c.bytes);
        }
        iol__message_free(&message);
        if (!good || last) return good;
    }
}

/* False, with errno, if the log cannot be had here; the exchange may be broken, too. */
static bool hear_answers(joblog *log, iol__blocks *blocks) {
    int why = 0;
    for (int w = 1; w < log->writers; w++) {
        iol__message message;
        answer a = {EIO, 0};
        if (!iol__exchange_receive(log->x, rank_of(log, w), IOL_TAG_ANSWER, &message)) return false;
        if (message.length == sizeof a) memcpy(&a, message.bytes, sizeof a);
        iol__message_free(&message);
        if (!a.reached) {
            if (!take_part(log, blocks, w)) return false;
            a.status = 0;
        }
        if (a.status) why = (int)a.status;
    }
    errno = why;
    return why == 0;
}

/* The file --------------------------------------------------------------------------------------------------------- */

static void add_line(iol__text *metadata, const char *key, const char *value) {
    iol__text_add(metadata, key);
    iol__text_add(metadata, "=");
    iol__text_bytes(metadata, value, strcspn(value, "\n"));
    iol__text_add(metadata, "\n");
}

static void add_ranks(iol__text *metadata, const iol__list *ranks) {
    if (ranks->used == 0 || metadata->room - metadata->length < 100) return;
    iol__text_add(metadata, IOL_KEY_MISSING "=");
    for (size_t at = 0; at < ranks->used && metadata->room - metadata->length > 40; at += sizeof(iol__rt_ranks)) {
        const iol__rt_ranks *r = (const iol__rt_ranks *)(const void *)(ranks->bytes + at);
        if (at > 0) iol__text_add(metadata, ",");
        iol__text_number(metadata, r->first);
        if (r->last > r->first) iol__text_add(metadata, "-"), iol__text_number(metadata, r->last);
    }
    iol__text_add(metadata, "\n");
}

/* How far into its run the job began, to the microsecond. */
static void add_offset(iol__text *metadata, int64_t zero) {
    const int64_t offset = zero - iol__core_state.run_zero;
    if (!iol__core_state.run_zero || offset < 0) return;
    iol__text_add(metadata, IOL_KEY_OFFSET "=");
    iol__text_seconds(metadata, offset);
    iol__text_add(metadata, "\n");
}

/* Rank 0 speaks for all: command, user, job id. */
static bool make_job(joblog *log) {
    static iol__log_job job;
    static char text[IOL_LOG_TEXT], number[24];
    static uint8_t raw[sizeof job + sizeof text];
    const iol__plan *plan = &log->g->survey->plan;
    job = (iol__log_job){0};
    text[0] = 0;
    iol__job_record_fill(&job, text);
    job.processes = log->x->size;
    job.start_s = plan->zero / 1000000000;
    job.start_ns = plan->zero % 1000000000;
    job.end_s = plan->end / 1000000000;
    job.end_ns = plan->end % 1000000000;
    iol__text metadata = {job.metadata, sizeof job.metadata, strlen(job.metadata)};
    iol__text_number(&(iol__text){number, sizeof number, 0}, iol__host_count(&log->g->lists.of[IOL_LIST_HOSTS]));
    add_line(&metadata, "nnodes", number);
    iol__text_hex(&(iol__text){number, sizeof number, 0}, iol__core_state.world);
    add_line(&metadata, IOL_KEY_WORLD, number);
    add_offset(&metadata, plan->zero);
    add_ranks(&metadata, &log->g->lists.of[IOL_LIST_ABSENT]);
    memcpy(raw, &job, sizeof job);
    memcpy(raw + sizeof job, text, strlen(text) + 1);
    const size_t bytes = sizeof job + strlen(text) + 1;
    log->job_bytes = iol__deflate_compresses() ? iol__pack((iol__pack_shape){.text = true}, raw, bytes, log->job)
                                               : iol__deflate(raw, bytes, log->job, sizeof log->job);
    return log->job_bytes > 0;
}

/* Where everything is. A module that was used and has nothing to say still has a place. */
static void lay_out(joblog *log) {
    const iol__rt_totals *all = &log->g->survey->all;
    const bool threads = iol__setting_flag(&iol__core_state.config, IOL_SET_TRACE_THREADS);
    iol__log_header *header = &log->header;
    *header = (iol__log_header){.version = IOL_LOG_VERSION, .magic = IOL_LOG_MAGIC, .partial = all->partial};
    header->compression = iol__deflate_compresses() ? IOL_LOG_ZLIB : IOL_LOG_PLAIN;
    if (all->silent) header->partial |= all->modules;
    uint64_t at = sizeof *header + log->job_bytes;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__region *region = slot ? &header->modules[slot] : &header->names;
        const uint64_t from = at;
        for (int w = 0; w < log->writers; w++) {
            log->orders[w].at[slot] = at;
            at += log->theirs[w].bytes[slot];
        }
        const bool used = slot == 0 || at > from || all->modules >> slot & 1;
        if (used) *region = (iol__region){from, at - from};
        if (slot) header->versions[slot] = all->versions[slot];
        if (slot && at > from && iol__modules[slot].form == IOL_FORM_TRACE)
            header->versions[slot] = (uint32_t)iol__modules[slot].current - !threads;
    }
    for (int w = 0; w < log->writers; w++) header->partial |= log->theirs[w].partial;
    log->end = at;
}

static bool write_all(int fd, const char *partial, void *context) {
    joblog *log = context;
    const int64_t began = iol__clock_monotonic();
    iol__blocks blocks;
    if (!iol__blocks_start(&blocks, fd)) return false;
    struct {
        char mark[8];
        uint64_t nonce;
    } mark = {{0}, log->g->survey->plan.nonce};
    memcpy(mark.mark, part_mark, sizeof mark.mark);
    bool good = log->writers == 1 ||
                (iol__sys_write_all(fd, &mark, sizeof mark, 0) == 0 && tell_all(log, ORDER_WRITE, partial));
    iol__blocks_seek(&blocks, sizeof log->header);
    iol__blocks_put(&blocks, log->job, log->job_bytes);
    good = good && write_piles(&blocks, log->g, log->orders[0].at);
    int why = errno;
    if (log->writers > 1 && !log->x->broken) { /* all have to answer before anything else is asked of them */
        const bool heard = hear_answers(log, &blocks);
        if (good && !heard) why = errno;
        good = good && heard;
    }
    iol__blocks_seek(&blocks, log->end);
    iol__blocks_put(&blocks, log->trailer, log->trailer_bytes);
    good = good && iol__blocks_flush(&blocks);
    const int64_t written = iol__clock_monotonic();
    good = good && iol__sys_write_all(fd, &log->header, sizeof log->header, 0) == 0;
    if (good || blocks.failed) why = errno;
    iol__blocks_stop(&blocks);
    log->times->open = began - log->began;
    log->times->job = written - began;
    log->times->header = iol__clock_monotonic() - written;
    errno = why;
    return good;
}

/* Those who wait for an order have to learn that none will come. */
static bool give_up(iol__rt_exchange *x) {
    x->broken = true;
    return false;
}

bool iol__joblog_write(iol__rt_gathered *g, iol__rt_exchange *x, iol__joblog_times *times, char *path, size_t room) {
    static joblog log; /* large, and there is one */
    const iol__plan *plan = &g->survey->plan;
    log = (joblog){.g = g, .x = x, .times = times};
    log.writers = (x->size + (int)plan->group - 1) / (int)plan->group;
    log.theirs = iol__memory_take((size_t)log.writers * sizeof *log.theirs);
    log.orders = iol__memory_take((size_t)log.writers * sizeof *log.orders);
    if (!log.theirs || !log.orders || !iol__gather_end(g, (uint64_t)x->size)) return give_up(x);
    pack(g, &log.theirs[0]);
    if (!hear_sizes(&log) || !make_job(&log)) return give_up(x);
    lay_out(&log);
    log.trailer_bytes = iol__jobtrailer_make(g, log.end, &log.trailer);
    const iol__putting putting = {
        .write = write_all,
        .context = &log,
        .named = log.writers > 1,
        .job = iol__job_id(&iol__core_state.config, iol__core_state.environment, iol__core_state.first_pid),
        .start = plan->zero / 1000000000,
        .bytes = log.end + log.trailer_bytes};
    log.began = iol__clock_monotonic();
    const bool done = iol__put_log(&putting, path, room);
    return tell_all(&log, ORDER_END, NULL) && iol__exchange_settle(x) && done;
}
