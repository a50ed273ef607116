#!/usr/bin/env bash
# The site file explained and checked, and every source in it asked for a sample. Secrets in it are never shown.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
unset "${!IOLITE_LMT@}" IOLITE_SITE_CONFIG
cd "$work" || exit 1
cat >site.json <<'END'
{"timezone": "UTC", "_comment": "left alone", "Mount_To_FSname": {"^/scratch": "scratch"}, "lfsstatus_fullness_files": "df.%Y-%m-%d",
 "md_files": ["mdstat", "other"], "jobinfo_jobid_providers": ["slurm"], "darshan_log_dirs": "logs", "fs_capacity_bytes": {"scratch": 1000},
 "staff": ["ana"], "own_key": 1}
END
status 0 "$iolite" config --site site.json
has 'Mount_To_FSname'
has 'regular expressions of mount points'
[ "$(grep -c 'not known to this Iolite' out)" = 1 ] || fail "more than own_key is not known: $(cat out)"
lacks '_comment'
lacks PROBLEM
status 0 "$iolite" config --site --json site.json
valid_json config
IOLITE_SITE_CONFIG=site.json status 0 "$iolite" config --site
has 'own_key'
cat >bad.json <<'END'
{"mount_to_fsname": {"^/scratch": 5}, "jobinfo_jobid_providers": ["oracle"], "hdf5_files": 7, "lmt_timestep": "five",
 "live_sources": {"scratch": {"source": "lmt", "input": "mysql://h/db", "password": "secret-word"}}, "prometheus_sources": ["none.json"]}
END
status 1 "$iolite" config --site bad.json
lacks secret-word
has "secrets belong into the environment"
has "'oracle' is not one of"
has "must be a number"
has "'^/scratch' must be a text"
[ "$(grep -c PROBLEM out)" = 6 ] || fail "$(grep -c PROBLEM out) problems instead of 6"
# Other commands stop at what they cannot use; here all of it is listed, that of alerts too
status 3 "$iolite" site-check --site bad.json
grep -q mount_to_fsname err || fail "what stops the site file is not named"
cat >several.json <<'END'
{"mount_to_fsname": {"[": "a", "(": "b"}, "timezone": "Nowhere/Land", "jobinfo_jobid_providers": ["one", "two"],
 "alerts": {"rules": [{"name": "x"}], "targets": [{"mail": "staff@site", "sendmail": "/bin/true"}]}}
END
status 1 "$iolite" config --site several.json
has "'[' is not a regular expression; '(' is not a regular expression"
has "'one' is not one of slurm, pbs, jobsdb and index; 'two'"
has "there is no time zone"
has "rule of alerts needs a name"
has "'sendmail' names a program for all mail"
lacks "not known to this Iolite"
sed -i 's/"\^\/scratch": 5/"^\/scratch": "s"/' bad.json
status 1 "$iolite" config --site --json bad.json
valid_json "config, bad"
lacks secret-word

