/* driver [--keep] [--without] [--linked] [--launcher=COMMAND] PROGRAM SOURCE: runs a hazard program without Iolite and through `iolite run`, each time
   in an empty directory of the same name. Output, status and files left must be the same, and the log must say what the
   first comment of the source expects. `--without` stops after the first run, `--keep` leaves the scratch directory.
   `--linked`: the program has Iolite in it, which is switched off for the run without, and needs no preloading.
   `--launcher`: what starts the ranks of a parallel program, before `-n NUMBER PROGRAM`.
   Status 77: the program says that it cannot be run here (it ends with 77), or libiolite.so is not built.

   Lines of that comment that begin with one of these words ask for something:

     FLAGS, LINK, PART NAME       compiler flags, linker flags, a shared library of parts/ to link with (for the build)
     NEEDS HEADER                 without this header the program is not built
     ENV NAME=VALUE               set for every run
     ARGUMENTS WORD...            of the program
     RANKS NUMBER                 that the launcher starts
     STDIN TEXT                   standard input is a file with this text and a newline; else it is /dev/null
     CLOSED NUMBER...             descriptors that are closed when the program starts
     PRELOAD NAME                 another preloaded library (parts/): behind ours through `run`, before it in PLAIN
     PLAIN [recover]              once more by LD_PRELOAD alone; `recover`: it leaves mapped records, which are merged
     LINGERS                      a process lives on until the driver, after the command has ended, makes the file ../go
     STATUS NUMBER | signal N     how the program ends, else with 0
     TALK [WORD]                  Iolite may say one line on standard error, and others lines that begin with the word
     LOGS LEAST [MOST]            how many logs there are, else 1
     PROCESSES NUMBER             of the run
     RECORDS MODULE NAME NUMBER   how many records fit
     EXPECT MODULE NAME COUNTER OPERATOR VALUE [WHEN COUNTER OPERATOR VALUE]
     OPERATION NAME COUNTER OPERATOR VALUE     of the totals: COUNT, FAILED or TIME; of "ring", "calls" and "spaces" UNSEEN,
                                  of "updates" LOST, of "processes" STOPPED
     SIZE NAME NUMBER             how large the file was when it was first opened
     CUSTOM MODULE NAME COUNTER OPERATOR VALUE  of a custom module; also RECORDS and SPANS that fit, and of the whole
                                  module FOLDED, SPANS_LOST and FAILED. NAME is a pattern for all of a name
     ABSENT MODULE TEXT           no record has a name that holds the text
     PARTIAL MODULE               the module must be marked incomplete; all others must not. Of a custom one: `check` may
                                  have notes

   NAME is a pattern (* ? and the escapes \n \t \s \\ \xHH) for the whole name or for its end from a slash on. COUNTER
   is worth its sum over all records that fit; VALUE is a number or another counter. Traces have the counters WRITES,
   READS, WRITE_BYTES, READ_BYTES, WRITE_OFFSETS and READ_OFFSETS, heat maps have WRITTEN and READ.

   Programs are given HAZARD_PARTS, where the libraries of parts/ are. */
#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hazards/driver.h"

enum { PATIENCE = 100 /* seconds, then something hangs */, SKIPPED = 77 };

/* `base` holds: work, stdout, stderr and stdin of the run that goes on; without/ and with/ for those that were. */
static char base[64] = "/tmp/iolite-hazard-XXXXXX", mapped[128] = "/dev/shm/iolite-hazard-XXXXXX";
static const char *name;
/* The log is meant to lack something, which `check` tells by status 1. */
static bool incomplete;
static bool linked;
static const char *launcher;
static char program[PATH_ROOM], iolite[PATH_ROOM], checklist[PATH_ROOM], library[PATH_ROOM], parts[PATH_ROOM];
static int failures;

void complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("%s: ", name);
    vprintf(format, list);
    puts("");
    va_end(list);
    failures++;
}

static const char *in_base(const char *what) {
    static char paths[8][PATH_ROOM];
    static unsigned turn;
    char *path = paths[turn++ % 8];
    snprintf(path, PATH_ROOM, "%s/%s", base, what);
    return path;
}

/* Starting things ----------------------------------------------------------------------------------------------- */

typedef enum launch { WITHOUT, THROUGH_RUN, PRELOADED } launch;

