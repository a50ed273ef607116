/* Looks up records of 64 bytes with fseek and fread: each time the stream throws its buffer away and fills it again.
   PREPARE
   FINDS stdio.seek */
#include "tests/planted/planted.h"

enum { BITS = 24 };

int main(int argc, char **argv) {
    char record[64];
    if (preparing(argc, argv)) return make_sparse("index.dat", (off_t)sizeof record << BITS), 0;
    FILE *table = fopen("index.dat", "r");
    NEED(table);
    for (uint64_t i = 0; i >> BITS == 0 && more(2000); i++) {
        NEED(fseek(table, (long)(scattered(i, BITS) * sizeof record), SEEK_SET) == 0); /* HERE */
        NEED(fread(record, sizeof record, 1, table) == 1);
    }
    return fclose(table);
}
