/* Streams without a file: nothing to record; their memory becomes that of a stream with one.
   EXPECT STDIO r.txt STDIO_OPENS = 10
   EXPECT STDIO r.txt STDIO_BYTES_WRITTEN = 40
   EXPECT STDIO r.txt STDIO_READS = 0 */
#include "tests/hazards/hazard.h"

static ssize_t swallow(void *context, const char *bytes, size_t count) {
    (void)context, (void)bytes;
    return (ssize_t)count;
}

int main(void) {
    for (int i = 0; i < 10; i++) {
        char text[32] = "in memory", *made = NULL;
        size_t size = 0;
        FILE *memory = fmemopen(text, sizeof text, "r"), *growing = open_memstream(&made, &size);
        FILE *cookie = fopencookie(NULL, "w", (cookie_io_functions_t){.write = swallow});
        CHECK(memory && growing && cookie);
        int first = fgetc(memory);
        CHECK(fputs("grows", growing) >= 0 && fputs("gone", cookie) >= 0);
        CHECK(fclose(memory) == 0 && fclose(growing) == 0 && fclose(cookie) == 0);
        say("%c %s", first, made);
        free(made);
        FILE *real = fopen("r.txt", "w");
        CHECK(real && fputs("real", real) >= 0 && fclose(real) == 0);
    }
    FILE *temporary = tmpfile();
    CHECK(temporary && fputs("temporary", temporary) >= 0 && fclose(temporary) == 0);
    return 0;
}
