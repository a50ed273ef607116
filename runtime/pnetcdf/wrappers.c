/* The functions of PnetCDF that programs call. Each calls the real one, and if that succeeded, tells what it did. A
   call that PnetCDF makes to itself inside of another one counts with that one. */
#include <errno.h>

#include "runtime/lazy/lazy.h"
#include "runtime/pnetcdf/pnetcdf.h"

/* Where on its stack this thread has entered PnetCDF, 0 if it has not. A call from deeper down is inside; a call
   that was left by longjmp is not in the way of the next one. */
static __thread uintptr_t inside __attribute__((tls_model("initial-exec")));

/* When the call began; NOT_SEEN if it is not to be recorded. */
#define NOT_SEEN (-1.0)
static __attribute__((noinline)) double enter(const void *frame) {
    const uintptr_t here = (uintptr_t)frame;
    if ((inside != 0 && here < inside) || !iol__awake()) return NOT_SEEN;
    inside = here;
    return iol__now();
}
#define ENTER() enter(__builtin_frame_address(0))

/* The call has returned; what follows is ours. */
#define TELL(when, what)                               \
    do {                                               \
        if (begin < 0) break;                          \
        const int saved = errno;                       \
        const iol__nc_call call = {begin, iol__now()}; \
        if (when) what;                                \
        inside = 0;                                    \
        errno = saved;                                 \
    } while (0)

void iol__pnetcdf_reset(void) {
    inside = 0;
    iol__nc_handles_reset();
}

/* Files ------------------------------------------------------------------------------------------------------------ */

IOL_LAZY int ncmpi_create(void *group, const char *path, int mode, void *info, int *file) {
    const double begin = ENTER();
    const int result = lazy(ncmpi_create)(group, path, mode, info, file);
    TELL(result == 0, iol__nc_opened(*file, path, IOL_PNETCDF_FILE_CREATES, &call));
    return result;
}

IOL_LAZY int ncmpi_open(void *group, const char *path, int mode, void *info, int *file) {
    const double begin = ENTER();
    const int result = lazy(ncmpi_open)(group, path, mode, info, file);
    TELL(result == 0, iol__nc_opened(*file, path, IOL_PNETCDF_FILE_OPENS, &call));
    return result;
}

/* Whatever it returns, the number is not the file's any more. */
IOL_LAZY int ncmpi_close(int file) {
    const double begin = ENTER();
    if (begin >= 0) iol__nc_closing(file);
    const int result = lazy(ncmpi_close)(file);
    TELL(true, iol__nc_closed(file, &call));
    return result;
}

/* Calls on a file as a whole: what they count. */
#define MANAGES(name, parameters, arguments, counter)             \
    IOL_LAZY int name parameters {                                \
        const double begin = ENTER();                             \
        const int result = lazy(name) arguments;                  \
        TELL(result == 0, iol__nc_managed(file, counter, &call)); \
        return result;                                            \
    }
MANAGES(ncmpi_enddef, (int file), (file), -1)
MANAGES(ncmpi__enddef, (int file, long long head, long long align, long long gap, long long record_align),
        (file, head, align, gap, record_align), -1)
MANAGES(ncmpi_redef, (int file), (file), IOL_PNETCDF_FILE_REDEFS)
MANAGES(ncmpi_sync, (int file), (file), IOL_PNETCDF_FILE_SYNCS)

#define WAITS(name, counter)                                                                             \
    IOL_LAZY int name(int file, int n, int *requests, int *results) {                                    \
        const double begin = ENTER();                                                                    \
        const int result = lazy(name)(file, n, requests, results);                                       \
        TELL(true, iol__nc_waited(file, result == 0 ? counter : IOL_PNETCDF_FILE_WAIT_FAILURES, &call)); \
        return result;                                                                                   \
    }
WAITS(ncmpi_wait, IOL_PNETCDF_FILE_INDEP_WAITS)
WAITS(ncmpi_wait_all, IOL_PNETCDF_FILE_COLL_WAITS)

/* Variables -------------------------------------------------------------------------------------------------------- */

IOL_LAZY int ncmpi_def_var(int file, const char *name, int type, int n, const int *dimensions, int *variable) {
    const double begin = ENTER();
    const int result = lazy(ncmpi_def_var)(file, name, type, n, dimensions, variable);
    TELL(result == 0, iol__nc_variable_opened(file, name, *variable, &call));
    return result;
}

IOL_LAZY int ncmpi_inq_varid(int file, const char *name, int *variable) {
    const double begin = ENTER();
    const int result = lazy(ncmpi_inq_varid)(file, name, variable);
    TELL(result == 0, iol__nc_variable_opened(file, name, *variable, &call));
    return result;
}

/* What each form of a data call is about, in the words of its parameters. */
#define ABOUT_var .form = IOL_NC_WHOLE
#define ABOUT_var1 .form = IOL_NC_ELEMENT
#define ABOUT_vara .form = IOL_NC_BOX, .count = count
#define ABOUT_vars .form = IOL_NC_BOX, .count = count, .stride = stride
#define ABOUT_varm .form = IOL_NC_BOX, .count = count, .stride = stride
#define ABOUT_varn .form = IOL_NC_BOXES, .boxes = boxes, .counts = counts
#define ABOUT_vard .form = IOL_NC_BY_TYPE, .filetype = filetype

#define COLLECTIVE_ 0
#define COLLECTIVE__all 1
#define MOVES_put(all) .direction = IOL_WRITE, .kind = COLLECTIVE_##all
#define MOVES_get(all) .direction = IOL_READ, .kind = COLLECTIVE_##all
#define MOVES_iput(all) .direction = IOL_WRITE, .kind = 2
#define MOVES_iget(all) .direction = IOL_READ, .kind = 2
#define MOVES_bput(all) .direction = IOL_WRITE, .kind = 2

static __attribute__((noinline)) int moved(int file, int variable, int result, double begin,
                                           const iol__nc_access *access) {
    TELL(result == 0, iol__nc_moved(file, variable, access, &call));
    return result;
}

#define LAZY(type, name, parameters, arguments, library)
#define PNETCDF_DATA(verb_, VERB, form_, FORM, type, all, parameters, arguments)                               \
    IOL_LAZY int ncmpi_##verb_##_##form_##type##all parameters {                                               \
        const double begin = ENTER();                                                                          \
        const int result = lazy(ncmpi_##verb_##_##form_##type##all) arguments;                                 \
        return moved(                                                                                          \
            file, variable, result, begin,                                                                     \
            &(iol__nc_access){.counter = IOL_PNETCDF_VAR_##VERB##_##FORM, MOVES_##verb_(all), ABOUT_##form_}); \
    }
#include "runtime/pnetcdf/pnetcdf.def"
