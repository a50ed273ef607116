/* Four loaders of a training read a data set of shards by samples of 16 KiB, out of order, in every epoch again.
   PREPARE
   FINDS dl.epoch.reread */
#include "tests/planted/planted.h"

enum { LOADERS = 4, SHARDS = 16, EPOCHS = 6, SAMPLE = 16 * KiB, BITS = 10 };

static const char *shard_name(int number) {
    static char path[32];
    snprintf(path, sizeof path, "shard-%02d.bin", number);
    return path;
}

static void read_shard(int number) {
    static char sample[SAMPLE];
    int fd = open(shard_name(number), O_RDONLY);
    NEED(fd >= 0);
    for (uint64_t i = 0; i >> BITS == 0; i++) {
        off_t at = (off_t)scattered(i, BITS) * SAMPLE;
        NEED(pread(fd, sample, SAMPLE, at) == SAMPLE); /* HERE */
    }
    NEED(close(fd) == 0);
}

static void load(int loader) {
    while (more(EPOCHS))
        for (int shard = loader; shard < SHARDS; shard += LOADERS) read_shard(shard);
}

int main(int argc, char **argv) {
    if (!preparing(argc, argv)) return fork_workers(LOADERS, load), 0;
    for (int i = 0; i < SHARDS; i++) make_sparse(shard_name(i), (off_t)SAMPLE << BITS);
    return 0;
}
