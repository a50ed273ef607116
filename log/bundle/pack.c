/* Small logs are best as a recipe, because a dictionary knows most of what is in them; large ones are best in columns,
   which know what a record is. What was packed is unpacked again at once, and compared. */
#include "log/bundle/pack.h"

#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/write/rewrite.h"

enum { COLUMNS_LEAST = 64 << 10 }; /* bytes in streams from which columns are tried */

bool iol__packing_open(iol__bundle_packing *packing, const iol__dictionary *dictionary) {
    *packing =
        (iol__bundle_packing){.encoders = iol__encoders_new(), .framer = iol__framer_new(), .dictionary = dictionary};
    if (packing->encoders && packing->framer) return true;
    iol__packing_close(packing);
    return false;
}

void iol__packing_close(iol__bundle_packing *packing) {
    iol__encoders_free(packing->encoders);
    iol__framer_free(packing->framer);
    *packing = (iol__bundle_packing){0};
}

void iol__packed_free(iol__packed *packed) {
    free(packed->columns.bytes);
    free(packed->frame.bytes);
    *packed = (iol__packed){0};
}

/* Packing -------------------------------------------------------------------------------------------------------------- */

bool iol__pack_sample(iol__bundle_packing *packing, const uint8_t *log, size_t length, iol__body *to) {
    iol__pieces pieces;
    iol__body recipe = {0};
    const bool good = iol__pieces_find(packing->encoders, log, length, &pieces) &&
                      iol__recipe_write(&pieces, log, length, NULL, NULL, &recipe) &&
                      iol__body_put(to, recipe.bytes, recipe.length);
    iol__pieces_free(&pieces);
    free(recipe.bytes);
    return good;
}

static bool pack_pack_frame(iol__bundle_packing *packing, const iol__body *recipe, iol__packed *packed) {
    packed->recipe = recipe->length;
    return iol__frame_pack(packing->framer, packing->dictionary, recipe->bytes, recipe->length, &packed->frame);
}

static bool read_whole(const iol_log *log, iol__body *to) {
    uint8_t piece[1 << 14];
    for (uint64_t at = 0; at < log->info.file_bytes;) {
        const int64_t got = iol__source_read(log->source, at, piece, sizeof piece);
        if (got <= 0 || !iol__body_put(to, piece, (size_t)got)) return false;
        at += (uint64_t)got;
    }
    return true;
}

/* The log in columns, as a log that is open; NULL where that loses something. */
static iol_log *pack_columns_of(iol_log *log) {
    iol_write_options options = {.compression = IOL_ARCHIVE};
    const iol__rewrite unchanged = {0};
    iol_writer *writer;
    iol_log *columns = NULL;
    iol_error error;
    iol__rewrite_versions(log, &options);
    if (iol__rewrite_check(log, &unchanged, &error) != IOL_OK) return NULL;
    if (iol__writer_spool_as(&options, &writer, &error) != IOL_OK) return NULL;
    if (iol__rewrite_log(log, writer, &unchanged) != IOL_OK || iol_log_error_count(log)) {
        iol_writer_abort(writer);
        return NULL;
    }
    return iol__writer_reread(writer, NULL, &columns, &error) == IOL_OK ? columns : NULL;
}

/* False if there is no such form of this log. */
static bool pack_columns(iol__bundle_packing *packing, const iol__pieces *pieces, const uint8_t *bytes, size_t length,
                         iol__packed *packed) {
    iol_log *log;
    iol_error error;
    iol__body recipe = {0};
    if (iol_log_open_memory(bytes, length, NULL, &log, &error) != IOL_OK) return false;
    iol_log *columns = pack_columns_of(log);
    packed->form = IOL_PACKED_COLUMNS;
    const bool good = columns && iol__recipe_write(pieces, bytes, length, log, columns, &recipe) &&
                      read_whole(columns, &packed->columns) && pack_pack_frame(packing, &recipe, packed);
    free(recipe.bytes);
    iol_log_close(columns);
    iol_log_close(log);
    return good;
}

static bool pack_recipe(iol__bundle_packing *packing, const iol__pieces *pieces, const uint8_t *bytes, size_t length,
                        iol__packed *packed) {
    iol__body recipe = {0};
    packed->form = IOL_PACKED_RECIPE;
    const bool good =
        iol__recipe_write(pieces, bytes, length, NULL, NULL, &recipe) && pack_pack_frame(packing, &recipe, packed);
    free(recipe.bytes);
    return good;
}

static size_t pack_size_of(const iol__packed *packed) { return packed->columns.length + packed->frame.length; }

/* Columns first where there is enough for them, because compressing the same bytes as a recipe takes long. */
bool iol__pack_log(iol__bundle_packing *packing, const uint8_t *log, size_t length, iol__packed *packed) {
    iol__pieces pieces = {0};
    *packed = (iol__packed){0};
    if (length == 0 || length > IOL_PACKED_LOG_MOST) return true; /* as it is */
    bool good = iol__pieces_find(packing->encoders, log, length, &pieces);
    const bool columns =
        good && pieces.raw.length >= COLUMNS_LEAST && pack_columns(packing, &pieces, log, length, packed);
    if (!columns) iol__packed_free(packed);
    if (good && !columns) good = pack_recipe(packing, &pieces, log, length, packed);
    iol__pieces_free(&pieces);
    if (good && pack_size_of(packed) >= length) iol__packed_free(packed);
    return good;
}

/* Unpacking ------------------------------------------------------------------------------------------------------------ */

static const char *unpack_frame(iol__bundle_packing *packing, const iol__packed *packed, uint8_t **recipe) {
    *recipe = malloc(packed->recipe + 1);
    if (!*recipe) return iol__no_memory;
    if (iol__frame_unpack(packing->framer, packing->dictionary, packed->frame.bytes, packed->frame.length, *recipe,
                          packed->recipe))
        return NULL;
    return "its compressed bytes are damaged";
}

const char *iol__unpack_log(iol__bundle_packing *packing, const iol__packed *packed, uint8_t *log, size_t length) {
    iol_log *columns = NULL;
    iol_error error;
    uint8_t *recipe;
    const char *wrong = unpack_frame(packing, packed, &recipe);
    if (!wrong && packed->form == IOL_PACKED_COLUMNS &&
        iol_log_open_memory(packed->columns.bytes, packed->columns.length, NULL, &columns, &error) != IOL_OK)
        wrong = "its columns are damaged";
    if (!wrong) wrong = iol__recipe_follow(packing->encoders, recipe, packed->recipe, columns, log, length);
    iol_log_close(columns);
    free(recipe);
    return wrong;
}

const char *iol__unpack_content(iol__bundle_packing *packing, const iol__packed *packed, iol__body *log) {
    uint8_t *recipe;
    *log = (iol__body){0};
    const char *wrong = unpack_frame(packing, packed, &recipe);
    if (!wrong) wrong = iol__recipe_content(recipe, packed->recipe, log);
    free(recipe);
    return wrong;
}
