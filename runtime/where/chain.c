/* Going down the tree, and adding to it. What is read of a stack was found readable before, in this thread, a page at a time. */
#include "runtime/where/chain.h"

#include <errno.h>
#include <string.h>

#include "record/where.h"
#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/where/python.h"
#include "runtime/where/where.h"

enum { CHECKS = 32768 };
enum { NODES = 16384, SLOTS = 2 * NODES, PAGE = 4096, FAR = 8 << 20 /* of one frame from the next */ };

typedef struct tree {
    iol__node nodes[NODES]; /* the first is the root */
    iol__node *slots[SLOTS];
    iol__node *sites[IOL_WHERE_SITES];
    iol__check checks[CHECKS];
} tree;

static tree *all;
static uint32_t n_nodes, n_checks;
static uintptr_t lock;
static unsigned refused; /* times that somebody waited in vain: whoever is inside may have ended there */
uint64_t iol__chains_folded;

__thread iol__where_thread iol__where_own __attribute__((tls_model("initial-exec")));
iol__node **iol__where_sites;

bool iol__chains_start(void) {
    all = iol__sys_memory(sizeof *all);
    n_nodes = 1;
    for (unsigned i = 0; all && i < IOL_WHERE_SITES; i++) all->sites[i] = all->nodes; /* which is no chain */
    if (all) iol__where_sites = all->sites;
    return all && iol__objects_start();
}

