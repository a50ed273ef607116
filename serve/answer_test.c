/* Answers from rows: each key shows the member that its name says, times are seconds, and what is not known is null. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "serve/api/parts.h"
#include "serve/jobs.h"
#include "serve/serve.h"

/* Keys that are called otherwise than the column. */
static const char *const other_names[][2] = {
    {"user", "owner"},         {"exe", "exename"},      {"end", "ended"},     {"nnodes", "nodes"},
    {"run_s", "run"},          {"io_s", "io_time"},     {"lost_s", "lost"},   {"read_s", "read_time"},
    {"write_s", "write_time"}, {"meta_s", "meta_time"}, {"mount", "mountpt"}, {"modified", "mtime"},
};

static const char *member_of_key(const char *key) {
    for (size_t i = 0; i < IOL_COUNT(other_names); i++)
        if (strcmp(other_names[i][0], key) == 0) return other_names[i][1];
    return key;
}

static void each_key_shows_the_member_of_its_name(void **state) {
    size_t shown = 0;
    (void)state;
    for (int i = 0; i < IOL_SCHEMAS; i++)
        for (const iol__field *f = iol__fields_of(&iol__schemas[i]); f->name; f++) {
            if (!f->column) continue;
            assert_string_equal(member_of_key(f->name), f->column->name);
            /* A point in time in the key of a job may be unknown, and so may what only logs say. */
            const bool maybe = f->column->maybe || f->column->of_logs;
            assert_true(f->maybe == maybe || (f->maybe && f->column->type == IOL_TYPE_WHEN));
            shown++;
        }
    assert_true(shown > 100);
}

/* The portal's script finds the value of a column under its key of the API. */
static void columns_of_the_portal_have_keys(void **state) {
    const iol__column *columns[IOL_WIDEST];
    const size_t count = iol__job_shown(IOL_VIEW_PORTAL, columns);
    (void)state;
    assert_true(count > 5);
    for (size_t i = 0; i < count; i++) assert_non_null(columns[i]->api.name);
    for (size_t i = 1; i < count; i++) assert_true(columns[i - 1]->portal.order <= columns[i]->portal.order);
}

static const iol__job_row job = {.cluster = "onyx",
                                 .jobid = "77",
                                 .owner = "ana",
                                 .exename = "heat",
                                 .start = INT64_C(1700000000250000),
                                 .ended = {INT64_C(1700000010250000), true},
                                 .nprocs = 8,
                                 .nodes = 2,
                                 .bytes_read = 1048576,
                                 .bytes_written = 3145728,
                                 .run = 10000000,
                                 .io_time = 2000000,
                                 .lost = 1500000,
                                 .selected = 5,
                                 .findings = 3,
                                 .logs = 1};

static iol__serve nobody;

static void begin_json(iol__exchange *x) {
    iol__exchange_begin(x, &nobody);
    iol__json_start(&x->json, &x->body, 0);
}

static void ends_as(iol__exchange *x, const char *wanted) {
    iol__json_finish(&x->json);
    iol__out_char(&x->body, 0);
    assert_string_equal(x->body.buffer, wanted);
    iol__exchange_free(x);
}

static void a_job_has_its_values_under_its_keys(void **state) {
    iol__exchange x;
    iol__answer s;
    (void)state;
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Job]};
    iol__put_Job(&s, &job);
    ends_as(&x,
            "{\"cluster\":\"onyx\",\"jobid\":\"77\",\"user\":\"ana\",\"account\":null,\"name\":null,\"exe\":\"heat\","
            "\"state\":null,\"start\":1700000000.25,\"end\":1700000010.25,\"nprocs\":8,\"nnodes\":2,"
            "\"bytes_read\":1048576,\"bytes_written\":3145728,\"run_s\":10,\"io_s\":2,\"perf_mibs\":2,\"io_pct\":20,"
            "\"lost_s\":1.5,\"selected\":5,\"findings\":3,\"logs\":1}\n");
}

