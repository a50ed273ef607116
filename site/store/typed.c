/* Between cells and members, by the descriptions of columns. */
#include "site/store/typed.h"

static void *member_of(const iol__column *column, void *row) { return (char *)row + column->offset; }
static const void *known_member_of(const iol__column *column, const void *row) {
    return (const char *)row + column->offset;
}

void iol__row_read(const iol__column *columns, size_t count, const iol__cell *cells, void *row) {
    for (size_t i = 0; i < count; i++) {
        const iol__cell *cell = &cells[i];
        void *member = member_of(&columns[i], row);
        if (columns[i].type == IOL_TYPE_TEXT)
            *(const char **)member = iol__cell_text(cell);
        else if (columns[i].type == IOL_TYPE_REAL)
            *(double *)member = iol__cell_real(cell);
        else if (columns[i].maybe)
            *(iol__maybe *)member = (iol__maybe){iol__cell_integer(cell), cell->kind != IOL_CELL_NULL};
        else
            *(int64_t *)member = iol__cell_integer(cell);
    }
}

iol__cell iol__row_cell(const iol__column *column, const void *row) {
    const void *member = known_member_of(column, row);
    if (column->type == IOL_TYPE_TEXT) return iol__text(*(const char *const *)member);
    if (column->type == IOL_TYPE_REAL) return iol__real(*(const double *)member);
    if (!column->maybe) return iol__integer(*(const int64_t *)member);
    const iol__maybe *number = member;
    return number->known ? iol__integer(number->value) : iol__null();
}

iol__cell iol__shown_cell(const iol__column *column, iol__cell cell) {
    const bool unknown = column->type == IOL_TYPE_WHEN && cell.kind == IOL_CELL_INT && cell.as.integer == 0;
    return unknown ? iol__null() : cell;
}

void iol__row_keep(const iol__column *columns, size_t count, void *row,
                   const char *(*copy)(void *with, const char *text), void *with) {
    for (size_t i = 0; i < count; i++) {
        const char **text = member_of(&columns[i], row);
        if (columns[i].type == IOL_TYPE_TEXT && *text) *text = copy(with, *text);
    }
}

static iol_status put_row(iol__store *store, iol__table_id table, const void *row) {
    iol__cell values[IOL_WIDEST];
    for (size_t i = 0; i < iol__table_width(table); i++) values[i] = iol__row_cell(&iol__tables[table].columns[i], row);
    return iol__store_put(store, table, values);
}

#define TABLE(name, keys, meaning)                                                      \
    iol_status iol__store_put_##name(iol__store *store, const iol__##name##_row *row) { \
        return put_row(store, IOL_TABLE_##name, row);                                   \
    }
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
