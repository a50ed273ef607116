/* /alert-notes: what staff do about alerts, and its history. It is kept in `alert-notes` below the state directory, which
   `iolite alert --notes` reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "serve/api/notes.h"
#include "serve/answer.h"
#include "serve/serve.h"
#include "site/tree.h"
#include "text/text.h"

enum { DAY_SECONDS = 86400, USUAL_DAYS = 30, MOST_DAYS = 3660, MOST_BODY = 16384 };

static const char *notes_path(iol__exchange *x) {
    return iol__arena_print(&x->arena, "%s/alert-notes", x->serve->options->state);
}

bool iol__notes_of(iol__exchange *x, iol__alert_notes *notes) {
    iol_error error;
    if (iol__alert_notes_read(&x->arena, notes_path(x), notes, &error) == IOL_OK) return true;
    iol__complain("iolite serve: ", "%s", error.message);
    iol__answer_error(x, 503, "the notes about alerts cannot be read");
    return false;
}

/* Listing --------------------------------------------------------------------------------------------------------- */

static const char *unless_empty(const char *text) { return *text ? text : NULL; }

static iol__AlertNote_answer answer_of(const iol__alert_note_row *note) {
    return (iol__AlertNote_answer){.made = (double)note->made,
                                   .by = note->by,
                                   .action = iol__alert_action_name(note->action),
                                   .rule = note->rule,
                                   .user = note->user,
                                   .exe = note->exe,
                                   .until = iol__unless_nan(note->until ? (double)note->until : NAN),
                                   .to = note->action == IOL_ALERT_ASSIGN ? note->to : NULL,
                                   .text = unless_empty(note->text)};
}

/* A note about any user is about this one too. */
static bool concerns(iol__exchange *x, const char *name, const char *of_note) {
    const char *wanted = iol__param(x, name);
    return !wanted || !*of_note || strcmp(wanted, of_note) == 0;
}

void iol__serve_alert_notes(iol__exchange *x) {
    const size_t most = (size_t)iol__param_int(x, "limit", 100);
    iol__alert_notes notes;
    iol__answer s;
    if (!iol__notes_of(x, &notes)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_AlertNote);
    for (size_t i = notes.count, shown = 0; i > 0 && shown < most; i--) {
        const iol__alert_note_row *note = &notes.list[i - 1];
        if (!concerns(x, "rule", note->rule) || !concerns(x, "user", note->user) || !concerns(x, "exe", note->exe))
            continue;
        const iol__AlertNote_answer answer = answer_of(note);
        iol__fill_AlertNote(&s, &answer);
        shown++;
    }
    iol__answer_end(&s, NULL, -1);
}

/* Making one ------------------------------------------------------------------------------------------------------ */

/* A text of the body; "" where there is none, NULL with the answer made where it is no text, or too long. */
static const char *member_text(iol__exchange *x, const iol__tree *body, const char *key) {
    const iol__tree *member = iol__tree_member(body, key);
    const char *text = iol__tree_text(member);
    if (!member || member->kind == IOL_TREE_NULL) return "";
    if (text && strlen(text) == member->length && member->length <= IOL_ALERT_NOTE_TEXT && iol__utf8_valid(text))
        return iol__arena_copy(&x->arena, text);
    iol__answer_error(x, 400, "%s: a text of at most %d bytes is expected", key, IOL_ALERT_NOTE_TEXT);
    return NULL;
}

static bool take_texts(iol__exchange *x, const iol__tree *body, iol__alert_note_row *note) {
    return (note->rule = member_text(x, body, "rule")) && (note->user = member_text(x, body, "user")) &&
           (note->exe = member_text(x, body, "exe")) && (note->to = member_text(x, body, "to")) &&
           (note->text = member_text(x, body, "text"));
}

static bool take_days(iol__exchange *x, const iol__tree *body, iol__alert_note_row *note) {
    const iol__tree *member = iol__tree_member(body, "days");
    int64_t days = USUAL_DAYS;
    if (member && (!iol__tree_i64(member, &days) || days < 1 || days > MOST_DAYS))
        return iol__answer_error(x, 400, "days: a number from 1 to %d is expected", MOST_DAYS), false;
    if (note->action == IOL_ALERT_MUTE) note->until = note->made + days * DAY_SECONDS;
    return true;
}

static bool take_note(iol__exchange *x, const iol__tree *body, iol__alert_note_row *note) {
    *note = (iol__alert_note_row){.made = (int64_t)time(NULL), .by = x->viewer.user};
    if (!iol__alert_action_of(iol__tree_text(iol__tree_member(body, "action")), &note->action))
        return iol__answer_error(x, 400, "action: mute, unmute, assign or comment is expected"), false;
    if (!take_texts(x, body, note) || !take_days(x, body, note)) return false;
    if (note->action == IOL_ALERT_COMMENT && !*note->text)
        return iol__answer_error(x, 400, "text: a comment is expected"), false;
    return true;
}

/* The media type makes a browser ask before it sends this in the name of whoever looks at another page. */
static bool is_said_to_be_json(iol__exchange *x) {
    const char *type = x->headers.content_type;
    if (type && strncasecmp(type, "application/json", sizeof "application/json" - 1) == 0) return true;
    iol__answer_error(x, 400, "the body has to be application/json");
    return false;
}

static void free_document(void *document) { iol__tree_free(document); }

void iol__serve_alert_note(iol__exchange *x) {
    char bytes[MOST_BODY];
    iol__tree_document *document = iol__arena_alloc(&x->arena, 1, sizeof *document);
    iol__alert_note_row note;
    iol_error error;
    if (!is_said_to_be_json(x)) return;
    const bool fits = x->body_file >= 0 && x->body_length && x->body_length <= sizeof bytes;
    const ssize_t length = fits ? pread(x->body_file, bytes, sizeof bytes, 0) : 0;
    const iol__tree_limits limits = {.values = 64, .depth = 2};
    if (length <= 0 || iol__tree_parse(bytes, (size_t)length, "body", &limits, document, &error) != IOL_OK) {
        iol__answer_error(x, 400, "an object of JSON is expected in the body");
        return;
    }
    iol__at_end(x, free_document, document);
    if (take_note(x, document->top, &note)) {
        if (iol__alert_notes_add(notes_path(x), &note, &error) != IOL_OK) {
            iol__complain("iolite serve: ", "%s", error.message);
            iol__answer_error(x, 503, "the note cannot be written at the moment");
        } else {
            iol__answer s;
            const iol__AlertNote_answer answer = answer_of(&note);
            iol__one_begin(x);
            iol__answer_rest(&s, x, IOL_SCHEMA_AlertNote);
            iol__put_members(&s, NULL, &answer);
            iol__one_end(x);
        }
    }
}
