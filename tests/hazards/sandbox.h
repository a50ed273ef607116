/* A sandbox of its own making: the system calls on its list, and any other one is deadly. */
#ifndef IOL_TESTS_HAZARDS_SANDBOX_H
#define IOL_TESTS_HAZARDS_SANDBOX_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

#define LET(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define SANDBOX(...) \
    { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), __VA_ARGS__, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) }

#endif
