/* A process in the strict sandbox that ends in the usual way is killed, with Iolite and without it.
   STATUS signal 9
   PLAIN recover
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 15 */
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) return CANNOT_RUN_HERE;
    put(fd, 10);
    return 0;
}
