/* Asynchronous requests of Linux, for those who make them by system calls. */
#ifndef IOL_RUNTIME_LIBAIO_H
#define IOL_RUNTIME_LIBAIO_H

void iol__libaio_submitting(long n, void *const *blocks);
void iol__libaio_submitted(long result, long n, void *const *blocks);
void iol__libaio_fetched(long n, const void *events);

#endif
