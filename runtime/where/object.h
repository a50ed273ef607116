/* The objects of the program that return addresses lie in: where they are, their unwind tables, and what names them in
   the log. */
#ifndef IOL_RUNTIME_WHERE_OBJECT_H
#define IOL_RUNTIME_WHERE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_WHERE_OBJECTS = 512, IOL_BUILD_ID = 32, IOL_OBJECT_PATH = 1024 };

typedef struct iol__object {
    uintptr_t start, end;  /* in memory */
    uintptr_t base;        /* added to addresses of its file */
    const uint8_t *frames; /* .eh_frame_hdr; NULL: it has none */
    uint32_t key;
    uint8_t build[IOL_BUILD_ID];
    uint8_t build_bytes; /* 0: it has no build id */
    bool ours;           /* this library itself */
    bool lasting;        /* it cannot be unloaded */
    bool python;         /* it has the interpreter of Python in it */
    bool main;
    bool libc;
    const char *name; /* the loader's */
    const void *link_map;
} iol__object;

/* At the start; false without memory. */
bool iol__objects_start(void);
/* The object around an address, NULL if there is none: code that a program made itself. What is found stays where it is; an
   object that took the place of another is another one. One thread at a time. */
const iol__object *iol__object_around(uintptr_t address);
/* What it exports under a name; NULL if nothing. */
void *iol__object_symbol(const iol__object *object, const char *name);
/* Its path, as a text of at most `room` bytes. One thread at a time. */
void iol__object_path(const iol__object *object, char *path, size_t room);

#endif
