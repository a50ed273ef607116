/* Runs of counters that several modules have in the same form.
   They expand to the row macros (INT, UINT, REAL) that the including pass defines, so a run behaves exactly like
   its rows written out. Prefixes are whole counter prefixes: SIZE_BUCKETS(POSIX_SIZE_READ, ...). */
#ifndef IOL_SCHEMA_PATTERNS_H
#define IOL_SCHEMA_PATTERNS_H

#define SIZE_BUCKETS(p, what, since)                                                          \
    INT(p##_0_100, "ops", SUM, since, what " calls whose size was 0 to 100 bytes")            \
    INT(p##_100_1K, "ops", SUM, since, what " calls whose size was 101 bytes to 1 KiB")       \
    INT(p##_1K_10K, "ops", SUM, since, what " calls whose size was above 1 KiB up to 10 KiB") \
    INT(p##_10K_100K, "ops", SUM, since, what " calls whose size was above 10 KiB up to 100 KiB") \
    INT(p##_100K_1M, "ops", SUM, since, what " calls whose size was above 100 KiB up to 1 MiB")   \
    INT(p##_1M_4M, "ops", SUM, since, what " calls whose size was above 1 MiB up to 4 MiB")       \
    INT(p##_4M_10M, "ops", SUM, since, what " calls whose size was above 4 MiB up to 10 MiB")     \
    INT(p##_10M_100M, "ops", SUM, since, what " calls whose size was above 10 MiB up to 100 MiB") \
    INT(p##_100M_1G, "ops", SUM, since, what " calls whose size was above 100 MiB up to 1 GiB")   \
    INT(p##_1G_PLUS, "ops", SUM, since, what " calls whose size was above 1 GiB")

#define COMMON_VALUE(p, word, nr, meaning)                                                   \
    INT(p##nr##_##word, "bytes", COMMON4, 1, meaning " ranked number " #nr                   \
                                                     " by frequency (0 = slot unused)")
#define COMMON_COUNT(p, nr, what) INT(p##nr##_COUNT, "ops", COMMON4, 1, "how often the " what " in slot " #nr " occurred")
#define COMMON_TABLE(p, word, meaning, what)                                                 \
    COMMON_VALUE(p, word, 1, meaning) COMMON_VALUE(p, word, 2, meaning)                      \
    COMMON_VALUE(p, word, 3, meaning) COMMON_VALUE(p, word, 4, meaning)                      \
    COMMON_COUNTS(p, what)
#define COMMON_COUNTS(p, what)                                                               \
    COMMON_COUNT(p, 1, what) COMMON_COUNT(p, 2, what) COMMON_COUNT(p, 3, what) COMMON_COUNT(p, 4, what)
#define COMMON_STRIDES(p) COMMON_TABLE(p##_STRIDE, STRIDE, "gap between successive accesses", "gap")
#define COMMON_ACCESSES(p) COMMON_TABLE(p##_ACCESS, ACCESS, "access size", "access")

#define SLAB_DIM(p, nr, word, dim, meaning)                                                  \
    INT(p##nr##_##word##_D##dim, "elements", COMMON4, 1,                                     \
        "slot " #nr ": " meaning " in dimension " #dim ", dimension 1 being the fastest varying")
#define SLAB_DIMS(p, nr, word, meaning)                                                      \
    SLAB_DIM(p, nr, word, 1, meaning) SLAB_DIM(p, nr, word, 2, meaning)                      \
    SLAB_DIM(p, nr, word, 3, meaning) SLAB_DIM(p, nr, word, 4, meaning) SLAB_DIM(p, nr, word, 5, meaning)
#define SLAB(p, nr)                                                                          \
    COMMON_VALUE(p, ACCESS, nr, "access size")                                               \
    SLAB_DIMS(p, nr, LENGTH, "count times block") SLAB_DIMS(p, nr, STRIDE, "selection stride")
#define COMMON_SLABS(p)                                                                      \
    SLAB(p##_ACCESS, 1) SLAB(p##_ACCESS, 2) SLAB(p##_ACCESS, 3) SLAB(p##_ACCESS, 4)          \
    COMMON_COUNTS(p##_ACCESS, "access")

#define EXTENT(p, before, dim, after) INT(p##_D##dim, "elements", ONE_SIDE, 1, before #dim after)
#define EXTENTS(p, before, after)                                                            \
    EXTENT(p, before, 1, after) EXTENT(p, before, 2, after) EXTENT(p, before, 3, after)      \
    EXTENT(p, before, 4, after) EXTENT(p, before, 5, after)

#define RANK_EXTREMES(p)                                                                     \
    INT(p##_FASTEST_RANK, "rank", FASTEST, 1,                                                \
        "rank holding the smallest read+write+meta time (shared records only)")              \
    INT(p##_FASTEST_RANK_BYTES, "bytes", FASTEST, 1, "bytes moved by that fastest rank")     \
    INT(p##_SLOWEST_RANK, "rank", SLOWEST, 1,                                                \
        "rank holding the largest read+write+meta time (shared records only)")               \
    INT(p##_SLOWEST_RANK_BYTES, "bytes", SLOWEST, 1, "bytes moved by that slowest rank")
#define RANK_EXTREME_TIMES(p)                                                                \
    REAL(p##_F_FASTEST_RANK_TIME, "s", FASTEST, 1,                                           \
         "read+write+meta time of the rank that spent the least (shared records only, else 0)") \
    REAL(p##_F_SLOWEST_RANK_TIME, "s", SLOWEST, 1,                                           \
         "read+write+meta time of the rank that spent the most (shared records only, else 0)")
#define RANK_VARIANCES(p)                                                                    \
    REAL(p##_F_VARIANCE_RANK_TIME, "s^2", VARIANCE, 1,                                       \
         "population variance over ranks of read+write+meta time (shared records only)")     \
    REAL(p##_F_VARIANCE_RANK_BYTES, "bytes^2", VARIANCE, 1,                                  \
         "population variance over ranks of bytes read+written (shared records only)")

#define SLOWEST_CALL_SIZES(p)                                                                \
    INT(p##_MAX_READ_TIME_SIZE, "bytes", MAX_WITH(p##_F_MAX_READ_TIME), 1, "size of the slowest read call") \
    INT(p##_MAX_WRITE_TIME_SIZE, "bytes", MAX_WITH(p##_F_MAX_WRITE_TIME), 1, "size of the slowest write call")
#define SLOWEST_CALLS(p)                                                                     \
    REAL(p##_F_MAX_READ_TIME, "s", MAX, 1, "duration of the single slowest read call")       \
    REAL(p##_F_MAX_WRITE_TIME, "s", MAX, 1, "duration of the single slowest write call")

#define FIRST_START(p, WORD, word, object, since)                                            \
    REAL(p##_F_##WORD##_START_TIMESTAMP, "s since job start", MIN_NZ, since,                 \
         "entry time of the earliest " word " call on the " object "; 0 when none happened")
#define LAST_END(p, WORD, word, object, since)                                               \
    REAL(p##_F_##WORD##_END_TIMESTAMP, "s since job start", MAX, since,                      \
         "return time of the latest " word " call on the " object "; 0 when none happened")
#define TIME_INSIDE(p, WORD, word, since)                                                    \
    REAL(p##_F_##WORD##_TIME, "s", SUM, since,                                               \
         "total time inside " word " calls, overlapping calls of one rank counted once")
#define META_TIME(p, since)                                                                  \
    REAL(p##_F_META_TIME, "s", SUM, since,                                                   \
         "total time inside metadata calls (open, close, seek, stat, sync and the like), "   \
         "overlapping calls of one rank counted once")

#endif
