/* Four threads, each with a file and datasets of its own, one in HDF5 at a time as that library asks for.
   LINK -pthread
   EXPECT H5F t?.h5 H5F_OPENS = 80
   EXPECT H5D t?.h5:* H5D_OPENS = 400
   EXPECT H5D t?.h5:* H5D_WRITES = 1600
   EXPECT H5D t2.h5:* H5D_BYTES_WRITTEN = 3200
   OPERATION updates LOST = 0 */
#include <pthread.h>

#include "tests/hdf5/programs/program.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define MY_TURN(statement)           \
    do {                             \
        pthread_mutex_lock(&turn);   \
        statement;                   \
        pthread_mutex_unlock(&turn); \
    } while (0)

static void *work(void *number) {
    static const int two[2] = {1, 2};
    char path[16], name[16];
    snprintf(path, sizeof path, "t%d.h5", (int)(intptr_t)number);
    for (int round = 0; round < 20; round++) {
        hid_t file = -1, dataset = -1;
        MY_TURN(file = new_file(path));
        for (int i = 0; i < 5; i++) {
            snprintf(name, sizeof name, "d%d", i);
            MY_TURN(dataset = new_line(file, name, 2));
            for (int write = 0; write < 4; write++) MY_TURN(write_all(dataset, two));
            MY_TURN(CHECK(H5Dclose(dataset) >= 0));
        }
        MY_TURN(CHECK(H5Fclose(file) >= 0));
    }
    CHECK(unlink(path) == 0); /* what is between the data depends on whose turn it was */
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
