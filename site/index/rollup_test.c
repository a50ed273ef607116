/* Daily sums: each column has the sum of the column that its name says, over the rows that its key says. The values of a row
   are all different, so that two columns that change places are seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site/index/rollup.h"
#include "site/query/query.h"
#include "tests/support/empty_store.h"

enum { DAY = 20261118 };

typedef struct named_cell {
    const char *name;
    iol__cell is;
} named_cell;

/* A number that no other column has. */
static int64_t number_of(const char *column) {
    uint32_t hash = 2166136261u;
    for (; *column; column++) hash = (hash ^ (unsigned char)*column) * 16777619u;
    return 1000000 + hash % 1000003;
}

/* A row with the given cells, and in all other columns their own number times `times`. */
static void put_row(iol__store *store, iol__table_id table, int64_t times, const named_cell *given) {
    iol__cell cells[IOL_WIDEST];
    for (size_t i = 0; i < iol__table_width(table); i++) {
        const iol__column *column = &iol__tables[table].columns[i];
        const named_cell *one = given;
        while (one->name && strcmp(one->name, column->name) != 0) one++;
        cells[i] = one->name                       ? one->is
                   : column->type == IOL_TYPE_TEXT ? iol__text(column->name)
                   : column->type == IOL_TYPE_REAL ? iol__real((double)(times * number_of(column->name)))
                                                   : iol__integer(times * number_of(column->name));
    }
    assert_int_equal(iol__store_put(store, table, cells), IOL_OK);
}

static int64_t number_in_store(iol__store *store, const char *column, iol__table_id table, const char *where) {
    iol__sql sql;
    int64_t number;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s FROM %s%s", column, iol__tables[table].name, where);
    assert_int_equal(iol__sql_number(&sql, store, -1, &number), IOL_OK);
    return number;
}

typedef struct named_number {
    const char *name;
    int64_t is;
} named_number;

static void has(iol__store *store, iol__table_id table, const char *where, const named_number *wanted) {
    for (; wanted->name; wanted++) {
        const int64_t number = number_in_store(store, wanted->name, table, where);
        if (number != wanted->is)
            fail_msg("%s.%s is %lld, not %lld", iol__tables[table].name, wanted->name, (long long)number,
                     (long long)wanted->is);
    }
}

/* What is the same in all rows of these tests. */
#define COMMON                                                                                 \
    {"day", iol__integer(DAY)}, {"cluster", iol__text("onyx")}, {"owner", iol__text("ana")}, { \
        "jobid", iol__text("77")                                                               \
    }

static void put_log(iol__store *store, int64_t id, int64_t times) {
    const named_cell given[] = {COMMON,
                                {"log_id", iol__integer(id)},
                                {"identity", iol__text(id == 1 ? "one" : "two")},
                                {"exename", iol__text("heat")},
                                {"modules", iol__integer(5)},
                                {"compat", iol__integer(9)},
                                {"took", iol__integer(41 + id)},
                                {0}};
    put_row(store, IOL_TABLE_log, times, given);
}

static void put_job(iol__store *store, const char *jobid, int64_t logs, int64_t times) {
    const named_cell given[] = {{"jobid", iol__text(jobid)},
                                COMMON,
                                {"logs", iol__integer(logs)},
                                {"known", iol__integer(1)},
                                {"covered", iol__integer(logs > 0)},
                                {"exename", iol__text("heat")},
                                {"account", iol__text("physics")},
                                {"state", iol__text("COMPLETED")},
                                {"entry", iol__text("module")},
                                {"cause", iol__text("")},
                                {"meta_ratio", iol__real((double)times)},
                                {0}};
    put_row(store, IOL_TABLE_job, times, given);
}

static void sum_up(iol__store *store) {
    const int64_t day = DAY;
    assert_int_equal(iol__rollup_days(store, &day, 1), IOL_OK);
}

static void sums_of_logs_have_the_columns_of_their_names(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    put_log(store, 1, 1);
    put_log(store, 2, 2);
    sum_up(store);
    has(store, IOL_TABLE_day_use, " WHERE cluster = 'onyx' AND owner = 'ana' AND exename = 'heat'",
        (const named_number[]){{"day", DAY},
                               {"logs", 2},
#define SUM(name) {#name, 3 * number_of(#name)},
#define SUM_OF_DAY(name) SUM(name)
#define SUM_OF_JOB(name)
#include "site/log_sums.def"
                               {0}});
    has(store, IOL_TABLE_day_modules, " WHERE cluster = 'onyx'",
        (const named_number[]){{"day", DAY}, {"modules", 5}, {"compat", 9}, {"logs", 2}, {0}});
    has(store, IOL_TABLE_day_took, " WHERE cluster = 'onyx' AND about = 43",
        (const named_number[]){{"logs", 1}, {"took", 43}, {"least", 43}, {"most", 43}, {0}});
}

