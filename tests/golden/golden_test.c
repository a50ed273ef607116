/* Real logs against what the reference tools print for them: every line of theirs in order, and no data line more.
   Where we differ on purpose (docs/differences.md), the table below says for which counters of which logs. Needs the
   corpus of real logs; without it the test is skipped.

     golden_test BIN_DIRECTORY CORPUS */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum { SKIPPED = 77 };

/* Text files as lines --------------------------------------------------------------------------------------------- */

typedef struct lines {
    char *text;
    char **line;
    size_t count;
} lines;

static void *or_die(void *memory) {
    if (memory) return memory;
    fputs("out of memory\n", stderr);
    exit(1);
}

static lines cut_lines(char *text) {
    lines l = {.text = text};
    size_t room = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (l.count == room) {
            room = room ? 2 * room : 1024;
            l.line = or_die(realloc(l.line, room * sizeof *l.line));
        }
        if (*line) l.line[l.count++] = line;
    }
    return l;
}

static void free_lines(lines *l) {
    free(l->text);
    free(l->line);
}

static bool read_gzip(const char *path, lines *l) {
    gzFile file = gzopen(path, "rb");
    if (!file) return false;
    size_t length = 0, room = 1 << 16;
    char *text = or_die(malloc(room));
    int got;
    while ((got = gzread(file, text + length, (unsigned)(room - length - 1))) > 0) {
        length += (size_t)got;
        if (room - length < 4096) text = or_die(realloc(text, room *= 2));
    }
    gzclose(file);
    text[length] = 0;
    *l = cut_lines(text);
    return true;
}

/* Run a program in a directory and take its output. The exit status, or -1. */
static int run(const char *directory, char *const argv[], lines *l) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("TZ", "UTC", 1);
        if (chdir(directory) == 0) execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0, room = 1 << 20;
    char *text = or_die(malloc(room));
    ssize_t got;
    while ((got = read(ends[0], text + length, room - length - 1)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0) length += (size_t)got;
        if (room - length < 65536) text = or_die(realloc(text, room *= 2));
    }
    close(ends[0]);
    text[length] = 0;
    *l = cut_lines(text);
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

/* Deliberate differences ------------------------------------------------------------------------------------------- */

typedef struct facts {
    bool foreign; /* big-endian */
    int posix_version;
    bool mounts;
} facts;

static bool big_endian(const char *path) {
    uint8_t head[16] = {0};
    FILE *file = fopen(path, "rb");
    if (file) {
        size_t got = fread(head, 1, sizeof head, file);
        fclose(file);
        if (got != sizeof head) return false;
    }
    return head[15] != 0; /* the magic is below 2^24 */
}

static facts learn(const char *path, const lines *expected) {
    facts f = {.foreign = big_endian(path)};
    for (size_t i = 0; i < expected->count; i++) {
        const char *line = expected->line[i];
        if (strncmp(line, "# POSIX module:", 15) == 0) f.posix_version = atoi(strstr(line, "ver=") + 4);
        if (strncmp(line, "# mount entry:", 14) == 0) f.mounts = true;
    }
    return f;
}

/* The reference loses the variances of POSIX 2 and 3, and does not swap three times of foreign POSIX below 4. */
static bool in(const char *const *list, const char *name, size_t length) {
    for (; *list; list++)
        if (strlen(*list) == length && strncmp(*list, name, length) == 0) return true;
    return false;
}

static bool counter_differs(const facts *f, const char *name, size_t length) {
    static const char *const variances[] = {"POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES", NULL};
    static const char *const times[] = {"POSIX_F_META_TIME",         "POSIX_F_MAX_READ_TIME",
                                        "POSIX_F_MAX_WRITE_TIME",    "POSIX_MAX_READ_TIME_SIZE",
                                        "POSIX_MAX_WRITE_TIME_SIZE", NULL};
    if ((f->posix_version == 2 || f->posix_version == 3) && in(variances, name, length)) return true;
    return f->foreign && f->posix_version < 4 && in(times, name, length);
}

