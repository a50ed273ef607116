/* One table of compression methods. */
#include "log/read/methods.h"

#include <stddef.h>

#include "base/count.h"
#include "iolite/log.h"

static const struct {
    unsigned method;
    const char *name;
    bool here;
} methods[] = {
    {IOL_ZLIB, "zlib", true},          {IOL_BZIP2, "bzip2", IOL_HAVE_BZIP2},         {IOL_UNCOMPRESSED, "none", true},
    {IOL_ZSTD, "zstd", IOL_HAVE_ZSTD}, {IOL_ARCHIVE, "zstd-columns", IOL_HAVE_ZSTD},
};

const char *iol__method_name(unsigned method) {
    for (size_t i = 0; i < IOL_COUNT(methods); i++)
        if (methods[i].method == method) return methods[i].name;
    return NULL;
}

bool iol__method_here(unsigned method) {
    for (size_t i = 0; i < IOL_COUNT(methods); i++)
        if (methods[i].method == method) return methods[i].here;
    return false;
}
