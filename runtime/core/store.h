/* Where records live: a file mapped into memory, in the layout of record/mapped.h, made when the first record is. */
#ifndef IOL_RUNTIME_STORE_H
#define IOL_RUNTIME_STORE_H

#include "record/header.h"
#include "record/mapped.h"
#include "runtime/core/core.h"

typedef struct iol__area {
    uint64_t at;    /* in the store */
    uint64_t room;  /* addresses set aside */
    uint64_t ready; /* bytes that may be touched */
    uint64_t saved; /* bytes that are in the file; what is behind them is memory that goes with the process */
    uint64_t used;
    uint64_t most; /* records, by a setting */
} iol__area;

typedef struct iol__rt_store {
    uint8_t *base; /* NULL before the first record */
    uint64_t bytes;
    bool made; /* all is there; before, `base` may be half done */
    bool failed;
    bool mapped;    /* in a file; else in memory that goes with the process */
    bool locked;    /* the mapping holds a lock on the file */
    bool childless; /* forked children do not get the mapping */
    bool at_home;   /* the file is in the directory of the run or job */
    uint32_t generation;
    uint64_t budget, name_budget, trace_budget, charged;
    uint64_t partial; /* bit s: records of slot s are missing */
    uint64_t unsaved; /* bit s: the file lacks some that are in memory, and is all that a kill leaves */
    uint64_t device, inode;
    iol__area names, modules[IOL_SLOTS_KNOWN], sizes, removed, custom, trace;
    char path[512];
} iol__rt_store;
extern iol__rt_store iol__store_state;

/* All of these are called with the lock of the files held. */
bool iol__store_open(void);
/* The process has learned its place in an MPI job. */
void iol__store_world(void);
/* Room for a record, zeroed, that counts only once it is committed. NULL past the budget, unless it may exceed that. */
void *iol__store_record(int slot, size_t bytes, bool beyond);
void iol__store_commit(int slot, unsigned version, size_t bytes);
bool iol__store_name(uint64_t id, const char *name, size_t length, bool beyond);
/* Puts another name into the room of one that no record has any more; whether that is possible. */
void iol__store_rename(uint64_t at, size_t room, uint64_t id, const char *name, size_t length);
bool iol__store_name_fits(size_t room, size_t length);
/* All that records, names and what is kept of files may take, in bytes, and what is left of it. */
uint64_t iol__store_budget(void);
uint64_t iol__store_left(void);
/* How large a file is; false if there is no room, or nobody wants to know. */
bool iol__store_size(uint64_t id, int64_t bytes);
/* A file was removed; beyond the room for such names nothing is noted. */
void iol__store_removed(uint64_t id, double time);
/* The same for a block of a custom module. */
void *iol__store_custom(size_t bytes, bool beyond);
void iol__store_custom_commit(size_t bytes);
void *iol__store_chunk(size_t bytes);
void iol__store_chunk_commit(int slot, size_t bytes);
/* Something of this module could not be recorded. */
void iol__store_partial(int slot);
/* First thing in a forked child, which does not have the mapping: its addresses stay good. */
void iol__store_in_child(void);
/* The file stands for all that was recorded, or (true) only for what it holds itself. */
void iol__store_file_is_all(bool alone);
/* Forgets the store of the parent, in a forked child. */
void iol__store_leave(void);
/* The file goes. */
bool iol__store_remove(void);
/* What is in it is elsewhere: it goes, or becomes a spare one for the next process. Its memory stays as it is. */
bool iol__store_done_with(void);
/* The process, which wanted to exec or to change its root, goes on after all. */
void iol__store_go_on(void);
/* The places to try for mapped files, one after the other; NULL at the end. */
const char *iol__store_place(unsigned n);

static inline iol__log_header *iol__store_header(void) { return (iol__log_header *)(void *)iol__store_state.base; }
static inline iol__log_job *iol__store_job(void) {
    return (iol__log_job *)(void *)(iol__store_state.base + sizeof(iol__log_header));
}
static inline char *iol__store_text(void) {
    return (char *)iol__store_state.base + sizeof(iol__log_header) + sizeof(iol__log_job);
}
static inline iol__mapped *iol__store_facts(void) {
    return (iol__mapped *)(void *)(iol__store_state.base + IOL_MAPPED_AT);
}
static inline iol__spare *iol__store_spare(void) {
    return (iol__spare *)(void *)(iol__store_state.base + IOL_MAPPED_SPARE_AT);
}

#endif
