/* What the site knows of the time in which a log's job ran, for the context document. */
#ifndef IOL_CMDS_SITE_CONTEXT_H
#define IOL_CMDS_SITE_CONTEXT_H

#include <stdbool.h>

/* Whether there is a site file with data to look at: the one that is named, else that of the environment. */
bool wants_site_context(const char *site);
/* The document with a "site" part about the log; `document` may be NULL and is freed. NULL without memory. */
char *with_site_context(const char *site, const char *log, char *document);

#endif
