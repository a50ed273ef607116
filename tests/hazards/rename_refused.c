/* Some file systems cannot rename without replacing. A filter of system calls, set by an earlier program, stands for
   them: the log still gets its name. (The first program leaves its records, since it is locked in.)
   PLAIN recover
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1) {
        struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
        CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return CANNOT_RUN_HERE;
        again("second");
        return CHECK_FAILED;
    }
    put(fresh("out.dat"), 3);
    say("rename %d %s", renameat2(AT_FDCWD, "out.dat", AT_FDCWD, "new.dat", 1), strerrorname_np(errno));
    return 0;
}
