/* Which logs are of one run: by the file at which they met, by hosts, by numbers of processes; never across users, never where
   two groups are possible. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "log/merge/group.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

typedef struct process {
    const char *user;
    int64_t uid, pid, start, end;
    const char *command, *host, *file;
    const char *metadata;
} process;

static void add_process(iol__grouping *g, const process *p) {
    char path[200];
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->uid = p->uid;
    made->start = p->start;
    made->end = p->end;
    made->job_id = p->pid;
    made->text = p->command;
    if (p->metadata) made->metadata = p->metadata;
    if (p->file) lm_name(made, 1, p->file);
    if (p->host) {
        const lm_segment segment = {0, 100, 0.1, 0.2, 0};
        lm_name(made, 2, "/some/data");
        lm_trace(lm_records(made, LM_DXT_POSIX, 1), 2, 0, p->host, &segment, 0, 1, false);
    }
    opened o = opened_from(made);
    snprintf(path, sizeof path, "/logs/%s_app_id%d-%d_4-19-75201-1_1.darshan", p->user, (int)p->pid, (int)p->pid);
    assert_true(iol__grouping_add(g, o.log, path));
    opened_close(&o);
}

static iol__grouping group(const process *list, size_t count) {
    iol__grouping g = {0};
    for (size_t i = 0; i < count; i++) add_process(&g, &list[i]);
    assert_true(iol__grouping_find(&g));
    return g;
}

#define GROUP(...) group((const process[]){__VA_ARGS__}, sizeof((const process[]){__VA_ARGS__}) / sizeof(process))

#define WORKER "python dask worker --scheduler-file=scheduler.json"

static void workers_that_met_at_one_file_are_one_run(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, "n1.site.org", "/run1/scheduler.json", NULL},
                            {"ann", 7, 500, 1001, 2000, WORKER, "n2", "/run1/scheduler.json", NULL},
                            {"ann", 7, 110, 1003, 2000, "python child", "n1", NULL, NULL},
                            {"ann", 7, 900, 1000, 2001, "mpiexec -n 4 --hosts n1.site.org,n2 dask", NULL, NULL, NULL},
                            {"ann", 7, 123, 1006, 1006, "uname -p", NULL, NULL, NULL},
                            {"ann", 7, 4000, 1006, 1006, "ls", NULL, NULL, NULL},
                            {"ann", 7, 115, 5000, 5001, "python later", "n1", NULL, NULL});
    assert_int_equal(g.groups, 1);
    for (size_t i = 0; i < 5; i++) assert_int_equal(g.logs[i].group, 0);
    assert_string_equal(g.logs[0].evidence, "file /run1/scheduler.json");
    assert_string_equal(g.logs[2].evidence, "host n1");
    assert_string_equal(g.logs[4].evidence, "process 123, right behind 110 on host n1");
    assert_int_equal(g.logs[5].group, IOL_NOT_GROUPED); /* nothing but the time and the user speaks for it */
    assert_int_equal(g.logs[6].group, IOL_NOT_GROUPED); /* on the host, at another time */
    iol__grouping_free(&g);
}

static void two_runs_at_one_time_are_two(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"ann", 7, 101, 1000, 2000, WORKER, "n2", "/run1/scheduler.json", NULL},
                            {"ann", 7, 102, 1000, 2000, WORKER, "n3", "/run2/scheduler.json", NULL},
                            {"ann", 7, 103, 1000, 2000, WORKER, "n4", "/run2/scheduler.json", NULL},
                            {"ann", 7, 104, 1000, 2000, "child", "n4", NULL, NULL});
    assert_int_equal(g.groups, 2);
    assert_int_equal(g.logs[1].group, 0);
    assert_int_equal(g.logs[2].group, 1);
    assert_int_equal(g.logs[4].group, 1);
    iol__grouping_free(&g);
}

static void what_fits_two_groups_stays_alone(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"ann", 7, 101, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"ann", 7, 102, 1000, 2000, WORKER, "n1", "/run2/scheduler.json", NULL},
                            {"ann", 7, 103, 1000, 2000, WORKER, "n1", "/run2/scheduler.json", NULL},
                            {"ann", 7, 150, 1000, 2000, "child", "n1", NULL, NULL},
                            {"ann", 7, 151, 1100, 1100, "uname", NULL, NULL, NULL});
    assert_int_equal(g.groups, 2);
    assert_int_equal(g.logs[4].group, IOL_NOT_GROUPED);
    assert_int_equal(g.logs[5].group, IOL_NOT_GROUPED);
    assert_int_equal(strncmp(g.logs[4].evidence, "alone: two groups", 17), 0);
    iol__grouping_free(&g);
}

