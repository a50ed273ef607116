/* What the run time was spent on: mean and slowest rank by layer, and the rest; and the rates of each layer. */
#include <string.h>

#include "base/count.h"
#include "report/page/page_internal.h"

/* Layers as the page shows them. A library's own calls are in a second module. */
static const struct {
    const char *name;
    int slot, second;
} layers[] = {
    {"POSIX", IOL_SLOT_POSIX, -1},
    {"MPI-IO", IOL_SLOT_MPIIO, -1},
    {"STDIO", IOL_SLOT_STDIO, -1},
    {"HDF5", IOL_SLOT_H5D, IOL_SLOT_H5F},
    {"PNETCDF", IOL_SLOT_PNETCDF_VAR, IOL_SLOT_PNETCDF_FILE},
    {"DFS", IOL_SLOT_DFS, -1},
    {"DAOS", IOL_SLOT_DAOS, -1},
};
enum { SHOWN = IOL_COUNT(layers) };

static int facts_layer(int slot) {
    for (int l = 0; l < IOL_LAYERS; l++)
        if (iol__facts_slots[l] == slot) return l;
    return -1;
}

/* The rank with most time in files of its own, and for every shared file its slowest rank, whose time is split as that
   of all ranks is. */
static void find_slowest(const iol__page *page, iol__page_layer_time *to, int layer) {
    const iol__facts_layer_ranks *ranks = &page->facts->ranks[layer];
    double most = 0;
    to->slowest_rank = -1;
    for (size_t i = 0; i < ranks->count; i++) {
        const iol__facts_rank *r = &ranks->ranks[i];
        double time = r->time[IOL_READ] + r->time[IOL_WRITE] + r->meta_time;
        if (time <= most) continue;
        most = time;
        to->slowest_rank = (int64_t)i;
        to->slowest_read = r->time[IOL_READ];
        to->slowest_write = r->time[IOL_WRITE];
        to->slowest_meta = r->meta_time;
    }
    double shared = 0;
    for (size_t i = 0; i < page->facts->n_files; i++) {
        const iol__facts_use *use = page->facts->file[i].layer[layer];
        if (!use || !use->whole) continue;
        const iol__facts_whole *whole = use->whole;
        double read = iol__sane(whole->time[IOL_READ]), write = iol__sane(whole->time[IOL_WRITE]);
        double meta = iol__sane(whole->meta_time), all = read + write + meta;
        double slowest = iol__sane(whole->slowest_time);
        if (!(all > 0)) continue;
        to->slowest_read += slowest * (read / all);
        to->slowest_write += slowest * (write / all);
        to->slowest_meta += slowest * (meta / all);
        if (slowest > shared && most == 0) {
            shared = slowest;
            to->slowest_rank = whole->slowest_rank;
        }
    }
}

static void add_second(const iol__page *page, iol__page_layer_time *to, int second) {
    double n = (double)page->facts->processes;
    const iol__facts_sums *sums = &page->facts->modules[second].all;
    if (second == IOL_SLOT_H5F) to->meta += iol__sane(sums->reals[IOL_H5F_F_META_TIME]) / n;
    if (second == IOL_SLOT_PNETCDF_FILE) {
        to->meta += iol__sane(sums->reals[IOL_PNETCDF_FILE_F_META_TIME]) / n;
        to->wait = iol__sane(sums->reals[IOL_PNETCDF_FILE_F_WAIT_TIME]) / n;
    }
}

static bool has_records(const iol__page *page, int slot) {
    const iol__layer *layer = slot < 0 ? NULL : iol__page_layer(page, slot);
    return layer && layer->records > 0;
}

void iol__page_layer_times_make(iol__page *page) {
    double n = (double)page->facts->processes;
    page->layer_times = iol__page_alloc(page, SHOWN, sizeof *page->layer_times);
    for (int i = 0; i < SHOWN; i++) {
        if (!has_records(page, layers[i].slot) && !has_records(page, layers[i].second)) continue;
        iol__page_layer_time *to = &page->layer_times[page->n_layer_times++];
        *to = (iol__page_layer_time){.module = layers[i].name, .wait = -1, .slowest_rank = -1};
        const iol__layer *layer = iol__page_layer(page, layers[i].slot);
        if (layer) {
            to->read = layer->read_time / n;
            to->write = layer->write_time / n;
            to->meta = layer->meta_time / n;
        }
        if (layers[i].second >= 0) add_second(page, to, layers[i].second);
        int inside = facts_layer(layers[i].slot);
        if (inside >= 0)
            find_slowest(page, to, inside);
        else
            to->slowest_read = to->slowest_write = to->slowest_meta = NAN;
    }
}

static void write_layer(iol__json *json, const iol__page_layer_time *to) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "module", to->module);
    iol__json_put_open(json, "mean", '{');
    iol__json_put_real(json, "read", to->read);
    iol__json_put_real(json, "write", to->write);
    iol__json_put_real(json, "meta", to->meta);
    if (to->wait >= 0) iol__json_put_real(json, "wait", to->wait);
    iol__json_close(json, '}');
    iol__json_put_open(json, "slowest", '{');
    iol__json_put_real(json, "rank", to->slowest_rank < 0 ? NAN : (double)to->slowest_rank);
    iol__json_put_real(json, "read", to->slowest_read);
    iol__json_put_real(json, "write", to->slowest_write);
    iol__json_put_real(json, "meta", to->slowest_meta);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void write_bandwidth(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "bandwidth", '[');
    for (int i = 0; i < SHOWN; i++) {
        const iol__layer *layer = iol__page_layer(page, layers[i].slot);
        if (!layer || !layer->traffic || !iol__modules[layers[i].slot].roles->estimated) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", layers[i].name);
        iol__json_put_real(json, "bytes", layer->bytes_read + layer->bytes_written);
        iol__json_put_real(json, "time", layer->time);
        iol__json_put_real(json, "bytes_per_second", layer->bytes_per_second < 0 ? NAN : layer->bytes_per_second);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__page_layer_times_write(iol__json *json, const iol__page *page) {
    double run = page->facts->run_time, io = page->diagnosis->io_time;
    iol__json_put_open(json, "cost", '{');
    iol__json_put_real(json, "run_time", run > 0 ? run : NAN);
    iol__json_put_open(json, "layers", '[');
    for (size_t i = 0; i < page->n_layer_times; i++) write_layer(json, &page->layer_times[i]);
    iol__json_close(json, ']');
    iol__json_put_real(json, "io_time", io);
    iol__json_put_real(json, "other", run > 0 ? fmax(run - io, 0) : NAN);
    iol__json_close(json, '}');
    write_bandwidth(json, page);
}
