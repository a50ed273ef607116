/* Settings for the commands: the resolver of the runtime, with files read in the plain way. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cmds/settings.h"
#include "record/zone.h"

long read_small_file(const char *path, char *to, size_t room) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return -1;
    size_t length = 0;
    ssize_t got = 0;
    while (length < room && (got = read(fd, to + length, room - length)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        length += (size_t)got;
    }
    close(fd);
    return got < 0 ? -1 : (long)length;
}

const iol__config *load_settings(void (*complain)(const char *text)) {
    static iol__config config;
    config.complain = complain;
    iol__resolve(&config, environ, read_small_file);
    return &config;
}

int64_t local_offset(int64_t seconds) { return iol__utc_offset(environ, seconds, read_small_file); }

void complain_on_stderr(const char *text) { fprintf(stderr, "iolite: %s\n", text); }
