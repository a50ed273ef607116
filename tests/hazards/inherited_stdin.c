/* `sort < a`: the descriptor was open before the program started. It has a name, and no open of ours.
   STDIN twelve\sbytes
   PLAIN
   EXPECT POSIX stdin POSIX_OPENS = 0
   EXPECT POSIX stdin POSIX_READS = 2
   EXPECT POSIX stdin POSIX_BYTES_READ = 13
   EXPECT POSIX stdin POSIX_SEEKS = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    char text[100] = "";
    CHECK(lseek(0, 0, SEEK_SET) == 0);
    CHECK(read(0, text, sizeof text - 1) == 13);
    say("read %.12s, then %zd", text, read(0, text, sizeof text));
    return 0;
}
