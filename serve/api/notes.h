/* Notes of staff about alerts, as /alerts shows them too. */
#ifndef IOL_SERVE_NOTES_H
#define IOL_SERVE_NOTES_H

#include "serve/exchange.h"
#include "site/alert/notes.h"

/* False: the answer is made. */
bool iol__notes_of(iol__exchange *x, iol__alert_notes *notes);

#endif
