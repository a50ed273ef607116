/* With O_APPEND a write goes to the end of the file, wherever the position was before.
   EXPECT POSIX log.dat POSIX_WRITES = 3
   EXPECT POSIX log.dat POSIX_BYTES_WRITTEN = 120
   EXPECT POSIX log.dat POSIX_MAX_BYTE_WRITTEN = 119
   EXPECT POSIX log.dat POSIX_SEQ_WRITES = 2
   EXPECT POSIX log.dat POSIX_CONSEC_WRITES = 1
   EXPECT STDIO log.txt STDIO_BYTES_WRITTEN = 57
   EXPECT STDIO log.txt STDIO_MAX_BYTE_WRITTEN = 56 */
#include "tests/hazards/hazard.h"

int main(void) {
    char block[50] = {0};
    int fd = fresh("log.dat");
    put(fd, 100);
    CHECK(close(fd) == 0);
    fd = open("log.dat", O_WRONLY | O_APPEND);
    put(fd, 10);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    put(fd, 10);
    say("position %lld", (long long)lseek(fd, 0, SEEK_CUR));
    FILE *stream = fopen("log.txt", "w");
    CHECK(stream && fwrite(block, 1, 50, stream) == 50 && fclose(stream) == 0);
    stream = fopen("log.txt", "a");
    CHECK(stream && fwrite(block, 1, 7, stream) == 7 && fclose(stream) == 0);
    return 0;
}
