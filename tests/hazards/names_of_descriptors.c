/* Files that are opened by a name of /dev or /proc that stands for a descriptor: they count under their own name.
   EXPECT POSIX out.dat POSIX_OPENS = 5
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 80
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 129
   EXPECT POSIX out.dat POSIX_READS = 2
   EXPECT POSIX out.dat POSIX_BYTES_READ = 60
   EXPECT STDIO out.dat STDIO_OPENS = 1
   EXPECT STDIO out.dat STDIO_BYTES_WRITTEN = 5
   EXPECT POSIX below.dat POSIX_BYTES_WRITTEN = 7
   EXPECT POSIX inner.dat POSIX_BYTES_WRITTEN = 8
   ABSENT POSIX /dev/stdin
   ABSENT POSIX /proc/self/status */
#include <dirent.h>

#include "tests/hazards/hazard.h"

int main(void) {
    char name[64], bytes[100];
    int fd = fresh("out.dat"), ends[2];
    put(fd, 50);

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int again = open(name, O_RDONLY);
    CHECK(again >= 0 && read(again, bytes, 30) == 30);

    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
    again = open(name, O_RDWR | O_APPEND);
    put(again, 10);

    /* the standard streams of many programs are given by name */
    CHECK(dup2(fd, 0) == 0);
    again = open("/dev/stdin", O_RDONLY);
    CHECK(again >= 0 && read(again, bytes, 30) == 30);
    say("position %lld", (long long)lseek(again, 0, SEEK_CUR));

    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    FILE *stream = fopen(name, "r+");
    CHECK(stream && fputs("hello", stream) >= 0 && fclose(stream) == 0);
    put_at(fd, 20, 110);

    again = open("/proc/self/cwd/below.dat", O_WRONLY | O_CREAT, 0600);
    put(again, 7);

    const int here = open(".", O_RDONLY | O_DIRECTORY);
    snprintf(name, sizeof name, "/proc/self/fd/%d", here);
    DIR *directory = opendir(name);
    CHECK(directory != NULL);
    put(openat(dirfd(directory), "inner.dat", O_WRONLY | O_CREAT, 0600), 8);
    CHECK(closedir(directory) == 0);

    /* what stands for no file stays what it is */
    CHECK(pipe(ends) == 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    again = open(name, O_WRONLY);
    put(again, 5);
    CHECK(read(ends[0], bytes, sizeof bytes) == 5);
    again = open("/proc/self/status", O_RDONLY);
    CHECK(again >= 0 && read(again, bytes, 10) == 10);
    return 0;
}
