/* The child of the second stage starts with a limit of 0 for the size of files (`ulimit -f 0`): neither its records nor
   a log can be written, and trying must not raise the signal. What the child did before stays as mapped records.
   TALK
   PLAIN recover
   PROCESSES 2
   EXPECT POSIX before.dat POSIX_BYTES_WRITTEN = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 5 */
#define NO_ROOM_VERBOSE 0
#include "tests/hazards/no_room.h"
