/* openat2 has no function in the C library, programs use the bare call; the descriptor is found at its first use.
   EXPECT POSIX o2.dat POSIX_WRITES = 2
   EXPECT POSIX o2.dat POSIX_BYTES_WRITTEN = 7 */
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    struct open_how how = {.flags = O_RDWR | O_CREAT, .mode = 0640};
    long fd = syscall(SYS_openat2, AT_FDCWD, "o2.dat", &how, sizeof how);
    if (fd < 0 && errno == ENOSYS) return CANNOT_RUN_HERE;
    CHECK(fd >= 0);
    put((int)fd, 3);
    put((int)fd, 4);
    return 0;
}
