/* The same allocator as in allocator_holds_lock.c, linked: it allocates, and comes to our wrappers with its lock held,
   before Iolite has started.
   PART locking_malloc
   PLAIN
   FLAGS -pthread
   LINK -pthread -Wl,--no-as-needed
   EXPECT POSIX out.dat POSIX_WRITES = 40
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 400
   EXPECT STDIO out.txt STDIO_WRITES = 1 */
#include "tests/hazards/allocator_holds_lock.c"
