/* Records of lines of code, made again from what was read. */
#ifndef IOL_LOG_WHERE_PACK_H
#define IOL_LOG_WHERE_PACK_H

#include "log/trailer/custom.h"
#include "log/trailer/where.h"

typedef struct iol__where_packed {
    iol__custom_table table; /* its lines are its own; everything else is that of the table that it was made from */
} iol__where_packed;

/* False without memory; to be freed in any case. `traced`: there are requests, which refer to chains as they were. Rows of single files and ranks are joined where there are more than
   `most_rows`. */
bool iol__where_pack(const iol__where_all *all, const iol__custom_table *from, size_t most_rows, bool traced,
                     iol__where_packed *packed);
void iol__where_packed_free(iol__where_packed *packed);

#endif
