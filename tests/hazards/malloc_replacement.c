/* The program brings its own allocator, which does I/O itself: it is called while the loader and Iolite start.
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT STDIO out.txt STDIO_WRITES = 1 */
#include "tests/hazards/hazard.h"

static _Alignas(64) char pool[8 << 20];
static size_t used;
static int log_descriptor = -1;

/* Sizes are kept before the blocks; nothing is ever freed. */
void *malloc(size_t size) {
    if (log_descriptor < 0) log_descriptor = open("malloc.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (pwrite(log_descriptor, "m", 1, 0) != 1) _exit(CHECK_FAILED);
    size_t room = (size + 15) / 16 * 16 + 16;
    if (room < size || used + room > sizeof pool) return NULL;
    char *block = pool + used + 16;
    memcpy(block - 16, &size, sizeof size);
    used += room;
    return block;
}

void free(void *block) { (void)block; }

void *calloc(size_t count, size_t size) {
    void *block = malloc(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void *realloc(void *old, size_t size) {
    size_t before = 0;
    void *block = malloc(size);
    if (old) memcpy(&before, (char *)old - 16, sizeof before);
    return old && block ? memcpy(block, old, before < size ? before : size) : block;
}

int main(void) {
    put(fresh("out.dat"), 3);
    FILE *stream = fopen("out.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    free(malloc(100));
    return 0;
}
