/* Putting rows into a time series file. The file is copied, the copy is changed and then takes the place of the original,
   so that whoever reads it, or whoever kills the writer, finds whole files only. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "site/series/series_internal.h"

enum { CHUNK_ROWS = 720, CHUNK_COLUMNS = 64, LEVEL = 4 };

typedef struct commit {
    iol__series to;
    int64_t first, last;
    char *why;
} commit;

static iol_status commit_refuse(commit *on, iol_status status, const char *text, const char *dataset) {
    return iol__series_failed(&on->to, on->why, status, "%s: %s", dataset, text);
}

/* Groups, times, matrices ------------------------------------------------------------------------------------------ */

static bool make_group(commit *on, const char *group) {
    const iol__hdf5 *h = on->to.h;
    if (iol__series_there(&on->to, group)) return true;
    int64_t made = h->H5Gcreate2(on->to.file, group, IOL__H5_DEFAULT, IOL__H5_DEFAULT, IOL__H5_DEFAULT);
    if (made >= 0) h->H5Oclose(made);
    return made >= 0;
}

static iol_status make_times(commit *on, const char *name, int64_t step) {
    const iol__hdf5 *h = on->to.h;
    size_t count = (size_t)((on->last - on->first) / step);
    int64_t *times = iol__arena_alloc(on->to.arena, count + 1, sizeof *times);
    for (size_t i = 0; i < count; i++) times[i] = on->first + (int64_t)i * step;
    const uint64_t size[1] = {count};
    int64_t space = h->H5Screate_simple(1, size, NULL), dataset = -1;
    if (space >= 0)
        dataset =
            h->H5Dcreate2(on->to.file, name, h->std_i64, space, IOL__H5_DEFAULT, IOL__H5_DEFAULT, IOL__H5_DEFAULT);
    bool good =
        dataset >= 0 && h->H5Dwrite(dataset, h->native_int64, IOL__H5_ALL, IOL__H5_ALL, IOL__H5_DEFAULT, times) >= 0;
    if (dataset >= 0) h->H5Dclose(dataset);
    if (space >= 0) h->H5Sclose(space);
    return good ? IOL_OK : commit_refuse(on, IOL_SYSTEM, "the times could not be written", name);
}

static iol_status make_matrix(commit *on, const char *name, size_t rows, size_t columns) {
    const iol__hdf5 *h = on->to.h;
    const double never = -0.0;
    if (columns == 0) columns = 1;
    const uint64_t size[2] = {rows, columns}, most[2] = {rows, IOL__H5_UNLIMITED},
                   chunk[2] = {rows < CHUNK_ROWS ? rows : CHUNK_ROWS,
                               columns < CHUNK_COLUMNS ? columns : CHUNK_COLUMNS};
    int64_t space = h->H5Screate_simple(2, size, most), how = h->H5Pcreate(h->dataset_creation), dataset = -1;
    if (space >= 0 && how >= 0 && h->H5Pset_chunk(how, 2, chunk) >= 0 && h->H5Pset_deflate(how, LEVEL) >= 0 &&
        h->H5Pset_fill_value(how, h->native_double, &never) >= 0)
        dataset = h->H5Dcreate2(on->to.file, name, h->ieee_f64, space, IOL__H5_DEFAULT, how, IOL__H5_DEFAULT);
    if (dataset >= 0) h->H5Dclose(dataset);
    if (how >= 0) h->H5Pclose(how);
    if (space >= 0) h->H5Sclose(space);
    return dataset >= 0 ? IOL_OK : commit_refuse(on, IOL_SYSTEM, "the matrix could not be made", name);
}

/* Merging ----------------------------------------------------------------------------------------------------------- */

static bool commit_transfer(commit *on, int64_t dataset, bool write, size_t first, const iol__frame *rows) {
    const iol__hdf5 *h = on->to.h;
    const uint64_t from[2] = {first, 0}, size[2] = {rows->rows, rows->columns};
    int64_t space = h->H5Dget_space(dataset), memory = h->H5Screate_simple(2, size, NULL);
    bool good = space >= 0 && memory >= 0 && h->H5Sselect_hyperslab(space, 0, from, NULL, size, NULL) >= 0;
    if (good && write)
        good = h->H5Dwrite(dataset, h->native_double, memory, space, IOL__H5_DEFAULT, rows->values) >= 0;
    else if (good)
        good = h->H5Dread(dataset, h->native_double, memory, space, IOL__H5_DEFAULT, rows->values) >= 0;
    if (memory >= 0) h->H5Sclose(memory);
    if (space >= 0) h->H5Sclose(space);
    return good;
}

/* Where each new column goes: by name, else the first free place behind the named ones. Gives how many are named then. */
static size_t place_columns(const iol__frame *new, iol__frame *there, const char **names, size_t *places) {
    size_t named = there->named;
    for (size_t i = 0; i < named; i++) names[i] = there->names[i];
    for (size_t i = 0; i < new->columns; i++) {
        size_t place = 0;
        while (place < named && strcmp(names[place], new->names[i]) != 0) place++;
        if (place == named) names[named++] = new->names[i];
        places[i] = place;
    }
    return named;
}

