/* The fuzzer of messages of assistants: any bytes as a message, with headers of HTTP or without. The first byte says which; the
   next line is what the headers say. An answer is JSON, and its status one that HTTP has. */
#include <stdlib.h>
#include <string.h>

#include "mcp/mcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int no_log(void *context, const char *name, char why[400]) {
    (void)context;
    (void)name;
    strcpy(why, "there is no log");
    return -1;
}

static void list_none(void *context, const char *contains, size_t most, iol__json *json) {
    (void)context;
    (void)contains;
    (void)most;
    iol__json_put_i64(json, "total", 0);
    iol__json_put_open(json, "logs", '[');
    iol__json_close(json, ']');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const uint8_t how = data[0], *line = memchr(data + 1, '\n', size - 1), *message = line ? line + 1 : data + 1;
    char *said = strndup((const char *)data + 1, (size_t)(message - data - 1));
    const size_t length = size - (size_t)(message - data);
    const iol__mcp_logs logs = {no_log, list_none, NULL};
    const iol__mcp_heading heading = {how & 2 ? "2026-07-28" : said, how & 4 ? "tools/call" : said, said};
    iol__mcp_server server = {.logs = how & 8 ? NULL : &logs, .store = how & 16 ? "index.db" : NULL};
    server.only_user = how & 32 ? "ana" : NULL;
    server.initialized = how & 64;
    iol__out out;
    iol__out_open(&out, -1);
    const int status = iol__mcp_answer(&server, how & 1 ? &heading : NULL, (const char *)message, length, &out);
    if (status != 200 && status != 202 && status != 400 && status != 404) abort();
    if ((status == 202) == (out.length > 0)) abort();
    if (out.length) {
        iol__tree_document document = {0};
        if (iol__tree_parse(out.buffer, out.length, "answer", NULL, &document, NULL) != IOL_OK) abort();
        iol__tree_free(&document);
    }
    iol__out_close(&out);
    free(said);
    return 0;
}
