/* Whom alerts go to, and how: a file, a command, mail by the sendmail interface, or a web hook. Nothing goes through a
   shell, and no text of a log becomes an argument or a header. */
#ifndef IOL_CMDS_ALERT_SEND_H
#define IOL_CMDS_ALERT_SEND_H

#include "base/arena.h"
#include "site/site.h"

typedef enum alert_channel {
    CHANNEL_REPORT,
    CHANNEL_FILE,
    CHANNEL_COMMAND,
    CHANNEL_MAIL,
    CHANNEL_USERS,
    CHANNEL_WEBHOOK
} alert_channel;

typedef struct alert_target {
    alert_channel channel;
    const char *name;   /* for the audit: "mail staff@example.org" */
    const char *where;  /* file, address, pattern of addresses, URL */
    const char **words; /* of a command, NULL behind the last */
} alert_target;

/* The targets of the site file; one that prints where there are none. False with the reason. */
bool read_alert_targets(iol__arena *arena, const iol__site *site, const alert_target **targets, size_t *count,
                        char why[400]);
/* `text` is the message, `json` the same as a document; `user` is for CHANNEL_USERS. False with the reason. */
bool send_alert(const iol__site *site, const alert_target *target, const char *user, const char *subject,
                const char *text, const char *json, char why[400]);
/* Whether a name can be the local part of an address. */
bool is_user_name(const char *name);

#endif
