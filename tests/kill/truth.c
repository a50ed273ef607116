/* The page of truth, mapped by the program that is killed and by those who ask afterwards. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/kill/truth.h"

truth *truth_open(const char *path) {
    int fd = open(path, O_RDWR);
    if (fd < 0) {
        perror(path);
        return NULL;
    }
    void *page = mmap(NULL, sizeof(truth), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (page == MAP_FAILED) {
        perror(path);
        return NULL;
    }
    return page;
}