static bool comment_differs(const facts *f, const char *got, const char *expected) {
    static const char *const estimates[] = {"# unique files: ", "# agg_time_by_slowest: ", "# agg_perf_by_slowest: "};
    if (strcmp(expected, "# exe: ") == 0 && !f->mounts) return strncmp(got, expected, 7) == 0;
    for (size_t i = 0; i < sizeof estimates / sizeof *estimates; i++) {
        size_t length = strlen(estimates[i]);
        if (strncmp(got, estimates[i], length) == 0 && strncmp(expected, estimates[i], length) == 0)
            return f->foreign && f->posix_version < 4;
    }
    return false;
}

static bool data_differs(const facts *f, const char *got, const char *expected) {
    if (strncmp(got, "total_", 6) == 0) {
        const char *colon = strchr(got, ':');
        return colon && strncmp(got, expected, (size_t)(colon - got)) == 0 &&
               counter_differs(f, got + 6, (size_t)(colon - got - 6));
    }
    const char *name = got;
    for (int tabs = 0; tabs < 3 && name; tabs++) name = (name = strchr(name, '\t')) ? name + 1 : NULL;
    const char *end = name ? strchr(name, '\t') : NULL;
    if (!end || strncmp(got, expected, (size_t)(end - got)) != 0) return false;
    return counter_differs(f, name, (size_t)(end - name));
}

/* The reference had no decoder for these. */
static bool extra(const char *line) { return strncmp(line, "APMPI\t", 6) == 0 || strncmp(line, "APXC\t", 5) == 0; }

/* Comparing ---------------------------------------------------------------------------------------------------------- */

static bool compare(const char *what, const lines *got, const lines *expected, const facts *f) {
    size_t e = 0;
    for (size_t g = 0; g < got->count; g++) {
        const char *line = got->line[g], *want = e < expected->count ? expected->line[e] : "(nothing more)";
        if (strcmp(line, want) == 0) {
            e++;
        } else if (*line == '#') {
            e += comment_differs(f, line, want);
        } else if (!extra(line)) {
            if (!data_differs(f, line, want)) {
                printf("%s:\n  got      %s\n  expected %s\n", what, line, want);
                return false;
            }
            e++;
        }
    }
    if (e == expected->count) return true;
    printf("%s: never printed:\n  expected %s\n", what, expected->line[e]);
    return false;
}

static bool check(const char *bin, const char *corpus, const char *log, const char *kind, char *const arguments[]) {
    char program[4096], path[4096], wanted[4096], logs[4096];
    snprintf(program, sizeof program, "%s/%s", bin, arguments[0]);
    snprintf(logs, sizeof logs, "%s/logs", corpus);
    snprintf(path, sizeof path, "%s/logs/%s.darshan", corpus, log);
    snprintf(wanted, sizeof wanted, "%s/expected/%s.%s.txt.gz", corpus, log, kind);
    char name[512];
    snprintf(name, sizeof name, "%s.darshan", log);
    char *argv[10] = {program};
    int n = 1;
    for (int i = 1; arguments[i]; i++) argv[n++] = arguments[i];
    argv[n] = name;
    lines expected, got = {0};
    if (!read_gzip(wanted, &expected)) {
        printf("%s: cannot be read\n", wanted);
        return false;
    }
    int status = run(logs, argv, &got);
    facts f = learn(path, &expected);
    bool good = status == 0 && compare(name, &got, &expected, &f);
    if (status != 0) printf("%s %s: exit status %d\n", arguments[0], name, status);
    free_lines(&expected);
    free_lines(&got);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    char logs[4096];
    snprintf(logs, sizeof logs, "%s/logs", argv[2]);
    DIR *directory = opendir(logs);
    if (!directory) {
        printf("skipped: no corpus at %s\n", argv[2]);
        return SKIPPED;
    }
    char *parser[] = {"darshan-parser", "--show-incomplete", "--base", "--perf", "--total", "--file", NULL};
    char *tracer[] = {"darshan-dxt-parser", "--show-incomplete", NULL};
    unsigned good = 0, bad = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char *suffix = strstr(entry->d_name, ".darshan");
        if (!suffix || suffix[8]) continue;
        *suffix = 0;
        bool same = check(argv[1], argv[2], entry->d_name, "parser", parser);
        same = check(argv[1], argv[2], entry->d_name, "dxt", tracer) && same;
        *(same ? &good : &bad) += 1;
    }
    closedir(directory);
    printf("%u logs as expected, %u not\n", good, bad);
    return bad ? 1 : good ? 0 : SKIPPED;
}
