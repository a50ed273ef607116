/* Wrapped functions that the headers of older C libraries do not declare. */
#ifndef IOL_RUNTIME_CORE_DECLARATIONS_H
#define IOL_RUNTIME_CORE_DECLARATIONS_H

int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);
int execveat(int at, const char *path, char *const arguments[], char *const environment[], int flags);
int move_mount(int from, const char *what, int to, const char *where, unsigned flags);

#endif
