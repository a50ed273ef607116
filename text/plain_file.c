/* See plain_file.h. */
#include "text/plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int iol__plain_file_open(const char *path, int64_t most) {
    struct stat facts;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    int why = 0;
    if (fstat(fd, &facts) != 0)
        why = errno;
    else if (!S_ISREG(facts.st_mode))
        why = EINVAL;
    else if (facts.st_size > most)
        why = EFBIG;
    if (why == 0) return fd;
    close(fd);
    errno = why;
    return -1;
}

bool iol__plain_file_is(const char *path) {
    struct stat facts;
    const int fd = iol__plain_file_open(path, INT64_MAX);
    if (fd < 0) return false;
    const bool good = fstat(fd, &facts) == 0 && facts.st_size > 0;
    close(fd);
    if (!good) errno = EINVAL;
    return good;
}

const char *iol__plain_file_trouble(int why) {
    return why == EINVAL ? "is not a regular file, or is empty" : strerror(why);
}
