/* Input files of connectors: plain or compressed with gzip, bzip2, xz or zstd, which the first bytes tell, not the name;
   and collections of them: a directory, a tar file, a compressed tar file. What a file may become in memory is bounded. */
#ifndef IOL_SITE_CONNECT_FEED_H
#define IOL_SITE_CONNECT_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"

enum { IOL__FEED_MOST = 1 << 30 }; /* bytes of one input, decompressed */

typedef struct iol__feed {
    const char *name; /* of the file, or of the member of a collection */
    char *bytes;      /* with a NUL behind the last one */
    size_t length;
    int64_t modified;
} iol__feed;

/* Read one file whole; "-" is standard input. On failure `why` says what is the matter, with the file's name. A stream
   that ends too early gives what there is of it, with `why` set and IOL_OK. */
iol_status iol__feed_open(const char *path, iol__feed *feed, char why[400]);
/* Members of a tar file as one text, where a source takes one; anything else is left as it is. */
iol_status iol__feed_flatten(iol__feed *feed, char why[400]);
/* The same from memory, for members and for fuzzers. */
void iol__feed_close(iol__feed *feed);

/* Whether a file is compressed. */
bool iol__feed_packed(const char *path);
/* For libraries that open files themselves: where they find this one decompressed, which is `path` itself if it is plain,
   else a name in `room` that is good until `*fd` is closed (-1: nothing to close). NULL with `why`. */
const char *iol__feed_plain(const char *path, char room[32], int *fd, char why[400]);

/* Each regular file of a collection, or the file itself: of a directory in the order of names, of a tar file as they come.
   The visitor says whether to go on. A collection that ends too early gives what there is of it, as a file does. */
typedef bool iol__feed_visitor(void *context, const iol__feed *member);
iol_status iol__feed_each(const char *path, iol__feed_visitor *visit, void *context, char why[400]);

/* Lines of a text: the next one without its end, NULL after the last. The bytes are changed. */
typedef struct iol__lines {
    char *at, *end;
} iol__lines;
char *iol__next_line(iol__lines *lines);

#endif
