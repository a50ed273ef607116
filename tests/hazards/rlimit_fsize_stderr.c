/* Standard error is a file, no file may grow any more (`ulimit -f 0`), and a wrong setting gives a reason to speak: the
   line would raise a signal that the program does not expect.
   ENV IOLITE_MEMORY=banana
   TALK
   PLAIN recover
   PROCESSES 2
   EXPECT POSIX before.dat POSIX_BYTES_WRITTEN = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 5 */
#define NO_ROOM_VERBOSE 1
#include "tests/hazards/no_room.h"
