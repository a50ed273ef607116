/* PnetCDF: its files (PNETCDF_FILE) and their variables (PNETCDF_VAR). A variable is known by its number and that of
   its file, so that two files that are open at once do not mix. */
#ifndef IOL_RUNTIME_PNETCDF_H
#define IOL_RUNTIME_PNETCDF_H

#include "runtime/core/common.h"
#include "runtime/core/tuples.h"

extern iol__runtime_module iol__pnetcdf_file_module, iol__pnetcdf_var_module;

/* In a forked child: the handles are the parent's, and nobody is at them. */
void iol__pnetcdf_reset(void);

/* Asking PnetCDF (ask.c), after a call of the program that succeeded ----------------------------------------------- */

/* A variable, as it was when the program came to know it. */
typedef struct iol__nc_shape {
    int64_t dimensions, points, element; /* points of one record, if it has records */
    int records;                         /* the dimension that counts them, -1: it has none */
} iol__nc_shape;

enum { IOL_NC_NAME = 257 };

/* False if PnetCDF does not know it. With a `name`, of IOL_NC_NAME bytes, that as well. */
bool iol__nc_shape_of(int file, int variable, iol__nc_shape *shape, char *name);
int64_t iol__nc_length(int file, int dimension);
/* What PnetCDF has read and written in a file, -1 if it does not tell. */
int64_t iol__nc_bytes(int file, iol__direction direction);

/* Handles (handles.c) ---------------------------------------------------------------------------------------------- */

typedef struct iol__nc_variable {
    struct iol__nc_file *within;
    int number;
    iol__file *file;   /* of the name "path:variable"; NULL if it is not watched */
    iol__state *state; /* NULL, or without a record, before the first update and after a fork */
    iol__nc_shape shape;
    struct iol__nc_variable *next; /* of those of a file, or of those that are not used */
} iol__nc_variable;

typedef struct iol__nc_file {
    int number;
    iol__file *file;
    iol__state *state;
    iol__nc_variable *variables;
    struct iol__nc_file *next; /* of those that are not used */
} iol__nc_file;

/* NULL if it is not known. */
iol__nc_file *iol__nc_file_find(int number);
iol__nc_variable *iol__nc_variable_find(int file, int number);
/* Known from now on, instead of what had this number before. */
iol__nc_file *iol__nc_file_add(int number, iol__file *file);
iol__nc_variable *iol__nc_variable_add(iol__nc_file *within, int number, iol__file *file);
/* A file is closed, and its variables with it. */
void iol__nc_file_drop(int number);
void iol__nc_handles_reset(void);

/* Files (file.c) --------------------------------------------------------------------------------------------------- */

/* A call of the program. */
typedef struct iol__nc_call {
    double begin, end;
} iol__nc_call;

void iol__nc_opened(int number, const char *path, int counter, const iol__nc_call *call);
/* Before the file is closed, and after. */
void iol__nc_closing(int number);
void iol__nc_closed(int number, const iol__nc_call *call);
/* A call that counts (-1: only its time does) as metadata. */
void iol__nc_managed(int number, int counter, const iol__nc_call *call);
void iol__nc_waited(int number, int counter, const iol__nc_call *call);

/* Variables (variable.c) ------------------------------------------------------------------------------------------- */

typedef enum iol__nc_form { IOL_NC_WHOLE, IOL_NC_ELEMENT, IOL_NC_BOX, IOL_NC_BOXES, IOL_NC_BY_TYPE } iol__nc_form;

/* Which part of a variable a call is about. Small, because more than five hundred functions make one. */
typedef struct iol__nc_access {
    uint8_t form;      /* iol__nc_form */
    uint8_t direction; /* iol__direction */
    uint8_t kind;      /* 0 independent, 1 collective, 2 nonblocking */
    uint8_t counter;   /* of the function */
    int boxes;
    union {
        const long long *count;   /* of a box */
        long long *const *counts; /* of several */
        void *filetype;
    };
    const long long *stride;
} iol__nc_access;

void iol__nc_variable_opened(int file, const char *name, int number, const iol__nc_call *call);
void iol__nc_moved(int file, int number, const iol__nc_access *access, const iol__nc_call *call);

#endif
