/* A descriptor arrives through a socket; it is a file that this process never opened.
   EXPECT POSIX passed.dat POSIX_WRITES = 2
   EXPECT POSIX passed.dat POSIX_BYTES_WRITTEN = 9
   EXPECT POSIX passed.dat POSIX_OPENS = 1 */
#include <stdbool.h>
#include <sys/socket.h>

#include "tests/hazards/hazard.h"

static void pass(int socket, int *fd, bool send) {
    char byte = 'x', control[CMSG_SPACE(sizeof *fd)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof *fd);
    if (send) memcpy(CMSG_DATA(head), fd, sizeof *fd);
    CHECK((send ? sendmsg(socket, &message, 0) : recvmsg(socket, &message, 0)) == 1);
    if (!send) memcpy(fd, CMSG_DATA(head), sizeof *fd);
}

int main(void) {
    int ends[2], fd = fresh("passed.dat");
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    put(fd, 4);
    pass(ends[0], &fd, true);
    CHECK(close(fd) == 0);
    pass(ends[1], &fd, false);
    put(fd, 5);
    return 0;
}
