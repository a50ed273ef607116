/* The Model Context Protocol, whatever carries it: lines of standard input (`iolite mcp`), or requests of HTTP (`iolite serve`).
   Who carries it says which logs there are and how one is opened, and what the caller may see of an index; what is asked and
   how it is answered is the same. It only reads. */
#ifndef IOL_MCP_MCP_H
#define IOL_MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "site/tree.h"
#include "text/json.h"

enum { IOL_MCP_ANSWER = 512 << 10, IOL_MCP_LOGS = 2 };

/* A log of a request: open (close-on-exec), and called `shown` by the client. */
typedef struct iol__mcp_log {
    int fd;
    char name[32]; /* /dev/fd/N, for a child */
    char *shown;
} iol__mcp_log;

/* The logs that a caller may have read, behind functions. */
typedef struct iol__mcp_logs {
    /* An open file, or -1 with a sentence in `why`: not there, and not the caller's, are the same. */
    int (*open)(void *context, const char *name, char why[400]);
    /* The members "total" and "logs" of an object that is open, at most `most`, latest first, those
       with a text in them. */
    void (*list)(void *context, const char *contains, size_t most, iol__json *json);
    void *context;
} iol__mcp_logs;

typedef struct iol__mcp_server {
    const iol__mcp_logs *logs; /* NULL: none */
    const char *store, *site;  /* NULL: no index */
    const char *only_user;     /* NULL: all jobs may be seen */
    char only_number[32];      /* that user as "uid:1234", which is what logs without a name say; "": not known */
    bool initialized;          /* a session of the revision before the current one was opened, or there are none */
    int64_t deadline;          /* of an answer, see base/deadline.h; 0: the usual one */
    void (*looks_at)(void *context, const char *jobid); /* the index is asked for one job; NULL: nobody has to know */
    void *context;
} iol__mcp_server;

/* How a request is answered, by the revision that its sender speaks. */
typedef enum iol__mcp_era { IOL_MCP_LEGACY, IOL_MCP_MODERN } iol__mcp_era;

/* What the headers of an HTTP request say of its message; NULL: not there. */
typedef struct iol__mcp_heading {
    const char *revision, *method, *name;
} iol__mcp_heading;

/* Answers a message; nothing is written for a notification. The status that an HTTP answer has; `heading` is NULL where there
   is no HTTP. */
int iol__mcp_answer(iol__mcp_server *server, const iol__mcp_heading *heading, const char *text, size_t length,
                    iol__out *out);

/* What a command of this program prints: at most `most` bytes of it, and the last line of what it says. Its exit status, or
   -1. */
typedef struct iol__mcp_output {
    char *text;
    size_t length;
    bool cut; /* there was more */
    char said[400];
} iol__mcp_output;
typedef struct iol__mcp_question {
    const iol__mcp_server *server;
    char *const *arguments;
    const iol__mcp_log *logs; /* that it is given, open */
    size_t n_logs;
    size_t most;
} iol__mcp_question;
int iol__mcp_ask(const iol__mcp_question *question, iol__mcp_output *output);
void iol__mcp_output_free(iol__mcp_output *output);

/* Tools. */
void iol__mcp_list_tools(const iol__mcp_server *server, iol__json *json);
/* The members of a result. False: there is no such tool. */
bool iol__mcp_call_tool(const iol__mcp_server *server, const char *name, const iol__tree *arguments, iol__json *json);

/* Resources and prompts. */
void iol__mcp_list_resources(iol__json *json);
void iol__mcp_list_templates(iol__json *json);
bool iol__mcp_read_resource(const iol__mcp_server *server, const char *uri, iol__json *json);
void iol__mcp_list_prompts(iol__json *json);
bool iol__mcp_get_prompt(const char *name, const iol__tree *arguments, iol__json *json, const char **missing);
extern const char iol__mcp_instructions[];

/* Definitions of the names that a document has, as the member "definitions". A name is a key, or keys with dots between:
   those on the way to the value, from the outside in, of which any but the last may be left out. `*` stands for any key.
   Where several fit, the one with most keys counts. */
typedef enum iol__mcp_words { IOL_MCP_WORDS_LOG, IOL_MCP_WORDS_RECORDS, IOL_MCP_WORDS_INDEX } iol__mcp_words;
typedef struct iol__mcp_names {
    const iol__tree *document;
    const iol__tree *rules; /* of `diagnose --list-rules --json`, for figures of findings; or NULL */
    const iol__tree *log;   /* of `show --json`, for counters of modules of others; or NULL */
    iol__mcp_words words;
    const char *left_out; /* keys that are not shown */
} iol__mcp_names;
void iol__mcp_define_names(const iol__mcp_names *of, iol__json *json);
/* Whether a word is in a list with blanks between. */
bool iol__mcp_listed(const char *list, const char *word);

#endif
