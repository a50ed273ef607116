/* The table of subcommands, made from commands.def, and their groups. */
#include "cmds/cmd.h"

#include "base/count.h"

const char *const group_headings[GROUP_COUNT] = {
#define GROUP(ident, heading) heading,
#include "cmds/groups.def"
#undef GROUP
};

const iol__command commands[] = {
#define COMMAND(group, ident, name, function, operands, summary, about) \
    {CMD_##ident, GROUP_##group, name, function, operands, summary, about},
#include "cmds/commands.def"
#undef COMMAND
};

const size_t n_commands = IOL_COUNT(commands);
