/* A program that is started and cannot be recorded goes on the list of its run, and into the note that the prologue of a
   batch job left on the node, of which the epilogue makes a line (packaging/slurm). The child of a vfork may do this while
   other threads of its parent run on in the same memory: everything is on the stack. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "record/mapped.h"
#include "record/place.h"
#include "record/unseen.h"
#include "runtime/core/core.h"
#include "runtime/process/exec.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

typedef struct unseen_entry {
    iol__process_entry head;
    char program[IOL_UNSEEN_PROGRAM];
} unseen_entry;

_Static_assert(sizeof(unseen_entry) % 8 == 0, "as entries have to be");

/* Batch jobs ------------------------------------------------------------------------------------------------------- */

enum { NOTE_MOST = 64 << 10 }; /* bytes of a note */

static const char *const reasons[IOL_UNSEEN_REASONS] = {
#define UNSEEN(NAME, name, what) [IOL_UNSEEN_##NAME] = name,
#include "schema/unseen.def"
#undef UNSEEN
};

static int open_note(void) {
    const iol__core *core = &iol__core_state;
    const char *place = core->config.values[IOL_SET_MMAP_DIR].text;
    char path[sizeof core->directory];
    struct stat now = {0};
    const long user = sys(geteuid, 0);
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, *place ? place : "/dev/shm");
    iol__text_add(&text, "/iolite-entry.");
    iol__text_number(&text, user);
    iol__text_add(&text, ".");
    iol__text_number(&text, iol__job_id(&core->config, core->environment, core->first_pid));
    const int fd = iol__sys_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return -1;
    if (sys(fstat, fd, &now) == 0 && S_ISREG(now.st_mode) && now.st_uid == (uid_t)user && now.st_nlink == 1 &&
        now.st_size < NOTE_MOST)
        return fd;
    sys(close, fd);
    return -1;
}

/* "missed REASON PROGRAM"; "started ..." takes it back. A name has no line end in it. */
static void note_in_job(uint64_t how, const char *program) {
    const uint64_t why = how >> IOL_STARTED_WHY;
    char line[IOL_UNSEEN_PROGRAM + 64];
    const int fd = why < IOL_UNSEEN_REASONS && reasons[why] ? open_note() : -1;
    if (fd < 0) return;
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, how & IOL_STARTED_NOT_AFTER ? "started " : "missed ");
    iol__text_add(&text, reasons[why]);
    iol__text_add(&text, " ");
    iol__text_add(&text, program);
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)line[i] < ' ') line[i] = '?';
    iol__text_add(&text, "\n");
    if (iol__may_write(fd, text.length)) sys(write, fd, line, text.length);
    sys(close, fd);
}

/* Runs ------------------------------------------------------------------------------------------------------------- */

void iol__run_unseen(uint64_t how, int pid, const char *program) {
    const iol__core *core = &iol__core_state;
    if (core->own) return;
    char path[sizeof core->directory + 16];
    unseen_entry entry = {.head = {.bytes = sizeof entry,
                                   .pid = pid,
                                   .run = core->run,
                                   .zero_s = core->zero_s,
                                   .zero_ns = core->zero_ns,
                                   .start = core->start,
                                   .how = how}};
    const int saved = errno;
    const char *slash = strrchr(program, '/');
    iol__text name = {entry.program, sizeof entry.program, 0}, text = {path, sizeof path, 0};
    iol__text_add(&name, slash && slash[1] ? slash + 1 : program);
    note_in_job(how, entry.program);
    errno = saved;
    if (!core->run) return;
    entry.head.command_bytes = (uint32_t)name.length;
    iol__text_add(&text, core->directory);
    iol__text_add(&text, "/" IOL_RUN_PROCESSES);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND);
    const bool listed =
        fd >= 0 && iol__may_write(fd, sizeof entry) && sys(write, fd, &entry, sizeof entry) == sizeof entry;
    if (!listed) iol__run_mode(path, IOL_LIST_CUT);
    if (fd >= 0) sys(close, fd);
    errno = saved;
}

static void tell_of_limits(uint64_t how) {
    iol__run_unseen(how | iol__unseen_how(IOL_UNSEEN_LIMITS), iol__core_state.pid, iol__core_state.program);
}

void iol__unrecorded(void) { tell_of_limits(0); }

void iol__recorded_again(void) { tell_of_limits(IOL_STARTED_NOT_AFTER); }
