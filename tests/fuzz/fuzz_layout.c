/* The fuzzer of Lustre's layouts: any bytes as the attribute of a file. What opens must be readable to its end, and
   must not claim more stripes than its bytes have room for. */
#include <stdlib.h>

#include "runtime/lustre/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    iol__lustre_layout layout;
    iol__layout_part part;
    size_t stripes = 0, planned = 0;
    if (!iol__layout_open(&layout, data, size)) return 0;
    while (iol__layout_next(&layout, &part)) {
        const int64_t count = part.counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
        if (count < 0 || (count > 0 && !part.used)) abort();
        planned += !part.used;
        for (int64_t i = 0; i < count; i++, stripes++)
            if (iol__layout_ost(&part, i) < INT32_MIN) abort();
    }
    if (layout.next != layout.parts || stripes > size / 24 || planned > layout.parts) abort();
    return 0;
}
