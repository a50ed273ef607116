/* Records of files that no program has used, for measurements: "fpp-I_rank-R" or "shared-I", as Darshan's benchmark of the
   end makes them up. The sizes are drawn from 32 numbers of each rank, up to 64 KiB. */
#ifndef IOL_RUNTIME_MADE_UP_H
#define IOL_RUNTIME_MADE_UP_H

#include <stdbool.h>

/* Into the store of this process; with the lock of files held. */
void iol__made_up_records(int files, bool shared, int rank);

#endif
