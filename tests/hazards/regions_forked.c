/* A child that is forked inside a region is in it, too, from its own beginning; it counts what it does itself. One that
   does nothing leaves nothing.
   PROCESSES 3
   CUSTOM REGIONS work REGION_COUNT = 2
   CUSTOM REGIONS work REGION_BYTES_WRITTEN = 1300
   CUSTOM REGIONS work REGION_UNENDED = 1
   CUSTOM REGIONS work RECORDS = 2
   CUSTOM REGIONS child REGION_COUNT = 1
   CUSTOM REGIONS child REGION_BYTES_WRITTEN = 300 */
#include "tests/hazards/hazard.h"

#include "iolite/iolite.h"

int main(void) {
    int fd = fresh("file");
    iolite_region_begin("work");
    put(fd, 1000);
    pid_t idle = fork();
    if (idle == 0) _exit(0);
    CHECK(idle > 0 && waitpid(idle, NULL, 0) == idle);
    pid_t child = fork();
    if (child == 0) {
        iolite_region_begin("child");
        put(fd, 300);
        iolite_region_end("child");
        exit(0);
    }
    CHECK(child > 0 && waitpid(child, NULL, 0) == child);
    iolite_region_end("work");
    return 0;
}
