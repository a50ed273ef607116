/* Heat maps hold the bytes of all files, threads and layers; bins are rounded one by one, so a few bytes may differ.
   LINK -pthread
   EXPECT HEATMAP heatmap:POSIX WRITTEN >= 39990
   EXPECT HEATMAP heatmap:POSIX WRITTEN <= 40010
   EXPECT HEATMAP heatmap:POSIX READ >= 3990
   EXPECT HEATMAP heatmap:POSIX READ <= 4010
   EXPECT HEATMAP heatmap:STDIO WRITTEN >= 490
   EXPECT HEATMAP heatmap:STDIO WRITTEN <= 510
   RECORDS HEATMAP heatmap:POSIX 1 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *writes(void *name) {
    char back[10];
    int fd = fresh(name);
    for (int i = 0; i < 1000; i++) put_at(fd, 10, 10 * i);
    for (int i = 0; i < 100; i++) CHECK(pread(fd, back, 10, 10 * i) == 10);
    return NULL;
}

int main(void) {
    static char names[4][8] = {"a.dat", "b.dat", "c.dat", "d.dat"};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, writes, names[i]) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    FILE *stream = fopen("t.txt", "w");
    for (int i = 0; i < 100; i++) CHECK(stream && fputs("12345", stream) >= 0);
    CHECK(fclose(stream) == 0);
    return 0;
}
