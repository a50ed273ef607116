/* Reading memory that a program hands to the kernel. The kernel answers EFAULT where there is none; a look of ours must
   not end the program instead. So the kernel is asked first. */
#ifndef IOL_RUNTIME_PEEK_H
#define IOL_RUNTIME_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* All of it, or false. Where the kernel does not answer us (a filter of system calls), the log is marked incomplete. */
bool iol__peek(void *to, uint64_t from, size_t bytes);
/* As many of `count` pieces of one size, at most IOL_PEEK_PIECES, as are there before the first that is not. */
enum { IOL_PEEK_PIECES = 32 };
size_t iol__peek_pieces(void *to, const uint64_t *from, size_t count, size_t bytes);
/* A string with its end, which must fit. */
bool iol__peek_string(char *to, uint64_t from, size_t room);
/* Whether one of the buffers of a vector is not aligned. */
bool iol__peek_vector_unaligned(uint64_t vector, uint64_t count);

#endif
