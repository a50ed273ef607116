/* Reading one file of a tree: what is in it, or why nothing is. Also as bytes, for whoever reads for another process. */
#ifndef IOL_SITE_FOUND_H
#define IOL_SITE_FOUND_H

#include "log/bundle/bundle.h"
#include "site/index/ingest.h"
#include "site/index/put.h"
#include "site/store/rows.h"
#include "site/index/walk.h"

/* NULL for what went away or is not a file any more. What may not be opened is broken. */
iol__found *iol__found_read(const iol__ingest_options *options, int dir_fd, const iol__walk_dir *dir, const char *name,
                            int64_t before);
/* The same for a log in a bundle; whoever opened that knows device and inode. */
iol__found *iol__found_bundled(const iol__ingest_options *options, iol__bundle *bundle, const iol__walk_dir *dir,
                               const char *name, int64_t before);
void iol__found_free(iol__found *found);

/* Everything but the directory, which whoever unpacks it knows. */
void iol__found_pack(iol__rows *to, const iol__found *found);
/* NULL: the bytes make no sense, or there is no memory. `*at` is behind it then. */
iol__found *iol__found_unpack(const char **at, const char *end);

#endif
