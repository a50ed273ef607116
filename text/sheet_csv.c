/* From CSV, as the commands print it, to a sheet. A first pass finds out what the columns are, a second one fills them. */
#include <errno.h>
#include <stdlib.h>

#include "base/count.h"
#include "text/sheet.h"

/* Columns that are names, even if all of them look like numbers. */
static const char *const names_of_things[] = {"job",      "jobid",   "_jobid",  "job_id", "user",
                                              "username", "account", "cluster", "name",   "version",
                                              "identity", "program", "exe"};

typedef struct csv_column {
    char *name;
    bool whole, number;
} csv_column;

typedef struct csv_reading {
    char *at, *end; /* of the text, which is changed: fields are unquoted in place */
    bool row_ends;
} csv_reading;

/* The next field, with a NUL behind it; NULL at the end. */
static char *sheet_csv_next_field(csv_reading *r) {
    if (r->at >= r->end) return NULL;
    char *field = r->at, *to = field;
    const bool quoted = *r->at == '"';
    if (quoted) r->at++;
    for (; r->at < r->end; r->at++) {
        if (quoted && *r->at == '"') {
            if (r->at + 1 < r->end && r->at[1] == '"')
                r->at++;
            else {
                r->at++;
                break;
            }
        } else if (!quoted && (*r->at == ',' || *r->at == '\n')) {
            break;
        }
        *to++ = *r->at;
    }
    r->row_ends = r->at >= r->end || *r->at == '\n';
    r->at++;
    *to = '\0';
    return field;
}

static bool is_whole(const char *text) {
    char *end;
    errno = 0;
    (void)strtoll(text, &end, 10);
    const char *digits = *text == '-' ? text + 1 : text;
    return !*end && !errno && *digits >= '0' && *digits <= '9' && !(digits[0] == '0' && digits[1]);
}

static bool sheet_csv_is_number(const char *text) {
    char *end;
    (void)strtod(text, &end);
    const char first = *text == '-' ? text[1] : *text;
    return !*end && first >= '0' && first <= '9';
}

static void look_at_cell(csv_column *column, const char *text) {
    if (!*text) return;
    column->whole = column->whole && is_whole(text);
    column->number = column->number && sheet_csv_is_number(text);
}

/* The head line; NULL if there is none. */
static csv_column *read_sheet_csv_head(csv_reading *r, size_t *count) {
    csv_column *columns = NULL;
    *count = 0;
    do {
        char *name = sheet_csv_next_field(r);
        csv_column *grown = name ? realloc(columns, (*count + 1) * sizeof *grown) : NULL;
        if (!grown) {
            free(columns);
            return NULL;
        }
        columns = grown;
        columns[(*count)++] = (csv_column){name, true, true};
    } while (!r->row_ends);
    return columns;
}

/* What is known of a column counts where its cells can be that. */
static iol__sheet_kind sheet_csv_kind_of(const csv_column *column, const iol__sheet_column *known, size_t n_known) {
    const iol__sheet_kind kind = column->whole ? IOL_SHEET_INT : column->number ? IOL_SHEET_REAL : IOL_SHEET_TEXT;
    for (size_t i = 0; i < n_known; i++)
        if (strcmp(column->name, known[i].name) == 0) return known[i].kind > kind ? known[i].kind : kind;
    for (size_t i = 0; i < IOL_COUNT(names_of_things); i++)
        if (strcmp(column->name, names_of_things[i]) == 0) return IOL_SHEET_TEXT;
    return kind;
}

static void put_sheet_csv_field(iol__sheet *sheet, iol__sheet_kind kind, const char *text) {
    if (!*text)
        iol__sheet_null(sheet);
    else if (kind == IOL_SHEET_INT)
        iol__sheet_int(sheet, strtoll(text, NULL, 10));
    else if (kind == IOL_SHEET_REAL)
        iol__sheet_real(sheet, strtod(text, NULL));
    else
        iol__sheet_text(sheet, text);
}

/* Rows that are too short or too long are none of ours. Fields were unquoted by the first pass, and are kept in a list. */
static bool fill_sheet(iol__out *out, iol__sheet_form form, const iol__sheet_column *heads, size_t count, char **fields,
                       size_t n_fields) {
    iol__sheet *sheet = iol__sheet_begin(out, form, heads, count);
    for (size_t i = 0; sheet && i < n_fields; i++) put_sheet_csv_field(sheet, heads[i % count].kind, fields[i]);
    return iol__sheet_end(sheet);
}

bool iol__sheet_from_csv(iol__out *out, iol__sheet_form form, const char *csv, size_t length,
                         const iol__sheet_column *known, size_t n_known) {
    char *copy = malloc(length + 1), **fields = NULL;
    size_t count = 0, n_fields = 0, room = 0;
    if (!copy) return false;
    memcpy(copy, csv, length);
    copy[length] = '\0';
    csv_reading r = {copy, copy + length, false};
    csv_column *columns = read_sheet_csv_head(&r, &count);
    bool good = columns != NULL;
    for (char *field; good && (field = sheet_csv_next_field(&r));) {
        if (n_fields == room) {
            char **grown = realloc(fields, (room = room ? 2 * room : 1024) * sizeof *grown);
            good = grown != NULL;
            fields = grown ? grown : fields;
        }
        if (!good) break;
        look_at_cell(&columns[n_fields % count], field);
        fields[n_fields++] = field;
        good = r.row_ends == (n_fields % count == 0);
    }
    iol__sheet_column *heads = good ? calloc(count, sizeof *heads) : NULL;
    for (size_t i = 0; heads && i < count; i++)
        heads[i] = (iol__sheet_column){columns[i].name, sheet_csv_kind_of(&columns[i], known, n_known)};
    good = heads && fill_sheet(out, form, heads, count, fields, n_fields);
    free(heads);
    free(fields);
    free(columns);
    free(copy);
    return good;
}
