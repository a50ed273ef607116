/* Statuses and messages. Every message has the same head: the file, the place in it, the module. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "log/error.h"
#include "log/read/log_internal.h"

int iol_version(void) { return IOL_VERSION; }

const char *iol_status_text(iol_status status) {
    static const char *const texts[] = {
        [IOL_OK] = "ok",
        [IOL_END] = "end",
        [IOL_SYSTEM] = "system error",
        [IOL_NOT_A_LOG] = "not a log",
        [IOL_UNSUPPORTED] = "not supported",
        [IOL_DAMAGED] = "damaged",
        [IOL_LIMIT] = "too much",
        [IOL_INVALID] = "no such thing",
    };
    if ((unsigned)status >= IOL_COUNT(texts)) return "unknown status";
    return texts[status];
}

static void error_compose(iol_error *error, iol_status status, const char *path, int slot, uint64_t offset,
                          const char *format, va_list list) {
    error->status = status;
    error->slot = slot;
    error->offset = offset;
    size_t room = sizeof error->message;
    /* A path too long for the message keeps its end, which says more. */
    size_t length = strlen(path);
    const char *shown = length > 200 ? path + length - 200 : path;
    int at = snprintf(error->message, room, "%s%s: ", shown == path ? "" : "...", shown);
    if (offset != IOL_NO_OFFSET)
        at += snprintf(error->message + at, room - (size_t)at, "at offset %llu: ", (unsigned long long)offset);
    if (slot >= 0 && slot < IOL_SLOTS_KNOWN)
        at += snprintf(error->message + at, room - (size_t)at, "%s: ", iol__modules[slot].name);
    vsnprintf(error->message + at, room - (size_t)at, format, list);
    /* A message is one line, whatever the path holds. */
    for (char *c = error->message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
}

iol_status iol__error_message(iol_error *error, iol_status status, const char *format, va_list list) {
    if (!error) return status;
    *error = (iol_error){.status = status, .slot = -1, .offset = IOL_NO_OFFSET};
    vsnprintf(error->message, sizeof error->message, format, list);
    return status;
}

iol_status iol__error_set(iol_error *error, iol_status status, const char *path, uint64_t offset, const char *format,
                          ...) {
    if (!error) return status;
    va_list list;
    va_start(list, format);
    error_compose(error, status, path, -1, offset, format, list);
    va_end(list);
    return status;
}

iol_status iol__fail(iol_log *log, iol_status status, int slot, uint64_t offset, const char *format, ...) {
    iol_error error;
    va_list list;
    va_start(list, format);
    error_compose(&error, status, log->path, slot, offset, format, list);
    va_end(list);
    if (status == IOL_DAMAGED && slot >= 0 && slot < IOL_SLOTS) log->damaged |= UINT64_C(1) << slot;
    size_t kept = log->n_errors < IOL_ERRORS_KEPT ? log->n_errors : IOL_ERRORS_KEPT;
    /* A module that is read twice has the same damage twice; it is reported once. */
    for (size_t i = 0; i < kept; i++)
        if (strcmp(log->errors[i].message, error.message) == 0) return status;
    if (kept < IOL_ERRORS_KEPT) log->errors[kept] = error;
    log->n_errors++;
    return status;
}

void iol__note(iol_log *log, const char *format, ...) {
    char text[IOL_NOTE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (size_t i = 0; i < log->n_notes; i++)
        if (strcmp(log->notes[i], text) == 0) return;
    if (log->n_notes < IOL_NOTES_KEPT) memcpy(log->notes[log->n_notes++], text, sizeof text);
}

const char *iol__log_note(const iol_log *log, size_t index) { return index < log->n_notes ? log->notes[index] : NULL; }

size_t iol_log_error_count(const iol_log *log) { return log ? log->n_errors : 0; }

const iol_error *iol_log_error(const iol_log *log, size_t index) {
    if (!log) return NULL;
    size_t kept = log->n_errors < IOL_ERRORS_KEPT ? log->n_errors : IOL_ERRORS_KEPT;
    return index < kept ? &log->errors[index] : NULL;
}

bool iol__budget_take(iol_log *log, uint64_t bytes) {
    if (bytes > log->budget) return false;
    log->budget -= bytes;
    return true;
}

void iol__budget_return(iol_log *log, uint64_t bytes) { log->budget += bytes; }