static void sums_of_jobs_have_the_columns_of_their_names(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    put_job(store, "77", 2, 1);
    put_job(store, "78", 3, 4);
    put_job(store, "79", 0, 10);
    sum_up(store);
    has(store, IOL_TABLE_day_account, " WHERE cluster = 'onyx' AND account = 'physics'",
        (const named_number[]){{"day", DAY},
                               {"logs", 5},
#undef SUM_OF_DAY
#define SUM_OF_DAY(name) {#name, 5 * number_of(#name)},
#undef SUM
#define SUM(name) {#name, 5 * number_of(#name)},
#include "site/log_sums.def"
                               {0}});
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    has(store, IOL_TABLE_day_job,
        " WHERE cluster = 'onyx' AND owner = 'ana' AND exename = 'heat' AND account = 'physics'",
        (const named_number[]){{"day", DAY},
                               {"jobs", 2},
                               {"logs", 5},
                               {"bytes_read", 5 * number_of("bytes_read")},
                               {"bytes_written", 5 * number_of("bytes_written")},
                               {"meta_ratio", 4},
                               {0}});
    has(store, IOL_TABLE_day_steps, " WHERE cluster = 'onyx' AND logs = 3",
        (const named_number[]){{"day", DAY}, {"jobs", 1}, {0}});
    has(store, IOL_TABLE_day_coverage,
        " WHERE owner = 'ana' AND state = 'COMPLETED' AND entry = 'module' AND cause = '' AND cluster = 'onyx'",
        (const named_number[]){{"day", DAY},
                               {"jobs", 3},
                               {"logged", 2},
                               {"core_time", 15 * number_of("core_time")},
                               {"core_time_logged", 5 * number_of("core_time")},
                               {0}});
}

/* Two mounts of one file system are one log on it. */
static void sums_of_file_systems_count_a_log_once(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    put_log(store, 1, 1);
    for (int64_t mount = 1; mount <= 2; mount++) {
        const named_cell where[] = {{"mount_id", iol__integer(mount)}, {"fs", iol__text("scratch")}, {0}};
        put_row(store, IOL_TABLE_mount, 1, where);
        const named_cell use[] = {{"log_id", iol__integer(1)}, {"mount_id", iol__integer(mount)}, {0}};
        put_row(store, IOL_TABLE_log_fs, mount, use);
    }
    sum_up(store);
    has(store, IOL_TABLE_day_fs, " WHERE cluster = 'onyx' AND owner = 'ana' AND exename = 'heat' AND fs = 'scratch'",
        (const named_number[]){{"day", DAY},
                               {"logs", 1},
#define SUM(name) {#name, 3 * number_of(#name)},
#include "site/fs_sums.def"
#undef SUM
                               {0}});
}

static void sums_of_findings_are_by_rule_and_level(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    for (int64_t id = 1; id <= 2; id++) {
        put_log(store, id, 1);
        const named_cell given[] = {
            {"log_id", iol__integer(id)}, {"rule", iol__text("posix.small.writes")}, {"level", iol__text("high")}, {0}};
        put_row(store, IOL_TABLE_finding, id, given);
    }
    sum_up(store);
    const named_number wanted[] = {
        {"day", DAY}, {"logs", 2}, {"lost", 3 * number_of("lost")}, {"node_time", 3 * number_of("node_time")}, {0}};
    has(store, IOL_TABLE_day_cost,
        " WHERE cluster = 'onyx' AND owner = 'ana' AND exename = 'heat' AND rule = 'posix.small.writes' AND level = "
        "'high'",
        wanted);
    has(store, IOL_TABLE_day_finding, " WHERE cluster = 'onyx' AND rule = 'posix.small.writes' AND level = 'high'",
        wanted);
}

int main(void) {
#define IN_EMPTY_STORE(test) cmocka_unit_test_setup_teardown(test, open_empty, close_and_remove)
    const struct CMUnitTest tests[] = {
        IN_EMPTY_STORE(sums_of_logs_have_the_columns_of_their_names),
        IN_EMPTY_STORE(sums_of_jobs_have_the_columns_of_their_names),
        IN_EMPTY_STORE(sums_of_file_systems_count_a_log_once),
        IN_EMPTY_STORE(sums_of_findings_are_by_rule_and_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