static void a_job_as_a_line_of_csv_has_the_order_of_its_keys(void **state) {
    iol__exchange x;
    iol__answer s;
    iol__job_row running = job;
    (void)state;
    running.ended.known = false;
    running.nodes = NAN;
    iol__exchange_begin(&x, &nobody);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Job], .form = IOL_ANSWER_CSV};
    iol__put_Job(&s, &running);
    iol__out_char(&x.body, 0);
    assert_string_equal(x.body.buffer, "onyx,77,ana,,,heat,,1700000000.25,,8,,1048576,3145728,10,2,2,20,1.5,5,3,1\n");
    iol__exchange_free(&x);
}

static void of_a_job_without_a_log_nothing_is_zero(void **state) {
    iol__exchange x;
    iol__answer s;
    const iol__job_row unseen = {
        .cluster = "onyx", .jobid = "78", .owner = "ana", .start = 1000000, .ended = {664000000, true}, .nodes = 2};
    (void)state;
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Job]};
    iol__put_Job(&s, &unseen);
    ends_as(&x, "{\"cluster\":\"onyx\",\"jobid\":\"78\",\"user\":\"ana\",\"account\":null,\"name\":null,\"exe\":null,"
                "\"state\":null,\"start\":1,\"end\":664,\"nprocs\":null,\"nnodes\":2,\"bytes_read\":null,"
                "\"bytes_written\":null,\"run_s\":663,\"io_s\":null,\"perf_mibs\":null,\"io_pct\":null,\"lost_s\":null,"
                "\"selected\":null,\"findings\":null,\"logs\":0}\n");
    assert_true(isnan(iol__box_of(&unseen).read) && isnan(iol__box_of(&unseen).percent));
}

static void runs_logs_and_uses_have_their_values(void **state) {
    iol__exchange x;
    iol__answer s;
    (void)state;
    const iol__run_of_log_row run = {.log_id = 9,
                                     .cluster = "c",
                                     .jobid = "1",
                                     .owner = "eve",
                                     .start = 5000000,
                                     .nprocs = 4,
                                     .run = 6000000,
                                     .io_time = 1000000,
                                     .bytes_read = 1048576,
                                     .bytes_written = 2,
                                     .findings = 7,
                                     .lost = 250000};
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Run]};
    iol__put_Run(&s, &run);
    ends_as(&x,
            "{\"log_id\":\"9\",\"cluster\":\"c\",\"jobid\":\"1\",\"user\":\"eve\",\"start\":5,\"nprocs\":4,\"run_s\":6,"
            "\"io_s\":1,\"bytes_read\":1048576,\"bytes_written\":2,\"perf_mibs\":1.0000019073486328,\"findings\":7,"
            "\"lost_s\":0.25}\n");
    const iol__module_use_row module = {.module = "POSIX",
                                        .records = 3,
                                        .bytes_read = {1, true},
                                        .bytes_written = {2, true},
                                        .reads = {3, true},
                                        .read_time = {4000000, true}};
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Module]};
    iol__put_Module(&s, &module);
    ends_as(&x, "{\"module\":\"POSIX\",\"records\":3,\"bytes_read\":1,\"bytes_written\":2,\"reads\":3,\"writes\":null,"
                "\"read_s\":4,\"write_s\":null,\"meta_s\":null}\n");
    const iol__fs_use_row use = {
        .fs = "scratch", .bytes_read = 1, .bytes_written = 2, .reads = 3, .writes = 4, .opens = 5, .moved = 6};
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_FsUse]};
    iol__put_FsUse(&s, &use);
    ends_as(&x, "{\"fs\":\"scratch\",\"bytes_read\":1,\"bytes_written\":2,\"reads\":3,\"writes\":4,\"opens\":5}\n");
    const iol__found_row found = {.rule = "r", .level = "high", .logs = 2, .lost = 3000000, .title = "t"};
    begin_json(&x);
    s = (iol__answer){.x = &x, .schema = &iol__schemas[IOL_SCHEMA_Finding]};
    iol__put_Finding(&s, &found);
    ends_as(&x, "{\"rule\":\"r\",\"level\":\"high\",\"logs\":2,\"lost_s\":3,\"title\":\"t\"}\n");
}

