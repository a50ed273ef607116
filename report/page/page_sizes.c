/* Access sizes: how many requests are in each class, and how many bytes. Counters have only the number of requests, so
   bytes are exact where every request was traced, and estimates elsewhere. */
#include <string.h>

#include "base/count.h"
#include "report/page/page_internal.h"

static const char *const labels[IOL_SIZE_BUCKETS] = {"0-100", "101-1K", "1K-10K",   "10K-100K", "100K-1M",
                                                     "1M-4M", "4M-10M", "10M-100M", "100M-1G",  "1G+"};
static const int sized[] = {IOL_SLOT_H5D,   IOL_SLOT_PNETCDF_VAR, IOL_SLOT_MPIIO,
                            IOL_SLOT_POSIX, IOL_SLOT_DFS,         IOL_SLOT_DAOS};

enum { ROUNDS = 8 };

/* Bytes of a class are between its bounds times its requests. Within them, all classes are scaled from their middle
   by one factor so that the sum is what the module moved; what meets a bound stays there. */
static void page_sizes_estimate(const double counts[IOL_SIZE_BUCKETS], double total, double bytes[IOL_SIZE_BUCKETS]) {
    double low[IOL_SIZE_BUCKETS], high[IOL_SIZE_BUCKETS];
    for (int b = 0; b < IOL_SIZE_BUCKETS; b++) {
        double above = b ? (double)iol__size_bounds[b - 1] + 1 : 0;
        double up_to = iol__size_bounds[b] ? (double)iol__size_bounds[b] : INFINITY;
        low[b] = counts[b] * above;
        high[b] = counts[b] > 0 ? counts[b] * up_to : 0;
        bytes[b] = counts[b] * (isinf(up_to) ? 2 * above : b ? sqrt(above * up_to) : up_to / 2);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double fixed = 0, free = 0;
        for (int b = 0; b < IOL_SIZE_BUCKETS; b++)
            *(bytes[b] <= low[b] || bytes[b] >= high[b] ? &fixed : &free) += bytes[b];
        if (!(free > 0) || !(total > fixed)) break;
        double factor = (total - fixed) / free;
        for (int b = 0; b < IOL_SIZE_BUCKETS; b++) {
            if (bytes[b] <= low[b] || bytes[b] >= high[b]) continue;
            bytes[b] = fmin(fmax(bytes[b] * factor, low[b]), high[b]);
        }
        if (fabs(factor - 1) < 1e-6) break;
    }
}

static void write_numbers(iol__json *json, const char *key, const double numbers[IOL_SIZE_BUCKETS]) {
    iol__json_put_open(json, key, '[');
    for (int b = 0; b < IOL_SIZE_BUCKETS; b++) iol__json_real(json, floor(numbers[b] + 0.5));
    iol__json_close(json, ']');
}

static void write_page_sizes_layer(iol__json *json, const iol__page *page, const iol__layer *layer) {
    double counts[IOL_DIRECTIONS][IOL_SIZE_BUCKETS], bytes[IOL_DIRECTIONS][IOL_SIZE_BUCKETS];
    const double moved[IOL_DIRECTIONS] = {layer->bytes_read, layer->bytes_written};
    const iol__page_grid *grid = iol__page_trace_complete(page, layer->module.slot, layer->reads, layer->writes);
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        for (size_t b = 0; b < IOL_SIZE_BUCKETS; b++)
            counts[direction][b] = iol__sane(iol__layer_size_count(layer, direction == IOL_WRITE, b));
        page_sizes_estimate(counts[direction], moved[direction], bytes[direction]);
        if (grid) memcpy(bytes[direction], grid->bin_bytes[direction], sizeof bytes[direction]);
    }
    iol__json_open(json, '{');
    iol__json_put_text(json, "module", layer->module.name);
    iol__json_put_open(json, "labels", '[');
    for (int b = 0; b < IOL_SIZE_BUCKETS; b++) iol__json_text(json, labels[b]);
    iol__json_close(json, ']');
    iol__json_put_open(json, "bounds", '[');
    for (int b = 0; b < IOL_SIZE_BUCKETS; b++)
        iol__json_real(json, iol__size_bounds[b] ? (double)iol__size_bounds[b] : NAN);
    iol__json_close(json, ']');
    write_numbers(json, "reads", counts[IOL_READ]);
    write_numbers(json, "writes", counts[IOL_WRITE]);
    write_numbers(json, "read_bytes", bytes[IOL_READ]);
    write_numbers(json, "write_bytes", bytes[IOL_WRITE]);
    iol__json_put_bool(json, "estimated", grid == NULL);
    iol__json_close(json, '}');
}

void iol__page_sizes_write(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "sizes", '[');
    for (size_t i = 0; i < IOL_COUNT(sized); i++) {
        const iol__layer *layer = iol__page_layer(page, sized[i]);
        if (layer && layer->totals && layer->records) write_page_sizes_layer(json, page, layer);
    }
    iol__json_close(json, ']');
}
