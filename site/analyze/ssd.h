/* Two dumps of SSD counters: what changed, which devices came and went, which errors appeared, and what that means for
   wear. */
#ifndef IOL_SITE_ANALYZE_SSD_H
#define IOL_SITE_ANALYZE_SSD_H

#include "text/out.h"
#include "site/connect/value.h"

/* {added_devices, removed_devices, devices: {serial: {counter: change}}}. `zeros`: also what did not change. NULL, with
   `why` set, if a counter has changed its kind. */
iol__value *iol__ssd_difference(iol__arena *arena, const iol__value *old, const iol__value *new, bool zeros,
                                char why[400]);
/* sum_, min_, max_, count_ and ave_ of each counter over all devices. */
iol__value *iol__ssd_reductions(iol__arena *arena, const iol__value *difference);
/* Counters of bytes become GiB, by value and name. */
void iol__ssd_in_gib(iol__arena *arena, iol__value *difference);
void iol__ssd_summary(iol__out *out, iol__arena *arena, const iol__value *old, const iol__value *new,
                      const iol__value *difference);
/* Wear of each device of one dump: drive writes per day, share of endurance used, write amplification. */
iol__value *iol__ssd_wear(iol__arena *arena, const iol__value *devices);
void iol__ssd_svg(iol__out *out, const iol__value *wear);

#endif
