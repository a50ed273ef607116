/* Settings for the commands: the resolver of the runtime, with files read in the plain way. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmds/settings.h"
#include "record/place.h"
#include "record/zone.h"
#include "text/plain_file.h"

long read_small_file(const char *path, char *to, size_t room) {
    const int fd = iol__plain_file_open(path, INT64_MAX);
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

/* localtime() opens what TZ names, and waits for it where that is a pipe. */
void refuse_odd_zone(void) {
    char path[4096];
    const char *zone = getenv("TZ"), *folder = getenv("TZDIR");
    if (!zone || !*(zone += *zone == ':')) return;
    const int length = snprintf(path, sizeof path, "%s%s%s",
                                *zone == '/'        ? ""
                                : folder && *folder ? folder
                                                    : "/usr/share/zoneinfo",
                                *zone == '/' ? "" : "/", zone);
    if (length < 0 || (size_t)length >= sizeof path) return;
    if (!iol__plain_file_is(path) && errno == EINVAL) setenv("TZ", "UTC0", 1);
}

void complain_on_stderr(const char *text) { fprintf(stderr, "iolite: %s\n", text); }
