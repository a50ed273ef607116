/* The program and its library define names that a careless tool exports as well; each must get its own.
   PART clashing
   LINK -rdynamic
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int clashing_sum(void);
int hash(int value);
int record_new(int value);
int core_init(int value);

int hash(int value) { return value + 1000; }
int record_new(int value) { return value + 2000; }
int core_init(int value) { return value + 3000; }

int main(void) {
    say("library: %d", clashing_sum());
    say("program: %d %d %d", hash(1), record_new(2), core_init(3));
    put(fresh("out.dat"), 3);
    return 0;
}
