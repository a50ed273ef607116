# What the scripts about the index of a centre share. To be sourced after checks.bash.
# shellcheck disable=SC2034,SC2154 # variables of checks.bash, and for those who source this
unset IOLITE_STORE IOLITE_SITE_CONFIG IOLITE_DARSHAN_LOG_DIRS
export XDG_DATA_HOME=$work/data HOME=$work
store=$work/index.db
tools=${IOLITE_TOOLS:-}
"$iolite" index -q --store "$work/probe.db" --accounting /dev/null 2>"$work/err"
if grep -q 'built without SQLite' "$work/err"; then
    echo "skipped: this build has no SQLite" >&2
    exit 77
fi

# The content of an index without what differs from run to run: numbers of logs and mounts, times of reading.
# Needs sqlite3; callers ask for it.
normal() { # database
    sqlite3 "$1" <<'SQL'
.mode list
.headers on
SELECT dir, name, size, state, reason, reader, username, COALESCE((SELECT identity FROM log WHERE log.log_id = place.log_id), '') FROM place ORDER BY dir, name;
SELECT mountpt, fs, type FROM mount ORDER BY mountpt;
SELECT cluster, identity, state, jobid, uid, username, owner, exe, exename, command, nprocs, nodes, start, ended, run, day, modules, partial, files, shared, bytes_read, bytes_written, reads, writes, opens, stats, read_time, write_time, meta_time, io_time, rate, redundant_read_bytes, meta_ratio, meta_layer, small_shared_indep_writes, match1, match2, match3, temporary, findings, lost, node_time, compat FROM log ORDER BY cluster, identity;
SELECT identity, module, records, log_module.bytes_read, log_module.bytes_written, log_module.reads, log_module.writes, log_module.read_time, log_module.write_time, log_module.meta_time, read_sizes, write_sizes FROM log_module JOIN log USING (log_id) ORDER BY identity, module;
SELECT identity, mountpt, log_fs.bytes_read, log_fs.bytes_written, log_fs.opens, log_fs.f_open_start_timestamp FROM log_fs JOIN log USING (log_id) JOIN mount USING (mount_id) ORDER BY identity, mountpt;
SELECT identity, mountpt, ost, log_ost.files, log_ost.bytes_written FROM log_ost JOIN log USING (log_id) JOIN mount USING (mount_id) ORDER BY identity, mountpt, ost;
SELECT identity, record, name, file.bytes_read, file.bytes_written FROM file JOIN log USING (log_id) ORDER BY identity, record;
SELECT identity, rule, level, finding.lost, finding.node_time, title FROM finding JOIN log USING (log_id) ORDER BY identity, rule;
SELECT identity, build, place, log_line.calls, log_line.reads, log_line.writes, log_line.opens, log_line.bytes_read, log_line.bytes_written, log_line.io_time, log_line.node_time FROM log_line JOIN log USING (log_id) ORDER BY identity, build, place;
SELECT * FROM sched ORDER BY cluster, jobid, submit;
SELECT * FROM job ORDER BY cluster, jobid, owner, start;
SELECT * FROM stale ORDER BY day;
SELECT * FROM day_use ORDER BY day, cluster, owner, exename;
SELECT * FROM day_fs ORDER BY day, cluster, owner, exename, fs;
SELECT * FROM day_account ORDER BY day, cluster, account;
SELECT * FROM day_job ORDER BY day, cluster, owner, exename, account;
SELECT * FROM day_steps ORDER BY day, cluster, logs;
SELECT * FROM day_coverage ORDER BY day, owner, state, entry, cause, cluster;
SELECT * FROM day_cost ORDER BY day, cluster, owner, exename, rule, level;
SELECT * FROM day_finding ORDER BY day, cluster, rule, level;
SELECT * FROM day_modules ORDER BY day, cluster, modules, compat;
SQL
}
