/* The loader's functions for loading, as the program has them. They are found at run time: before glibc 2.34 they are in
   a library of their own, libdl, which a program need not have, and whoever refers to them by name then cannot be loaded
   at all. */
#ifndef IOL_RUNTIME_LOADER_H
#define IOL_RUNTIME_LOADER_H

typedef struct iol__loader {
    void *(*open)(const char *path, int mode);
    int (*close)(void *object);
    char *(*error)(void);
    void *(*symbol)(void *object, const char *name);
} iol__loader;

/* All of them; where libdl had to be loaded first and could not be, functions that find nothing. */
const iol__loader *iol__loader_functions(void);

#endif
