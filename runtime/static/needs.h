/* For archive.sh, which has it preprocessed: NEED name other, where the wrapper of a name calls the real other;
   and LATER name, for functions of other libraries than libc. */
#define FUNCTION(type, name, parameters)
#define READS(type, name, parameters, arguments, stream, done, bytes)
#define WRITES(type, name, parameters, arguments, stream, done, bytes)
#define GETS(type, name, parameters, arguments, stream, end, bytes)
#define PUTS(type, name, parameters, arguments, stream, end, bytes)
#define SEEKS(type, name, parameters, arguments, done)
#define SCANS_LIST(name, parameters, arguments, stream)
#define NEEDS(name, function) NEED name function
#define PRINTS(name, parameters, last, function, arguments, stream) NEEDS(name, function)
#define SCANS(name, parameters, last, function, arguments, stream) NEEDS(name, function)
// clang-format off
#include "runtime/stdio/functions.def"
NEEDS(execl, execv)
NEEDS(execlp, execvp)
NEEDS(execle, execve)
NEEDS(dprintf, vdprintf)
NEEDS(__dprintf_chk, __vdprintf_chk)
NEEDS(__vfork, vfork)
#define LATE(type, name, parameters, arguments, library) LATER name
#include "runtime/posix/late.def"
