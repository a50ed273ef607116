/* Numbers come through a pipe, whose position nobody can ask for: what is in the buffer tells how much was consumed.
   Where the buffer was filled again in the middle of a call, its bytes may be missing, but never too many counted.
   PROCESSES 2
   EXPECT STDIO <STDIN> STDIO_READS = 20001
   EXPECT STDIO <STDIN> STDIO_BYTES_READ >= 100000
   EXPECT STDIO <STDIN> STDIO_BYTES_READ <= 108894 */
#include "tests/hazards/hazard.h"

static void be_source(int to) {
    FILE *stream = fdopen(to, "w");
    CHECK(stream);
    for (int i = 1; i <= 20000; i++) CHECK(fprintf(stream, "%d\n", i) > 0);
    CHECK(fclose(stream) == 0);
    _exit(0);
}

int main(void) {
    int ends[2], number, count = 0;
    long long sum = 0;
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) be_source(ends[1]);
    CHECK(dup2(ends[0], 0) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    for (; scanf("%d", &number) == 1; count++) sum += number;
    say("%d numbers, %lld", count, sum);
    collect(child);
    return 0;
}
