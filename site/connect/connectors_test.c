/* Each connector on a few lines of what its tool prints: every value comes through as the tool had it. Times without an
   offset are those of UTC here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "site/connect/connect.h"

enum { VALUES = 8 };

/* Keys of a path have | between them; those of a list are numbers. */
typedef struct sample {
    const char *connector, *input;
    struct {
        const char *path, *value;
    } expected[VALUES];
} sample;

static const sample samples[] = {
    {"lctl",
     "BEGIN 100\n"
     "  4 UP osc fs-OST0014-osc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.25@o2ib2\n"
     "  5 UP mdc fs-MDT0000-mdc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.26@o2ib2\n",
     {{"100|fs|OST0014|index", "4"},
      {"100|fs|OST0014|target_ip", "10.1.2.25"},
      {"100|fs|OST0014|status", "up"},
      {"100|fs|MDT0000|ref_count", "5"},
      {"100|fs|MDT0000|role", "mdc"}}},
    {"failover",
     "  4 UP osc fs-OST0000-osc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.1@o2ib2\n"
     "  5 UP osc fs-OST0001-osc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.2@o2ib2\n"
     "  6 UP osc fs-OST0002-osc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.3@o2ib2\n"
     "  7 UP osc fs-OST0003-osc-ffff885f81a64000 8dbdc7f6-8f86 5 10.1.2.3@o2ib2\n",
     {{"fs|mode", "1"},
      {"fs|abnormal_ips|10.1.2.3|0", "OST0002"},
      {"fs|abnormal_ips|10.1.2.3|1", "OST0003"},
      {"fs|abnormal_ips|10.1.2.1", "not there"}}},
    {"lfs-df",
     "UUID 1K-blocks Used Available Use% Mounted on\n"
     "fs-OST0001_UUID 90767651352 64867282280 24942697308  72% /scratch2[OST:1]\n",
     {{"fs|OST0001|total_kib", "90767651352"},
      {"fs|OST0001|used_kib", "64867282280"},
      {"fs|OST0001|remaining_kib", "24942697308"},
      {"fs|OST0001|target_index", "1"},
      {"fs|OST0001|mount_pt", "/scratch2"}}},
    {"slurm",
     "JobIDRaw|Start|End|NodeList|State\n"
     "7|2026-02-03T08:00:00|Unknown|n[001-003,010]|RUNNING\n"
     "7.batch|1770134400|1770139800|n001|COMPLETED\n",
     {{"7|start", "1770105600"},
      {"7|end", "null"},
      {"7|nodelist|3", "n010"},
      {"7.batch|start", "1770134400"},
      {"7.batch|end", "1770139800"},
      {"7.batch|state", "COMPLETED"}}},
    {"pbs",
     "03/20/2017 02:07:47;E;123.server;user=ada start=1490000867 end=1490000983 exec_host=n1/0*32+n2/0*32\n",
     {{"123|user", "ada"}, {"123|start", "1490000867"}, {"123|end", "1490000983"}, {"123|nodelist|1", "n2"}}},
    {"nodes",
     "# nodes\n"
     "cpu=0,x_coord=13,y_coord=0,z_coord=2,processor_status='up',processor_id=5000,cabinet=null\n",
     {{"5000|x_coord", "13"},
      {"5000|y_coord", "0"},
      {"5000|z_coord", "2"},
      {"5000|processor_status", "up"},
      {"5000|cabinet", "null"}}},
    {"mmperfmon",
     "Legend:\n"
     " 1: nsd01.site|CPU|cpu_user\n"
     " 2: nsd01.site|GPFSNSDDisk|lun07|gpfs_nsdds_bytes_read\n"
     "\n"
     "Row           Timestamp cpu_user gpfs_nsdds_bytes_read\n"
     "  1 2019-01-11-10:00:00      0.2             203539391\n",
     {{"1547200800|nsd01.site|cpu_user", "0.2"}, {"1547200800|nsd01.site|gpfs_nsdds_bytes_read|lun07", "203539391"}}},
    {"globus",
     "DATE=20190731073044.992375 HOST=dtn PROG=server NL.EVNT=FTP_INFO START=20190731073030.432241 USER=ada FILE=/a "
     "b=c NBYTES=27 DEST=[192.0.2.1] TYPE=STOR\n",
     {{"0|DATE", "1564558244.992375"},
      {"0|START", "1564558230.432241"},
      {"0|FILE", "/a b=c"},
      {"0|NBYTES", "27"},
      {"0|DEST|0", "192.0.2.1"}}},
    {"hpss-ftp",
     "Mon Dec 31 00:06:46 2018 0.010 dtn 33 /home/o b o PRTR_Cmd r ftp operator fd 0\n",
     {{"pftp|0|end_timestamp", "1546214806"},
      {"pftp|0|bytes", "33"},
      {"pftp|0|duration_sec", "0.01"},
      {"pftp|0|hpss_uid", "operator"},
      {"pftp|0|opname", "HL"}}},
    {"hpss-daily",
     "HPSS Report for Date 2026-02-03\n"
     "\n"
     "Archive : IO Totals by Client Host\n"
     "Host       Users   IO_GB\n"
     "=========  =====  ======\n"
     "Alpha          3    12.5\n"
     "Total          3    12.5\n"
     "\n"
     "Hpss: Migration Purge Report\n"
     "Storage Class  SC     MigTime\n"
     "=============  ==  ==========\n"
     "Small Disk      4  0-05:20:07\n",
     {{"date", "2026-02-03"},
      {"archive|io totals by client host|alpha|io_gb", "12.5"},
      {"archive|io totals by client host|alpha|users", "3"},
      {"hpss|migration purge report|4|migtimesecs", "19207"}}},
    {"hsi",
     "Sat Aug 10 00:05:28 2019 host.site htar 5 14301\tcreate\tLH\t0\t58\t397.20\t146472.0\t/a.tar\t\t5\t58888\n"
     "Sun Aug 11 00:05:14 2019 host.site hsi 72 2204\tFU\t0\t0.00\t215\t0.0\t0\t/b\t\n",
     {{"hsi|0|bytes", "215"},
      {"hsi|0|end_timestamp", "1565481914"},
      {"hsi|0|opname", "FU"},
      {"hsi|0|source_path", "/b"},
      {"htar|0|bytes_sec", "146472000"},
      {"htar|0|duration_sec", "397.2"},
      {"htar|0|account_id", "58888"}}},
    {"esnet",
     "{\"router\": {\"port\": {\"in\": {\"1549875600\": 130.5}, \"out\": {\"1549875600\": 1.5}}}}\n",
     {{"router|port|in|1549875600", "130.5"}, {"router|port|out|1549875600", "1.5"}}},
    {"prometheus",
     "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{\"target\":\"OST0\"},"
     "\"values\":[[1770134400,\"100\"],[1770134415,\"NaN\"]]}]}}\n",
     {{"0|metric|target", "OST0"}, {"0|values|0|1", "100"}, {"0|values|1|0", "1770134415"}, {"0|values|1|1", "null"}}},
    {"job-stats",
     "job_stats:\n"
     "- job_id: \"a.1:b\"\n"
     "  snapshot_time: 1770135010.348112\n"
     "  read_bytes: { samples: 4, unit: bytes, min: 4096, max: 4096, sum: 16384 }\n",
     {{"a.1:b|snapshot_time", "1770135010.348112"},
      {"a.1:b|read_bytes|samples", "4"},
      {"a.1:b|read_bytes|sum", "16384"},
      {"a.1:b|read_bytes|unit", "bytes"}}},
    {"ldms",
     "#Time,Time_usec,ProducerName,ost,read_bytes.sum\n"
     "1770134400.001204,1204,oss01,fs-OST0000,7516192768\n",
     {{"0|Time", "1770134400.001204"}, {"0|ProducerName", "oss01"}, {"0|read_bytes.sum", "7516192768"}}},
    {"influx",
     "lustre2,host=oss1,name=fs-OST0000 read_bytes=10i,text=\"a, b\",ok=t,x=2.5 1770134400000000000\n",
     {{"0|host", "oss1"},
      {"0|read_bytes", "10"},
      {"0|text", "a, b"},
      {"0|x", "2.5"},
      {"0|time", "1770134400"},
      {"0|ok", "true"}}},
    {"md",
     "md0 : active raid5 sdb1[1] sda1[0]\n"
     "      100 blocks [3/2] [UU_]\n"
     "      [==>..]  recovery = 12.6% (1/2) finish=1min\n",
     {{"md0|degraded", "true"},
      {"md0|disks", "3"},
      {"md0|active", "2"},
      {"md0|level", "raid5"},
      {"md0|percent", "12.6"},
      {"md0|action", "recovery"}}},
    {"isdct",
     "\n"
     "- SMART Attributes CVF123-1 -\n"
     "\n"
     "- AB -\n"
     "\n"
     "Action : Pass\n"
     "Description : Program Fail Count\n"
     "ID : AB\n"
     "Raw : 0\n"
     "\n"
     "Temperature : 28 Celsius\n",
     {{"CVF123-1|smart_program_fail_count_id", "171"},
      {"CVF123-1|smart_program_fail_count_raw", "0"},
      {"CVF123-1|smart_program_fail_count_temperature", "28"},
      {"CVF123-1|smart_program_fail_count_temperature_unit", "Celsius"}}},
    {"collectd",
     "[[{\"_id\": \"a\", \"_source\": {\"plugin\": \"disk\", \"read\": 0.0, \"write\": 1.5, \"@timestamp\": "
     "\"2017-12-13T08:26:20.677Z\", \"hostname\": \"bb4\", \"collectd_type\": \"disk_octets\", \"plugin_instance\": "
     "\"nvme2n1\"}}]]\n",
     {{"0|0|_source|write", "1.5"},
      {"0|0|_source|hostname", "bb4"},
      {"0|0|_source|@timestamp", "2017-12-13T08:26:20.677Z"}}},
    {"globus-es",
     "[[{\"_source\": {\"USER\": \"ada\", \"TYPE\": \"STOR\", \"start_date\": \"2019-01-29T08:04:52.993Z\", "
     "\"end_date\": \"2019-01-29T08:04:53.142Z\"}}]]\n",
     {{"0|0|_source|USER", "ada"}, {"0|0|_source|end_date", "2019-01-29T08:04:53.142Z"}}},
};
enum { SAMPLES = IOL_COUNT(samples) };

