/* A library that makes its own copy of the environment before anybody else, as those do that set the title of a
   process. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int entries;

__attribute__((constructor)) static void copy(void) {
    size_t n = 0;
    while (environ[n]) n++;
    char **list = calloc(n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++) list[i] = strdup(environ[i]);
    if (list) environ = list;
    entries = (int)n;
}

int copying_loaded(void);
int copying_loaded(void) { return entries; }
