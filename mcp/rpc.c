/* The Model Context Protocol: JSON-RPC 2.0, one message at a time. Two revisions are spoken, and the way a client begins tells
   which. In the current one (2026-07-28) every request names its revision in _meta and there is no session; in the one before
   (2025-11-25) a session begins with `initialize`, which over HTTP leaves nothing behind. In HTTP, the current revision repeats
   in headers what the message says; if the two differ, somebody between has read another message than we do. */
#include <stdio.h>

#include "base/count.h"
#include "mcp/mcp.h"
#include "iolite/version.h"

#define MODERN_REVISION "2026-07-28"
#define LEGACY_REVISION "2025-11-25"
#define META "io.modelcontextprotocol/"

enum {
    RPC_PARSE = -32700,
    RPC_REQUEST = -32600,
    RPC_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_NO_RESOURCE = -32002, /* of the revision before */
    RPC_HEADING = -32020,     /* headers say something else than the message */
    RPC_REVISION = -32022,    /* the revision is not supported */
    LIST_MS = 3600000,        /* how long lists may be kept: they change with the release only */
};

enum { HTTP_OK = 200, HTTP_ACCEPTED = 202, HTTP_BAD = 400, HTTP_NOT_FOUND = 404 };

typedef struct mcp_rpc_request {
    iol__mcp_server *server;
    const iol__mcp_heading *heading; /* NULL: no HTTP */
    const iol__tree *id, *params;
    const char *method;
    iol__mcp_era era;
    iol__json *json;
} mcp_rpc_request;

#define STRINGIFY(x) #x
#define TEXT_OF(x) STRINGIFY(x)
static const char release[] = TEXT_OF(IOL_VERSION_MAJOR) "." TEXT_OF(IOL_VERSION_MINOR) "." TEXT_OF(IOL_VERSION_PATCH);

/* Answers ------------------------------------------------------------------------------------------------------ */

static void begin_answer(iol__json *json, const iol__tree *id) {
    int64_t number;
    iol__json_open(json, '{');
    iol__json_put_text(json, "jsonrpc", "2.0");
    if (!id) return;
    iol__json_key(json, "id");
    if (iol__tree_i64(id, &number) && id->kind == IOL_TREE_NUMBER)
        iol__json_i64(json, number);
    else
        iol__json_text(json, iol__tree_text(id));
}

