/* Waiting is the delicate part: ranks that share a processor must not take it from those that still work. So they sleep,
   longer and longer with the time that has passed. Where there is much to do they do not even yield: kernels of today
   take that for a whole slice of time, and who has yielded a few times comes last for a while. */
#include "runtime/finalize/exchange.h"

#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "runtime/core/clock.h"
#include "runtime/core/sys.h"
#include "runtime/finalize/memory.h"

enum { EAGER = 500000, SHORTEST = 20000, LONGEST = 250000, LONGEST_BUSY = 1000000 /* nanoseconds */, GROWTH = 8 };
enum { EMERGENCY = 128 << 10 };

static long slack;         /* of the thread's timers, before */
static iol__message spare; /* the last one that was given back */

void iol__exchange_start(iol__rt_exchange *x, const iol__transport *transport, double seconds) {
    *x = (iol__rt_exchange){.transport = transport, .size = 1, .parent = -1, .flat_parent = -1};
    spare = (iol__message){0};
    slack = sys(prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0);
    sys(prctl, PR_SET_TIMERSLACK, 1000, 0, 0, 0); /* else every short sleep lasts 50 us longer */
    x->deadline = iol__clock_monotonic() + (int64_t)(seconds * 1e9);
    if (!transport || transport->size <= 1) return;
    x->rank = transport->rank;
    x->size = transport->size;
    for (int64_t step = 1; step < x->size; step *= IOL_BRANCHES) {
        const int digit = (int)(x->rank / step % IOL_BRANCHES);
        if (digit) {
            x->parent = (int)(x->rank - digit * step);
            break;
        }
        for (int i = 1; i < IOL_BRANCHES && x->rank + i * step < x->size; i++)
            x->children[x->n_children++] = (int)(x->rank + i * step);
    }
    if (x->rank > 0) x->flat_parent = (x->rank - 1) / IOL_FLAT_CHILDREN;
    const int64_t first = (int64_t)x->rank * IOL_FLAT_CHILDREN + 1, left = x->size - first;
    if (left <= 0) return;
    x->first_flat = (int)first;
    x->n_flat = left < IOL_FLAT_CHILDREN ? (int)left : IOL_FLAT_CHILDREN;
}

void iol__exchange_stop(iol__rt_exchange *x) {
    x->transport = NULL;
    if (slack > 0) sys(prctl, PR_SET_TIMERSLACK, slack, 0, 0, 0);
}

void iol__exchange_busy(iol__rt_exchange *x, bool busy) { x->busy = busy; }

/* Waiting ---------------------------------------------------------------------------------------------------------- */

typedef struct patience {
    int64_t began;
    unsigned polls;
    bool patient; /* it takes a while */
    bool loose;   /* and need not be exact */
} patience;

/* Once between two polls. False when the time is over, or somebody around has given up. */
static bool wait_a_little(iol__rt_exchange *x, patience *p, int peer) {
    const iol__transport *t = x->transport;
    const int64_t now = iol__clock_monotonic();
    if (p->polls++ == 0) p->began = now;
    if (now > x->deadline || (p->polls % 8 == 0 && t->probe(t->self, peer, IOL_TAG_ABANDONED) >= 0)) return false;
    if (!x->busy && now - p->began < EAGER) {
        sys(sched_yield, 0);
        return true;
    }
    int64_t pause = (now - p->began) / GROWTH;
    pause = pause < SHORTEST ? SHORTEST : pause > LONGEST ? LONGEST : pause;
    if (x->busy && p->patient) { /* those on one processor may then wake up together */
        pause = LONGEST_BUSY;
        if (!p->loose) sys(prctl, PR_SET_TIMERSLACK, LONGEST_BUSY / 2, 0, 0, 0);
        p->loose = true;
    }
    const struct timespec nap = {0, pause};
    sys(nanosleep, &nap, NULL);
    return true;
}

static bool break_off(iol__rt_exchange *x) {
    x->broken = true;
    errno = ETIMEDOUT; /* whoever was writing says why it could not */
    return false;
}

/* Messages --------------------------------------------------------------------------------------------------------- */

/* Forgets those that are done. False if the exchange is broken. */
static bool look_after(iol__rt_exchange *x) {
    const iol__transport *t = x->transport;
    for (int i = 0; i < x->n_tickets;) {
        const int done = t->done(t->self, x->tickets[i]);
        if (done < 0) return break_off(x);
        if (done)
            x->tickets[i] = x->tickets[--x->n_tickets];
        else
            i++;
    }
    return true;
}

