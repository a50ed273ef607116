/* Data that the kernel copies from file to file: a read on the source and a write on the target. The end of the source is
   found by reading; nothing is written then.
   EXPECT POSIX source.dat POSIX_BYTES_WRITTEN = 4000
   EXPECT POSIX source.dat POSIX_READS = 5
   EXPECT POSIX source.dat POSIX_BYTES_READ = 1800
   EXPECT POSIX sent.dat POSIX_WRITES = 1
   EXPECT POSIX sent.dat POSIX_BYTES_WRITTEN = 1000
   EXPECT POSIX copied.dat POSIX_WRITES = 1
   EXPECT POSIX copied.dat POSIX_BYTES_WRITTEN = 500
   EXPECT POSIX spliced.dat POSIX_WRITES = 1
   EXPECT POSIX spliced.dat POSIX_BYTES_WRITTEN = 300 */
#include <sys/sendfile.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int source = fresh("source.dat"), ends[2];
    off_t from = 0;
    put(source, 4000);
    int sent = fresh("sent.dat");
    CHECK(sendfile(sent, source, &from, 1000) == 1000);
    int copied = fresh("copied.dat");
    if (copy_file_range(source, &from, copied, NULL, 500, 0) != 500) return CANNOT_RUN_HERE;
    CHECK(pipe(ends) == 0);
    CHECK(splice(source, &from, ends[1], NULL, 300, 0) == 300);
    CHECK(splice(ends[0], NULL, fresh("spliced.dat"), NULL, 300, 0) == 300);
    off_t end = 4000;
    CHECK(sendfile(sent, source, &end, 1000) == 0 && copy_file_range(source, &end, copied, NULL, 500, 0) == 0);
    say("from %lld, position %lld", (long long)from, (long long)lseek(source, 0, SEEK_CUR));
    return 0;
}