void iol__chains_reset(void) {
    refused = 0;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

bool iol__chains_enter(void) {
    enum { PATIENCE = 200, REFUSALS = 20 };
    const int saved = errno;
    for (int i = 0; i < PATIENCE && refused < REFUSALS; i++) {
        uintptr_t none = 0;
        if (__atomic_compare_exchange_n(&lock, &none, iol__me(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
        if (none == iol__me()) return false;
        sys(sched_yield, 0);
        errno = saved;
    }
    refused++;
    return false;
}

void iol__chains_leave(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

/* Stacks ----------------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) bool look_at_page(uintptr_t address) {
    const uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
    if (address % sizeof(uintptr_t) != 0 || iol__there_at(address) != 1) return false;
    if (page == iol__where_own.high) {
        iol__where_own.high += PAGE;
    } else if (page + PAGE == iol__where_own.low) {
        iol__where_own.low = page;
    } else {
        iol__where_own.low = page;
        iol__where_own.high = page + PAGE;
    }
    return true;
}

static inline bool readable(uintptr_t address) {
    if (IOL_LIKELY(address - iol__where_own.low < iol__where_own.high - iol__where_own.low &&
                   address % sizeof(uintptr_t) == 0))
        return true;
    return look_at_page(address);
}

static inline bool read_word(uintptr_t address, uintptr_t *word) {
    if (!readable(address)) return false;
    *word = *(const uintptr_t *)address; // NOLINT(performance-no-int-to-ptr)
    return true;
}

/* Where a chain has come to. */
typedef struct place {
    uintptr_t sp, fp, ra;
} place;

/* The common form: distances from the stack or frame pointer, what is saved is found from the frame's beginning. */
static inline bool go_up(const iol__step *step, place *at) {
    uintptr_t cfa = (step->cfa_from == IOL_FROM_FP ? at->fp : at->sp) + (uintptr_t)(intptr_t)step->cfa;
    if (IOL_UNLIKELY(step->cfa_there) && !read_word(cfa, &cfa)) return false;
    const uintptr_t ra = (IOL_UNLIKELY(step->ra_from == IOL_FROM_SP) ? at->sp : cfa) + (uintptr_t)(intptr_t)step->ra;
    if (step->fp_from != IOL_FROM_NOWHERE) {
        const uintptr_t fp = (step->fp_from == IOL_FROM_SP ? at->sp : cfa) + (uintptr_t)(intptr_t)step->fp;
        if (!read_word(fp, &at->fp)) return false;
    }
    /* A handler on a stack of its own goes back to any place; else stacks go one way. */
    if (!step->interrupted && (cfa <= at->sp || cfa - at->sp > FAR)) return false;
    at->sp = cfa;
    return read_word(ra, &at->ra);
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

static uint32_t slot_of(const iol__node *parent, uintptr_t word, uintptr_t more) {
    const uint64_t mixed = ((uint64_t)(uintptr_t)parent ^ word ^ more << 17) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) % SLOTS;
}

static inline bool is_node(const iol__node *node, const iol__node *parent, uintptr_t word, uintptr_t more,
                           uint32_t bytes) {
    return node->word == word && node->more == more && node->parent == parent &&
           (!node->checked || node->bytes == bytes);
}

/* The four bytes of code before a return address, which was just called from: they are there. */
static inline uint32_t code_before(uintptr_t ra) {
    uint32_t bytes;
    memcpy(&bytes, (const void *)(ra - sizeof bytes), sizeof bytes); // NOLINT(performance-no-int-to-ptr)
    return bytes;
}

static inline bool code_is(const iol__node *node, uintptr_t ra) {
    return IOL_LIKELY(!node->checked) || node->bytes == code_before(ra);
}

static __attribute__((noinline)) iol__node *find_node(iol__node *parent, uintptr_t word, uintptr_t more, uint32_t bytes,
                                                      bool code) {
    for (uint32_t i = slot_of(parent, word, more);; i = (i + 1) % SLOTS) {
        iol__node *node = __atomic_load_n(&all->slots[i], __ATOMIC_ACQUIRE);
        if (!node) return NULL;
        if (node->word != word || node->more != more || node->parent != parent) continue;
        if (code ? code_is(node, word) : node->bytes == bytes) return node;
    }
}

/* With the lock held. All is there before it can be found. */
static iol__node *add_node(const iol__node *model) {
    if (n_nodes == NODES) {
        iol__chains_folded++;
        return NULL;
    }
    iol__node *node = &all->nodes[n_nodes++];
    *node = *model;
    uint32_t i = slot_of(node->parent, node->word, node->more);
    while (all->slots[i]) i = (i + 1) % SLOTS;
    __atomic_store_n(&all->slots[i], node, __ATOMIC_RELEASE);
    return node;
}

static unsigned depth_of(const iol__node *node) {
    unsigned depth = 0;
    for (; node != all->nodes; node = node->parent) depth++;
    return depth;
}

/* What is known of a return address. An address behind an interrupted frame is that of an instruction, not behind a call. */
static void describe(iol__node *node, uintptr_t ra) {
    const bool call = !node->parent->step.interrupted;
    node->object = iol__object_around(ra);
    if (!node->object) {
        node->ends = node->unknown = true;
        return;
    }
    if (node->object->python) iol__python_meet(node->object);
    node->key = node->object->key;
    node->offset = ra - node->object->base - (call ? 1 : 0);
    node->checked = !node->object->lasting && iol__there_at(ra - sizeof node->bytes) == 1;
    if (node->checked) node->bytes = code_before(ra);
    node->step = iol__step_at(node->object, ra, call);
    node->ends = node->step.cfa_from == IOL_FROM_NOWHERE || node->object->python;
    node->unknown = node->ends && !node->step.top && !node->object->python;
    if (!node->ends && depth_of(node->parent) + 1 >= IOL_WHERE_FRAMES) node->ends = node->unknown = true;
}

static __attribute__((noinline)) iol__node *new_node(iol__node *parent, uintptr_t ra) {
    if (!iol__chains_enter()) return NULL;
    const int saved = errno;
    iol__node *node = find_node(parent, ra, 0, 0, true);
    if (!node) {
        iol__node model = {.word = ra, .parent = parent};
        describe(&model, ra);
        node = add_node(&model);
    }
    errno = saved;
    iol__chains_leave();
    return node;
}

static inline iol__node *below(iol__node *parent, uintptr_t ra) {
    iol__node *node = __atomic_load_n(&parent->recent, __ATOMIC_ACQUIRE);
    if (IOL_LIKELY(node && node->word == ra && node->more == 0 && code_is(node, ra))) return node;
    node = find_node(parent, ra, 0, 0, true);
    if (!node) node = new_node(parent, ra);
    if (node) __atomic_store_n(&parent->recent, node, __ATOMIC_RELEASE);
    return node;
}

/* Python ----------------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) iol__node *new_python(iol__node *parent, const iol__python_frame *frame) {
    if (!iol__chains_enter()) return NULL;
    const int saved = errno;
    iol__node *node = find_node(parent, frame->code, frame->at, frame->check, false);
    if (!node) {
        iol__node model = {.word = frame->code,
                           .more = frame->at,
                           .parent = parent,
                           .is = IOL_NODE_PYTHON,
                           .bytes = frame->check,
                           .checked = true};
        const char *name = iol__python_describe(frame, &model.key, &model.line);
        model.named = *name ? iol__where_record(name) : NULL;
        if (model.named) node = add_node(&model);
    }
    errno = saved;
    iol__chains_leave();
    return node;
}

static inline iol__node *below_python(iol__node *parent, const iol__python_frame *frame) {
    iol__node *node = __atomic_load_n(&parent->recent, __ATOMIC_ACQUIRE);
    if (IOL_LIKELY(node && is_node(node, parent, frame->code, frame->at, frame->check))) return node;
    node = find_node(parent, frame->code, frame->at, frame->check, false);
    if (!node) node = new_python(parent, frame);
    if (node) __atomic_store_n(&parent->recent, node, __ATOMIC_RELEASE);
    return node;
}

/* The frames of Python above a frame of its interpreter. */
static iol__node *python_chain(iol__node *node) {
    iol__python_frame frame;
    unsigned depth = 0;
    for (bool more = iol__python_first(node->object, &frame); more && node && depth < IOL_PYTHON_FRAMES;
         more = iol__python_next(&frame), depth++)
        node = below_python(node, &frame);
    return node;
}

/* Sites ------------------------------------------------------------------------------------------------------------ */

/* What is above the function of the C library that called main, or began a thread, is always the same and not looked at. A
   chain that goes on in Python is not told by its words. */

/* Whether all from here to the end is the C library's, or where the program starts. */
static bool is_start(const iol__node *const *path, unsigned at, unsigned count) {
    for (; at < count; at++)
        if (!path[at]->object || (!path[at]->object->libc && !path[at]->step.top)) return false;
    return true;
}

static bool has_fixed_size(const iol__node *node) {
    const iol__step *step = &node->step;
    return !node->checked && step->cfa_from == IOL_FROM_SP && !step->cfa_there && step->ra_from == IOL_FROM_CFA &&
           !step->interrupted;
}

/* With the lock held. Once is enough, and what is not so is not tried again. */
static void find_checks(iol__node *end) {
    const iol__node *path[IOL_WHERE_FRAMES + 1];
    unsigned count = 0;
    if (!end->object) return;
    for (iol__node *node = end; node->parent && count <= IOL_WHERE_FRAMES; node = node->parent) count++;
    if (count > IOL_WHERE_FRAMES || n_checks + count > CHECKS) return;
    unsigned at = count;
    for (const iol__node *node = end; node->parent; node = node->parent) path[--at] = node;
    iol__check *checks = &all->checks[n_checks];
    intptr_t distance = 0;
    uint32_t n = 0;
    for (at = 0; at + 1 < count && !is_start(path, at, count); at++) {
        if (!has_fixed_size(path[at])) return;
        distance += path[at]->step.cfa;
        checks[n++] = (iol__check){path[at + 1]->word, distance + path[at]->step.ra};
    }
    if (path[0]->checked || path[at]->checked || distance < 0 || end->object->python) return;
    n_checks += n;
    end->checks = checks;
    end->checks_end = checks + n;
    end->extent = (uintptr_t)distance;
    __atomic_store_n(&end->first, path[0]->word, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void keep_site(iol__node **site, iol__node *end) {
    if (!end->first && iol__chains_enter()) {
        if (!end->first) find_checks(end);
        iol__chains_leave();
    }
    if (end->first) __atomic_store_n(site, end, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) iol__node *go_down(place at, iol__node **site) {
    iol__node *node = all->nodes;
    for (;;) {
        node = below(node, at.ra);
        if (IOL_UNLIKELY(!node)) return NULL;
        if (node->ends) break;
        if (IOL_UNLIKELY(!go_up(&node->step, &at))) return NULL;
    }
    keep_site(site, node);
    return node;
}

iol__node *iol__chain_find(uintptr_t cfa, uintptr_t fp, uintptr_t ra) {
    const iol__where_thread *own = &iol__where_own;
    iol__node **site = iol__where_site(ra), *node = __atomic_load_n(site, __ATOMIC_ACQUIRE);
    if (!iol__chain_is(node, own->low, own->high - own->low, cfa, ra)) node = go_down((place){cfa, fp, ra}, site);
    return node && node->object && node->object->python ? python_chain(node) : node;
}
