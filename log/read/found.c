/* What a name stands for may change between a look and the opening, so the look comes afterwards, at the descriptor. */
#include "log/read/found.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int iol__found_open(int directory, const char *path, struct stat *st) {
    const int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    int why = 0;
    if (fstat(fd, st) != 0)
        why = errno;
    else if (!S_ISREG(st->st_mode))
        why = EINVAL;
    if (!why) return fd;
    close(fd);
    errno = why;
    return -1;
}
