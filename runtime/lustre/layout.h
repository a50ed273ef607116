/* How Lustre says where the bytes of a file are: the extended attribute lustre.lov, taken apart without Lustre's own
   library. It comes from the kernel, and still every length in it is checked: an incomplete layout is refused. */
#ifndef IOL_RUNTIME_LAYOUT_H
#define IOL_RUNTIME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"

enum { IOL_LAYOUT_MOST = 65536 /* bytes of an attribute */, IOL_POOL_BYTES = 16 };

typedef struct iol__lustre_layout {
    const uint8_t *bytes;
    size_t length;
    uint32_t parts; /* 1 if it is a plain one */
    uint32_t next;
    bool composite;
} iol__lustre_layout;

/* A component: a range of the file that is laid out in one way. */
typedef struct iol__layout_part {
    int64_t counters[IOL_LUSTRE_COMP_INTS];
    char pool[IOL_POOL_BYTES];
    const uint8_t *stripes; /* as many as the counter for stripes says */
    bool used;              /* it has its place on servers; else it is only planned */
} iol__layout_part;

/* False if this is not a layout, or an incomplete one. */
bool iol__layout_open(iol__lustre_layout *layout, const uint8_t *bytes, size_t length);
/* The components in order; false behind the last one. Setting `next` to 0 starts over. */
bool iol__layout_next(iol__lustre_layout *layout, iol__layout_part *part);
/* The OST of a stripe of a component, -1 if that is not known. */
int64_t iol__layout_ost(const iol__layout_part *part, int64_t stripe);

#endif
