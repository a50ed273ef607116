/* holders COUNT FOLDER [PERIOD]: COUNT processes, each of which writes to a file of its own and holds it open until standard
   input ends; with PERIOD it writes again every so many milliseconds. Prints a line when all of them hold theirs. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int hold_file(const char *folder, long number, int period, int ready) {
    char path[4096], bytes[4096] = {0};
    struct pollfd input = {.fd = 0, .events = POLLIN};
    snprintf(path, sizeof path, "%s/%ld", folder, number);
    const int opened = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), fd = dup(opened);
    close(opened); /* as shells do for those whom they start */
    if (fd < 0 || write(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes || write(ready, "x", 1) != 1) return 1;
    while (poll(&input, 1, period) == 0)
        if (pwrite(fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return 1;
    return close(fd) != 0;
}

int main(int argc, char **argv) {
    int ready[2], status, worst = 0;
    char byte;
    if (argc < 3 || pipe(ready) != 0) {
        fputs("usage: holders COUNT FOLDER [PERIOD]\n", stderr);
        return 2;
    }
    const long count = atol(argv[1]);
    for (long i = 0; i < count; i++)
        if (fork() == 0) return hold_file(argv[2], i, argc > 3 ? atoi(argv[3]) : -1, ready[1]);
    for (long i = 0; i < count; i++)
        if (read(ready[0], &byte, 1) != 1) return 1;
    puts("all hold");
    fflush(stdout);
    while (wait(&status) > 0)
        if (status > worst) worst = status;
    return worst != 0;
}
