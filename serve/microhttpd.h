/* libmicrohttpd, loaded when a server starts: it brings libraries for encryption along, and no other command shall wait for
   those. Only the listener uses it. */
#ifndef IOL_SERVE_MICROHTTPD_H
#define IOL_SERVE_MICROHTTPD_H

#include <microhttpd.h>

#define IOL_MHD(X)                 \
    X(add_connection)              \
    X(add_response_header)         \
    X(create_response_from_buffer) \
    X(create_response_from_fd64)   \
    X(destroy_response)            \
    X(get_connection_info)         \
    X(get_connection_values)       \
    X(lookup_connection_value)     \
    X(queue_response)              \
    X(start_daemon)                \
    X(stop_daemon)

typedef struct iol__mhd {
#define POINTER(name) __typeof__(MHD_##name) *name;
    IOL_MHD(POINTER)
#undef POINTER
} iol__mhd;

/* NULL: it is not on this machine. */
const iol__mhd *iol__mhd_load(void);

#endif
