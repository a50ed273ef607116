/* Operations that go on after the call that began them has returned: split collectives, of which a file has one at a
   time, and requests, of which there may be many. */
#include <errno.h>

#include "runtime/core/files.h"
#include "runtime/core/handles.h"
#include "runtime/mpiio/module.h"

enum { BATCH = 64, MOST = 1 << 16 };

static iol__guard lock;
static iol__handles requests;
static iol__mpiio_operation *spare, *batches; /* the first of each batch leads to the next one by `also` */
static uint32_t made;

static void finish(iol__mpiio *of, const iol__mpiio_transfer *t, double wait, double end) {
    const int saved = errno;
    iol__mpiio_complete(of, t, wait, end);
    errno = saved;
}

/* Split collectives ------------------------------------------------------------------------------------------------ */

void iol__mpiio_split_begun(iol__mpiio_file *file, const iol__mpiio_transfer *t) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (!p) return;
    if (file->split.of) finish(file->split.of, &file->split.transfer, 0, file->split.transfer.end);
    iol__mpiio_count(p, t);
    file->split = (iol__mpiio_operation){.of = p, .transfer = iol__mpiio_marked(p, t)};
}

void iol__mpiio_split_ended(iol__mpiio_file *file, double begin, double end) {
    iol__mpiio *p = file->split.of;
    if (!p) return;
    file->split.of = NULL;
    finish(p, &file->split.transfer, begin, end);
}

/* Requests --------------------------------------------------------------------------------------------------------- */

static void more(void) {
    if (made >= MOST || !iol__files_enter()) return;
    iol__mpiio_operation *batch = iol__files_memory(BATCH * sizeof *batch);
    iol__files_leave();
    if (!batch) return;
    batch[0].next = NULL; /* is not an operation, but keeps the batches together */
    batch[0].also = batches;
    batches = batch;
    for (int i = 1; i < BATCH; i++) {
        batch[i].next = spare;
        spare = &batch[i];
    }
    made += BATCH;
}

/* With the lock held. */
static iol__mpiio_operation *take(void) {
    if (!spare) more();
    iol__mpiio_operation *operation = spare;
    if (operation) spare = operation->next;
    return operation;
}

static void give_back(iol__mpiio_operation *operation) {
    operation->of = NULL;
    operation->next = spare;
    spare = operation;
}

/* Some libraries have one request for all operations that were done at once: then the one before is known to be. */
static void replace(iol__mpiio_operation *old) {
    finish(old->of, &old->transfer, 0, old->transfer.end);
    give_back(old);
}

bool iol__mpiio_begun(iol__mpiio_file *file, uint64_t request, const iol__mpiio_transfer *t) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (!p) return false;
    const iol__mpiio_transfer marked = iol__mpiio_marked(p, t);
    iol__mpiio_count(p, t);
    iol__mpiio_operation *operation = NULL, *old = NULL;
    const int saved = errno;
    if (iol__guard_enter(&lock)) {
        old = iol__handle_remove(&requests, request);
        if (old) replace(old);
        operation = take();
        if (operation) *operation = (iol__mpiio_operation){.request = request, .of = p, .transfer = marked};
        if (operation && !iol__handle_set(&requests, request, operation)) {
            give_back(operation);
            operation = NULL;
        }
        iol__guard_leave(&lock);
    }
    errno = saved;
    if (!operation) finish(p, &marked, 0, t->end);
    return operation && !old;
}

iol__mpiio_operation *iol__mpiio_operation_of(uint64_t request) { return iol__handle_find(&requests, request); }

bool iol__mpiio_done(iol__mpiio_operation *operation, double begin, double end) {
    if (!iol__guard_enter(&lock)) return false;
    iol__mpiio *p = operation->of;
    const iol__mpiio_transfer t = operation->transfer;
    if (p) {
        iol__handle_remove(&requests, operation->request);
        give_back(operation);
    }
    iol__guard_leave(&lock);
    if (p && iol__awake()) finish(p, &t, begin, end);
    return p != NULL;
}

/* The end ---------------------------------------------------------------------------------------------------------- */

static void all_done(bool counts) {
    iol__handles_clear(&requests);
    for (iol__mpiio_operation *batch = batches; batch; batch = batch[0].also)
        for (int i = 1; i < BATCH; i++) {
            if (!batch[i].of) continue;
            if (counts) finish(batch[i].of, &batch[i].transfer, 0, batch[i].transfer.end);
            give_back(&batch[i]);
        }
}

void iol__mpiio_operations_finish(void) {
    if (!batches || !iol__guard_enter(&lock)) return;
    all_done(true);
    iol__guard_leave(&lock);
}

void iol__mpiio_operations_reset(void) {
    lock.owner = 0;
    if (batches) all_done(false);
}