static void put_error(iol__json *json, const iol__tree *id, int code, const char *message) {
    begin_answer(json, id);
    iol__json_put_open(json, "error", '{');
    iol__json_put_i64(json, "code", code);
    iol__json_put_text(json, "message", message);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_revisions(iol__json *json, const char *key) {
    iol__json_put_open(json, key, '[');
    iol__json_text(json, MODERN_REVISION);
    iol__json_text(json, LEGACY_REVISION);
    iol__json_close(json, ']');
}

static void put_wrong_revision(const mcp_rpc_request *r, const char *asked) {
    begin_answer(r->json, r->id);
    iol__json_put_open(r->json, "error", '{');
    iol__json_put_i64(r->json, "code", RPC_REVISION);
    iol__json_put_text(r->json, "message", "Unsupported protocol version");
    iol__json_put_open(r->json, "data", '{');
    put_revisions(r->json, "supported");
    iol__json_put_text(r->json, "requested", asked);
    iol__json_close(r->json, '}');
    iol__json_close(r->json, '}');
    iol__json_close(r->json, '}');
}

static void put_implementation(iol__json *json, const char *key) {
    iol__json_put_open(json, key, '{');
    iol__json_put_text(json, "name", "iolite");
    iol__json_put_text(json, "title", "Iolite: what programs read and write");
    iol__json_put_text(json, "version", release);
    iol__json_close(json, '}');
}

static void put_capabilities(iol__json *json) {
    static const char *const kinds[] = {"tools", "resources", "prompts"};
    iol__json_put_open(json, "capabilities", '{');
    for (size_t i = 0; i < 3; i++) {
        iol__json_put_open(json, kinds[i], '{');
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void begin_result(const mcp_rpc_request *r) {
    begin_answer(r->json, r->id);
    iol__json_put_open(r->json, "result", '{');
    if (r->era != IOL_MCP_MODERN) return;
    iol__json_put_text(r->json, "resultType", "complete");
    iol__json_put_open(r->json, "_meta", '{');
    put_implementation(r->json, META "serverInfo");
    iol__json_close(r->json, '}');
}

static void end_result(const mcp_rpc_request *r) {
    iol__json_close(r->json, '}');
    iol__json_close(r->json, '}');
}

/* What may be kept is the same for everybody. */
static void put_caching(const mcp_rpc_request *r) {
    if (r->era != IOL_MCP_MODERN) return;
    iol__json_put_i64(r->json, "ttlMs", LIST_MS);
    iol__json_put_text(r->json, "cacheScope", "public");
}

/* Methods ------------------------------------------------------------------------------------------------------ */

static void initialize(const mcp_rpc_request *r) {
    r->server->initialized = true;
    begin_result(r);
    iol__json_put_text(r->json, "protocolVersion", LEGACY_REVISION);
    put_capabilities(r->json);
    put_implementation(r->json, "serverInfo");
    iol__json_put_text(r->json, "instructions", iol__mcp_instructions);
    end_result(r);
}

static void mcp_rpc_discover(const mcp_rpc_request *r) {
    begin_result(r);
    put_revisions(r->json, "supportedVersions");
    put_capabilities(r->json);
    iol__json_put_text(r->json, "instructions", iol__mcp_instructions);
    put_caching(r);
    end_result(r);
}

static void ping(const mcp_rpc_request *r) {
    begin_result(r);
    end_result(r);
}

static void tools_list(const mcp_rpc_request *r) {
    begin_result(r);
    iol__mcp_list_tools(r->server, r->json);
    put_caching(r);
    end_result(r);
}

static void resources_list(const mcp_rpc_request *r) {
    begin_result(r);
    iol__mcp_list_resources(r->json);
    put_caching(r);
    end_result(r);
}

static void templates_list(const mcp_rpc_request *r) {
    begin_result(r);
    iol__mcp_list_templates(r->json);
    put_caching(r);
    end_result(r);
}

static void prompts_list(const mcp_rpc_request *r) {
    begin_result(r);
    iol__mcp_list_prompts(r->json);
    put_caching(r);
    end_result(r);
}

/* A result whose making may fail: it is made aside, and replaced by an error. */
typedef bool make_result(const mcp_rpc_request *r, iol__json *json, char why[200]);

static void answer_or_fail(const mcp_rpc_request *r, make_result *make, int code) {
    iol__out *out = r->json->out;
    const size_t before = out->length;
    const iol__json kept = *r->json;
    char why[200] = "";
    begin_result(r);
    if (make(r, r->json, why)) {
        end_result(r);
        return;
    }
    out->length = before;
    *r->json = kept;
    put_error(r->json, r->id, code, why);
}

static bool make_call(const mcp_rpc_request *r, iol__json *json, char why[200]) {
    const char *name = iol__tree_text(iol__tree_member(r->params, "name"));
    snprintf(why, 200, "there is no tool '%.100s'", name ? name : "");
    return name && iol__mcp_call_tool(r->server, name, iol__tree_member(r->params, "arguments"), json);
}

static bool make_read(const mcp_rpc_request *r, iol__json *json, char why[200]) {
    const char *uri = iol__tree_text(iol__tree_member(r->params, "uri"));
    snprintf(why, 200, "there is no resource '%.100s'", uri ? uri : "");
    if (!uri || !iol__mcp_read_resource(r->server, uri, json)) return false;
    put_caching(r);
    return true;
}

static bool make_prompt(const mcp_rpc_request *r, iol__json *json, char why[200]) {
    const char *name = iol__tree_text(iol__tree_member(r->params, "name")), *missing = NULL;
    if (name && iol__mcp_get_prompt(name, iol__tree_member(r->params, "arguments"), json, &missing)) return true;
    if (missing)
        snprintf(why, 200, "the argument '%s' is needed", missing);
    else
        snprintf(why, 200, "there is no prompt '%.100s'", name ? name : "");
    return false;
}

static void tools_call(const mcp_rpc_request *r) { answer_or_fail(r, make_call, RPC_PARAMS); }
static void prompts_get(const mcp_rpc_request *r) { answer_or_fail(r, make_prompt, RPC_PARAMS); }
static void resources_read(const mcp_rpc_request *r) {
    answer_or_fail(r, make_read, r->era == IOL_MCP_MODERN ? RPC_PARAMS : RPC_NO_RESOURCE);
}

enum { IN_LEGACY = 1 << IOL_MCP_LEGACY, IN_MODERN = 1 << IOL_MCP_MODERN, IN_BOTH = IN_LEGACY | IN_MODERN };
static const struct method {
    const char *name;
    int eras;
    void (*answer)(const mcp_rpc_request *r);
} methods[] = {
    {"initialize", IN_LEGACY, initialize},
    {"ping", IN_LEGACY, ping},
    {"server/discover", IN_MODERN, mcp_rpc_discover},
    {"tools/list", IN_BOTH, tools_list},
    {"tools/call", IN_BOTH, tools_call},
    {"resources/list", IN_BOTH, resources_list},
    {"resources/templates/list", IN_BOTH, templates_list},
    {"resources/read", IN_BOTH, resources_read},
    {"prompts/list", IN_BOTH, prompts_list},
    {"prompts/get", IN_BOTH, prompts_get},
};

/* False: there is none of this name, which is said. */
static bool answer_method(const mcp_rpc_request *r) {
    for (size_t i = 0; i < IOL_COUNT(methods); i++) {
        if (strcmp(methods[i].name, r->method) != 0 || !(methods[i].eras & 1 << r->era)) continue;
        methods[i].answer(r);
        return true;
    }
    char why[200];
    snprintf(why, sizeof why, "there is no method '%.100s'", r->method);
    put_error(r->json, r->id, RPC_METHOD, why);
    return false;
}

/* Headers ------------------------------------------------------------------------------------------------------ */

static int sextet(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Whether base64 of `length` letters is this text. */
static bool is_base64_of(const char *letters, size_t length, const char *text) {
    unsigned bits = 0, have = 0;
    size_t rest = strlen(text);
    while (length && letters[length - 1] == '=') length--;
    for (; length; length--, letters++) {
        const int six = sextet(*letters);
        if (six < 0) return false;
        bits = bits << 6 | (unsigned)six;
        if ((have += 6) < 8) continue;
        have -= 8;
        if (!rest-- || (unsigned char)*text++ != (bits >> have & 0xff)) return false;
    }
    return !rest;
}

/* A header that stands for a text of the message: as it is, or =?base64?...?= where it could not be. */
static bool header_says(const char *header, const char *text) {
    static const char begin[] = "=?base64?", end[] = "?=";
    const size_t length = header ? strlen(header) : 0, around = sizeof begin - 1 + sizeof end - 1;
    if (length >= around && strncmp(header, begin, sizeof begin - 1) == 0 && strcmp(header + length - 2, end) == 0)
        return is_base64_of(header + sizeof begin - 1, length - around, text);
    return header && strcmp(header, text) == 0;
}

/* What the header Mcp-Name repeats; NULL: nothing. */
static const char *named_in_message(const mcp_rpc_request *r) {
    static const struct {
        const char *method, *member;
    } named[] = {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}};
    for (size_t i = 0; i < IOL_COUNT(named); i++)
        if (strcmp(named[i].method, r->method) == 0)
            return iol__tree_text(iol__tree_member(r->params, named[i].member));
    return NULL;
}

/* The header that does not repeat the message; NULL: all do. */
static const char *wrong_header(const mcp_rpc_request *r, const char *revision) {
    const iol__mcp_heading *h = r->heading;
    const char *name = named_in_message(r);
    if (!h) return NULL;
    if (!h->revision || strcmp(h->revision, revision) != 0) return "MCP-Protocol-Version";
    if (!header_says(h->method, r->method)) return "Mcp-Method";
    return name && !header_says(h->name, name) ? "Mcp-Name" : NULL;
}

/* Requests ----------------------------------------------------------------------------------------------------- */

/* True: the request names the current revision, and so do its headers. Else its answer is made, with the status of HTTP. */
static bool agrees_on_revision(const mcp_rpc_request *r, const char *revision, const iol__tree *capabilities) {
    char why[200];
    if (strcmp(revision, MODERN_REVISION) != 0) {
        put_wrong_revision(r, revision);
        return false;
    }
    const char *header = wrong_header(r, revision);
    if (header) {
        snprintf(why, sizeof why, "the header %s does not say what the message says", header);
        put_error(r->json, r->id, RPC_HEADING, why);
        return false;
    }
    if (capabilities && capabilities->kind == IOL_TREE_OBJECT) return true;
    put_error(r->json, r->id, RPC_PARAMS, "_meta has no " META "clientCapabilities");
    return false;
}

/* By the revision that the request names, or the session that it is part of. */
static int answer_request(mcp_rpc_request *r) {
    const iol__tree *meta = iol__tree_member(r->params, "_meta");
    const char *revision = iol__tree_text(iol__tree_member(meta, META "protocolVersion"));
    const char *header = r->heading ? r->heading->revision : NULL;
    if (revision) {
        if (!agrees_on_revision(r, revision, iol__tree_member(meta, META "clientCapabilities"))) return HTTP_BAD;
        r->era = IOL_MCP_MODERN;
        return answer_method(r) ? HTTP_OK : HTTP_NOT_FOUND;
    }
    r->era = IOL_MCP_LEGACY;
    if (header && strcmp(header, LEGACY_REVISION) != 0 && strcmp(header, MODERN_REVISION) != 0) {
        put_wrong_revision(r, header);
        return HTTP_BAD;
    }
    const bool opens = strcmp(r->method, "initialize") == 0 || strcmp(r->method, "ping") == 0;
    if ((opens || r->server->initialized) && !(header && strcmp(header, MODERN_REVISION) == 0)) {
        answer_method(r);
        return HTTP_OK;
    }
    put_error(r->json, r->id, RPC_PARAMS,
              "_meta has no " META "protocolVersion (" MODERN_REVISION
              "), and no session was begun with initialize (" LEGACY_REVISION ")");
    return HTTP_BAD;
}

static int answer_message(mcp_rpc_request *r, const iol__tree *message) {
    const iol__tree *id = iol__tree_member(message, "id"), *params = iol__tree_member(message, "params");
    const char *method = iol__tree_text(iol__tree_member(message, "method")),
               *version = iol__tree_text(iol__tree_member(message, "jsonrpc"));
    int64_t number;
    const bool good_id = id && (id->kind == IOL_TREE_TEXT || iol__tree_i64(id, &number));
    if (message->kind == IOL_TREE_OBJECT && method && !id)
        return HTTP_ACCEPTED; /* a notification: there is nothing to do */
    if (message->kind == IOL_TREE_OBJECT && !method && id &&
        (iol__tree_member(message, "result") || iol__tree_member(message, "error")))
        return HTTP_ACCEPTED; /* an answer to a question that nobody asked */
    if (message->kind != IOL_TREE_OBJECT || !method || !version || strcmp(version, "2.0") != 0 || !good_id ||
        (params && params->kind != IOL_TREE_OBJECT)) {
        put_error(r->json, good_id ? id : NULL, RPC_REQUEST, "this is no request of JSON-RPC 2.0");
        return HTTP_BAD;
    }
    r->id = id;
    r->params = params;
    r->method = method;
    return answer_request(r);
}

int iol__mcp_answer(iol__mcp_server *server, const iol__mcp_heading *heading, const char *text, size_t length,
                    iol__out *out) {
    static const iol__tree_limits limits = {.bytes = 4 << 20, .values = 100000, .depth = 32};
    iol__tree_document document = {0};
    iol__json json;
    iol_error error;
    int status = HTTP_BAD;
    iol__json_start(&json, out, 0);
    if (iol__tree_parse(text, length, "request", &limits, &document, &error) != IOL_OK) {
        put_error(&json, NULL, RPC_PARSE, error.message);
    } else {
        status = answer_message(&(mcp_rpc_request){.server = server, .heading = heading, .json = &json}, document.top);
        iol__tree_free(&document);
    }
    return status;
}
