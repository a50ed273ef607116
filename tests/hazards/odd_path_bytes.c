/* Names are bytes: newlines, blanks, what is no UTF-8, and what looks like a name of ours.
   EXPECT POSIX new\nline.dat POSIX_WRITES = 1
   EXPECT POSIX \xff\xfe.dat POSIX_WRITES = 1
   EXPECT POSIX two\swords.dat POSIX_WRITES = 1
   EXPECT POSIX quote".dat POSIX_WRITES = 1
   EXPECT STDIO <STDIN> STDIO_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("new\nline.dat"), 1);
    put(fresh("\xff\xfe.dat"), 2);
    put(fresh("two words.dat"), 3);
    put(fresh("quote\".dat"), 4);
    FILE *stream = fopen("./<STDIN>", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    return 0;
}
