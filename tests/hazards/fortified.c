/* Optimised builds call checked variants of the I/O functions, under other names.
   FLAGS -O2 -D_FORTIFY_SOURCE=2
   EXPECT POSIX in.dat POSIX_OPENS = 3
   EXPECT POSIX in.dat POSIX_READS = 3
   EXPECT POSIX in.dat POSIX_BYTES_READ = 15
   EXPECT STDIO in.txt STDIO_READS = 3
   EXPECT STDIO in.txt STDIO_BYTES_READ = 16
   EXPECT STDIO in.txt STDIO_WRITES = 2
   EXPECT STDIO in.txt STDIO_BYTES_WRITTEN = 17
   EXPECT STDIO <STDOUT> STDIO_WRITES = 2 */
#include "tests/hazards/hazard.h"

__attribute__((format(printf, 2, 3), noinline)) static int print(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

/* A length that the compiler does not know makes it check at run time. */
int main(void) {
    volatile size_t five = 5;
    volatile int flags = O_RDONLY;
    char bytes[8] = "", line[32], block[4] = "";
    put(fresh("in.dat"), 20);
    int fd = open("in.dat", flags), other = openat(AT_FDCWD, "in.dat", flags);
    CHECK(read(fd, bytes, five) == 5);
    CHECK(pread(fd, bytes, five, 5) == 5);
    CHECK(pread64(other, bytes, five, 10) == 5);
    FILE *stream = fopen("in.txt", "w+");
    CHECK(stream && fprintf(stream, "line %d\n", (int)five) == 7 && print(stream, "next %d abc", 1) > 0);
    rewind(stream);
    CHECK(fgets(line, (int)five + 20, stream) && fgets_unlocked(line, (int)five + 1, stream));
    CHECK(fread(block, 1, five - 1, stream) == 4);
    printf("%s %.4s\n", line, block);
    CHECK(print(stdout, "plain %d\n", 1) == 8 && fclose(stream) == 0);
    return 0;
}
