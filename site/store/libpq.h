/* libpq, which is loaded when a store of PostgreSQL's is opened: it brings twenty libraries with it that nothing else needs,
   and Iolite must start where it is not installed. Neither headers nor library are needed to build. */
#ifndef IOL_SITE_STORE_LIBPQ_H
#define IOL_SITE_STORE_LIBPQ_H

typedef struct iol__libpq {
/* clang-format off */
#define PQ(result, name, arguments) __typeof__(result) (*name) arguments;
#include "site/store/libpq.def"
#undef PQ
    /* clang-format on */
} iol__libpq;

/* From libpq-fe.h and the catalogue of types; these never change. */
enum {
    IOL_PQ_CONNECTED = 0,
    IOL_PQ_COMMAND_OK = 1,
    IOL_PQ_TUPLES_OK = 2,
    IOL_PQ_COPY_IN = 4,
    IOL_PQ_SINGLE_TUPLE = 9,
    IOL_PQ_IDLE = 0,
    IOL_PQ_SQLSTATE = 'C',
    IOL_PQ_BOOL = 16,
    IOL_PQ_INT8 = 20,
    IOL_PQ_INT2 = 21,
    IOL_PQ_INT4 = 23,
    IOL_PQ_FLOAT4 = 700,
    IOL_PQ_FLOAT8 = 701,
    IOL_PQ_NUMERIC = 1700,
};

/* NULL: it is not there. */
const iol__libpq *iol__libpq_load(void);

#endif
