/* Opens its file for every record, appends it, and closes it again.
   FINDS posix.open.repeat */
#include "tests/planted/planted.h"

int main(void) {
    char record[100] = "";
    while (more(2000)) {
        int fd = open("events.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);                     /* HERE */
        NEED(fd >= 0 && write(fd, record, sizeof record) == sizeof record && close(fd) == 0); /* HERE */
    }
    return 0;
}