static const iol__value *value_at(const iol__value *tree, const char *path) {
    char keys[200], *rest = keys, *key;
    snprintf(keys, sizeof keys, "%s", path);
    while (tree && (key = strsep(&rest, "|"))) {
        const size_t number = strtoul(key, NULL, 10);
        tree = tree->kind != IOL__LIST ? iol__map_get(tree, key) : number < tree->count ? tree->items[number] : NULL;
    }
    return tree;
}

static void print_value(const iol__value *value, char text[200]) {
    switch (value ? value->kind : IOL__LIST) {
    case IOL__NOTHING: strcpy(text, "null"); break;
    case IOL__FLAG: strcpy(text, value->flag ? "true" : "false"); break;
    case IOL__INTEGER: snprintf(text, 200, "%lld", (long long)value->integer); break;
    case IOL__REAL: snprintf(text, 200, "%.16g", value->real); break;
    case IOL__TEXT: snprintf(text, 200, "%s", value->text); break;
    default: strcpy(text, value ? "a list or a map" : "not there");
    }
}

static void values_come_through(void **state) {
    const sample *s = *state;
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    char path[64], text[200];
    const int input = memfd_create("input", MFD_CLOEXEC);
    const size_t length = strlen(s->input);
    assert_int_equal(write(input, s->input, length), (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    const char *paths[] = {path};
    iol__request request = {.arena = &arena, .paths = paths, .n_paths = 1, .source = s->connector};
    iol__value *tree = NULL;
    if (setjmp(exhausted)) fail_msg("no memory");
    assert_int_equal(iol__connector_find(s->connector)->read(&request, &tree), IOL_OK);
    for (int i = 0; i < VALUES && s->expected[i].path; i++) {
        print_value(value_at(tree, s->expected[i].path), text);
        if (strcmp(text, s->expected[i].value) != 0)
            fail_msg("%s is %s, not %s", s->expected[i].path, text, s->expected[i].value);
    }
    iol__arena_free(&arena);
    close(input);
}

/* A tree of values without any of these is refused, with the form that was expected. */
static void other_bytes_are_refused(void **state) {
    const sample *s = *state;
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    char path[64];
    const int input = memfd_create("input", MFD_CLOEXEC);
    assert_int_equal(write(input, "\177ELF\0\0", 6), 6);
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    const char *paths[] = {path};
    iol__request request = {.arena = &arena, .paths = paths, .n_paths = 1, .source = s->connector};
    iol__value *tree = NULL;
    if (setjmp(exhausted)) fail_msg("no memory");
    assert_int_not_equal(iol__connector_find(s->connector)->read(&request, &tree), IOL_OK);
    assert_string_not_equal(request.why, "");
    iol__arena_free(&arena);
    close(input);
}

int main(void) {
    static struct CMUnitTest tests[2 * SAMPLES];
    static char names[2 * SAMPLES][64];
    setenv("TZ", "UTC", 1);
    tzset();
    iol__site_silent = true;
    for (int i = 0; i < SAMPLES; i++) {
        void *sample_of = (void *)(uintptr_t)&samples[i];
        snprintf(names[2 * i], sizeof names[0], "%s_values_come_through", samples[i].connector);
        snprintf(names[2 * i + 1], sizeof names[0], "%s_refuses_other_bytes", samples[i].connector);
        tests[2 * i] = (struct CMUnitTest){names[2 * i], values_come_through, NULL, NULL, sample_of};
        tests[2 * i + 1] = (struct CMUnitTest){names[2 * i + 1], other_bytes_are_refused, NULL, NULL, sample_of};
    }
    return _cmocka_run_group_tests("connectors", tests, 2 * SAMPLES, NULL, NULL);
}
