/* What the rest of the core needs of the files: their lock, private memory, and the states after a fork. */
#ifndef IOL_RUNTIME_FILES_H
#define IOL_RUNTIME_FILES_H

#include <fcntl.h>

#include "runtime/core/core.h"
#include "runtime/core/filter.h"

bool iol__files_enter(void);
void iol__files_leave(void);
/* The caller has blocked its signals, and had this mask before. They stay so until it leaves, and then have that mask again:
   a handler that came in between could not go in, and what it opened would be lost. False: it is not inside. */
bool iol__files_hold_signals(uint64_t before);
/* Whether this thread is inside: then who asks is a signal handler above itself, and cannot go in. */
bool iol__files_inside(void);
/* Has a function called when the owner has left; there is one of them. */
void iol__files_when_left(void (*what)(void));
/* Zeroed, never given back. With the lock held. */
void *iol__files_memory(size_t bytes);
/* The same, charged to the budget: what grows with the number of files. */
void *iol__files_charged(size_t bytes);
/* The same in whole pages, which can be given back. */
void *iol__files_pages(size_t bytes);
void iol__files_pages_back(void *pages, size_t bytes);
/* What is charged. */
uint64_t iol__files_private(void);
void iol__files_reset(void);

/* The current directory is known, and names below it are none of the system's. */
extern bool iol__directory_harmless IOL_HIDDEN;
/* Whether it takes no look at the whole name to know that it is watched (iol__path_watched). */
static inline bool iol__path_plain(int directory, const char *path) {
    if (*path == '/') return iol__filter_harmless(path);
    return directory == AT_FDCWD && *path && *path != '<' &&
           __atomic_load_n(&iol__directory_harmless, __ATOMIC_RELAXED);
}

/* For evict.c, with the lock held. */
iol__state *iol__folded_state(iol__runtime_module *module);
/* Records that a file has. */
unsigned iol__file_records(const iol__file *file);
bool iol__file_named_in_store(const iol__file *file);
bool iol__file_store_name(iol__file *file, bool beyond);
/* Its memory goes to the next file. */
void iol__file_forget(iol__file *file);
/* The same for a state that nobody knows any more. */
void iol__state_spare(iol__state *state);
iol__file *iol__file_by_id(uint64_t id);
/* The module of a slot, NULL if there is none. */
const iol__runtime_module *iol__module_of(int slot);
/* The list of all states. */
iol__state *iol__files_states(void);

#endif
