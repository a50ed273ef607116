/* iolite mcp: answers questions of assistants about logs and jobs, over standard input and output (Model Context Protocol).
   It only reads, and only what it was told: logs below directories that were named, and an index. */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/mcp/paths.h"
#include "cmds/site/site_options.h"
#include "site/site.h"

enum { LINE_MOST = 4 << 20 };

/* Who may see all jobs of an index: its owner, staff, and root. Others see their own. */
static bool owns_index(const char *store) {
    const char *path = strncmp(store, "sqlite:", 7) == 0 ? store + 7 : store;
    struct stat facts;
    return !strstr(path, "://") && stat(path, &facts) == 0 && facts.st_uid == geteuid();
}

static bool is_staff(const iol__site *site, const char *user) {
    const iol__tree *staff = iol__site_value(site, "staff");
    for (const iol__tree *one = staff && staff->kind == IOL_TREE_ARRAY ? staff->first : NULL; one; one = one->next)
        if (iol__tree_text(one) && strcmp(iol__tree_text(one), user) == 0) return true;
    return false;
}

static const char *mcp_own_name(char buffer[64]) {
    const struct passwd *entry = getpwuid(geteuid());
    snprintf(buffer, 64, "uid:%u", (unsigned)geteuid());
    if (entry && strlen(entry->pw_name) < 64) snprintf(buffer, 64, "%s", entry->pw_name);
    return buffer;
}

static void choose_user(const iol__args *args, const iol__site *site, iol__mcp_server *server, char name[64]) {
    const char *named = argument_value(args, OPT_MCP_USER);
    server->only_user = named ? named : mcp_own_name(name);
    if (!server->store || (!named && (geteuid() == 0 || owns_index(server->store))) ||
        is_staff(site, server->only_user))
        server->only_user = NULL;
    const struct passwd *entry = server->only_user ? getpwnam(server->only_user) : NULL;
    if (entry) snprintf(server->only_number, sizeof server->only_number, "uid:%u", (unsigned)entry->pw_uid);
}

static int add_roots(const iol__args *args, mcp_roots *roots) {
    for (size_t i = 0; i < args->n_operands; i++) {
        struct stat facts;
        if (roots->count == MCP_ROOTS) return usage_error(args, "at most %d directories", MCP_ROOTS);
        char *resolved = realpath(args->operands[i], NULL);
        if (!resolved || stat(resolved, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
            free(resolved);
            return usage_error(args, "%s is no directory", args->operands[i]);
        }
        roots->list[roots->count++] = resolved;
    }
    return EXIT_DONE;
}

static void answer_line(iol__mcp_server *server, const char *line, size_t length, iol__out *out) {
    const size_t before = out->length;
    iol__mcp_answer(server, NULL, line, length, out);
    if (out->length > before) iol__out_char(out, '\n');
}

/* Lines, each answered before the next is read. One that is too long is passed over. */
static void answer_lines(iol__mcp_server *server, FILE *in, iol__out *out) {
    char *line = malloc(LINE_MOST + 1);
    size_t length = 0;
    bool too_long = false;
    for (int c; line && (c = getc(in)) != EOF;) {
        if (c != '\n') {
            too_long |= length == LINE_MOST;
            if (!too_long) line[length++] = (char)c;
            continue;
        }
        line[length] = '\0';
        if (too_long)
            iol__out_text(
                out,
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"the line is longer than 4 MiB\"}}\n");
        else if (length)
            answer_line(server, line, length, out);
        length = 0;
        too_long = false;
        iol__out_flush(out);
        if (out->closed) break;
    }
    free(line);
}

int cmd_mcp(const iol__args *args) {
    iol__mcp_server server = {.store = argument_value(args, OPT_MCP_STORE), .site = argument_value(args, OPT_MCP_SITE)};
    char name[64];
    iol__site *site = NULL;
    iol_error error;
    mcp_roots roots = {.count = 0};
    const iol__mcp_logs logs = {open_log_below_roots, list_logs_below_roots, &roots};
    if (!server.store) server.store = getenv("IOLITE_STORE");
    if (server.store && !*server.store) server.store = NULL;
    int status = add_roots(args, &roots);
    if (roots.count) server.logs = &logs;
    if (status == EXIT_DONE && !roots.count && !server.store)
        status = usage_error(args, "a directory with logs, or an index, is needed");
    if (status == EXIT_DONE && iol__site_open(server.site, &site, &error) != IOL_OK) {
        tell_stderr("%s", error.message);
        status = EXIT_INPUT;
    }
    if (status == EXIT_DONE) {
        iol__out out;
        choose_user(args, site, &server, name);
        iol__out_open(&out, STDOUT_FILENO);
        answer_lines(&server, stdin, &out);
        status = finish_output(&out, EXIT_DONE);
    }
    iol__site_free(site);
    for (size_t i = 0; i < roots.count; i++) free((void *)(uintptr_t)roots.list[i]);
    return status;
}
