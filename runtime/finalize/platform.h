/* On what a job ran: its nodes, and what is known of the first of them. */
#ifndef IOL_RUNTIME_PLATFORM_H
#define IOL_RUNTIME_PLATFORM_H

#include "runtime/core/text.h"
#include "runtime/finalize/lists.h"

#define IOL_TAG_PLATFORM "PLAT"

/* Order of hosts in which those that are numbered follow each other by number: below 0, 0, above. */
int iol__host_order(const char *a, const char *b);
/* How many there are. */
uint32_t iol__host_count(const iol__list *hosts);
/* The content of the section PLAT but for its last bracket. Asks the system of this node. */
void iol__platform_say(iol__text *json, const iol__list *hosts);

#endif
