/* iolite mcp: the parts that its files share. A request is one line; its answer is one line. */
#ifndef IOL_CMDS_MCP_H
#define IOL_CMDS_MCP_H

#include <stdbool.h>
#include <stddef.h>

#include "site/tree.h"
#include "text/json.h"

enum { MCP_ROOTS = 32, MCP_ANSWER = 512 << 10 };

typedef struct mcp_server {
    const char *roots[MCP_ROOTS]; /* resolved: logs below them may be read */
    size_t n_roots;
    const char *store, *site; /* NULL: no index */
    const char *only_user;    /* NULL: all jobs may be seen */
    char only_number[32];     /* that user as "uid:1234", which is what logs without a name say; "": not known */
    bool initialized;         /* a session of the revision before the current one was opened */
} mcp_server;

/* How a request is answered, by the revision that its sender speaks. */
typedef enum mcp_era { MCP_LEGACY, MCP_MODERN } mcp_era;

/* A log of a request: open, below a root, and called `shown` by the client. */
typedef struct mcp_log {
    int fd;
    char name[32]; /* /dev/fd/N, for a child */
    char *shown;
} mcp_log;

/* Answer a line; nothing is written for a notification. */
void mcp_answer_line(mcp_server *server, const char *line, size_t length, iol__out *out);

/* Open a log that the client named. False with a sentence in `why`: outside the roots, or not there. */
bool mcp_log_open(const mcp_server *server, const char *path, mcp_log *log, char why[400]);
void mcp_log_close(mcp_log *log);
/* The logs below the roots, newest first, as the member "logs" of an object that is open. */
void mcp_list_logs(const mcp_server *server, const char *contains, size_t most, iol__json *json);
/* What a command prints: at most `most` bytes of it, and the last line of what it says. Its exit status, or -1. */
typedef struct mcp_output {
    char *text;
    size_t length;
    bool cut; /* there was more */
    char said[400];
} mcp_output;
int mcp_ask(char *const *arguments, size_t most, mcp_output *output);
void mcp_output_free(mcp_output *output);

/* Tools. */
void mcp_list_tools(const mcp_server *server, iol__json *json);
/* The members of a result. False: there is no such tool. */
bool mcp_call_tool(const mcp_server *server, const char *name, const iol__tree *arguments, iol__json *json);

/* Resources and prompts. */
void mcp_list_resources(iol__json *json);
void mcp_list_templates(iol__json *json);
bool mcp_read_resource(const char *uri, iol__json *json);
void mcp_list_prompts(iol__json *json);
bool mcp_get_prompt(const char *name, const iol__tree *arguments, iol__json *json, const char **missing);
extern const char mcp_instructions[];

/* Definitions of the names that a document has, as the member "definitions". */
typedef enum mcp_words { MCP_WORDS_LOG, MCP_WORDS_INDEX } mcp_words;
void mcp_define_names(const iol__tree *document, mcp_words words, iol__json *json);

#endif