static void merge_values(const iol__series_part *part, iol__frame *rows, const size_t *places) {
    const iol__frame *new = part->frame;
    for (size_t i = 0; part->averages && i < rows->rows * rows->columns; i++) rows->values[i] = -0.0;
    for (size_t row = 0; row < new->rows; row++)
        for (size_t column = 0; column < new->columns; column++) {
            double value = *iol__frame_at(new, row, column);
            if (value >= 0 && isfinite(value)) *iol__frame_at(rows, row, places[column]) = fabs(value);
        }
}

static iol_status merge_part(commit *on, const iol__series_part *part, int64_t dataset, size_t first,
                             uint64_t sizes[2]) {
    const iol__hdf5 *h = on->to.h;
    iol__arena *arena = on->to.arena;
    iol__frame there;
    iol__frame_make(arena, 0, (size_t)sizes[1], &there);
    iol__series_columns(&on->to, dataset, "columns", &there);
    const char **names = iol__arena_alloc(arena, there.named + part->frame->columns + 1, sizeof *names);
    size_t *places = iol__arena_alloc(arena, part->frame->columns + 1, sizeof *places);
    size_t named = place_columns(part->frame, &there, names, places);
    if (named > sizes[1]) {
        sizes[1] = named;
        if (h->H5Dset_extent(dataset, sizes) < 0)
            return commit_refuse(on, IOL_SYSTEM, "there is no room for more columns", part->dataset);
    }
    iol__frame rows;
    iol__frame_make(arena, part->frame->rows, (size_t)sizes[1], &rows);
    if (rows.rows && !commit_transfer(on, dataset, false, first, &rows))
        return commit_refuse(on, IOL_DAMAGED, "cannot be read", part->dataset);
    merge_values(part, &rows, places);
    bool good = (!rows.rows || commit_transfer(on, dataset, true, first, &rows)) &&
                iol__hdf5_set_texts(h, dataset, "columns", names, named) &&
                iol__hdf5_set_text(h, dataset, "units", part->units) &&
                iol__hdf5_set_integer(h, dataset, "updated", (int64_t)time(NULL));
    return good ? IOL_OK : commit_refuse(on, IOL_SYSTEM, "could not be written", part->dataset);
}

/* Times that are there must be those of the new rows. */
static iol_status check_times(commit *on, const iol__series_part *part, const char *times_name, size_t *first,
                              size_t *rows) {
    int64_t *times;
    iol_status status = iol__series_integers(&on->to, times_name, &times, rows, on->why);
    if (status != IOL_OK) return status;
    const iol__frame *new = part->frame;
    if (*rows > 1 && times[1] - times[0] != new->step)
        return commit_refuse(on, IOL_INVALID, "the file has another time step", part->dataset);
    if (*rows == 0 || (new->rows &&new->times[0] < times[0]))
        return commit_refuse(on, IOL_INVALID, "rows before the beginning of the file", part->dataset);
    *first = new->rows ? (size_t)((new->times[0] - times[0]) / new->step) : 0;
    if (new->rows && ((new->times[0] - times[0]) % new->step != 0 || *first + new->rows > *rows))
        return commit_refuse(on, IOL_INVALID, "rows that do not fit into the times of the file", part->dataset);
    return IOL_OK;
}

static iol_status commit_part(commit *on, const iol__series_part *part) {
    const iol__hdf5 *h = on->to.h;
    const char *slash = strchr(part->dataset, '/');
    const char *group = iol__arena_text(on->to.arena, part->dataset, (size_t)(slash - part->dataset));
    const char *times_name = iol__arena_print(on->to.arena, "%s/timestamps", group);
    size_t first = 0, rows = 0;
    uint64_t sizes[2];
    if (!make_group(on, group)) return commit_refuse(on, IOL_SYSTEM, "the group could not be made", group);
    iol_status status = IOL_OK;
    if (!iol__series_there(&on->to, times_name)) status = make_times(on, times_name, part->frame->step);
    if (status == IOL_OK) status = check_times(on, part, times_name, &first, &rows);
    size_t width = part->width > part->frame->columns ? part->width : part->frame->columns;
    if (status == IOL_OK && !iol__series_there(&on->to, part->dataset))
        status = make_matrix(on, part->dataset, rows, width);
    if (status != IOL_OK) return status;
    int64_t dataset = h->H5Dopen2(on->to.file, part->dataset, IOL__H5_DEFAULT);
    if (dataset < 0 || iol__series_sizes(h, dataset, sizes) != 2 || sizes[0] != rows)
        status = commit_refuse(on, IOL_DAMAGED, "no matrix with a row per time", part->dataset);
    if (status == IOL_OK) status = merge_part(on, part, dataset, first, sizes);
    if (dataset >= 0) h->H5Dclose(dataset);
    int64_t object = h->H5Oopen(on->to.file, group, IOL__H5_DEFAULT);
    if (status == IOL_OK && (object < 0 || !iol__hdf5_set_text(h, object, "source", part->source)))
        status = commit_refuse(on, IOL_SYSTEM, "the source could not be written", group);
    if (object >= 0) h->H5Oclose(object);
    return status;
}

