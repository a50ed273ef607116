/* Every line of syscalls.def as ROW(name), for those who only want the list. Includable many times. */
#undef TRANSFER
#undef SEEK
#undef COUNT
#undef OPEN
#undef STAT_PATH
#undef STAT_FD
#undef RENAME
#undef COPY
#undef AT_PATH
#undef AT_FD
#define TRANSFER(name, parameters, arguments, direction, memory, offset) ROW(name)
#define SEEK(type, name) ROW(name)
#define COUNT(type, name, parameters, arguments, bad, counter, direction, operation) ROW(name)
#define OPEN(name, parameters, arguments, directory, path, flags, mode) ROW(name)
#define STAT_PATH(name, parameters, arguments, directory, path, regular) ROW(name)
#define STAT_FD(name, parameters, arguments, regular) ROW(name)
#define RENAME(name, parameters, arguments, from_at, from, to_at, to) ROW(name)
#define COPY(name, parameters, arguments, from, from_at, to, to_at) ROW(name)
#define AT_PATH(type, name, parameters, arguments, operation, directory, path) ROW(name)
#define AT_FD(type, name, parameters, arguments, operation, failed) ROW(name)
#define HAND(name) ROW(name)
#define UNSEEN(name) ROW(name)
#include "runtime/posix/syscalls.def"
