/* Lines of any length; the one that does not come is not counted.
   EXPECT STDIO l.txt STDIO_READS = 3
   EXPECT STDIO l.txt STDIO_BYTES_READ = 5016
   EXPECT STDIO l.txt STDIO_MAX_BYTE_READ = 5015
   EXPECT STDIO l.txt STDIO_OPENS = 2 */
#include "tests/hazards/hazard.h"

int main(void) {
    char *line = NULL;
    size_t room = 0;
    FILE *stream = fopen("l.txt", "w");
    CHECK(stream && fprintf(stream, "first\n%05000d\nlast;no", 7) == 5014);
    CHECK(fputs("\n;", stream) >= 0 && fclose(stream) == 0);
    stream = fopen("l.txt", "r");
    CHECK(stream);
    say("%zd", getline(&line, &room, stream));
    say("%zd", getline(&line, &room, stream));
    say("%zd", getdelim(&line, &room, '!', stream));
    say("%zd, end %d", getline(&line, &room, stream), feof(stream));
    free(line);
    CHECK(fclose(stream) == 0);
    return 0;
}