static void leave_out_settings(void) {
    static const char *const prefixes[] = {"IOLITE_", "DARSHAN_", "DXT_", "LD_PRELOAD="};
    for (char **variable = environ; *variable;) {
        bool ours = false;
        for (size_t i = 0; i < 4; i++) ours |= strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0;
        char copy[256];
        snprintf(copy, sizeof copy, "%s", *variable);
        *strchrnul(copy, '=') = '\0';
        if (!ours || unsetenv(copy) != 0) variable++;
    }
}

static void set_environment(const hazard *h, launch how) {
    char preload[3 * PATH_ROOM] = "", other[PATH_ROOM + 64];
    leave_out_settings();
    if (h->preload) {
        snprintf(other, sizeof other, "%s/lib%s.so", parts, h->preload);
        snprintf(preload, sizeof preload, "%s", other);
    }
    if (how == PRELOADED && !linked) {
        snprintf(preload, sizeof preload, "%s%s%s", h->preload ? other : "", h->preload ? ":" : "", library);
    }
    if (how == PRELOADED) setenv("IOLITE_LOG_DIR", in_base("logs"), 1);
    if (how == THROUGH_RUN) setenv("IOLITE_LIBRARY", library, 1);
    if (how == WITHOUT && linked) setenv("IOLITE_DISABLE", "1", 1);
    if (how != WITHOUT) setenv("IOLITE_MMAP_DIR", mapped, 1);
    if (*preload) setenv("LD_PRELOAD", preload, 1);
    setenv("HOME", in_base("home"), 1);
    setenv("HAZARD_PARTS", parts, 1);
    for (size_t i = 0; i < h->n_environment; i++) putenv((char *)(uintptr_t)h->environment[i]);
}

static void redirect(const char *path, int flags, int to) {
    int fd = open(path, flags, 0600);
    if (fd < 0 || (fd != to && dup2(fd, to) < 0)) _exit(98);
    if (fd != to) close(fd);
}

/* The numbers that a program gets are part of its behaviour, so it starts with the same ones whoever runs the tests. */
static void set_descriptors(const hazard *h) {
    close_range(3, ~0U, 0);
    redirect(h->stdin_text ? in_base("stdin") : "/dev/null", O_RDONLY, 0);
    redirect(in_base("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(in_base("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 2);
    for (int fd = 0; fd < 3; fd++)
        if (h->closed[fd]) close(fd);
}

static void become_program(const hazard *h, launch how) {
    char *words[2 * MOST_WORDS + 9];
    size_t count = 0;
    if (how == THROUGH_RUN) {
        words[count++] = iolite;
        words[count++] = "run";
        words[count++] = "--quiet";
        words[count++] = "--log-dir";
        words[count++] = strdup(in_base("logs"));
        words[count++] = "--";
    }
    static char copy[PATH_ROOM], number[16];
    snprintf(copy, sizeof copy, "%s", launcher ? launcher : "");
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) words[count++] = word;
    snprintf(number, sizeof number, "%ld", h->ranks);
    if (launcher) words[count++] = "-n", words[count++] = number;
    words[count++] = program;
    for (size_t i = 0; i < h->n_arguments; i++) words[count++] = (char *)(uintptr_t)h->arguments[i];
    words[count] = NULL;
    setpgid(0, 0);
    umask(022);
    set_environment(h, how);
    set_descriptors(h);
    if (chdir(in_base("work")) != 0) _exit(98);
    execvp(words[0], words);
    _exit(98);
}

static pid_t running;

static void on_hang(int number) {
    (void)number;
    kill(-running, SIGKILL);
}

/* Waits for the program and then, as their adopted parent, for all that it left. */
static int wait_for_all(const hazard *h) {
    int status = 0, ignored;
    signal(SIGALRM, on_hang);
    alarm(PATIENCE);
    while (waitpid(running, &status, 0) < 0 && errno == EINTR) {}
    if (h->lingers) close(open(in_base("go"), O_WRONLY | O_CREAT, 0600));
    while (waitpid(-1, &ignored, 0) > 0 || errno == EINTR) {}
    if (alarm(0) == 0) complain("hangs: not over after %d seconds", PATIENCE);
    unlink(in_base("go"));
    return status;
}

