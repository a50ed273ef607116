/* The program closes descriptor 2, and a bare system call gets the number for a file: the message at the end, that the
   log cannot go where it should, would end up in it.
   ENV IOLITE_LOG_FILE=/nonexistent/place/x.darshan
   TALK
   PLAIN
   EXPECT POSIX other.dat POSIX_BYTES_WRITTEN = 7 */
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(close(2) == 0);
    CHECK(syscall(SYS_openat, AT_FDCWD, "two.dat", O_RDWR | O_CREAT, 0644) == 2);
    put(fresh("other.dat"), 7);
    return 0;
}
