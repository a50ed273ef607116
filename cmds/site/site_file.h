/* iolite config --site */
#ifndef IOL_CMDS_SITE_FILE_H
#define IOL_CMDS_SITE_FILE_H

#include "cmds/cmd.h"

int config_site(const iol__args *args);

#endif
