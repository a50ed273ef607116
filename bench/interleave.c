/* interleave [-c] ROUNDS COMMAND...: runs commands in turn, so that what else the machine does hits all of them alike,
   and prints for each the median of its times in microseconds: of the wall clock, or with -c of the processor, for user
   and system, of the command and of all processes that it waited for. A command is one argument, split at blanks;
   leading words NAME=VALUE go to its environment. Its output goes nowhere. Status 1 if a command fails. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 999, MOST_COMMANDS = 16, MOST_WORDS = 64 };

static double times[MOST_COMMANDS][MOST_ROUNDS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

_Noreturn static void become(const char *command) {
    static char text[65536];
    char *words[MOST_WORDS + 1] = {0}, *rest = text;
    int count = 0, nowhere = open("/dev/null", O_WRONLY);
    snprintf(text, sizeof text, "%s", command);
    for (char *word; (word = strsep(&rest, " ")) && count < MOST_WORDS;) {
        if (!*word) continue;
        if (count == 0 && strchr(word, '='))
            putenv(word);
        else
            words[count++] = word;
    }
    if (nowhere >= 0 && dup2(nowhere, 1) >= 0 && count > 0) execvp(words[0], words);
    fprintf(stderr, "interleave: %s: %s\n", command, strerror(errno));
    _exit(127);
}

static double microseconds(struct timeval t) { return (double)t.tv_sec * 1e6 + (double)t.tv_usec; }

static double run_once(const char *command, bool processor) {
    struct rusage usage;
    int status;
    double start = now();
    pid_t child = fork();
    if (child == 0) become(command);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        fprintf(stderr, "interleave: this failed: %s\n", command);
        exit(1);
    }
    return processor ? microseconds(usage.ru_utime) + microseconds(usage.ru_stime) : now() - start;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    const bool processor = argc > 1 && strcmp(argv[1], "-c") == 0;
    argc -= processor;
    argv += processor;
    int rounds = argc > 2 ? atoi(argv[1]) : 0, commands = argc - 2;
    if (rounds < 1 || rounds > MOST_ROUNDS || commands > MOST_COMMANDS) {
        fputs("usage: interleave [-c] ROUNDS COMMAND...\n", stderr);
        return 2;
    }
    for (int round = 0; round < rounds; round++)
        for (int c = 0; c < commands; c++) times[c][round] = run_once(argv[c + 2], processor);
    for (int c = 0; c < commands; c++) {
        qsort(times[c], (size_t)rounds, sizeof **times, ascending);
        printf("%.0f%c", times[c][rounds / 2], c + 1 < commands ? ' ' : '\n');
    }
    return 0;
}