bool iol__exchange_send(iol__rt_exchange *x, int to, int tag, const void *bytes, size_t length) {
    const iol__transport *t = x->transport;
    patience p = {0};
    if (x->broken || length > IOL_MESSAGE_MOST) return break_off(x);
    while (x->n_tickets >= IOL_TICKETS - 2)
        if (!look_after(x) || (x->n_tickets >= IOL_TICKETS - 2 && !wait_a_little(x, &p, to))) return break_off(x);
    const int ticket = t->send(t->self, to, tag, bytes, length);
    if (ticket < 0) return break_off(x);
    x->tickets[x->n_tickets++] = ticket;
    x->sent++;
    x->sent_bytes += length;
    return true;
}

bool iol__exchange_settle(iol__rt_exchange *x) {
    patience p = {0};
    while (!x->broken && x->n_tickets > 0)
        if (!look_after(x) || (x->n_tickets > 0 && !wait_a_little(x, &p, x->parent < 0 ? x->first_flat : x->parent)))
            return break_off(x);
    return !x->broken;
}

/* A spare one is used again, because its pages are there. A rank that gets no memory can still take a
   message of ordinary size, and answer. */
static bool make_room(iol__message *m, size_t length) {
    static uint8_t emergency[EMERGENCY] __attribute__((aligned(16)));
    static bool taken;
    const size_t room = (length + 4096) & ~(size_t)4095;
    if (spare.room >= room) {
        *m = spare;
        m->length = length;
        spare = (iol__message){0};
        return true;
    }
    *m = (iol__message){.bytes = iol__memory_filled(room), .length = length, .room = room};
    if (m->bytes) return true;
    if (taken || length > EMERGENCY) return false;
    taken = true;
    m->bytes = emergency;
    m->room = 0;
    return true;
}

void iol__message_free(iol__message *m) {
    if (m->room > spare.room) {
        const iol__message before = spare;
        spare = *m;
        *m = before;
    }
    if (m->room) iol__memory_back(m->bytes, m->room);
    *m = (iol__message){0};
}

bool iol__exchange_there(const iol__rt_exchange *x, int from, int tag) {
    return !x->broken && x->transport->probe(x->transport->self, from, tag) >= 0;
}

static bool wait_for_message(iol__rt_exchange *x, int from, int tag, size_t *length) {
    const iol__transport *t = x->transport;
    patience p = {.patient = tag == IOL_TAG_WORD};
    for (;;) {
        const long bytes = t->probe(t->self, from, tag);
        if (bytes >= 0) {
            *length = (size_t)bytes;
            return bytes <= IOL_MESSAGE_MOST;
        }
        if (bytes == IOL_BROKEN || !look_after(x) || !wait_a_little(x, &p, from)) return false;
    }
}

bool iol__exchange_receive(iol__rt_exchange *x, int from, int tag, iol__message *message) {
    const iol__transport *t = x->transport;
    size_t length = 0;
    patience p = {0};
    *message = (iol__message){0};
    if (x->broken) return false;
    if (!wait_for_message(x, from, tag, &length) || !make_room(message, length)) return break_off(x);
    const int ticket = t->receive(t->self, from, tag, message->bytes, length);
    for (int done = ticket < 0 ? ticket : 0; done != 1;) {
        done = done < 0 ? done : t->done(t->self, ticket);
        if (done < 0 || (done == 0 && (!look_after(x) || !wait_a_little(x, &p, from)))) return break_off(x);
    }
    return true;
}

bool iol__exchange_send_down(iol__rt_exchange *x, int tag, const void *bytes, size_t length) {
    for (int i = 0; i < x->n_flat; i++)
        if (!iol__exchange_send(x, x->first_flat + i, tag, bytes, length)) return false;
    return true;
}

static void tell(const iol__rt_exchange *x, int rank) {
    static const uint8_t nothing[1];
    x->transport->send(x->transport->self, rank, IOL_TAG_ABANDONED, nothing, sizeof nothing);
}

void iol__exchange_abandon(iol__rt_exchange *x, const int *others, int n_others) {
    const iol__transport *t = x->transport;
    x->broken = true;
    if (x->size == 1) return;
    if (x->parent >= 0) tell(x, x->parent);
    if (x->flat_parent >= 0 && x->flat_parent != x->parent) tell(x, x->flat_parent);
    for (int i = 0; i < x->n_children; i++) tell(x, x->children[i]);
    for (int i = 0; i < x->n_flat; i++) tell(x, x->first_flat + i);
    for (int i = 0; i < n_others; i++) tell(x, others[i]);
    t->give_up(t->self);
}
