/* Archiving for `iolite collect`: one file, or a directory with a file per day that is brought up to date. */
#ifndef IOL_CMDS_ARCHIVE_H
#define IOL_CMDS_ARCHIVE_H

#include "cmds/site/site_data.h"
#include "site/series/archive.h"

/* --start to --end into one file. */
int archive_file(site_run *run, const iol__producer *producer, const iol__request *request, const char *path);
/* Into DIRECTORY/YYYY-MM-DD/NAME.hdf5: --start to --end if they are given, else what has come since the last time. */
int archive_days(site_run *run, const iol__producer *producer, const iol__request *request, const char *directory);
/* Whether an archive may be made below this path; if not, it is said. */
bool is_directory(const char *path);

#endif
