/* A small program that uses what a runtime below it has to follow: descriptors, streams, threads, fork, exec, marks and
   a module of its own. It prints what it finds, always the same, so that any change of behaviour shows. faults-small DIRECTORY */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iolite/module.h"

static const char *directory;

static const char *in(const char *name) {
    static _Thread_local char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void use_descriptors(void) {
    char bytes[64] = "";
    struct stat status = {0};
    int fd = open(in("plain"), O_RDWR | O_CREAT | O_TRUNC, 0640);
    ssize_t written = write(fd, "hello, descriptors", 18);
    ssize_t placed = pwrite(fd, "!", 1, 100);
    off_t at = lseek(fd, 0, SEEK_SET);
    ssize_t got = read(fd, bytes, 18);
    printf("descriptors: %zd %zd %ld %zd %s\n", written, placed, (long)at, got, bytes);
    int twin = dup(fd);
    int known = fstat(twin, &status);
    int absent = open(in("absent/file"), O_RDONLY);
    printf("dup %d, stat %d %ld %o, absent %d %s\n", twin >= 0, known, (long)status.st_size, status.st_mode, absent,
           strerror(errno));
    int closed = close(fd), closed_twin = close(twin), closed_again = close(twin);
    printf("close %d %d, again %d %s\n", closed, closed_twin, closed_again, strerror(errno));
}

static void use_streams(void) {
    char line[64] = "";
    FILE *stream = fopen(in("stream"), "w+");
    if (!stream) return;
    int printed = fprintf(stream, "line %d\n", 7);
    fputs("another\n", stream);
    rewind(stream);
    const char *got = fgets(line, sizeof line, stream);
    printf("streams: %d %s", printed, got ? got : "nothing\n");
    int closed = fclose(stream);
    printf("fclose %d\n", closed);
}

static void *use_thread(void *name) {
    int fd = open(in(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 20; i++)
        if (write(fd, name, strlen(name)) < 0) return "failed";
    close(fd);
    return "done";
}

static void use_threads(void) {
    static char names[3][16] = {"thread.0", "thread.1", "thread.2"};
    pthread_t threads[3];
    for (int t = 0; t < 3; t++) pthread_create(&threads[t], NULL, use_thread, names[t]);
    for (int t = 0; t < 3; t++) {
        void *result = NULL;
        pthread_join(threads[t], &result);
        printf("%s %s\n", names[t], (const char *)result);
    }
}

static void use_children(void) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        use_descriptors();
        fflush(stdout);
        _exit(5);
    }
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    fflush(stdout);
    child = fork();
    if (child == 0) {
        execlp("cat", "cat", in("stream"), (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("cat %d\n", WEXITSTATUS(status));
}

static iolite_record *own_record;

static void at_end(void *unused) {
    int64_t *values = iolite_record_values(own_record);
    (void)unused;
    if (values) iolite_add(values, 1);
}

static void combine(void *unused, void *into, const void *from) {
    (void)unused;
    *(int64_t *)into += *(const int64_t *)from;
}

/* Nothing of it shows. */
static void use_modules(void) {
    static const iolite_counter counters[] = {{"SMALL_STEPS", "", "steps", IOLITE_INT, IOLITE_SUM}};
    const iolite_definition definition = {.bytes = sizeof definition,
                                          .name = "SMALL",
                                          .counters = counters,
                                          .n_counters = 1,
                                          .record_bytes = sizeof(int64_t),
                                          .finish = at_end,
                                          .reduce = combine};
    iolite_module *module = iolite_module_register(&definition);
    for (int i = 0; i < 3; i++) {
        iolite_region_begin("step");
        own_record = iolite_module_record(module, "record", IOLITE_RECORD_OWN);
        int64_t *values = iolite_record_values(own_record);
        if (values) iolite_add(values, 1);
        iolite_record_span(own_record, iolite_now(), iolite_now());
        iolite_region_end("step");
    }
    iolite_region_begin("never ended");
}

int main(int argc, char **argv) {
    directory = argc > 1 ? argv[1] : ".";
    use_modules();
    use_descriptors();
    use_streams();
    use_threads();
    use_children();
    return 3;
}
