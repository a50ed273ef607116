/* The table of subcommands, made from commands.def. */
#include "cmds/cmd.h"

const iol__command commands[] = {
#define COMMAND(bit, ident, name, function, operands, summary, about) \
    {UINT64_C(1) << bit, name, function, operands, summary, about},
#include "cmds/commands.def"
#undef COMMAND
};

const size_t n_commands = sizeof commands / sizeof *commands;
