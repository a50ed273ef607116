/* packing HOW ROUNDS LOG: compresses the POSIX records of a log so often, as the runtime does ("own", "quick"), by zlib as
   Darshan does ("zlib"), or by libdeflate with a level (a number), and prints the bytes of the records, the bytes of the stream and the nanoseconds of one round.
   bench/runtime.sh takes instruction counts from it. */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "record/encode.h"
#include "runtime/pack/pack.h"

typedef struct rows {
    uint8_t *bytes;
    size_t used, row;
} rows;

static rows read_rows(const char *path) {
    rows all = {0};
    iol_log *log;
    iol_records *records;
    const iol_record *record;
    iol_error error;
    if (iol_log_open(path, &log, &error) != IOL_OK) return all;
    if (iol_records_open(log, IOL_SLOT_POSIX, &records) == IOL_OK) {
        while (iol_records_next(records, &record) == IOL_OK) {
            all.row = iol__encoded_bytes(record);
            uint8_t *more = realloc(all.bytes, all.used + all.row);
            if (!more) break;
            all.bytes = more;
            iol__encode(record, all.bytes + all.used);
            all.used += all.row;
        }
        iol_records_close(records);
    }
    iol_log_close(log);
    return all;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    const long rounds = argc == 4 ? atol(argv[2]) : 0;
    const rows all = rounds > 0 ? read_rows(argv[3]) : (rows){0};
    if (all.used == 0) {
        fputs("usage: packing own|quick|zlib|LEVEL ROUNDS LOG, which has POSIX records\n", stderr);
        return 2;
    }
    const bool quick = strcmp(argv[1], "quick") == 0, own = quick || strcmp(argv[1], "own") == 0;
    const size_t room = iol__pack_bound(all.used);
    uint8_t *to = malloc(room);
    size_t length = 0;
    double began = now();
    for (long i = 0; to && i < rounds; i++) {
        if (own) {
            length = iol__pack((iol__pack_shape){.row = (uint32_t)all.row, .quick = quick}, all.bytes, all.used, to);
        } else if (strcmp(argv[1], "zlib") == 0) {
            uLongf most = room;
            length = compress2(to, &most, all.bytes, all.used, Z_DEFAULT_COMPRESSION) == Z_OK ? most : 0;
        } else { /* as a process at its end does it: the compressor is made for one log */
            struct libdeflate_compressor *c = libdeflate_alloc_compressor(atoi(argv[1]));
            length = c ? libdeflate_zlib_compress(c, all.bytes, all.used, to, room) : 0;
            libdeflate_free_compressor(c);
        }
    }
    printf("%zu %zu %.0f\n", all.used, length, (now() - began) / (double)rounds);
    free(to);
    free(all.bytes);
    return length == 0;
}
