/* Signals interrupt, and pipes take less than they are given. */
#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

bool iol__write_all(int fd, const void *bytes, size_t length) {
    for (const char *at = bytes; length;) {
        const ssize_t written = write(fd, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}
