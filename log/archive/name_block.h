/* Entries of the name region in the archive form: a name is what it shares with the one before, and what it does not;
   an id that is the hash of its name is not stored. */
#ifndef IOL_LOG_NAME_BLOCK_H
#define IOL_LOG_NAME_BLOCK_H

#include "log/archive/columns.h"

/* Make whole entries (id, name, NUL) into a body. False if they are not that, or without memory. */
bool iol__name_block_encode(const uint8_t *raw, size_t length, iol__body *body);
/* The way back, exactly `raw_length` bytes. NULL, or what is wrong. */
const char *iol__name_block_decode(const uint8_t *body, size_t length, bool swap, uint8_t *raw, size_t raw_length);

#endif
