/* The ranks that carried the data of a file in one layer. With collective buffering a few ranks, the aggregators, move
   the bytes of all, and the rest only hand theirs over: whatever is said about balance, stragglers or waiting compares
   a carrier with the other carriers, never with ranks that had nothing to move. */
#ifndef IOL_INSIGHT_CARRIERS_H
#define IOL_INSIGHT_CARRIERS_H

#include "insight/facts/facts.h"

typedef struct iol__carriers {
    double ranks;      /* that used the file */
    double count;      /* how many of them carried its bytes: k if k moved equal amounts; 0: no bytes, or not known */
    double mean_s;     /* seconds of a carrier on average: its share of the transfers, a rank's share of the metadata */
    double mean_bytes; /* of a carrier */
    double slowest_s;
    double fastest_s;
    int64_t slowest_rank, slowest_bytes; /* -1 and 0 where the log does not say */
} iol__carriers;

iol__carriers iol__carriers_of(const iol__facts *facts, const iol__facts_use *use);

/* The same for files of single ranks, over the whole job. */
typedef struct iol__unique_carriers {
    double ranks;  /* with time in files of their own */
    double count;  /* that carried the bytes of such files */
    double mean_s; /* seconds of a carrier on average */
    double mean_bytes;
    double slowest_s; /* NAN: no rank has such files */
    double slowest_bytes;
    int64_t slowest_rank;
} iol__unique_carriers;

iol__unique_carriers iol__carriers_of_unique_files(const iol__facts *facts);

#endif
