/* Files that pages need, as the build embeds them: the portal, and the page of one log. */
#include <zlib.h>

#include "report/html/html_internal.h"
#include "serve/assets.h"
#include "serve/exchange.h"

/* Browsers take gzip; others get it unpacked. */
static void hand_out(iol__exchange *x, const char *type, const unsigned char *packed, size_t length) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)length};
    x->type = type;
    x->keep = true;
    if (inflateInit2(&z, 15 + 16) != Z_OK) return;
    int status;
    do {
        const size_t room = 65536;
        z.next_out = (Bytef *)iol__out_room(&x->body, room);
        z.avail_out = (uInt)room;
        status = inflate(&z, Z_NO_FLUSH);
        x->body.length += room - z.avail_out;
    } while (status == Z_OK);
    inflateEnd(&z);
}

void iol__serve_portal_script(iol__exchange *x) {
    hand_out(x, "text/javascript; charset=utf-8", iol__web_portal, iol__web_portal_length);
}

void iol__serve_portal_style(iol__exchange *x) {
    hand_out(x, "text/css; charset=utf-8", iol__web_portal_style, iol__web_portal_style_length);
}

/* The page of one log, which the portal mounts. */
void iol__serve_report_script(iol__exchange *x) {
    hand_out(x, "text/javascript; charset=utf-8", iol__web_app, iol__web_app_length);
}

void iol__serve_report_style(iol__exchange *x) {
    x->type = "text/css; charset=utf-8";
    x->keep = true;
    iol__out_bytes(&x->body, (const char *)iol__web_style, iol__web_style_length);
}
