/* What staff did about what alerts flag: muted it, gave it to somebody, wrote something down. Lines of JSON in a file that only
   grows, in the state directory of the portal: the portal may not write to the index. `iolite alert --notes` reads what is
   muted there. */
#ifndef IOL_SITE_ALERT_NOTES_H
#define IOL_SITE_ALERT_NOTES_H

#include "base/arena.h"
#include "iolite/log.h"

typedef enum iol__alert_action {
    IOL_ALERT_MUTE,
    IOL_ALERT_UNMUTE,
    IOL_ALERT_ASSIGN,
    IOL_ALERT_COMMENT
} iol__alert_action;
enum { IOL_ALERT_ACTIONS = IOL_ALERT_COMMENT + 1, IOL_ALERT_NOTE_TEXT = 1000 };

/* Empty texts: any rule, user or program; nobody; nothing. */
typedef struct iol__alert_note_row {
    int64_t made;   /* seconds since the epoch */
    const char *by; /* who did it */
    iol__alert_action action;
    const char *rule, *user, *exe;
    int64_t until;    /* muted; seconds */
    const char *to;   /* to whom it was given */
    const char *text; /* comment, or why */
} iol__alert_note_row;

typedef struct iol__alert_notes {
    iol__alert_note_row *list; /* in the order in which they were made */
    size_t count;
} iol__alert_notes;

const char *iol__alert_action_name(iol__alert_action action);
/* False: there is no such action. */
bool iol__alert_action_of(const char *name, iol__alert_action *action);

/* All that can be read; none where there is no file. */
iol_status iol__alert_notes_read(iol__arena *arena, const char *path, iol__alert_notes *notes, iol_error *error);
iol_status iol__alert_notes_add(const char *path, const iol__alert_note_row *note, iol_error *error);

/* Whether a later note mutes, or no longer mutes, the same. */
bool iol__alert_note_replaced(const iol__alert_notes *notes, size_t at);
/* The note that mutes an alert at this time; NULL: none does. The latest one that is about a rule, user and program counts. */
const iol__alert_note_row *iol__alert_muted_by(const iol__alert_notes *notes, const char *rule, const char *user,
                                               const char *exe, int64_t seconds);
/* The latest one of a kind that is about exactly this alert; NULL: there is none. */
const iol__alert_note_row *iol__alert_latest(const iol__alert_notes *notes, iol__alert_action action, const char *rule,
                                             const char *user, const char *exe);

#endif
