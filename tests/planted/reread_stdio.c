/* Opens and reads a table through stdio again for every lookup.
   PREPARE
   FINDS stdio.redundant.read */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static char record[16 * KiB];
    if (preparing(argc, argv)) return make_sparse("profiles.db", 2 * MiB), 0;
    while (more(20)) {
        FILE *table = fopen("profiles.db", "r");
        NEED(table);
        while (fread(record, 1, sizeof record, table) == sizeof record) continue; /* HERE */
        fclose(table);
    }
    return 0;
}
