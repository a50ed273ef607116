/* A store of one unit test: a new SQLite file with empty tables, removed afterwards. */
#ifndef IOL_TESTS_EMPTY_STORE_H
#define IOL_TESTS_EMPTY_STORE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "site/store/store.h"

typedef struct fixture {
    char path[128];
    iol__store *store;
} fixture;

static inline int open_empty(void **state) {
    fixture *f = calloc(1, sizeof *f);
    iol_error error;
    if (!f) return -1;
    snprintf(f->path, sizeof f->path, "%s/iolite-store-%d.db", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             (int)getpid());
    unlink(f->path);
    if (iol__store_open(f->path, IOL_STORE_WRITE, &f->store, &error) != IOL_OK) return free(f), -1;
    *state = f;
    return 0;
}

static inline int close_and_remove(void **state) {
    fixture *f = *state;
    static const char *const ends[] = {"", "-wal", "-shm"};
    if (f->store) iol__store_close(f->store);
    for (size_t i = 0; i < 3; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", f->path, ends[i]);
        unlink(name);
    }
    free(f);
    return 0;
}

#endif
