/* A few hundred bytes, most of them zeros or text, as a zlib stream: the record of a job without files. zlib makes tables
   of several pages and two trees for it, which cost more than anything else in the log of a short program. */
#ifndef IOL_LOG_DEFLATE_SMALL_H
#define IOL_LOG_DEFLATE_SMALL_H

#include <stddef.h>

enum { IOL_DEFLATE_SMALL = 2048 }; /* bytes at most */

/* Its length; 0 if it does not fit. */
size_t iol__deflate_small(const void *bytes, size_t length, void *to, size_t room);

#endif