# Samples
mkdir bin logs
printf '#!/bin/sh\necho "JobIDRaw|Start|End|NodeList"\necho "7|%d|%d|n1"\n' "$(($(date +%s) - 600))" "$(date +%s)" >bin/sacct
chmod +x bin/sacct
printf 'fs-OST0000_UUID 1000 500 500 50%% /scratch[OST:0]\n' >"df.$(date -u +%Y-%m-%d)"
printf 'obdfilter.fs-OST0000.degraded=1\n' >mdstat
PATH=$work/bin:$PATH status 1 "$iolite" site-check --site site.json
grep -q '^ok *lfsstatus_fullness_files .*1 entries' out || fail "fullness: $(cat out)"
grep -q '^ok *md_files' out || fail "arrays: $(cat out)"
grep -q '^ok *slurm .*1 records' out || fail "jobs: $(cat out)"
grep -q '^nothing *darshan_log_dirs .*1 directories, 0 logs' out || fail "logs: $(cat out)"
# Logs in a dated tree below a directory, or where a pattern with dates leads
today=$(TZ=UTC date +%Y/%-m/%-d) padded=$(TZ=UTC date +%Y/%m/%d)
name=ada_ior_id7-1_$(TZ=UTC date +%-m-%-d)-3600-1234_1.darshan
mkdir -p "logs/$today" "dated/$padded"
: >"logs/$today/$name"
: >"dated/$padded/$name"
PATH=$work/bin:$PATH status 0 "$iolite" site-check --site site.json
grep -q '^ok *darshan_log_dirs .*1 directories, 1 logs' out || fail "logs of a dated tree: $(cat out)"
echo '{"timezone": "UTC", "darshan_log_dirs": "dated/%Y/%m/%d"}' >dated.json
status 0 "$iolite" site-check --site dated.json
grep -q '^ok *darshan_log_dirs .*, 1 logs' out || fail "logs of a dated pattern: $(cat out)"
(cd / && status 0 "$iolite" site-check --site "$work/dated.json")
# The pattern means the directories that mk-log-dirs makes too, which have no leading zeros: for find, job and site-check alike
mkdir -p dated/2026/1/5
cp "$demo" dated/2026/1/5/ana_x_id9-9_1-5-1-1_1.darshan
mkdir home
HOME=$work/home status 0 "$iolite" find --site dated.json --since 2026-01-05 --until 2026-01-06
[ "$(cat out)" = dated/2026/1/5/ana_x_id9-9_1-5-1-1_1.darshan ] || fail "find with a dated pattern: $(cat out)"
HOME=$work/home status 0 "$iolite" find --site dated.json --since 2026-01-06 --until 2026-01-07
[ ! -s out ] || fail "find with a dated pattern, another day: $(cat out)"
status 0 "$iolite" job --site dated.json --find-logs --start 2026-01-05 --end 2026-01-06
[ "$(wc -l <out)" = 1 ] || fail "find-logs with a dated pattern: $(cat out)"
# Records of jobs
printf 'JobIDRaw|Start|End\n7|2026-02-03T08:00:00|2026-02-03T09:00:00\n' >records.txt
echo '{"job_records": {"source": "slurm", "input": "records.txt"}}' >records.json
status 0 "$iolite" site-check --site records.json
grep -q '^ok *job_records .*1 records' out || fail "records of jobs: $(cat out)"
echo nonsense >records.txt
status 1 "$iolite" site-check --site records.json
grep -q '^failed *job_records' out || fail "records that are none: $(cat out)"
rm "df.$(date -u +%Y-%m-%d)"
# Of another time than now
printf 'fs-OST0000_UUID 1000 500 500 50%% /scratch[OST:0]\n' >df.2017-03-20
PATH=$work/bin:$PATH "$iolite" site-check --site site.json --start 2017-03-20 --end 2017-03-22 >out
grep -q '^ok *lfsstatus_fullness_files .*1 entries' out || fail "of another time: $(cat out)"
PATH=$work/bin:$PATH "$iolite" site-check --site site.json --start 2016-03-20 --end 2016-03-22 >out
grep -q '^nothing *lfsstatus_fullness_files .*30 days before 2016-03-21' out || fail "of a time without files: $(cat out)"
PATH=$work/none status 1 "$iolite" site-check --site site.json
grep -q '^nothing *lfsstatus_fullness_files' out || fail "a missing listing: $(cat out)"
grep -q '^failed *slurm .*cannot be run' out || fail "a missing program: $(cat out)"
IOLITE_LMT_PASSWORD=secret-word status 1 "$iolite" site-check --json --site bad.json
valid_json site-check
lacks secret-word
! grep -q secret-word err || fail "a secret in a message"
status 0 "$iolite" site-check --site /dev/stdin <<<'{}'
has "names no source"
# Keys from the environment, and the same reader for every command
IOLITE_DARSHAN_LOG_DIRS='["logs", "bin"]' PATH=$work/bin:$PATH status 1 "$iolite" site-check --site site.json
has "2 directories"
echo '{"timezone": "Nowhere/Land"}' >zone.json
status 3 "$iolite" traffic --site zone.json x
grep -q 'no time zone' err || fail "a zone that is none: $(cat err)"
check_documents || fail "JSON that is none"
# A password in an address is refused, and shown by nobody
cat >"$work/names.json" <<'END'
{"live_sources": {"a": {"source": "lmt", "input": "mysql://me:open-sesame@127.0.0.1:1/db"},
                  "b": {"source": "collectd", "input": "http://me:open-sesame@127.0.0.1:1/index"},
                  "c": {"source": "collectd", "input": "http://127.0.0.1:1/index?token=open-sesame"}},
 "job_records": {"source": "slurm", "input": "http://me:open-sesame@127.0.0.1:1/slurmdb"}}
END
for question in "config --site" "site-check --site" "job --fs a --start @1000 --end @2000 --site" "job --fs b --start @1000 --end @2000 --site" \
    "job --fs c --start @1000 --end @2000 --site" "job 77 --site"; do
    # shellcheck disable=SC2086
    "$iolite" $question "$work/names.json" >"$work/out" 2>"$work/err"
    ! grep -q open-sesame "$work/out" "$work/err" || fail "$question: a password is shown"
done
grep -q 'does not belong into an address' "$work/err" || fail "a password in an address: $(head -n 1 "$work/err")"

finish
