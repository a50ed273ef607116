/* All modules at once (modules.def). */
#ifndef IOL_RUNTIME_MODULES_H
#define IOL_RUNTIME_MODULES_H

/* Before main: the settings are known. */
void iol__modules_start(void);
/* First thing in a child of libc's fork: what has to be noted before the child makes its first call. */
void iol__modules_forked(void);
/* In a forked child: what the parent did is the parent's. */
void iol__modules_reset(void);
/* Before the records are written. */
void iol__modules_finish(void);

#endif
