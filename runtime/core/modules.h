/* All modules at once (modules.def). */
#ifndef IOL_RUNTIME_MODULES_H
#define IOL_RUNTIME_MODULES_H

/* Before main: the settings are known. */
void iol__modules_start(void);
/* First thing in a child of libc's fork: what has to be noted before the child makes its first call. */
void iol__modules_forked(void);
/* In a forked child: what the parent did is the parent's. */
void iol__modules_reset(void);
/* The store has just been made; the lock of the files is held. */
void iol__modules_stored(void);
/* Before the records are looked at for the last time. */
void iol__modules_finish(void);
/* They are about to be written, and nothing is added to them any more. */
void iol__modules_settle(void);

#endif
