/* Before a library is loaded, somebody asks whether there is such a function; what he finds under Iolite is of no use,
   but does no harm.
   NEEDS libaio.h
   LINK -ldl
   EXPECT POSIX plug.dat POSIX_WRITES = 3
   EXPECT POSIX plug.dat POSIX_BYTES_WRITTEN = 300 */
#define ASKED_BEFORE
#include "tests/hazards/library_comes_and_goes.c"
