/* One log in the smallest of the forms that a bundle has for it. Whatever the form, the bytes of the log come back. */
#ifndef IOL_LOG_BUNDLE_PACK_H
#define IOL_LOG_BUNDLE_PACK_H

#include "log/bundle/frame.h"
#include "log/bundle/recipe.h"

/* Numbers are those of the file. */
typedef enum iol__packed_form {
    IOL_PACKED_AS_IT_IS = 0,
    IOL_PACKED_RECIPE = 1,  /* a frame: recipe and contents */
    IOL_PACKED_COLUMNS = 2, /* the log in columns, then a frame: recipe and what the columns do not have */
} iol__packed_form;

enum { IOL_PACKED_LOG_MOST = 256 << 20 }; /* larger logs are kept as they are */

typedef struct iol__packed {
    iol__packed_form form;
    iol__body columns, frame;
    size_t recipe; /* bytes in the frame */
} iol__packed;

/* What packing and unpacking need, for one thread. The dictionary stays the caller's; NULL: none. */
typedef struct iol__bundle_packing {
    iol__encoders *encoders;
    iol__framer *framer;
    const iol__dictionary *dictionary;
} iol__bundle_packing;

bool iol__packing_open(iol__bundle_packing *packing, const iol__dictionary *dictionary);
void iol__packing_close(iol__bundle_packing *packing);

/* What a frame of the log would hold: a sample to learn a dictionary from. Appended. */
bool iol__pack_sample(iol__bundle_packing *packing, const uint8_t *log, size_t length, iol__body *to);
/* False without memory. Free the result with iol__packed_free(). */
bool iol__pack_log(iol__bundle_packing *packing, const uint8_t *log, size_t length, iol__packed *packed);
void iol__packed_free(iol__packed *packed);
/* The way back, exactly `length` bytes. NULL, or what is wrong. */
const char *iol__unpack_log(iol__bundle_packing *packing, const iol__packed *packed, uint8_t *log, size_t length);

/* The same content in another compression; free the bytes. For IOL_PACKED_RECIPE. */
const char *iol__unpack_content(iol__bundle_packing *packing, const iol__packed *packed, iol__body *log);

#endif
