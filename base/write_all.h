/* Writing all bytes, however many calls it takes. */
#ifndef IOL_BASE_WRITE_ALL_H
#define IOL_BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* False with errno set; some of it may have been written. */
bool iol__write_all(int fd, const void *bytes, size_t length);

#endif
