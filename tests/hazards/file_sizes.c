/* How large files are when they are first opened, if a setting asks for it.
   ENV IOLITE_FILE_SIZES=1
   PLAIN
   SIZE old.dat 5000
   SIZE new.dat 0
   SIZE cut.dat 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    static const char *const names[] = {"old.dat", "cut.dat"};
    for (int i = 0; i < 2; i++) {
        make_unknown(names[i]);
        CHECK(truncate(names[i], 5000) == 0);
    }
    int old = open("old.dat", O_RDWR), cut = open("cut.dat", O_RDWR | O_TRUNC);
    CHECK(old >= 0 && cut >= 0);
    put_at(old, 100, 9000);
    put(cut, 10);
    put(fresh("new.dat"), 20);
    CHECK(close(old) == 0);
    errno = 0;
    CHECK(open("old.dat", O_RDONLY) >= 0); /* it is larger by now, which is not asked */
    CHECK(errno == 0);
    return 0;
}
