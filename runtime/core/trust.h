/* Whom a process may believe. A program with more rights than its user is told nothing by the environment that the user
   gave it, and root believes no file or directory that somebody else could have put there. */
#ifndef IOL_RUNTIME_TRUST_H
#define IOL_RUNTIME_TRUST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this program was started with more rights than its user: set-id bits, capabilities. */
bool iol__trust_more_rights(void);
/* Takes settings out of the environment, so that programs which this one starts do not see them either: they may have the
   rights without the mark. */
void iol__trust_forget_settings(char **environment);
/* Whether logs may go into a directory that a variable names: root has them in directories of root only. */
bool iol__trust_directory(const char *path);

/* A shared object that a setting names. It is open while it is looked at and loaded: `name` is what to load, and leads
   to the very file that was looked at if this is root. */
typedef struct iol__trusted {
    int fd; /* -1: nothing to close */
    char name[1024];
    const char *refused; /* NULL, or why it is not to be loaded */
} iol__trusted;
void iol__trust_object(const char *path, iol__trusted *object);

#endif
