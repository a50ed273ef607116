/* Taking a coloured text apart: runs of one colour, line by line. */
#include "report/html/screen.h"

bool iol__screen_next(const iol__screen *screen, size_t *at, iol__ink *ink, iol__screen_run *run) {
    const char *end = screen->text + screen->length;
    size_t taken;
    while (iol__ink_find(screen->text + *at, screen->length - *at, ink, &taken)) *at += taken;
    if (*at >= screen->length) return false;
    const char *start = screen->text + *at, *stop = start;
    iol__ink next;
    while (stop < end && *stop != '\n' && !iol__ink_find(stop, (size_t)(end - stop), &next, &taken)) stop++;
    /* A colour that ends the line belongs to what follows; look past it for the line's end. */
    const char *behind = stop;
    iol__ink after = *ink;
    while (iol__ink_find(behind, (size_t)(end - behind), &after, &taken)) behind += taken;
    *run = (iol__screen_run){.text = start, .length = (size_t)(stop - start), .ink = *ink};
    run->ends_line = behind < end && *behind == '\n';
    *ink = after;
    *at = (size_t)(behind - screen->text) + run->ends_line;
    return true;
}
