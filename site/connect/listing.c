/* Blocks and lines of listings. */
#include "site/connect/listing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool iol__target_of(const char *device, char fs[128], char target[16]) {
    for (const char *at = strchr(device, '-'); at; at = strchr(at + 1, '-')) {
        if (strncmp(at, "-OST", 4) != 0 && strncmp(at, "-MDT", 4) != 0) continue;
        size_t hexadecimal = 0;
        while (hexadecimal < 5 && isxdigit((unsigned char)at[4 + hexadecimal])) hexadecimal++;
        if (hexadecimal != 4 || (at[8] && at[8] != '-' && at[8] != '_')) continue;
        size_t length = (size_t)(at - device);
        if (length == 0 || length > 127) return false;
        memcpy(fs, device, length);
        fs[length] = 0;
        memcpy(target, at + 1, 7);
        target[7] = 0;
        return true;
    }
    return false;
}

void iol__listing_put(iol__request *request, iol__value *into, const char *fs, const char *target, iol__value *value) {
    iol__value *targets = iol__map_open(request->arena, into, fs, IOL__MAP);
    request->duplicates += iol__map_get(targets, target) != NULL;
    iol__map_put(request->arena, targets, target, value);
}

static iol__value *begin_block(iol__request *request, const char *line, iol__value *into) {
    char key[32];
    size_t length = strspn(line, "0123456789");
    if (length == 0 || length > 18) return NULL;
    memcpy(key, line, length);
    key[length] = 0;
    if (iol__map_get(into, key)) iol__site_say("two blocks begin at %s; the later one counts", key);
    iol__value *block = iol__value_new(request->arena, IOL__MAP);
    iol__map_put(request->arena, into, key, block);
    return block;
}

static iol_status take_listing_lines(iol__request *request, iol__feed *feed, iol__listing_line *take,
                                     iol__value *into) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    iol__value *block = into;
    if (feed->length && feed->bytes[feed->length - 1] != '\n') {
        request->cut = true;
        iol__partial(request, "%.120s: the end of its last line is missing", feed->name);
    }
    for (char *line; (line = iol__next_line(&lines));) {
        if (strncmp(line, "BEGIN ", 6) == 0) {
            iol__value *begun = begin_block(request, line + 6, into);
            request->skipped += !begun;
            request->understood += begun != NULL;
            if (begun) block = begun;
        } else if (*line) {
            bool taken = take(request, line, block);
            request->understood += taken;
            request->skipped += !taken;
        }
    }
    return IOL_OK;
}

iol_status iol__listing_read(iol__request *request, iol__listing_line *take, const char *form, iol__value **out) {
    *out = iol__value_new(request->arena, IOL__MAP);
    iol_status status = request->n_paths ? IOL_OK : iol__refuse(request, IOL_INVALID, "an input file is missing");
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++) {
        iol__feed feed;
        status = iol__request_feed(request, i, &feed);
        if (status != IOL_OK) break;
        iol__value *cached = iol__request_json(request, &feed);
        if (cached && cached->kind == IOL__MAP) {
            request->understood += iol__is_cache(cached);
            *out = cached;
        } else {
            status = take_listing_lines(request, &feed, take, *out);
        }
        iol__feed_close(&feed);
    }
    return status == IOL_OK ? iol__expect_form(request, form) : status;
}
