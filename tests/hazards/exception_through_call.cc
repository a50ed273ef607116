/* A C++ exception leaves a stream's callback through the recorded call that it came from; recording must go on.
   EXPECT STDIO after.txt STDIO_WRITES = 20
   EXPECT POSIX after.dat POSIX_WRITES = 20 */
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

static ssize_t throws(void *, char *, size_t) { throw std::runtime_error("from the callback"); }

static int read_and_catch() {
    cookie_io_functions_t functions = {};
    functions.read = throws;
    FILE *stream = fopencookie(nullptr, "r", functions);
    char bytes[16];
    int caught = 0;
    setvbuf(stream, nullptr, _IONBF, 0);
    try {
        if (fread(bytes, 1, sizeof bytes, stream) > 0) return -1;
    } catch (const std::runtime_error &error) {
        caught += strcmp(error.what(), "from the callback") == 0;
    }
    try {
        if (fgetc(stream) != EOF) return -1;
    } catch (const std::runtime_error &) {
        caught++;
    }
    return caught;
}

int main() {
    int fd = open("after.dat", O_WRONLY | O_CREAT, 0644);
    FILE *stream = fopen("after.txt", "w");
    for (int i = 0; i < 20; i++) {
        if (read_and_catch() != 2) return 1;
        if (write(fd, "bytes", 5) != 5 || fputs("text\n", stream) < 0) return 1;
    }
    return fclose(stream);
}
