/* The calls of an ordinary C program, on files of known content: descriptors, streams in all sizes of pieces, characters
   that the compiler takes from the buffer by itself, threads, and children that are forked and that are other programs.
   To be linked statically and dynamically: the counters have to be the same. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 1000, BLOCKS = 64, BLOCK = 4096, THREADS = 4 };

static void descriptors(void) {
    char block[BLOCK] = {1};
    struct iovec vector[2] = {{block, 100}, {block, 200}};
    struct stat facts;
    int fd = open("blocks", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < BLOCKS; i++)
        if (write(fd, block, BLOCK) != BLOCK) abort();
    for (int i = BLOCKS - 1; i >= 0; i -= 3)
        if (pread(fd, block, BLOCK, i * BLOCK) != BLOCK) abort();
    if (writev(fd, vector, 2) != 300 || fsync(fd) != 0 || lseek(fd, 0, SEEK_SET) != 0) abort();
    if (read(fd, block, 10) != 10 || fstat(fd, &facts) != 0 || ftruncate(fd, 100) != 0) abort();
    const int copy = dup(fd);
    if (close(fd) != 0 || close(copy) != 0 || stat("blocks", &facts) != 0 || rename("blocks", "renamed") != 0) abort();
}

static void streams(void) {
    char *line = NULL, word[64];
    size_t room = 0;
    int number;
    FILE *file = fopen("lines", "w+");
    for (int i = 0; i < LINES; i++) fprintf(file, "line %d\n", i);
    fputs("an end\n", file);
    putc('x', file);
    rewind(file);
    while (getline(&line, &room, file) > 0) {}
    fseek(file, 5, SEEK_SET);
    if (fscanf(file, "%d %63s", &number, word) != 2) abort();
    if (!fgets(word, sizeof word, file) || fread(word, 1, 10, file) != 10) abort();
    fclose(file);
    free(line);
}

static void characters(void) {
    long sum = 0;
    FILE *from = fopen("lines", "r"), *to = fopen("copied", "w");
    for (int c; (c = getc_unlocked(from)) != EOF; sum += c) putc_unlocked(c, to);
    fclose(from);
    fclose(to);
    if (sum == 0) abort();
}

static void *write_alone(void *number) {
    char name[32], block[BLOCK] = {2};
    snprintf(name, sizeof name, "thread.%d", *(int *)number);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < BLOCKS; i++)
        if (write(fd, block, BLOCK) != BLOCK) abort();
    close(fd);
    return NULL;
}

static void threads(void) {
    pthread_t all[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&all[i], NULL, write_alone, &numbers[i]) != 0) abort();
    }
    for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
}

static void children(void) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen("forked", "w");
        fputs("child\n", file);
        fclose(file);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) abort();
    if (system("cat lines >by.cat") != 0) abort();
}

int main(int argc, char **argv) {
    descriptors();
    streams();
    characters();
    threads();
    children();
    if (argc > 1 && strcmp(argv[1], "hang") == 0) {
        puts("ready");
        fflush(stdout);
        pause();
    }
    return 0;
}
