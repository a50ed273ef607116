#!/usr/bin/env bash
# CPython's own test modules, plain and recorded: every test has the same result. `cpython.sh` runs a few of them,
# `cpython.sh all` those about files, processes, threads and signals.
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
results=$(cd "$(dirname "$0")" && pwd)/results.py
for python in python3 /usr/bin/python3 ''; do
    [ -z "$python" ] || ! "$python" -c 'import test.support, test.test_os' 2>/dev/null || break
done
[ -n "$python" ] || skip "no Python here has its tests (libpython3-testsuite)"
modules=(test_fileio test_dup test_mmap test_univnewlines test_filecmp test_pipes test_popen test_openpty)
if [ "${1:-}" = all ]; then
    modules+=(test_os test_posix test_io test_file test_tempfile test_subprocess test_threading test_thread test_shutil
        test_pathlib test_glob test_zipfile test_tarfile test_gzip test_bz2 test_lzma test_zlib test_pty
        test_select test_selectors test_signal test_sqlite3 test_dbm test_dbm_dumb test_shelve test_pickle test_marshal
        test_csv test_configparser test_fcntl test_fileinput test_linecache test_mailbox test_codecs test_bufio
        test_stat test_posixpath test_genericpath test_wait4 test_atexit test_faulthandler test_cmd_line
        test_cmd_line_script test_runpy test_py_compile test_compileall test_zipimport test_logging test_pwd
        test_resource test_epoll test_fork1 test_wait3 test_poll test_ioctl test_getpass test_uuid test_profile test_venv)
fi
patience=300
volatile='^\./'  # what the tests leave is theirs; their results are in one file, which is printed
for module in "${modules[@]}"; do
    # shellcheck disable=SC2016
    three "$module" bash -c '"$0" "$1" "$2/../results" "$3" >/dev/null 2>&1; status=$?; cat ../results; rm ../results
        exit $status' "$python" "$results" . "$module"
    grep -q . "$work/seen.out" || echo "$module: has no tests here"
done
done_with
