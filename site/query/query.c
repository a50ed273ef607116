/* From descriptions of members to SELECT lists, and from cells to structs. */
#include "site/query/query.h"

const iol__column iol__query_cells[] = {
#define QUERY(name)
#define LIKE(query, table, column)                             \
    {.name = #column,                                          \
     .type = (iol__column_type)IOL_TYPE_OF_##table##_##column, \
     .maybe = IOL_NULL_IN_##table##_##column,                  \
     .offset = offsetof(iol__##query##_row, column)},
#define CELL(query, member, is, expression) \
    {.name = #member, .type = IOL_TYPE_##is, .offset = offsetof(iol__##query##_row, member), .sql = expression},
#define MAYBE(query, member, is, expression)         \
    {.name = #member,                                \
     .type = IOL_TYPE_##is,                          \
     .maybe = true,                                  \
     .offset = offsetof(iol__##query##_row, member), \
     .sql = expression},
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
};

/* Columns of queries stand one behind the other: those of one end where the next begins. */
typedef enum query_id {
#define QUERY(name) QUERY_##name,
#define LIKE(query, table, column)
#define CELL(query, member, type, sql)
#define MAYBE(query, member, type, sql)
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
    QUERIES
} query_id;

static const int first_cell[QUERIES + 1] = {
#define QUERY(name) IOL_FIRST_OF_##name,
#define LIKE(query, table, column)
#define CELL(query, member, type, sql)
#define MAYBE(query, member, type, sql)
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
    IOL_QUERY_CELLS,
};

/* What a row has. */
typedef struct answer_shape {
    const iol__column *columns;
    size_t count;
} answer_shape;

static answer_shape shape_of_table(iol__table_id table) {
    return (answer_shape){iol__tables[table].columns, iol__table_width(table)};
}

static answer_shape shape_of_query(query_id query) {
    return (answer_shape){&iol__query_cells[first_cell[query]], (size_t)(first_cell[query + 1] - first_cell[query])};
}

/* `given`: an expression for each column, or NULL. */
static void add_select_list(iol__sql *sql, answer_shape shape, const char *const *given) {
    iol__sql_add(sql, "SELECT ");
    for (size_t i = 0; i < shape.count; i++) {
        const iol__column *column = &shape.columns[i];
        const char *usual = column->sql ? column->sql : column->name;
        iol__sql_add(sql, "%s%s", i ? ", " : "", given && given[i] ? given[i] : usual);
    }
}

static void select_columns(iol__sql *sql, answer_shape shape, const char *const *given) {
    iol__sql_start(sql);
    add_select_list(sql, shape, given);
    sql->selected = shape.columns;
}

static void insert_columns(iol__sql *sql, iol__table_id table, const char *const *given) {
    iol__sql_start(sql);
    iol__sql_add(sql, "INSERT INTO %s ", iol__tables[table].name);
    add_select_list(sql, shape_of_table(table), given);
}

/* Rows on their way: read into a struct, then handed on by a function that knows its type. */
typedef struct typed_rows {
    answer_shape shape;
    bool (*hand_on)(const struct typed_rows *rows);
    const void *take; /* points to the function of the caller */
    void *context, *row;
    bool odd; /* the answer has another number of columns than was asked for */
} typed_rows;

static bool take_cells(void *context, const iol__cell *cells, size_t count) {
    typed_rows *rows = context;
    rows->odd = count != rows->shape.count;
    if (rows->odd) return false;
    iol__row_read(rows->shape.columns, count, cells, rows->row);
    return rows->hand_on(rows);
}

static iol_status ask_rows(iol__sql *sql, iol__store *store, typed_rows *rows) {
    if (sql->selected != rows->shape.columns) sql->failed = true;
    iol_status status = iol__sql_ask(sql, store, take_cells, rows);
    if (status == IOL_OK && rows->odd)
        status = iol__store_fail(&store->error, IOL_SYSTEM, "the store answers with other columns than were asked for");
    return status;
}

static const char *copy_query_text(void *arena, const char *text) { return iol__arena_copy(arena, text); }

#define ASKED(name, shape_of, id)                                                                    \
    typedef bool take_##name(void *context, const iol__##name##_row *row);                           \
    static bool hand_on_##name(const typed_rows *rows) {                                             \
        return (*(take_##name *const *)rows->take)(rows->context, rows->row);                        \
    }                                                                                                \
    void iol__select_##name(iol__sql *sql) { select_columns(sql, shape_of(id), NULL); }              \
    iol_status iol__ask_##name(iol__sql *sql, iol__store *store, take_##name *take, void *context) { \
        iol__##name##_row row;                                                                       \
        typed_rows rows = {shape_of(id), hand_on_##name, &take, context, &row, false};               \
        return ask_rows(sql, store, &rows);                                                          \
    }                                                                                                \
    iol__##name##_row iol__keep_##name(iol__arena *arena, const iol__##name##_row *row) {            \
        iol__##name##_row kept = *row;                                                               \
        const answer_shape shape = shape_of(id);                                                     \
        iol__row_keep(shape.columns, shape.count, &kept, copy_query_text, arena);                    \
        return kept;                                                                                 \
    }

#define TABLE(name, keys, meaning)                                                       \
    ASKED(name, shape_of_table, IOL_TABLE_##name)                                        \
    void iol__insert_##name(iol__sql *sql, const iol__##name##_sql *given) {             \
        insert_columns(sql, IOL_TABLE_##name, (const char *const *)(const void *)given); \
    }
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX

#define QUERY(name)                                                                                  \
    ASKED(name, shape_of_query, QUERY_##name)                                                        \
    void iol__select_##name##_with(iol__sql *sql, const iol__##name##_sql *given) {                  \
        select_columns(sql, shape_of_query(QUERY_##name), (const char *const *)(const void *)given); \
    }
#define LIKE(query, table, column)
#define CELL(query, member, type, sql)
#define MAYBE(query, member, type, sql)
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
