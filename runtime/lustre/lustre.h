/* The LUSTRE module: over which servers a file is striped, asked when it is closed. A mount is asked once, by the first
   file that is closed there; from then on only files on Lustre are asked, also those that a link leads to. No stat, no
   ioctl: reading the attribute is what the client answers itself. */
#ifndef IOL_RUNTIME_LUSTRE_H
#define IOL_RUNTIME_LUSTRE_H

#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/core/text.h"

enum { IOL_LUSTRE_UNKNOWN, IOL_LUSTRE_NONE, IOL_LUSTRE_SOME };
extern uint8_t iol__lustre_here; /* whether there is any */
extern iol__runtime_module iol__lustre_module;

void iol__lustre_ask(iol__file *file, int fd);
/* A descriptor of this file is about to be closed. */
static inline void iol__lustre_closing(iol__file *file, int fd) {
    if (IOL_LIKELY(file->refused >> IOL_SLOT_LUSTRE & 1) || iol__lustre_here == IOL_LUSTRE_NONE) return;
    iol__lustre_ask(file, fd);
}

/* Records as they are in the store, where they may have room that is not used, or be empty because a larger one has
   taken their place; and as they are in a log. Bytes of the one, and of the other (0: it is left out). */
size_t iol__lustre_stored(const void *record);
size_t iol__lustre_packed(const void *record);
void iol__lustre_pack(const void *record, void *to);
/* The content of the trailer section LUST, but for its last bracket: how many servers the file systems have. */
#define IOL_TAG_LUSTRE_TOTALS "LUST"
void iol__lustre_say(iol__text *json, const iol__lustre_total totals[IOL_LUSTRE_TOTALS]);

/* Notes how many servers the file system of a mount has, once for each; with the lock of the module held. */
void iol__lustre_count(int32_t mount);

#endif
