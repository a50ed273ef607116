/* A place of record/place.h is the path of a log; its directory is that path without the name, and without the date. */
#include "cmds/log_places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/settings.h"
#include "record/place.h"

enum { NAME = 1, DATE = 3 };

static bool cut_last_names(char *path, int names) {
    for (int i = 0; i < names; i++) {
        char *slash = strrchr(path, '/');
        if (!slash) return false;
        *slash = 0;
    }
    return *path != 0;
}

void each_log_place(void (*take)(void *context, const char *directory, bool dated), void *context) {
    const iol__place_facts facts = {.user = "", .program = "", .environment = environ};
    const iol__config *config = load_settings(NULL);
    iol__place place;
    unsigned candidate = 0;
    while (iol__place_next(config, &facts, &candidate, &place))
        if (!place.exact && cut_last_names(place.path, place.dated ? NAME + DATE : NAME))
            take(context, place.path, place.dated);
}
