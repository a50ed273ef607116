/* The record id of a name: Jenkins' 64-bit "lookup8" hash. */
#ifndef IOL_RECORD_HASH_H
#define IOL_RECORD_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t iol__hash(const void *bytes, size_t length, uint64_t seed);

#endif
