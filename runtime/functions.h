/* All tables of wrapped functions, each line as FUNCTION(type, name, parameters): for those who only want the list.
   Includable many times, with FUNCTION defined. Functions with "..." are handed on to those with a list of arguments, so
   that they are no FUNCTION: who wants them too defines VARIADIC(name). */
#ifndef VARIADIC
#define VARIADIC(name)
#endif
#define MAKES(name, parameters, arguments) FUNCTION(int, name, parameters)
#define MOVES(type, name, parameters, arguments) FUNCTION(type, name, parameters)
#define TRANSFER(name, parameters, arguments, direction, memory, offset) FUNCTION(ssize_t, name, parameters)
#define OPEN(name, parameters, arguments, directory, path, flags, mode) FUNCTION(int, name, parameters)
#define OPEN_MODE(name, parameters, before, arguments, directory, path, flags) FUNCTION(int, name, parameters)
#define TEMPORARY(name, parameters, arguments, path) FUNCTION(int, name, parameters)
#define STAT_PATH(name, parameters, arguments, directory, path, regular) FUNCTION(int, name, parameters)
#define STAT_FD(name, parameters, arguments, regular) FUNCTION(int, name, parameters)
#define COUNT(type, name, parameters, arguments, failed, counter, direction, operation) FUNCTION(type, name, parameters)
#define AT_PATH(type, name, parameters, arguments, operation, directory, path) FUNCTION(type, name, parameters)
#define AT_FD(type, name, parameters, arguments, operation, failed) FUNCTION(type, name, parameters)
#define SEEK(type, name) FUNCTION(type, name, (int fd, type offset, int from))
#define COPY(name, parameters, arguments, from, from_at, to, to_at) FUNCTION(ssize_t, name, parameters)
#define RENAME(name, parameters, arguments, from_at, from, to_at, to) FUNCTION(int, name, parameters)
#define READS(type, name, parameters, arguments, stream, done, bytes) FUNCTION(type, name, parameters)
#define WRITES(type, name, parameters, arguments, stream, done, bytes) FUNCTION(type, name, parameters)
#define BLOCKS_IN(name) FUNCTION(size_t, name, (void *to, size_t size, size_t n, FILE *stream))
#define BLOCKS_OUT(name) FUNCTION(size_t, name, (const void *from, size_t size, size_t n, FILE *stream))
#define GETS(type, name, parameters, arguments, stream, end, bytes) FUNCTION(type, name, parameters)
#define PUTS(type, name, parameters, arguments, stream, end, bytes) FUNCTION(type, name, parameters)
#define PRINTS(name, parameters, last, function, arguments, stream) VARIADIC(name)
#define SCANS(name, parameters, last, function, arguments, stream) VARIADIC(name)
#define SCANS_LIST(name, parameters, arguments, stream) FUNCTION(int, name, parameters)
#define SEEKS(type, name, parameters, arguments, done) FUNCTION(type, name, parameters)

#include "runtime/process/functions.def"
#include "runtime/posix/functions.def"
#include "runtime/stdio/functions.def"

#undef VARIADIC
#undef MAKES
#undef MOVES
#undef TRANSFER
#undef OPEN
#undef OPEN_MODE
#undef TEMPORARY
#undef STAT_PATH
#undef STAT_FD
#undef COUNT
#undef AT_PATH
#undef AT_FD
#undef SEEK
#undef COPY
#undef RENAME
#undef READS
#undef WRITES
#undef BLOCKS_IN
#undef BLOCKS_OUT
#undef GETS
#undef PUTS
#undef PRINTS
#undef SCANS
#undef SCANS_LIST
#undef SEEKS
