/* Looks ten times a second whether a file is there: nobody is disturbed by that.
   INNOCENT */
#include "tests/planted/planted.h"

int main(void) {
    struct stat facts;
    NEED(close(open("here", O_CREAT | O_WRONLY, 0644)) == 0);
    for (int i = 0; i < 8; i++) {
        NEED(stat("not_yet", &facts) != 0);
        usleep(100000);
    }
    return 0;
}
