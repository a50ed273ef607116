#!/usr/bin/env bash
# iolite run: the program behaves as without it, and there is one log afterwards.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
no_records() { [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ]; }
work=$(cd "$work" && pwd -P)
logs=$work/logs
run=("$iolite" run -q --log-dir "$logs" --)

# one_log: exactly one log is there, and sound; its name goes to $log. Nothing of the run is left elsewhere.
one_log() {
    log=$(find "$logs" -type f 2>/dev/null)
    [ -f "$log" ] || fail "$1: not exactly one log: $log"
    "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$1: $(head -n 2 "$work/checked")"
    [ "$(stat -c %a "$log")" = 400 ] || fail "$1: mode $(stat -c %a "$log")"
    [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "$1: left behind: $(ls -A "$IOLITE_MMAP_DIR")"
}
no_log() { [ -z "$(find "$logs" -type f 2>/dev/null)" ] || fail "$1: there is a log"; }
fresh() { rm -rf "$logs"; }
# silent: standard error of the last command is empty.
silent() { [ ! -s "$work/err" ] || fail "said: $(head -n 2 "$work/err")"; }
says() { grep -qF -e "$1" "$work/err" || fail "no '$1' in: $(head -n 3 "$work/err")"; }
state_is() { [ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)" = "$2" ]; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }

# Output and status are the program's own.
fresh
status 7 "${run[@]}" sh -c 'cat; echo out; exit 7' < <(echo in)
[ "$(cat "$work/out")" = $'in\nout' ] || fail "output of the program"
silent
one_log "status 7"
case ${log##*/} in *_sh_id*-*_*-*-*-*_1.darshan) ;; *) fail "name of the log: $log" ;; esac
fresh
status 0 "$iolite" run -q -d "$logs" true -h --not-ours
one_log "options behind the program"

# What it gets: the library, the link to the run, and the signals as they were.
fresh
LD_PRELOAD='' status 0 "${run[@]}" sh -c 'echo "$LD_PRELOAD"; echo "$IOLITE_RUN"; ls "${IOLITE_RUN##*:}"'
has "$library"
has ":$IOLITE_MMAP_DIR/iolite-run-$(id -u)-"
has spool
has processes
fresh
status 0 "${run[@]}" sh -c 'yes | head -n 1'
silent
"${run[@]}" yes 2>"$work/err" | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" = 141 ] || fail "SIGPIPE does not end the program"
(trap '' PIPE; "${run[@]}" sh -c 'grep SigIgn /proc/self/status') >"$work/out" 2>/dev/null
grep -q '1...$' "$work/out" || fail "an ignored signal is not ignored any more: $(cat "$work/out")"

fresh
(exec 0<&- 2>&-; "${run[@]}" sh -c '[ ! -e /proc/self/fd/0 ] && [ ! -e /proc/self/fd/2 ]') ||
    fail "closed descriptors are open"
one_log "closed descriptors"

# What does not start.
fresh
PATH=/usr/bin:/bin status 127 "${run[@]}" no-such-program # a folder that may not be searched would be another matter
says "iolite: no-such-program: command not found"
status 127 "${run[@]}" "$work/nothing"
says "No such file or directory"
status 126 "${run[@]}" "$work"
says "Permission denied"
status 125 "$iolite" run
status 125 "$iolite" run --no-such-option true
no_log "nothing was run"
[ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "left behind by programs that did not start"

# Death by a signal.
for name in TERM KILL SEGV ABRT; do
    fresh
    (ulimit -c 0; "${run[@]}" sh -c "kill -$name \$\$") >/dev/null 2>&1
    [ $? = $((128 + $(kill -l $name))) ] || fail "death by $name"
    one_log "death by $name"
done

# Signals from elsewhere reach the program, once; what it sends to its own group is not sent again.
cat >"$work/counter" <<'END'
trap 'echo got >>"$work/got"' USR1
trap 'exit 5' TERM
[ "$1" != group ] || kill -USR1 0
echo $$ >"$work/pid"
while :; do sleep 0.05; done
END
export work
signals_arrive() { # MODE EXPECTED
    fresh
    rm -f "$work/pid" "$work/got"
    set -m
    "${run[@]}" bash "$work/counter" "$1" >/dev/null 2>&1 &
    job=$!
    set +m
    until_true test -s "$work/pid"
    [ "$1" = group ] || kill -USR1 $job
    until_true test -s "$work/got"
    kill -TERM $job
    wait $job
    [ $? = 5 ] || fail "$1: the status after TERM"
    [ "$(wc -l <"$work/got")" = 1 ] || fail "$1: the signal came $(wc -l <"$work/got") times"
    one_log "signals, $1"
}
signals_arrive single
signals_arrive group

# Job control: a stopped program stops the command, and both go on.
fresh
rm -f "$work/pid"
set -m
"${run[@]}" sh -c 'echo $$ >"$work/pid"; exec sleep 1000' 2>/dev/null &
job=$!
set +m
until_true test -s "$work/pid"
child=$(cat "$work/pid")
kill -TSTP $job
until_true state_is "$child" T && until_true state_is $job T
kill -CONT $job
until_true state_is "$child" S && until_true state_is $job S
kill -HUP $job
wait $job 2>/dev/null
[ $? = 129 ] || fail "status after a hangup"
one_log "job control"

# A program that stops itself, and that only its own child lets go on, ends with its status.
fresh
"${run[@]}" bash -c '(until grep -q "^State:.*stopped" /proc/$$/status; do :; done; kill -CONT $$) & kill -STOP $$; exit 4' \
    2>/dev/null &
job=$!
until_true is_gone $job || kill -KILL $job
wait $job 2>/dev/null
[ $? = 4 ] || fail "status of a program that was stopped and went on alone"
one_log "stopped by itself"

# A terminal's ^C reaches the program once each time, and the summary follows.
if command -v python3 >/dev/null; then
    cat >"$work/listener" <<'END'
import os, signal, sys
out, into = os.pipe()
os.set_blocking(into, False)
signal.signal(signal.SIGINT, lambda *_: None)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
signal.set_wakeup_fd(into)
print("ready", flush=True)
while True:
    for number in os.read(out, 1):
        print("got", number, flush=True)
END
    fresh
    python3 - "$iolite" run --log-dir "$logs" -- "$(python3 -c 'import sys; print(sys.executable)')" "$work/listener" >"$work/out" <<'END'
import os, pty, signal, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
text, sent = b"", 0
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
    # whole lines: a terminal drops what it has not shown yet when ^C comes
    if b"ready\r\n" in text and sent < 5 and text.count(b"got 2\r\n") >= sent:
        os.write(fd, b"\x03")
        sent += 1
    elif text.count(b"got 2\r\n") >= 5 and sent == 5:
        os.kill(pid, signal.SIGTERM)
        sent += 1
print(text.decode(errors="replace").replace("\r", ""))
print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
    has "status 5"
    has "iolite: ran"
    has "  log: $logs/"
    [ "$(grep -c 'got 2' "$work/out")" = 5 ] || fail "^C five times came $(grep -c 'got 2' "$work/out") times"
    one_log "a terminal"
fi

# Descendants: those that end are waited for, those that do not are left alone.
fresh
status 0 "${run[@]}" sh -c '
    (sh -c "while kill -0 $$; do sleep 0.01; done; sleep 0.5; echo late >\"$work/late\"" >/dev/null 2>&1 &)'
[ -s "$work/late" ] || fail "a process that outlives its parent is not waited for"
one_log "outlived by a moment"
fresh
status 0 "${run[@]}" sh -c 'setsid sh -c "echo \$\$ >\"$work/daemon\"; exec sleep 1000" >/dev/null 2>&1 &
    until [ -s "$work/daemon" ]; do sleep 0.01; done'
daemon=$(cat "$work/daemon")
kill -0 "$daemon" || fail "the daemon was ended"
[ "$(find "$logs" -type f | wc -l)" = 1 ] || fail "no log beside a daemon"
kill "$daemon"
until_true is_gone "$daemon"
rm -rf "${IOLITE_MMAP_DIR:?}"/*

# What was recorded: by every process, a killed one too; and a daemon leaves a log of its own when it ends.
counter() { # LOG FILE COUNTER
    "${iolite%/*}/darshan-parser" "$1" 2>/dev/null |
        awk -F '\t' -v c="$3" -v f="$2" '$4 == c && $6 == f { n += $5 } END { print n + 0 }'
}
processes() { "${iolite%/*}/darshan-parser" "$1" 2>/dev/null | sed -n 's/^# nprocs: //p'; }
if grep -q copy_file_range "$library"; then
    fresh
    rm -f "$work/written"
    status 137 "${run[@]}" bash -c 'head -c 1000 /dev/zero >"$work/written"; cat "$work/written" >/dev/null
        echo more >>"$work/written"; kill -9 $$'
    one_log "a killed program"
    [ "$(counter "$log" "$work/written" POSIX_BYTES_READ)" = 1000 ] || fail "bytes read by cat"
    [ "$(counter "$log" '<STDOUT>' STDIO_BYTES_WRITTEN)" = 1005 ] || fail "bytes written by head and the killed shell"
    [ "$(processes "$log")" = 3 ] || fail "$(processes "$log") processes instead of 3"
    # Somebody else has to be able to read the library.
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
        setpriv --reuid 65534 --clear-groups test -r "$library"; then
        fresh
        chmod 755 "$work"
        status 0 "${run[@]}" setpriv --reuid 65534 --clear-groups sh -c 'cat "$work/written" >/dev/null; exit 0'
        one_log "a process that is somebody else now"
        [ "$(counter "$log" "$work/written" POSIX_BYTES_READ)" = 1005 ] || fail "bytes read by somebody else"
        [ "$(processes "$log")" = 2 ] || fail "$(processes "$log") processes instead of 2"
    fi
    fresh
    rm -f "$work/daemon"
    mkfifo "$work/go"
    status 0 "${run[@]}" sh -c 'setsid sh -c "echo \$\$ >\"$work/daemon\"; read line <\"$work/go\"" >/dev/null 2>&1 &
        until [ -s "$work/daemon" ]; do sleep 0.01; done'
    silent
    [ "$(find "$logs" -type f | wc -l)" = 1 ] || fail "no log beside a daemon"
    echo now >"$work/go"
    until_true is_gone "$(cat "$work/daemon")"
    [ "$(find "$logs" -type f | wc -l)" -gt 1 ] || fail "the daemon left no log"
    rm -rf "${IOLITE_MMAP_DIR:?}"/*
fi

# Settings become one line each, and where the log goes is said when it is not where it was wanted.
fresh
IOLITE_MEMORY=lots IOLITE_LOGDIR=x status 0 "${run[@]}" true
[ "$(wc -l <"$work/err")" = 2 ] || fail "two wrong settings: $(cat "$work/err")"
says "IOLITE_MEMORY=lots is not a number; 8 is used"
says "did you mean IOLITE_LOG_DIR"
one_log "wrong settings"
touch "$work/a-file"
status 3 "$iolite" run --log-dir "$work/a-file/x" -- sh -c 'exit 3'
says "the log could not be written to the place given by --log-dir or IOLITE_LOG_DIR"
[ "$(find "$HOME/.local/share/iolite/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "the next place"
rm -rf "$HOME/.local"
DARSHAN_LOGFILE=$work/elsewhere status 0 "$iolite" run -o "$work/exact" -- true
[ -f "$work/exact" ] || fail "--output"
[ ! -e "$work/elsewhere" ] || fail "--output does not win over the environment"
DARSHAN_LOGPATH=$work/no-tree status 0 "$iolite" run true
says "the log could not be written to the place given by DARSHAN_LOGPATH"
rm -rf "$HOME/.local"
(unset HOME; status 0 "$iolite" run true; says "no log was written"; says "iolite merge -o LOG $IOLITE_MMAP_DIR")
rm -rf "${IOLITE_MMAP_DIR:?}"/*
fresh
SLURM_JOB_ID=4242 LOGNAME=ana status 0 "${run[@]}" true
one_log "a job id"
case ${log##*/} in ana_true_id4242-*) ;; *) fail "user and job id in $log" ;; esac

# Places for the records.
fresh
IOLITE_MMAP_DIR=$work/nowhere status 0 "${run[@]}" true
says "records cannot be kept in $work/nowhere"
one_log "another place for the records"

# What goes wrong inside the processes is reported once, and never gets in the way.
fresh
status 0 "$iolite" run -v -d "$logs" -- sh -c 'printf "one\\ntwo\\n" >"${IOLITE_RUN##*:}/messages"'
says "iolite: one (and 1 more)"
one_log "messages"
fresh
status 0 "$iolite" run --quiet --log-dir "$logs" -- sh -c 'echo one >"${IOLITE_RUN##*:}/messages"'
says "iolite: one"
one_log "errors are shown to those who want no summary"
fresh
IOLITE_MEMORY=banana status 0 "$iolite" run --quiet --log-dir "$logs" -- true
says "IOLITE_MEMORY"

# The name that was asked for is for the run's own log. A process that outlives the run ends just when the log is written,
# and its log has a name of its own beside it.
fresh
mkdir "$logs"
status 0 "$iolite" run -q -o "$logs/asked.darshan" -- sh -c 'echo x >"$0/first.dat"
    (echo x >"$0/late.dat"; mkdir "$0/ready"; while [ -e "${IOLITE_RUN##*:}/spool" ]; do :; done) &
    until [ -d "$0/ready" ]; do :; done' "$work"
silent
until_true no_records
status 0 "$iolite" dump --csv "$logs/asked.darshan"
has first.dat
lacks late.dat
others() { set -- "$logs"/*_sh_id*.darshan; [ -e "$1" ]; }
until_true others
status 0 "$iolite" dump --csv "$logs"/*_sh_id*.darshan
has late.dat
[ "$(find "$logs" -type f | wc -l)" = 2 ] || fail "logs: $(ls "$logs")"

# What the program leaves running: nobody waits for what has recorded nothing, and for the rest as long as is said.
fresh
IOLITE_RUN_WAIT=300 status 0 timeout 120 "${run[@]}" sh -c 'sleep 1000 </dev/null >/dev/null 2>&1 & echo $!'
silent
one_log "a process that sleeps and has recorded nothing"
kill "$(cat "$work/out")" || fail "the process that was left running is gone"
fresh
rm -rf "$work/ready" "$work/go"
leaves='(echo x >"$0/behind.dat"; mkdir "$0/ready"; until [ -e "$0/go" ]; do sleep 0.05; done) >/dev/null 2>&1 &
    until [ -d "$0/ready" ]; do :; done; echo over'
"$iolite" run --wait 300 -d "$logs" -- sh -c "$leaves" "$work" >"$work/out" 2>"$work/err" &
until_true grep -q over "$work/out"
[ -z "$(find "$logs" -type f 2>/dev/null)" ] || fail "the log is there before the last process has ended"
: >"$work/go"
wait $! || fail "status $? of a run that waits"
one_log "a process that records is waited for"
status 0 "$iolite" dump --csv "$log"
has behind.dat
fresh
rm -rf "$work/ready" "$work/go"
status 0 timeout 120 "$iolite" run --wait 0 -d "$logs" --json -- sh -c "$leaves" "$work"
grep -q '"left_running": true' "$work/err" || fail "nothing is said of what was left running"
: >"$work/go"
two_logs() { [ "$(find "$logs" -name '*_sh_id*' | wc -l)" = 2 ]; } # and some of sleep, perhaps
until_true two_logs
until_true no_records
status 0 "$iolite" run --help
tr '\n' ' ' <"$work/out" | grep -q "waited for, two seconds" || fail "--help does not say how long run waits"

# Options.
fresh
status 0 "$iolite" run -d "$logs" --trace --modules POSIX,STDIO -- \
    sh -c 'echo "$IOLITE_TRACE $IOLITE_MOD_DISABLE $IOLITE_MOD_ENABLE"'
has "1 * POSIX,STDIO"
(cd "$work" && "$iolite" run -q -d relative -- true) || fail "a relative directory"
[ -n "$(ls "$work/relative")" ] || fail "no log in a relative directory"
fresh
status 4 "$iolite" run -d "$logs" --json -- sh -c 'exit 4'
cp "$work/err" "$work/out"
valid_json "run --json"
has '"exit_status": 4'
has '"left_running": false'
fresh
status 0 "$iolite" run -d "$logs" --verbose -- true
[ "$(wc -l <"$work/err")" = 5 ] || fail "the summary has $(wc -l <"$work/err") lines"
fresh
status 0 "$iolite" run -d "$logs" --quiet -- true
silent

# Where the log is, is said in one line where there is no terminal; of the tasks of a job by the first one.
fresh
for task in SLURM_PROCID OMPI_COMM_WORLD_RANK PMI_RANK; do
    fresh
    status 0 env $task=0 "$iolite" run -d "$logs" -- true
    one_log "$task"
    [ "$(cat "$work/err")" = "iolite: the log is $log" ] || fail "where the log is: $(cat "$work/err")"
    status 0 env $task=1 "$iolite" run -d "$logs" -- true
    silent
done
fresh
status 0 "$iolite" run -d "$logs"$'/a\nb' -- true
[ "$(wc -l <"$work/err")" = 1 ] || fail "a name of two lines: $(cat "$work/err")"
IOLITE_LOG_FILE=$work/a-file status 0 "$iolite" run true
[ "$(wc -l <"$work/err")" = 1 ] || fail "a configured place that does not work: $(cat "$work/err")"
says "; it is in $HOME/.local"
rm -rf "$HOME/.local"

# The log of an earlier run makes way; nothing else does, and then the program is not started.
output=$work/output
mkdir "$output"
for number in 1 2 3; do
    status 0 "$iolite" run -o "$output/log" -- sh -c 'echo x >"$0"' "$work/written.$number"
    [ "$(cat "$work/err")" = "iolite: the log is $output/log" ] || fail "where the log is: $(cat "$work/err")"
done
names_in() { "$iolite" dump --csv "$1" | grep -o 'written\.[0-9]' | sort -u; }
[ "$(ls "$output" | tr '\n' ' ')" = "log log.old " ] || fail "logs: $(ls "$output")"
[ "$(names_in "$output/log") $(names_in "$output/log.old")" = "written.3 written.2" ] || fail "another log is kept as log.old"
refused() { # WHAT OUTPUT TEXT
    local before
    before=$(find "$output"/* -printf '%p %s %i %T@\n')
    status 125 "$iolite" run -o "$2" -- touch "$work/started"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "$1: $(cat "$work/err")"
    says "$3"
    says "the program was not started"
    [ ! -e "$work/started" ] || fail "$1: the program was started"
    [ "$(find "$output"/* -printf '%p %s %i %T@\n')" = "$before" ] || fail "$1: changed: $(ls -l "$output")"
}
echo "mine" >"$output/text"
ln -s log "$output/link"
ln -s nowhere "$output/dangling"
mkfifo "$output/pipe"
mkdir "$output/folder"
refused "a text" "$output/text" "is there, and is no log"
refused "a link to a log" "$output/link" "is a link"
refused "a link to nothing" "$output/dangling" "is a link"
refused "a pipe" "$output/pipe" "is no regular file"
refused "a directory" "$output/folder" "is a directory"
refused "a directory with a slash" "$output/folder/" "is a directory"
refused "no directory" "$output/none/log" "No such file"
refused "a file as directory" "$output/text/log" "Not a directory"
if [ "$(id -u)" = 0 ]; then refused "a file system without files" /proc/log "No such file"; fi
refused "a long name" "$output/$(printf '%0300d' 1)" "File name too long"
cp "$output/log" "$output/kept"
echo "mine" >"$output/kept.old"
refused "LOG.old is no log" "$output/kept" "is there, and is no log"
if [ "$(id -u)" != 0 ]; then
    chmod 500 "$output/folder"
    refused "a directory that may not be written" "$output/folder/log" "Permission denied"
else
    cp "$output/log" "$output/theirs"
    chown 65534 "$output/theirs"
    refused "another's log" "$output/theirs" "belongs to another user"
fi
# What comes to the place while the program runs stays.
rm -f "$output"/log*
status 0 "$iolite" run -o "$output/log" -- sh -c 'echo mine >"$0/log"' "$output"
[ "$(cat "$output/log")" = mine ] || fail "a file that the program made was replaced"
says "; it is in "
rm -rf "$HOME/.local"
status 3 "$iolite" run -o "$output/new" -- sh -c 'cp "$0" "$1"; exit 3' "$output/kept" "$output/new"
cmp -s "$output/kept" "$output/new" && [ ! -e "$output/new.old" ] || fail "a log that was written meanwhile was replaced"
rm -rf "$HOME/.local"

# A home that is not there is not made.
HOME=$work/nobody status 0 "$iolite" run true
says "no log was written"
[ ! -e "$work/nobody" ] || fail "a home was made"
HOME=$work/nobody LD_PRELOAD=$library sh -c 'echo x >"$work/written"' 2>/dev/null
[ ! -e "$work/nobody" ] || fail "a home was made by a program"
rm -rf "${IOLITE_MMAP_DIR:?}"/*

# Names that take the place of longer ones, when there is little memory, leave nothing that logs could disagree about.
if command -v perl >/dev/null; then
    fresh
    mkdir "$work/many"
    # shellcheck disable=SC2016 # for perl
    IOLITE_MEMORY=1 status 0 "${run[@]}" sh -c 'for i in 1 2; do perl -e "$1" "$0"; done' "$work/many" '
        for (1..4000) { my $n = "$ARGV[0]/" . "f" x (1 + $_ % 60) . $_; open(F, ">", $n); print F "x"; close F; unlink $n }'
    silent
    ! "$iolite" dump --csv "$logs"/* | grep -q ',-*,' || fail "a name of nobody is in the log"
fi

# Without Iolite: switched off, no library, a program it would harm.
fresh
IOLITE_DISABLE=1 status 6 "${run[@]}" sh -c 'echo "[$IOLITE_RUN]"; exit 6'
has "[]"
silent
IOLITE=0 status 6 "${run[@]}" sh -c 'exit 6'
IOLITE_LIBRARY=$work/missing.so status 6 "${run[@]}" sh -c 'exit 6'
says "$work/missing.so is not there; sh runs without Iolite"
no_log "not recorded"

# A run in a run, a script without a first line, a sanitized program.
fresh
status 8 "${run[@]}" "$iolite" run -o "$work/inner" -- sh -c 'exit 8'
[ -f "$work/inner" ] || fail "no log of the inner run"
one_log "a run in a run"
fresh
echo 'exit 11' >"$work/script"
chmod +x "$work/script"
status 11 "${run[@]}" "$work/script"
one_log "a script without a first line"
# Its sanitizer goes on checking it, and does not begin to check the programs that it starts.
cat >"$work/program.c" <<'END'
#include <stdlib.h>
int main(int count, char **words) {
    int status = system("bash -c 'x=1; exit 0'");
    char *bytes = malloc((size_t)count);
    free(bytes);
    return count > 1 ? bytes[0] + words[1][0] : status ? 99 : 12;
}
END
${CC:-cc} -fsanitize=address -o "$work/sanitized" "$work/program.c" 2>/dev/null && "$work/sanitized" 2>/dev/null
if [ $? = 12 ]; then
    fresh
    status 12 "${run[@]}" "$work/sanitized"
    silent
    one_log "a sanitized program"
    fresh
    status 12 "${run[@]}" sh -c '"$work/sanitized"; exit $?'
    silent
    status 1 "${run[@]}" "$work/sanitized" x
    says "heap-use-after-free"
fi
finish
