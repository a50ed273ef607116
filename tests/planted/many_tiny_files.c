/* Keeps every result in a file of its own, a hundred bytes each.
   FINDS posix.files.many */
#include "tests/planted/planted.h"

int main(void) {
    char path[64], result[100] = "";
    for (int i = 0; more(3000); i++) {
        snprintf(path, sizeof path, "result.%d", i);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);                              /* HERE */
        NEED(fd >= 0 && write(fd, result, sizeof result) == sizeof result && close(fd) == 0); /* HERE */
    }
    return 0;
}
