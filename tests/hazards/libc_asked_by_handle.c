/* Functions of libc are asked for by the handle of libc, as interpreters with foreign functions do: they are those that
   the program is linked with, and what they do is recorded.
   LINK -ldl
   EXPECT POSIX asked.dat POSIX_OPENS = 1
   EXPECT POSIX asked.dat POSIX_BYTES_WRITTEN = 5
   EXPECT STDIO asked.txt STDIO_BYTES_WRITTEN = 3
   OPERATION spaces UNSEEN = 0
   PLAIN */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

static void *libc;

static void *ask(const char *name) {
    void *found = dlsym(libc, name);
    CHECK(found && !dlerror());
    return found;
}

int main(void) {
    CHECK((libc = dlopen("libc.so.6", RTLD_NOW)) != NULL);
    int (*open_it)(const char *, int, ...) = (int (*)(const char *, int, ...))ask("open");
    ssize_t (*write_it)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))ask("write");
    FILE *(*fopen_it)(const char *, const char *) = (FILE * (*)(const char *, const char *)) ask("fopen");
    int (*fputs_it)(const char *, FILE *) = (int (*)(const char *, FILE *))ask("fputs");
    say("the same %d %d", (void *)open_it == (void *)open, (void *)fputs_it == (void *)fputs);
    say("none: %d", dlsym(libc, "no_such_function") == NULL && dlerror() != NULL);
    const int fd = open_it("asked.dat", O_WRONLY | O_CREAT, 0644);
    CHECK(write_it(fd, "12345", 5) == 5);
    FILE *stream = fopen_it("asked.txt", "w");
    CHECK(stream && fputs_it("abc", stream) >= 0 && fclose(stream) == 0);
    CHECK(dlclose(libc) == 0);
    return 0;
}
