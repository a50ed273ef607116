/* Fuzzers start no processes: a question to a command is answered as if it had failed. */
#include <stdio.h>

#include "mcp/mcp.h"

int iol__mcp_ask(const iol__mcp_question *question, iol__mcp_output *output) {
    (void)question;
    *output = (iol__mcp_output){.text = NULL};
    snprintf(output->said, sizeof output->said, "no commands here");
    return -1;
}

void iol__mcp_output_free(iol__mcp_output *output) { (void)output; }
