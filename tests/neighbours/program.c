/* A program with a known number of calls: PROGRAM FILE [crash]. One open, ten writes of 100 bytes, five reads, one stream
   with one line. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char bytes[100] = {0};
    if (argc < 2) return 2;
    int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) return 3;
    for (int i = 0; i < 10; i++)
        if (write(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes) return 4;
    for (int i = 0; i < 5; i++)
        if (pread(fd, bytes, 50, i * 10) != 50) return 5;
    if (fsync(fd) != 0 || close(fd) != 0) return 6;
    char name[512];
    snprintf(name, sizeof name, "%s.stream", argv[1]);
    FILE *stream = fopen(name, "w");
    if (!stream || fputs("a line\n", stream) < 0 || fclose(stream) != 0) return 7;
    puts("program done");
    fflush(stdout);
    if (argc > 2 && strcmp(argv[2], "crash") == 0) raise(SIGSEGV);
    return 0;
}
