/* Names of logs, "USER_PROGRAM_idJOB[-PID]_MONTH-DAY-SECONDS-HASH_WRITE.darshan", and texts that a store can take. */
#ifndef IOL_SITE_NAMES_H
#define IOL_SITE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct iol__log_name {
    size_t user;    /* length of the user's name, at the beginning of the name */
    size_t program; /* length of the program's, behind the user's and an underscore */
    int64_t jobid;
    int64_t pid;      /* -1: not there */
    int month, day;   /* of the start; 0: not there */
    int64_t seconds;  /* of the start since midnight; -1: not there */
    const char *hash; /* of the node and the time, decimal digits in the name; NULL */
    size_t hash_length;
    int64_t write_seconds; /* that writing the log took, 1 for less than one; -1: not there */
} iol__log_name;

/* Takes the name of a file apart. `program` (NULL: not known) tells where the user's name ends if both have underscores in
   them. False if it has another form. */
bool iol__log_name_parse(const char *name, const char *program, iol__log_name *parsed);
bool iol__is_log_name(const char *name);
bool iol__is_bundle_name(const char *name);

/* Valid UTF-8: the text itself, or a copy with U+FFFD for what is none. */
const char *iol__valid_text(iol__arena *arena, const char *text);
/* The same, always a copy. Free it; NULL without memory. */
char *iol__valid_copy(const char *text);
/* The same for what is part of keys, which PostgreSQL limits to 2,704 bytes in all: of a longer text the beginning, and a hash of
   it all. */
enum { IOL_SHORT = 300 };
const char *iol__short_text(iol__arena *arena, const char *text);
/* NULL for valid UTF-8, else its bytes as hexadecimal digits. */
const char *iol__hex_text(iol__arena *arena, const char *text);
/* A name as a key of the store: valid UTF-8 on one line, and back. Bytes that are no such text, and the backslash, are
   written \xHH. Free the result; NULL without memory. */
char *iol__key_of_path(const char *path);
char *iol__path_of_key(const char *key);
/* The path, or the address BUNDLE#NAME, of what the store knows by these keys. Free it; NULL without memory. */
char *iol__path_of_place(const char *dir, const char *name);

#endif
