/* Temporary files get their names from the call itself; all eight spellings are opens.
   EXPECT POSIX t/?* POSIX_OPENS = 8
   EXPECT POSIX t/?* POSIX_WRITES = 8
   RECORDS POSIX t/?* 8
   RECORDS POSIX t/?*.end 4 */
#include "tests/hazards/hazard.h"

int main(void) {
    char names[8][32];
    int fds[8];
    CHECK(mkdir("t", 0755) == 0);
    for (int i = 0; i < 8; i++) snprintf(names[i], sizeof names[i], i < 4 ? "t/%dXXXXXX" : "t/%dXXXXXX.end", i);
    fds[0] = mkstemp(names[0]);
    fds[1] = mkstemp64(names[1]);
    fds[2] = mkostemp(names[2], O_APPEND);
    fds[3] = mkostemp64(names[3], O_APPEND);
    fds[4] = mkstemps(names[4], 4);
    fds[5] = mkstemps64(names[5], 4);
    fds[6] = mkostemps(names[6], 4, O_CLOEXEC);
    fds[7] = mkostemps64(names[7], 4, O_CLOEXEC);
    for (int i = 0; i < 8; i++) {
        struct stat status;
        CHECK(fds[i] >= 0);
        put(fds[i], 3);
        CHECK(fstat(fds[i], &status) == 0);
        say("%d: mode %o, flags %o", i, status.st_mode, fcntl(fds[i], F_GETFL) & O_APPEND);
        CHECK(unlink(names[i]) == 0);
    }
    char bad[] = "t/short";
    say("bad template: %d %s", mkstemp(bad), strerrorname_np(errno));
    return 0;
}
