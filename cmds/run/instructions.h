/* Instructions that enter the kernel, in the code of a program that has a libc to do so for it. */
#ifndef IOL_CMDS_INSTRUCTIONS_H
#define IOL_CMDS_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the machine that this was built for; never true on others than x86-64 and AArch64. */
bool enters_kernel(const uint8_t *code, size_t size);

#endif