static void put_stdin(const hazard *h) {
    FILE *file = fopen(in_base("stdin"), "w");
    if (!file) return;
    if (h->stdin_text) fprintf(file, "%s\n", h->stdin_text);
    fclose(file);
}

static int run(const hazard *h, launch how) {
    mkdir(in_base("work"), 0755);
    mkdir(in_base("home"), 0755);
    put_stdin(h);
    fflush(stdout);
    running = fork();
    if (running == 0) become_program(h, how);
    return wait_for_all(h);
}

/* Runs a tool on a file; its output is shown if it fails. */
static void must_accept(const char *tool, const char *first, const char *second, const char *path) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        redirect(in_base("tool"), O_WRONLY | O_CREAT | O_TRUNC, 1);
        dup2(1, 2);
        if (first)
            execl(tool, tool, first, second, path, (char *)NULL);
        else
            execl(tool, tool, path, (char *)NULL);
        _exit(98);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (status == 0 || (incomplete && WIFEXITED(status) && WEXITSTATUS(status) == 1)) return;
    char *said = read_whole(in_base("tool"), NULL);
    complain("%s %s does not accept it, status %d:\n%s", basename(strdupa(tool)), path, WEXITSTATUS(status),
             said ? said : "");
    free(said);
}

/* Comparing ------------------------------------------------------------------------------------------------------- */

static void keep_as(const char *directory) {
    char to[64];
    mkdir(in_base(directory), 0755);
    static const char *const things[] = {"work", "stdout", "stderr"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(to, sizeof to, "%s/%s", directory, things[i]);
        rename(in_base(things[i]), in_base(to));
    }
}

/* Takes out the first lines that begin so. */
static void leave_out(char *text, size_t *length, const char *beginning, unsigned most) {
    for (char *line = text; *line && most > 0;) {
        char *end = strchrnul(line, '\n');
        if (*end) end++;
        if (strncmp(line, beginning, strlen(beginning)) != 0) {
            line = end;
            continue;
        }
        memmove(line, end, *length - (size_t)(end - text) + 1);
        *length -= (size_t)(end - line);
        most--;
    }
}

static void compare_output(const hazard *h, const char *directory, const char *stream) {
    char path[64];
    size_t lengths[2] = {0};
    snprintf(path, sizeof path, "without/%s", stream);
    char *without = read_whole(in_base(path), &lengths[0]);
    snprintf(path, sizeof path, "%s/%s", directory, stream);
    char *with = read_whole(in_base(path), &lengths[1]);
    if (with && strcmp(stream, "stderr") == 0) {
        if (h->talk) leave_out(with, &lengths[1], "iolite: ", 1);
        if (h->others_talk) leave_out(with, &lengths[1], h->others_talk, UINT_MAX);
    }
    if (!without || !with)
        complain("%s is missing", stream);
    else if (lengths[0] != lengths[1] || memcmp(without, with, lengths[0]) != 0)
        complain("%s differs\n--- without Iolite\n%s--- with\n%s---", stream, without, with);
    free(without);
    free(with);
}

static void compare_runs(const hazard *h, const char *directory, int status_without, int status_with) {
    char work[64];
    snprintf(work, sizeof work, "%s/work", directory);
    if (status_without != status_with)
        complain("status differs: without Iolite %d, with %d (as of wait)", status_without, status_with);
    compare_output(h, directory, "stdout");
    compare_output(h, directory, "stderr");
    trees_compare(in_base("without/work"), in_base(work));
}

static void accept_log(const char *path, const char *entry, void *context) {
    (void)entry, (void)context;
    must_accept(iolite, "check", "--", path);
    must_accept(checklist, NULL, NULL, path);
}

static void left_over(const char *path, const char *entry, void *context) {
    (void)entry, (void)context;
    complain("%s was left behind", path);
}

static void recover_one(const char *path, const char *entry, void *context) {
    char output[PATH_ROOM];
    (void)context;
    mkdir(in_base("logs"), 0755);
    snprintf(output, sizeof output, "--output=%s/logs/%s.darshan", base, entry);
    must_accept(iolite, "merge", output, path);
    unlink(path);
}

