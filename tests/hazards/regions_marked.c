/* Regions in each other, in themselves, across each other, ended by another thread, ended without a begin, not ended.
   What a process reads and writes meanwhile is the region's.
   LINK -pthread
   PLAIN
   CUSTOM REGIONS outer REGION_COUNT = 2
   CUSTOM REGIONS outer REGION_BYTES_WRITTEN = 500
   CUSTOM REGIONS outer REGION_F_TIME > 0
   CUSTOM REGIONS outer SPANS = 2
   CUSTOM REGIONS inner REGION_BYTES_WRITTEN = 300
   CUSTOM REGIONS inner REGION_BYTES_READ = 50
   CUSTOM REGIONS inner REGION_UNMEASURED = 0
   CUSTOM REGIONS itself REGION_COUNT = 3
   CUSTOM REGIONS itself REGION_BYTES_WRITTEN = 30
   CUSTOM REGIONS itself SPANS = 3
   CUSTOM REGIONS handed\sover REGION_COUNT = 1
   CUSTOM REGIONS handed\sover REGION_UNENDED = 0
   CUSTOM REGIONS handed\sover REGION_BYTES_WRITTEN = 7
   CUSTOM REGIONS never\sbegun REGION_COUNT = 0
   CUSTOM REGIONS never\sbegun REGION_UNBALANCED = 1
   CUSTOM REGIONS never\sended REGION_UNENDED = 1
   CUSTOM REGIONS never\sended REGION_BYTES_WRITTEN = 11
   CUSTOM REGIONS never\sended REGION_F_LAST > 0
   CUSTOM REGIONS * RECORDS = 6
   CUSTOM REGIONS * SPANS_LOST = 0 */
#include "tests/hazards/hazard.h"

#include <pthread.h>

#include "iolite/iolite.h"

static int fd;

static void twice(void) {
    for (int i = 0; i < 2; i++) {
        iolite_region_begin("outer");
        put(fd, 100);
        if (i == 0) {
            char bytes[50];
            iolite_region_begin("inner");
            put(fd, 300);
            CHECK(pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes);
            iolite_region_end("inner");
        }
        iolite_region_end("outer");
    }
}

static void recursive(int depth) {
    iolite_region_begin("itself");
    put(fd, 10);
    if (depth > 1) recursive(depth - 1);
    iolite_region_end("itself");
}

static void *take_over(void *unused) {
    put(fd, 7);
    iolite_region_end("handed over");
    return unused;
}

int main(void) {
    pthread_t thread;
    fd = fresh("file");
    put(fd, 1000);
    twice();
    recursive(3);
    iolite_region_begin("handed over");
    CHECK(pthread_create(&thread, NULL, take_over, NULL) == 0 && pthread_join(thread, NULL) == 0);
    iolite_region_end("never begun");
    say("nearly done");
    errno = ENOSYS;
    iolite_region_begin("never ended");
    CHECK(errno == ENOSYS);
    iolite_region_begin("");
    iolite_region_begin(NULL);
    put(fd, 11);
    return 0;
}
