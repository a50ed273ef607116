/* Asynchronous requests of Linux, for those who make them by system calls. */
#ifndef IOL_RUNTIME_LIBAIO_H
#define IOL_RUNTIME_LIBAIO_H

void iol__libaio_submitting(long n, void *const *blocks);
void iol__libaio_submitted(long result, long n, void *const *blocks);
void iol__libaio_fetched(long n, const void *events);
void iol__libaio_reset(void);
/* At the end: what was never fetched here is told of. */
void iol__libaio_finish(void);

#endif
