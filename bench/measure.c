/* measure RUNS COMMAND...: run a command RUNS times and print the medians: seconds of wall clock, seconds of CPU,
   and peak memory in KiB. Its output goes nowhere. Status 1 if the command fails. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 99 };

typedef struct sample {
    double wall, cpu, memory;
} sample;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

static void run_child(char **command) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, 1);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

static sample run_once(char **command) {
    struct rusage usage;
    int status;
    double start = now();
    pid_t child = fork();
    if (child == 0) run_child(command);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        fprintf(stderr, "measure: %s failed\n", command[0]);
        exit(1);
    }
    return (sample){now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), (double)usage.ru_maxrss};
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > MOST) {
        fputs("usage: measure RUNS COMMAND...\n", stderr);
        return 2;
    }
    double wall[MOST], cpu[MOST], memory[MOST];
    for (int i = 0; i < runs; i++) {
        sample s = run_once(argv + 2);
        wall[i] = s.wall;
        cpu[i] = s.cpu;
        memory[i] = s.memory;
    }
    printf("%.3f %.3f %.0f\n", median(wall, runs), median(cpu, runs), median(memory, runs));
    return 0;
}