static iol__answer json_answer(iol__exchange *x, int schema) {
    begin_json(x);
    return (iol__answer){.x = x, .schema = &iol__schemas[schema]};
}

static void what_is_filled_in_stands_under_its_name(void **state) {
    iol__exchange x;
    (void)state;
    iol__answer s = json_answer(&x, IOL_SCHEMA_Ost);
    iol__fill_Ost(&s, &(iol__Ost_answer){.p_value = iol__unless_nan(0.5),
                                         .bytes_written = 4,
                                         .slow = iol__known(true),
                                         .bytes_read = 3,
                                         .targets = 1,
                                         .q3_s = iol__unless_nan(7),
                                         .q1_s = iol__unless_nan(NAN),
                                         .records = iol__known(0),
                                         .fs = "scratch",
                                         .name = "OST0003",
                                         .files = 2});
    ends_as(&x,
            "{\"name\":\"OST0003\",\"fs\":\"scratch\",\"targets\":1,\"files\":2,\"bytes_read\":3,\"bytes_written\":4,"
            "\"records\":0,\"min_s\":null,\"q1_s\":null,\"median_s\":null,\"q3_s\":7,\"max_s\":null,\"mean_s\":null,"
            "\"slow\":true,\"coefficient\":null,\"p_value\":0.5}\n");
    s = json_answer(&x, IOL_SCHEMA_Alert);
    iol__fill_Alert(&s, &(iol__Alert_answer){.state = "muted", .rule = "r", .until = iol__in_seconds(1500000)});
    ends_as(&x, "{\"state\":\"muted\",\"rule\":\"r\",\"condition\":null,\"user\":null,\"exe\":null,\"jobs\":null,"
                "\"first\":null,\"last\":null,\"node_h\":null,\"cluster\":null,\"worst\":null,\"title\":null,"
                "\"target\":null,\"when\":null,\"until\":1.5,\"reason\":null,\"by\":null,\"assigned\":null,\"comment\":"
                "null}\n");
    s = json_answer(&x, IOL_SCHEMA_ArchiveDay);
    iol__fill_ArchiveDay(&s, &(iol__ArchiveDay_answer){.missing = 0.25, .there = true, .day = "2026-12-31", .fs = "a"});
    ends_as(&x, "{\"fs\":\"a\",\"day\":\"2026-12-31\",\"there\":true,\"missing\":0.25}\n");
}

static void what_is_filled_in_stands_between_members_of_its_row(void **state) {
    iol__exchange x;
    const iol__failure_row failure = {.state = "broken", .reason = "cut", .size = 9};
    (void)state;
    iol__answer s = json_answer(&x, IOL_SCHEMA_Failure);
    iol__answer_row(&s);
    iol__put_in_Failure(&s, &failure, &(iol__Failure_answer){.path = "/a/b"});
    iol__answer_row_end(&s);
    ends_as(&x, "{\"path\":\"/a/b\",\"state\":\"broken\",\"reason\":\"cut\",\"size\":9,\"modified\":null}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_key_shows_the_member_of_its_name),
        cmocka_unit_test(columns_of_the_portal_have_keys),
        cmocka_unit_test(a_job_has_its_values_under_its_keys),
        cmocka_unit_test(a_job_as_a_line_of_csv_has_the_order_of_its_keys),
        cmocka_unit_test(of_a_job_without_a_log_nothing_is_zero),
        cmocka_unit_test(runs_logs_and_uses_have_their_values),
        cmocka_unit_test(what_is_filled_in_stands_under_its_name),
        cmocka_unit_test(what_is_filled_in_stands_between_members_of_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
