/* Cancellation unwinds C++ frames from inside a blocked recorded call, running destructors that do I/O.
   LINK -pthread
   EXPECT POSIX destructor.dat POSIX_WRITES = 10
   EXPECT POSIX after.dat POSIX_WRITES = 10 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int fifo, destructed, after;

struct guard {
    ~guard() {
        if (write(destructed, "x", 1) != 1) _exit(1);
    }
};

static void *reads(void *) {
    guard on_end;
    char byte;
    return read(fifo, &byte, 1) == 1 ? nullptr : &fifo;
}

int main() {
    if (mkfifo("p.fifo", 0600) != 0) return 1;
    fifo = open("p.fifo", O_RDWR);
    destructed = open("destructor.dat", O_WRONLY | O_CREAT, 0644);
    after = open("after.dat", O_WRONLY | O_CREAT, 0644);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, reads, nullptr) != 0) return 1;
        if (pthread_cancel(thread) != 0 || pthread_join(thread, nullptr) != 0) return 1;
        if (write(after, "x", 1) != 1) return 1;
    }
    return unlink("p.fifo");
}
