/* Repositioning and flushing of streams.
   EXPECT STDIO s.txt STDIO_SEEKS = 6
   EXPECT STDIO s.txt STDIO_FLUSHES = 2
   EXPECT STDIO s.txt STDIO_WRITES = 3
   EXPECT STDIO s.txt STDIO_MAX_BYTE_WRITTEN = 1004 */
#include "tests/hazards/hazard.h"

int main(void) {
    fpos_t position;
    fpos64_t position64;
    FILE *stream = fopen("s.txt", "w+");
    CHECK(stream && fputs("12345", stream) >= 0);
    CHECK(fgetpos(stream, &position) == 0 && fgetpos64(stream, &position64) == 0);
    CHECK(fseek(stream, 1000, SEEK_SET) == 0 && fputs("12345", stream) >= 0);
    CHECK(fseeko(stream, 0, SEEK_END) == 0 && fseeko64(stream, -5, SEEK_CUR) == 0);
    say("at %ld", ftell(stream));
    CHECK(fsetpos(stream, &position) == 0 && fsetpos64(stream, &position64) == 0);
    CHECK(fputs("67890", stream) >= 0);
    CHECK(fflush(stream) == 0 && fflush(NULL) == 0 && fflush(stream) == 0);
    rewind(stream);
    say("bad seek: %d %s", fseek(stream, -1, SEEK_SET), strerrorname_np(errno));
    CHECK(fclose(stream) == 0);
    return 0;
}
