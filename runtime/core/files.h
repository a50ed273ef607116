/* What the rest of the core needs of the files: their lock, private memory, and the states after a fork. */
#ifndef IOL_RUNTIME_FILES_H
#define IOL_RUNTIME_FILES_H

#include "runtime/core/core.h"

bool iol__files_enter(void);
void iol__files_leave(void);
/* Zeroed, never given back. With the lock held. */
void *iol__files_memory(size_t bytes);
void iol__files_reset(void);
iol__file *iol__file_by_id(uint64_t id);
/* The module of a slot, NULL if there is none. */
const iol__runtime_module *iol__module_of(int slot);
/* The list of all states. */
iol__state *iol__files_states(void);

#endif
