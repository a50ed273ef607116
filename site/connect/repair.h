/* JSON that was cut off, made whole again as far as it goes. */
#ifndef IOL_SITE_CONNECT_REPAIR_H
#define IOL_SITE_CONNECT_REPAIR_H

#include "site/connect/value.h"

/* The records of a text that ends too early which are whole, as a text that does not; NULL if it does not end too early. */
char *iol__json_repair(iol__arena *arena, const char *bytes, size_t length);

#endif