/* Runs of a batch job follow each other on its hosts, within the seconds by which clocks differ. */
static void the_next_run_on_a_host_is_another(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"ann", 7, 101, 1000, 2000, WORKER, "n2", "/run1/scheduler.json", NULL},
                            {"ann", 7, 102, 1003, 2000, "child", "n1", NULL, NULL},
                            {"ann", 7, 103, 1000, 2001, "mpiexec --hosts n1,n2 dask", NULL, NULL, NULL},
                            {"ann", 7, 200, 2001, 3000, WORKER, "n1", "/run2/scheduler.json", NULL},
                            {"ann", 7, 201, 2001, 3000, WORKER, "n2", "/run2/scheduler.json", NULL},
                            {"ann", 7, 202, 2003, 3000, "child", "n1", NULL, NULL},
                            {"ann", 7, 203, 2001, 3001, "mpiexec --hosts n1,n2 dask", NULL, NULL, NULL},
                            {"ann", 7, 204, 1999, 2000, "short", "n2", NULL, NULL});
    assert_int_equal(g.groups, 2);
    for (size_t i = 0; i < 8; i++) assert_int_equal(g.logs[i].group, i / 4);
    assert_int_equal(g.logs[8].group, IOL_NOT_GROUPED); /* of which? */
    iol__grouping_free(&g);
}

static void no_group_crosses_users(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"bob", 8, 101, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"ann", 8, 102, 1000, 2000, WORKER, "n1", "/run1/scheduler.json", NULL},
                            {"bob", 7, 103, 1000, 2000, "child", "n1", NULL, "jobid=5\n"},
                            {"ann", 7, 104, 1000, 2000, "child", NULL, NULL, "jobid=5\n"});
    assert_int_equal(g.groups, 0);
    iol__grouping_free(&g);
}

static void the_same_file_another_day_is_another_run(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, WORKER, NULL, "/run/scheduler.json", NULL},
                            {"ann", 7, 101, 1000, 2000, WORKER, NULL, "/run/scheduler.json", NULL},
                            {"ann", 7, 102, 9000, 9900, WORKER, NULL, "/run/scheduler.json", NULL},
                            {"ann", 7, 103, 9000, 9900, WORKER, NULL, "/run/scheduler.json", NULL});
    assert_int_equal(g.groups, 2);
    iol__grouping_free(&g);
}

static void job_ids_of_metadata_and_launchers_make_groups(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 1100, "a", NULL, NULL, "slurm_job_id=77\n"},
                            {"ann", 7, 101, 1500, 1600, "b", NULL, NULL, "slurm_job_id=77\n"},
                            {"ann", 7, 102, 1000, 2000, "mpirun -H n9 ./a", NULL, NULL, NULL},
                            {"ann", 7, 103, 1001, 1999, "./a", "n9", NULL, NULL},
                            {"ann", 7, 104, 1001, 1999, "./c", "n8", NULL, NULL},
                            {"ann", 7, 105, 1001, 1999, "./c", "n8", NULL, NULL});
    assert_int_equal(g.groups, 2);
    assert_int_equal(g.logs[1].group, 0);
    assert_int_equal(g.logs[3].group, 1);
    assert_int_equal(g.logs[4].group, IOL_NOT_GROUPED); /* a host alone is no run */
    iol__grouping_free(&g);
}

