/* Keys of pseudonyms. An option's value is in the list of processes for everybody to read, so that a key can also come
   from a file or from a descriptor. */
#include "cmds/log/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_MOST = 4096 };

/* To the end, without the newline that editors and `echo` add. The reason is reported. */
static bool read_key_key(int fd, const char *from, char key[KEY_MOST + 2]) {
    size_t length = 0;
    ssize_t got;
    while (length <= KEY_MOST && (got = read(fd, key + length, KEY_MOST + 1 - length)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            tell_stderr("%s: cannot read the key: %s", from, strerror(errno));
            return false;
        }
        length += (size_t)got;
    }
    const bool too_long = length > KEY_MOST;
    if (length && key[length - 1] == '\n') length--;
    key[length] = 0;
    if (length && !too_long && !memchr(key, 0, length)) return true;
    tell_stderr("%s: a key has 1 to %d bytes, none of them 0", from, KEY_MOST);
    return false;
}

static int key_from(int fd, const char *from, iol__key *key) {
    char text[KEY_MOST + 2];
    const bool good = read_key_key(fd, from, text);
    if (good) *key = iol__key_from(text);
    explicit_bzero(text, sizeof text);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

static int key_from_file(const char *path, iol__key *key) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        tell_stderr("%s: cannot open the key: %s", path, strerror(errno));
        return EXIT_TROUBLE;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & (S_IRWXG | S_IRWXO)))
        tell_stderr("%s: users other than its owner can read this key (mode %03o)", path, (unsigned)st.st_mode & 0777);
    int status = key_from(fd, path, key);
    close(fd);
    return status;
}

int read_key_option(const iol__args *args, iol__key *key) {
    const char *text = argument_value(args, OPT_KEY), *path = argument_value(args, OPT_KEY_FILE);
    const char *number = argument_value(args, OPT_KEY_FD);
    if ((text != NULL) + (path != NULL) + (number != NULL) > 1)
        return usage_error(args, "--key, --key-file and --key-fd exclude each other");
    if (path) return key_from_file(path, key);
    if (number) {
        char *end;
        errno = 0;
        long fd = strtol(number, &end, 10);
        if (!*number || *end || errno || fd < 0 || fd > INT32_MAX)
            return usage_error(args, "--key-fd takes the number of a descriptor, not '%s'", number);
        return key_from((int)fd, "--key-fd", key);
    }
    *key = iol__key_from(text);
    return EXIT_DONE;
}
