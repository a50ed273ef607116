/* forks COUNT FOLDER: COUNT children, one after the other, each of which writes ten times to a file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int use_file(const char *folder, long number) {
    char path[4096], bytes[100] = {0};
    snprintf(path, sizeof path, "%s/%ld", folder, number);
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 10; i++)
        if (fd < 0 || write(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes) return 1;
    return close(fd) != 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: forks COUNT FOLDER\n", stderr);
        return 2;
    }
    for (long i = 0; i < atol(argv[1]); i++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) _exit(use_file(argv[2], i));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    }
    return 0;
}