static void a_process_and_those_that_it_forked_are_one(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 100, 1000, 2000, "python a.py", NULL, NULL, NULL},
                            {"ann", 7, 300, 1500, 1600, "python a.py", NULL, NULL, "fork_parent=100\n"},
                            {"ann", 7, 301, 1500, 1600, "python b.py", NULL, NULL, "fork_parent=300\n"},
                            {"bob", 8, 302, 1500, 1600, "python c.py", NULL, NULL, "fork_parent=100\n"},
                            {"ann", 7, 303, 5000, 5100, "python d.py", NULL, NULL, "fork_parent=100\n"},
                            {"ann", 7, 400, 1000, 1010, "sh", NULL, NULL, "hostname=n1\n"},
                            {"ann", 7, 400, 1010, 1020, "cat", NULL, NULL, "hostname=n1\n"},
                            {"ann", 7, 400, 1010, 1020, "cat", NULL, NULL, "hostname=n2\n"},
                            {"ann", 7, 500, 1000, 2000, "x", NULL, NULL, "hostname=n1\n"},
                            {"ann", 7, 500, 1000, 2000, "x", NULL, NULL, "hostname=n2\n"},
                            {"ann", 7, 501, 1100, 1200, "x", NULL, NULL, "fork_parent=500\n"});
    assert_int_equal(g.groups, 2);
    for (size_t i = 0; i < 3; i++) assert_int_equal(g.logs[i].group, 0);
    assert_string_equal(g.logs[2].evidence, "forked by process 300");
    assert_int_equal(g.logs[3].group, IOL_NOT_GROUPED); /* another user */
    assert_int_equal(g.logs[4].group, IOL_NOT_GROUPED); /* another time: numbers come again */
    assert_int_equal(g.logs[5].group, 1);
    assert_int_equal(g.logs[6].group, 1);
    assert_string_equal(g.logs[6].evidence, "process 400, as another program");
    assert_int_equal(g.logs[7].group, IOL_NOT_GROUPED);  /* another host */
    assert_int_equal(g.logs[10].group, IOL_NOT_GROUPED); /* of which of the two? */
    iol__grouping_free(&g);
}

static void who_forked_two_runs_unites_neither(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 99, 1000, 2000, "driver", NULL, NULL, NULL},
                            {"ann", 7, 100, 1000, 2000, WORKER, NULL, "/run1/scheduler.json", "fork_parent=99\n"},
                            {"ann", 7, 101, 1000, 2000, WORKER, NULL, "/run1/scheduler.json", "fork_parent=99\n"},
                            {"ann", 7, 102, 1000, 2000, WORKER, NULL, "/run2/scheduler.json", "fork_parent=99\n"},
                            {"ann", 7, 103, 1000, 2000, WORKER, NULL, "/run2/scheduler.json", "fork_parent=99\n"});
    assert_int_equal(g.groups, 2);
    assert_int_equal(g.logs[0].group, IOL_NOT_GROUPED);
    for (size_t i = 1; i < 5; i++) assert_int_equal(g.logs[i].group, i / 3);
    iol__grouping_free(&g);
    g = GROUP({"ann", 7, 99, 1000, 2000, "driver", NULL, NULL, NULL},
              {"ann", 7, 100, 1000, 2000, WORKER, NULL, "/run1/scheduler.json", "fork_parent=99\n"},
              {"ann", 7, 101, 1000, 2000, WORKER, NULL, "/run1/scheduler.json", NULL});
    assert_int_equal(g.groups, 1);
    assert_int_equal(g.logs[0].group, 0);
    iol__grouping_free(&g);
}

static void a_host_without_a_run_unites_nothing(void **state) {
    (void)state;
    iol__grouping g =
        GROUP({"ann", 7, 400, 1000, 2000, "a", NULL, NULL, "hostname=n1\nfork_parent=399\nprocess_job_id=399\n"},
              {"ann", 7, 401, 1000, 2000, "a", NULL, NULL, "hostname=n1\nfork_parent=399\nprocess_job_id=399\n"},
              {"ann", 7, 500, 1100, 1200, "b", NULL, NULL, "hostname=n1\n"});
    assert_int_equal(g.groups, 1);
    assert_int_equal(g.logs[1].group, 0);
    assert_int_equal(g.logs[2].group, IOL_NOT_GROUPED);
    iol__grouping_free(&g);
}

/* A copy of a log is no process of its run. */
static void copies_of_a_log_are_no_run(void **state) {
    (void)state;
    iol__grouping g = GROUP({"ann", 7, 400, 1000, 1000, "cat", NULL, NULL, "hostname=n1\n"},
                            {"ann", 7, 400, 1000, 1000, "cat", NULL, NULL, "hostname=n1\n"});
    assert_int_equal(g.groups, 0);
    iol__grouping_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_that_met_at_one_file_are_one_run),
        cmocka_unit_test(two_runs_at_one_time_are_two),
        cmocka_unit_test(what_fits_two_groups_stays_alone),
        cmocka_unit_test(the_next_run_on_a_host_is_another),
        cmocka_unit_test(no_group_crosses_users),
        cmocka_unit_test(the_same_file_another_day_is_another_run),
        cmocka_unit_test(job_ids_of_metadata_and_launchers_make_groups),
        cmocka_unit_test(a_process_and_those_that_it_forked_are_one),
        cmocka_unit_test(who_forked_two_runs_unites_neither),
        cmocka_unit_test(a_host_without_a_run_unites_nothing),
        cmocka_unit_test(copies_of_a_log_are_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
