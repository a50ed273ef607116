/* make-workflow DIR: logs of two runs of a workflow at one time, one log per process with the process id as job id, each in
   the folder of a day: what tests of stores begin with. Of each run there are workers that met at a file, a child on the
   host of one, and a short program behind it; besides there is one that belongs to nobody, and one of another user. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/logrecords.h"

typedef struct process {
    const char *user, *command, *host, *file;
    int uid, pid, start, day;
} process;

#define WORKER "python dask worker --scheduler-file=scheduler.json"
static const process processes[] = {
    {"ann", WORKER, "n1", "/run1/scheduler.json", 7, 3100, 4, 1},
    {"ann", WORKER, "n1", "/run1/scheduler.json", 7, 3200, 2, 1},
    {"ann", WORKER, "n2", "/run1/scheduler.json", 7, 3050, 0, 2}, /* the first one */
    {"ann", "python child", "n1", NULL, 7, 3210, 6, 2},
    {"ann", "uname -p", NULL, NULL, 7, 3214, 7, 3},
    {"ann", WORKER, "n3", "/run2/scheduler.json", 7, 5100, 4, 1},
    {"ann", WORKER, "n4", "/run2/scheduler.json", 7, 5001, 1, 3},
    {"ann", "python child", "n3", NULL, 7, 5110, 5, 2},
    {"ann", "ls", NULL, NULL, 7, 9000, 6, 2},
    {"bob", WORKER, "n1", "/run1/scheduler.json", 8, 3300, 3, 2},
};

static void write_log(const char *directory, const process *p) {
    static const int64_t begin = 1700000000;
    size_t length;
    char path[4096];
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->uid = p->uid;
    made->start = begin + p->start;
    made->end = begin + 100;
    made->job_id = p->pid;
    made->text = p->command;
    if (p->file) lm_name(made, 1, p->file);
    if (p->host) {
        const lm_segment segment = {0, 100, 0.1, 0.2, 0};
        lm_name(made, 2, "/some/data");
        lm_trace(lm_records(made, LM_DXT_POSIX, 1), 2, 0, p->host, &segment, 0, 1, false);
    }
    uint8_t *file_bytes = lm_finish(made, &length);
    lm_free(made);
    snprintf(path, sizeof path, "%s/%d", directory, p->day);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%d/%s_app_id%d-%d_11-14-80000-%d_1.darshan", directory, p->day, p->user, p->pid,
             p->pid, p->pid);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(file_bytes, 1, length, file) != length || fclose(file) != 0) {
        fprintf(stderr, "make-workflow: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    free(file_bytes);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make-workflow DIR\n", stderr);
        return 2;
    }
    mkdir(argv[1], 0777);
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) write_log(argv[1], &processes[i]);
    return 0;
}
