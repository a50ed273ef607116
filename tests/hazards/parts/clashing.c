/* A library with functions and data whose names are known to clash, which it calls through its own symbols. */
#include "tests/hazards/hazard.h"

int hash2(int value);
int hash3(int value);
int hashbig(int value);
int hashword(int value);
int hashlittle2(int value);
int serial_init(int value);
int serial_finalize(int value);
int foo(int value);
int clashing_sum(void);
extern int dC, config, settings, active;

int dC = 1, config = 2, settings = 3, active = 4;

int hash2(int value) { return value + 1; }
int hash3(int value) { return value + 2; }
int hashbig(int value) { return value + 3; }
int hashword(int value) { return value + 4; }
int hashlittle2(int value) { return value + 5; }
int serial_init(int value) { return value + 6; }
int serial_finalize(int value) { return value + 7; }
int foo(int value) { return value + 8; }

int clashing_sum(void) {
    int (*const functions[])(int) = {hash2, hash3, hashbig, hashword, hashlittle2, serial_init, serial_finalize, foo};
    int sum = dC + config + settings + active;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) sum = functions[i](sum);
    return sum;
}
