/* The kernel is asked whether memory can be read: rt_sigprocmask reads its set before it refuses what it should do with
   it. That costs a small part of a copy by process_vm_readv, and filters of system calls nearly always allow it. But
   valgrind takes it for a use of what is there, which need not have a value yet: under valgrind it is a copy. */
#include <errno.h>
#include <stdint.h>
#include <sys/uio.h>

#include "runtime/core/core.h"
#include "runtime/core/sys.h"

enum { SET = 8 };

static bool copied(uint64_t address) {
    char bytes[SET];
    struct iovec here = {bytes, SET}, there = {(void *)(uintptr_t)address, SET};
    return sys(process_vm_readv, iol__core_state.pid, &here, 1UL, &there, 1UL, 0UL) == SET;
}

int iol__there_at(uint64_t address) {
    enum { NO_WAY_AT_ALL = -1 };
    const int saved = errno;
    address &= ~(uint64_t)(SET - 1);
    if (address == 0) return 0; /* the kernel would take it for no set at all */
    errno = 0;
    if (iol__core_state.valgrind)
        errno = copied(address) ? EINVAL : errno;
    else
        sys(rt_sigprocmask, NO_WAY_AT_ALL, address, NULL, SET);
    const int answer = errno;
    errno = saved;
    return answer == EINVAL ? 1 : answer == EFAULT ? 0 : -1;
}
