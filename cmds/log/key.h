/* The key of pseudonyms, from --key, --key-file or --key-fd; without any of them a random one. */
#ifndef IOL_CMDS_KEY_H
#define IOL_CMDS_KEY_H

#include "cmds/cmd.h"
#include "log/write/keyed.h"

/* EXIT_DONE, or what was wrong, which was reported. */
int read_key_option(const iol__args *args, iol__key *key);

#endif
