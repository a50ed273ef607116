/* Threads call functions for the first time while another one loads and unloads a library: each call has the arguments
   that it was given, up to six of them and floating ones, and reaches libc.
   LINK -ldl -lpthread
   EXPECT POSIX first.dat POSIX_OPENS = 2
   EXPECT POSIX first.dat POSIX_WRITES = 3
   EXPECT POSIX first.dat POSIX_BYTES_WRITTEN = 23 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

static volatile int over;

static void *load_and_unload(void *path) {
    while (!over) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        CHECK(library);
        CHECK(dlclose(library) == 0);
    }
    return NULL;
}

static void *write_and_copy(void *unused) {
    (void)unused;
    char text[] = "0123456789", back[11] = "";
    const struct iovec parts[2] = {{text, 4}, {text + 4, 6}};
    const int fd = open("first.dat", O_RDWR | O_CREAT | O_TRUNC, 0600), copy = open("first.dat", O_RDWR);
    CHECK(fd >= 0 && copy >= 0);
    CHECK(pwritev2(fd, parts, 2, 0, 0) == 10);
    off64_t from = 2, to = 10;
    CHECK(copy_file_range(fd, &from, copy, &to, 3, 0) == 3);
    CHECK(from == 5 && to == 13);
    CHECK(pwrite64(fd, text, 10, 13) == 10);
    CHECK(pread64(fd, back, 10, 8) == 10);
    say("%s", back);
    void *page = mmap64(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(page != MAP_FAILED && memcmp(page, "0123456789234", 13) == 0);
    CHECK(munmap(page, 4096) == 0);
    CHECK(close(fd) == 0 && close(copy) == 0);
    return NULL;
}

static void *print_numbers(void *unused) {
    (void)unused;
    FILE *stream = fopen("/dev/null", "w");
    CHECK(stream && fprintf(stream, "%d %.3f %.2f %s\n", 7, 2.5, 1e3, "text") == 21);
    CHECK(fclose(stream) == 0);
    return NULL;
}

int main(void) {
    char path[4096];
    pthread_t loader, writer, printer;
    snprintf(path, sizeof path, "%s/libloaded.so", getenv("HAZARD_PARTS"));
    CHECK(pthread_create(&loader, NULL, load_and_unload, path) == 0);
    CHECK(pthread_create(&writer, NULL, write_and_copy, NULL) == 0);
    CHECK(pthread_create(&printer, NULL, print_numbers, NULL) == 0);
    CHECK(pthread_join(writer, NULL) == 0);
    CHECK(pthread_join(printer, NULL) == 0);
    over = 1;
    CHECK(pthread_join(loader, NULL) == 0);
    return 0;
}
