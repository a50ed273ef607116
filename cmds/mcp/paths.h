/* Logs below directories that were named, as assistants may have them read. */
#ifndef IOL_CMDS_MCP_PATHS_H
#define IOL_CMDS_MCP_PATHS_H

#include "mcp/mcp.h"

enum { MCP_ROOTS = 32 };

typedef struct mcp_roots {
    const char *list[MCP_ROOTS]; /* resolved */
    size_t count;
} mcp_roots;

/* The functions of iol__mcp_logs, with roots as their context. */
int open_log_below_roots(void *roots, const char *path, char why[400]);
void list_logs_below_roots(void *roots, const char *contains, size_t most, iol__json *json);

#endif
