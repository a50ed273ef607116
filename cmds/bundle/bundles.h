/* What the actions of `iolite archive` share. */
#ifndef IOL_CMDS_BUNDLES_H
#define IOL_CMDS_BUNDLES_H

#include "cmds/cmd.h"
#include "log/bundle/bundle.h"
#include "site/index/retain.h"

/* One action: what follows its name on the command line. */
typedef struct archiving {
    const iol__args *args;
    char **operands;
    size_t n_operands;
    size_t threads;
    int64_t before; /* --older-than as a time; 0: not given */
    int status;     /* what is to be returned when all is done */
} archiving;

int archive_pack(archiving *a);
int archive_list(archiving *a);
int archive_verify(archiving *a);
int archive_restore(archiving *a);
int archive_purge(archiving *a);

/* Say something about a path on standard error, harmless on a terminal; the status becomes EXIT_INPUT. */
void archive_trouble(void *context, const char *path, const char *reason);
/* Logs below the operands from number `from` on. False with a message. */
bool archive_list_logs(archiving *a, size_t from, iol__retained_list *list);
/* All bytes of a file of this size, at most IOL_PACKED_LOG_MOST; NULL if it is shorter, or without memory. */
uint8_t *read_log_bytes(int fd, uint64_t size);
/* Whether the file holds exactly what the bundle has for it. False with errno EIO: the bundle does not give it back; ESTALE:
   the file has changed; else it cannot be read. */
bool same_as_original(iol__bundle *bundle, const iol__bundle_entry *entry, const iol__retained *log);

#endif
