/* Relative names depend on the current directory of that moment.
   EXPECT POSIX one/x.dat POSIX_WRITES = 1
   EXPECT POSIX two/x.dat POSIX_WRITES = 1
   EXPECT POSIX two/../x.dat POSIX_WRITES = 1
   EXPECT POSIX three/x.dat POSIX_WRITES = 1
   EXPECT STDIO three/x.txt STDIO_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(mkdir("one", 0755) == 0 && mkdir("two", 0755) == 0 && mkdir("three", 0755) == 0);
    int three = open("three", O_RDONLY | O_DIRECTORY);
    CHECK(chdir("one") == 0);
    put(fresh("x.dat"), 1);
    CHECK(chdir("../two") == 0);
    put(fresh("x.dat"), 2);
    put(fresh("../x.dat"), 3);
    CHECK(fchdir(three) == 0);
    put(fresh("x.dat"), 4);
    FILE *stream = fopen("x.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    return 0;
}
