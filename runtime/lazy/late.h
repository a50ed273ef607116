/* Functions that a library which is not there yet may bring. */
#ifndef IOL_RUNTIME_LATE_H
#define IOL_RUNTIME_LATE_H

/* What finds and calls the function of a name when it is called; NULL: it cannot come later. */
void *iol__late(const char *name);

#endif
