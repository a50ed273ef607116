/* Waits for a file that does not come and does nothing else: no file is ever opened.
   FINDS posix.lookup.poll */
#include "tests/planted/planted.h"

int main(void) {
    for (int i = 0; i < 3000; i++) {
        NEED(open("never", O_RDONLY) < 0); /* HERE */
        usleep(500);
    }
    return 0;
}