/* The file ---------------------------------------------------------------------------------------------------------- */

static iol_status check_extent(commit *on) {
    const iol__hdf5 *h = on->to.h;
    int64_t start, end;
    if (iol__hdf5_integer(h, on->to.file, "start", &start) && iol__hdf5_integer(h, on->to.file, "end", &end)) {
        if (start == on->first && end == on->last) return IOL_OK;
        return iol__series_failed(&on->to, on->why, IOL_INVALID, "the file covers other times: from @%lld to @%lld",
                                  (long long)start, (long long)end);
    }
    bool good = iol__hdf5_set_integer(h, on->to.file, "start", on->first) &&
                iol__hdf5_set_integer(h, on->to.file, "end", on->last) &&
                iol__hdf5_set_text(h, on->to.file, "version", "1");
    return good ? IOL_OK : iol__series_failed(&on->to, on->why, IOL_SYSTEM, "could not be written");
}

static bool copy_file(int from, const char *to, mode_t mode) {
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 0777);
    if (out < 0) return false;
    ssize_t sent;
    while ((sent = sendfile(out, from, NULL, 1 << 24)) > 0) continue;
    return (close(out) == 0) & (sent == 0);
}

/* A copy of the file under another name, or a new one. */
static iol_status open_copy(commit *on, const char *copy) {
    const iol__hdf5 *h = on->to.h;
    struct stat is;
    int from = open(on->to.path, O_RDONLY | O_CLOEXEC);
    if (from < 0 && errno != ENOENT) return iol__series_failed(&on->to, on->why, IOL_SYSTEM, "%m");
    if (from < 0) {
        on->to.file = h->H5Fcreate(copy, IOL__H5_TRUNC, IOL__H5_DEFAULT, IOL__H5_DEFAULT);
        return on->to.file >= 0 ? IOL_OK : iol__series_failed(&on->to, on->why, IOL_SYSTEM, "cannot be made here");
    }
    bool copied = fstat(from, &is) == 0 && copy_file(from, copy, is.st_mode);
    iol_status status = copied ? IOL_OK : iol__series_failed(&on->to, on->why, IOL_SYSTEM, "cannot be copied: %m");
    close(from);
    if (status != IOL_OK) return status;
    on->to.file = h->H5Fopen(copy, IOL__H5_RDWR, IOL__H5_DEFAULT);
    return on->to.file >= 0 ? IOL_OK
                            : iol__series_failed(&on->to, on->why, IOL_DAMAGED, "no HDF5 file, or a damaged one");
}

static iol_status put_in_place(commit *on, const char *copy) {
    int fd = open(copy, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    if (good && rename(copy, on->to.path) == 0) return IOL_OK;
    return iol__series_failed(&on->to, on->why, IOL_SYSTEM, "%m");
}

static iol_status commit_locked(commit *on, const iol__series_part *parts, size_t count) {
    const char *copy = iol__arena_print(on->to.arena, "%s.new", on->to.path);
    iol_status status = open_copy(on, copy);
    if (status != IOL_OK) {
        unlink(copy);
        return status;
    }
    status = check_extent(on);
    for (size_t i = 0; i < count && status == IOL_OK; i++) status = commit_part(on, &parts[i]);
    if (on->to.h->H5Fclose(on->to.file) < 0 && status == IOL_OK)
        status = iol__series_failed(&on->to, on->why, IOL_SYSTEM, "could not be written");
    if (status == IOL_OK) status = put_in_place(on, copy);
    if (status != IOL_OK) unlink(copy);
    return status;
}

iol_status iol__series_commit(iol__arena *arena, const char *path, int64_t first, int64_t last,
                              const iol__series_part *parts, size_t count, char why[400]) {
    const char *missing;
    commit on = {
        .to = {.arena = arena, .path = path, .h = iol__hdf5_load(&missing)}, .first = first, .last = last, .why = why};
    if (!on.to.h) return iol__series_failed(&on.to, why, IOL_UNSUPPORTED, "%s", missing);
    int lock = open(iol__arena_print(arena, "%s.lock", path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    iol_status status = IOL_SYSTEM;
    if (lock < 0 || flock(lock, LOCK_EX) != 0)
        iol__series_failed(&on.to, why, IOL_SYSTEM, "cannot be locked: %m");
    else
        status = commit_locked(&on, parts, count);
    if (lock >= 0) close(lock);
    return status;
}
