/* Entries for programs that were not recorded, made by the run and not by one of its processes. */
#include "cmds/run/unseen.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/library.h"
#include "record/mapped.h"
#include "record/unseen.h"

enum { SURVIVORS_MOST = 1024, LEVELS = 64 };

static void unseen_note(const run_directory *run, iol__unseen_why why, pid_t pid, const char *name) {
    struct {
        iol__process_entry head;
        char program[IOL_UNSEEN_PROGRAM];
    } entry = {.head = {.bytes = sizeof entry,
                        .pid = (int32_t)pid,
                        .parent = getpid(),
                        .run = run->number,
                        .zero_s = run->zero.tv_sec,
                        .zero_ns = run->zero.tv_nsec,
                        .how = iol__unseen_how(why)}};
    const char *slash = strrchr(name, '/');
    snprintf(entry.program, sizeof entry.program, "%s", slash && slash[1] ? slash + 1 : name);
    entry.head.command_bytes = (uint32_t)strlen(entry.program);
    int fd = openat(run->held, IOL_RUN_PROCESSES, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return;
    if (write(fd, &entry, sizeof entry) != sizeof entry && fchmod(fd, IOL_LIST_CUT) != 0)
        fprintf(stderr, "iolite: %s is not recorded, and could not be listed\n", entry.program);
    close(fd);
}

iol__unseen_why why_unseen(const program *facts) {
    if (facts->error || !facts->elf || !unseen_because(facts)) return IOL_UNSEEN_NOT;
    if (!facts->native) return IOL_UNSEEN_MACHINE;
    if (harmed_because(facts)) return IOL_UNSEEN_LIBC;
    if (facts->libc == IOL_PROGRAM_STATIC) return IOL_UNSEEN_STATIC;
    return facts->go ? IOL_UNSEEN_GO : IOL_UNSEEN_PRIVILEGED;
}

void note_first_program(const run_directory *run, iol__unseen_why why, const char *name, pid_t pid) {
    if (why) unseen_note(run, why, pid, name);
}

void note_lost(const run_directory *run) { unseen_note(run, IOL_UNSEEN_DIRECTORY, 0, ""); }

/* Survivors ------------------------------------------------------------------------------------------------------- */

/* Its parent and its name; false if it has ended. */
static bool read_process(pid_t pid, pid_t *parent, char name[IOL_UNSEEN_PROGRAM]) {
    char path[64], text[512], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC), number = 0;
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (got <= 0) return false;
    text[got] = '\0';
    char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || sscanf(end + 1, " %c %d", &state, &number) != 2) return false;
    *end = '\0';
    snprintf(name, IOL_UNSEEN_PROGRAM, "%s", begin + 1);
    *parent = number;
    return state != 'Z' && state != 'X';
}

static bool descends_from_us(pid_t pid) {
    char name[IOL_UNSEEN_PROGRAM];
    for (int level = 0; level < LEVELS && pid > 1; level++) {
        pid_t parent = 0;
        read_process(pid, &parent, name);
        if (parent == getpid()) return true;
        pid = parent;
    }
    return false;
}

void note_survivors(const run_directory *run) {
    DIR *all = opendir("/proc");
    int noted = 0;
    if (access("/proc/self/stat", R_OK) != 0) unseen_note(run, IOL_UNSEEN_OUTLIVED, 0, ""); /* no /proc says who */
    for (const struct dirent *one; all && noted < SURVIVORS_MOST && (one = readdir(all)) != NULL;) {
        char name[IOL_UNSEEN_PROGRAM], *end;
        const long pid = strtol(one->d_name, &end, 10);
        pid_t parent;
        if (*end || pid <= 1 || !descends_from_us((pid_t)pid) || !read_process((pid_t)pid, &parent, name)) continue;
        unseen_note(run, IOL_UNSEEN_OUTLIVED, (pid_t)pid, name);
        noted++;
    }
    if (all) closedir(all);
}
