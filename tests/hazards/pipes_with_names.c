/* vmsplice moves memory into a pipe, or out of it: traffic of a pipe that has a name, and of nobody else. What is spliced
   on from a pipe is written to the file that it ends up in.
   EXPECT POSIX named POSIX_WRITES = 1
   EXPECT POSIX named POSIX_BYTES_WRITTEN = 300
   EXPECT POSIX named POSIX_READS = 1
   EXPECT POSIX named POSIX_BYTES_READ = 300
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 200
   ABSENT POSIX pipe:
   OPERATION mknod COUNT = 1 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static char bytes[300], back[300];
    int ends[2];
    CHECK(mkfifo("named", 0600) == 0);
    int reader = open("named", O_RDONLY | O_NONBLOCK), writer = open("named", O_WRONLY);
    CHECK(reader >= 0 && writer >= 0);
    struct iovec from = {bytes, 300}, to = {back, 300};
    CHECK(vmsplice(writer, &from, 1, 0) == 300);
    CHECK(vmsplice(reader, &to, 1, 0) == 300);
    CHECK(pipe(ends) == 0);
    from.iov_len = 200;
    CHECK(vmsplice(ends[1], &from, 1, 0) == 200);
    CHECK(splice(ends[0], NULL, fresh("out.dat"), NULL, 200, 0) == 200);
    say("moved");
    return 0;
}
