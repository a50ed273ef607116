/* Points a link to the newest result after every step: made beside the old one, then renamed over it.
   FINDS posix.names.heavy */
#include "tests/planted/planted.h"

int main(void) {
    for (long i = 0; more(6000); i++) {
        char result[32];
        snprintf(result, sizeof result, "result.%ld", i);
        NEED(symlink(result, "latest.new") == 0 && rename("latest.new", "latest") == 0); /* HERE */
    }
    return 0;
}
