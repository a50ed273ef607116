/* A model of HDF5 for the unit test: just so much of it as Iolite calls. It can be of any version, lack functions, have
   more than one claim to a handle; and it notes when it is asked something that would print an error. */
#ifndef IOL_TESTS_HDF5_MODEL_H
#define IOL_TESTS_HDF5_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { MODEL_DIMENSIONS = 8, MODEL_CALL_GRAINS = 16 };

typedef enum model_kind { MODEL_FREE, MODEL_FILE, MODEL_GROUP, MODEL_DATASET, MODEL_SPACE, MODEL_LIST } model_kind;
typedef enum model_selection { MODEL_NONE, MODEL_POINTS, MODEL_HYPERSLAB, MODEL_ALL } model_selection;

typedef struct model_object {
    model_kind kind;
    int64_t id;
    int claims;
    const char *file, *path;
    int dimensions;
    uint64_t now[MODEL_DIMENSIONS], most[MODEL_DIMENSIONS], chunk[MODEL_DIMENSIONS];
    int64_t element;
    model_selection selection;
    bool regular;
    int64_t points;
    uint64_t stride[MODEL_DIMENSIONS], count[MODEL_DIMENSIONS], block[MODEL_DIMENSIONS];
    bool mpiio, collective;
} model_object;

typedef struct model_library {
    unsigned major, minor;
    const char *lacks;    /* one function that it does not have */
    int complaints;       /* errors that a program would have seen printed */
    void (*inside)(void); /* called in the middle of a call */
    bool fails;           /* every call of the program does */
} model_library;
extern model_library model;

/* An empty library of version 1.10, whose functions can be called. */
void model_begin(void);
/* Something new, a copy of what is described; its number. */
int64_t model_add(model_object described);
model_object *model_find(int64_t id);
/* What opening a dataset gives. */
extern model_object model_dataset;

#endif
