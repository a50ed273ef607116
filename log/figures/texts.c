/* A text is found by the hash of its bytes. Where two have the same hash, which only a prepared log brings about, the second
   is stored again every time it comes: that takes memory in proportion to the log, but never a search. */
#include "log/figures/texts.h"

#include <stdlib.h>
#include <string.h>

#include "iolite/log.h"

static size_t append_text(iol__texts *texts, const char *text, size_t length) {
    if (texts->room - texts->length <= length) {
        const size_t least = texts->length + length + 1, room = 2 * texts->room > least ? 2 * texts->room : least + 240;
        char *grown = realloc(texts->block, room);
        if (!grown) return SIZE_MAX;
        texts->block = grown;
        texts->room = room;
    }
    memcpy(texts->block + texts->length, text, length + 1);
    texts->length += length + 1;
    return texts->count++;
}

static bool reserve_place(iol__texts *texts) {
    if (texts->hashes.count < texts->places_room) return true;
    const size_t room = texts->places_room ? 2 * texts->places_room : 16;
    struct iol__text_place *grown = realloc(texts->places, room * sizeof *grown);
    if (!grown) return false;
    texts->places = grown;
    texts->places_room = room;
    return true;
}

size_t iol__texts_number(iol__texts *texts, const char *text) {
    const size_t length = strlen(text), known = texts->hashes.count;
    if (!reserve_place(texts)) return SIZE_MAX;
    const size_t hash = iol__idmap_add(&texts->hashes, iol_name_id(text, length));
    if (hash == IOL_IDMAP_NONE) return SIZE_MAX;
    struct iol__text_place *place = &texts->places[hash];
    if (hash < known && strcmp(texts->block + place->start, text) == 0) return place->number;
    const size_t start = texts->length, number = append_text(texts, text, length);
    if (hash == known) *place = (struct iol__text_place){start, number};
    return number;
}

void iol__texts_free(iol__texts *texts) {
    free(texts->block);
    free(texts->places);
    iol__idmap_free(&texts->hashes);
}
