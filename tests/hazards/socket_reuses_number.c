/* accept hands out the number of a file that was closed behind every wrapper; socket bytes are not the file's.
   EXPECT POSIX a.dat POSIX_OPENS = 1
   EXPECT POSIX a.dat POSIX_WRITES = 1
   EXPECT POSIX a.dat POSIX_BYTES_WRITTEN = 10 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "tests/hazards/hazard.h"

int main(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "server"};
    char text[4] = "";
    int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 1) == 0);
    CHECK(connect(client, (struct sockaddr *)&address, sizeof address) == 0);
    int fd = fresh("a.dat");
    put(fd, 10);
    CHECK(syscall(SYS_close, fd) == 0);
    CHECK(accept(server, NULL, NULL) == fd);
    CHECK(write(fd, "abc", 3) == 3 && read(client, text, 3) == 3);
    say("%s", text);
    CHECK(unlink("server") == 0);
    return 0;
}