/* Of a log that is meant to lack something `check` has notes. */
static bool lacks_something(const hazard *h) {
    bool lacks = h->n_partial > 0;
    for (size_t i = 0; i < h->n_expectations; i++) {
        const expectation *e = &h->expectations[i];
        lacks |=
            e->kind == EXPECT_OPERATION && (strcmp(e->is.counter, "LOST") == 0 || strcmp(e->is.counter, "UNSEEN") == 0);
    }
    return lacks;
}

static void compare_launch(const hazard *h, launch how, const char *directory, int status_without) {
    incomplete = lacks_something(h);
    int status = run(h, how);
    keep_as(directory);
    compare_runs(h, directory, status_without, status);
    bool recover = how == PRELOADED && h->recover;
    size_t left = tree_entries(mapped, recover ? recover_one : left_over, NULL);
    if (recover && left == 0) complain("left no mapped records");
    tree_entries(in_base("logs"), accept_log, NULL);
    logs_check(h, in_base("logs"), how == THROUGH_RUN);
    tree_entries(in_base("home"), left_over, NULL);
    tree_remove(mapped);
    mkdir(mapped, 0755);
}

/* The whole ------------------------------------------------------------------------------------------------------- */

static bool set_paths(const char *given) {
    const char *bin = getenv("IOLITE_BIN"), *tools = getenv("IOLITE_TOOLS");
    if (!realpath(given, program) || !mkdtemp(base)) return false;
    if (!mkdtemp(mapped)) {
        snprintf(mapped, sizeof mapped, "%s/mapped", base);
        mkdir(mapped, 0755);
    }
    chmod(base, 0755);
    chmod(mapped, 0755);
    snprintf(parts, sizeof parts, "%s", program);
    snprintf(strrchr(parts, '/'), 8, "/parts");
    snprintf(iolite, sizeof iolite, "%s/iolite", bin ? bin : ".");
    const char *another = getenv("IOLITE_LIBRARY");
    snprintf(library, sizeof library, "%s", another ? another : "");
    if (!another) snprintf(library, sizeof library, "%s/../lib/libiolite.so", bin ? bin : ".");
    snprintf(checklist, sizeof checklist, "%s/checklist", tools ? tools : ".");
    return true;
}

static bool status_is_expected(const hazard *h, int status) {
    bool fine = h->signal ? WIFSIGNALED(status) && WTERMSIG(status) == h->signal
                          : WIFEXITED(status) && WEXITSTATUS(status) == h->exit_status;
    if (!fine) {
        char *said = read_whole(in_base("stderr"), NULL);
        complain("ends unexpectedly without Iolite, status %d (as of wait):\n%s", status, said ? said : "");
        free(said);
    }
    return fine;
}

static void run_all(const hazard *h, bool only_without) {
    int status = run(h, WITHOUT);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) exit(SKIPPED);
    if (!status_is_expected(h, status) || only_without) return;
    if (access(library, R_OK) != 0) {
        printf("%s: skipped, there is no %s\n", name, library);
        exit(SKIPPED);
    }
    keep_as("without");
    compare_launch(h, THROUGH_RUN, "with", status);
    if (!h->plain) return;
    rename(in_base("logs"), in_base("with/logs"));
    compare_launch(h, PRELOADED, "plain", status);
}

static bool keep;

static void clean_up(void) {
    if (keep)
        printf("%s: kept in %s\n", name, base);
    else
        tree_remove(base);
    tree_remove(mapped);
}

int main(int argc, char **argv) {
    bool only_without = false;
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        keep |= strcmp(argv[at], "--keep") == 0;
        only_without |= strcmp(argv[at], "--without") == 0;
        linked |= strcmp(argv[at], "--linked") == 0;
        if (strncmp(argv[at], "--launcher=", 11) == 0) launcher = argv[at] + 11;
    }
    if (argc - at != 2) {
        fputs("usage: driver [--keep] [--without] [--linked] [--launcher=COMMAND] PROGRAM SOURCE\n", stderr);
        return 2;
    }
    name = basename(strdupa(argv[at]));
    hazard h;
    if (!hazard_read(argv[at + 1], &h)) return 1;
    if (!set_paths(argv[at])) {
        perror(argv[at]);
        return 2;
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    atexit(clean_up);
    run_all(&h, only_without);
    hazard_free(&h);
    return failures > 0;
}
