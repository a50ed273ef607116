/* A program that is started and cannot be recorded goes on the list of its run. The child of a vfork may do this while
   other threads of its parent run on in the same memory: everything is on the stack. */
#include <fcntl.h>
#include <string.h>

#include "record/mapped.h"
#include "record/unseen.h"
#include "runtime/core/core.h"
#include "runtime/core/exec.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

typedef struct unseen_entry {
    iol__process_entry head;
    char program[IOL_UNSEEN_PROGRAM];
} unseen_entry;

_Static_assert(sizeof(unseen_entry) % 8 == 0, "as entries have to be");

void iol__run_unseen(uint64_t how, int pid, const char *program) {
    const iol__core *core = &iol__core_state;
    char path[sizeof core->directory + 16];
    unseen_entry entry = {.head = {.bytes = sizeof entry,
                                   .pid = pid,
                                   .run = core->run,
                                   .zero_s = core->zero_s,
                                   .zero_ns = core->zero_ns,
                                   .start = core->start,
                                   .how = how}};
    if (!core->run) return;
    const int saved = errno;
    const char *slash = strrchr(program, '/');
    iol__text name = {entry.program, sizeof entry.program, 0}, text = {path, sizeof path, 0};
    iol__text_add(&name, slash && slash[1] ? slash + 1 : program);
    entry.head.command_bytes = (uint32_t)name.length;
    iol__text_add(&text, core->directory);
    iol__text_add(&text, "/" IOL_RUN_PROCESSES);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND);
    if (fd >= 0) {
        const bool listed = iol__may_write(fd, sizeof entry) && sys(write, fd, &entry, sizeof entry) == sizeof entry;
        if (!listed) sys(fchmod, fd, IOL_LIST_CUT);
        sys(close, fd);
    }
    errno = saved;
}
