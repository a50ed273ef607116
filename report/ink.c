/* The table of colours. Every pair of letters and ground has a contrast of at least 4.5 to 1. */
#include "report/ink.h"

#include <string.h>

static const struct {
    const char *class, *sequence[2], *colour[2]; /* dark, light */
    bool bold;
} inks[IOL_INKS] = {
    [IOL_INK_PLAIN] = {NULL, {"\033[0m", "\033[0m"}, {"#d6dce6", "#1d2430"}, false},
    [IOL_INK_STRONG] = {"strong", {"\033[1m", "\033[1m"}, {"#ffffff", "#000000"}, true},
    [IOL_INK_FAINT] = {"faint", {"\033[2m", "\033[2m"}, {"#909bac", "#5a6472"}, false},
    [IOL_INK_GOOD] = {"good", {"\033[32m", "\033[32m"}, {"#5fd38d", "#1a7f37"}, false},
    [IOL_INK_WARN] = {"warn", {"\033[38;5;214m", "\033[38;5;130m"}, {"#ffaf00", "#8f5300"}, true},
    [IOL_INK_BAD] = {"bad", {"\033[1;31m", "\033[1;31m"}, {"#ff6b68", "#c1121f"}, true},
    [IOL_INK_CODE] = {"code", {"\033[36m", "\033[36m"}, {"#7fd1e8", "#0b6380"}, false},
};

const char *iol__ink_sequence(iol__ink ink, bool light) { return inks[ink].sequence[light]; }
const char *iol__ink_class(iol__ink ink) { return inks[ink].class; }
const char *iol__ink_colour(iol__ink ink, bool light) { return inks[ink].colour[light]; }
bool iol__ink_bold(iol__ink ink) { return inks[ink].bold; }

bool iol__ink_find(const char *text, size_t length, iol__ink *ink, size_t *taken) {
    if (!length || *text != '\033') return false;
    for (int i = 0; i < IOL_INKS; i++) {
        for (int light = 0; light < 2; light++) {
            size_t n = strlen(inks[i].sequence[light]);
            if (n > length || memcmp(text, inks[i].sequence[light], n) != 0) continue;
            *ink = (iol__ink)i;
            *taken = n;
            return true;
        }
    }
    return false;
}

const iol__ground *iol__ink_ground(bool light) {
    static const iol__ground grounds[2] = {
        {.page = "#0b0e13", .window = "#131820", .edge = "#2b3442", .title = "#909bac"},
        {.page = "#eef1f5", .window = "#ffffff", .edge = "#cfd6df", .title = "#5a6472"},
    };
    return &grounds[light];
}
