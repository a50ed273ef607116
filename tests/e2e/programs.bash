# What the scripts that run real programs share: a program runs with and without Iolite in the same place, everything it
# leaves behind is compared, and the log is asked what the program did. To be sourced after checks.bash.
tools=${IOLITE_TOOLS:-}
bin=${IOLITE_BIN:-}
library=$bin/../lib/libiolite.so
[ -e "$library" ] && [ -x "$tools/checklist" ] && "$iolite" help run >/dev/null 2>&1 || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}"
work=$(cd "$work" && pwd -P)
here=$work/here     # where programs run, both times, because paths show in what they print
logs=$work/logs     # where their logs go
volatile='^$'       # files whose bytes hold times or inode numbers, as an expression of grep -E
export HOME=$work/home
mkdir "$HOME"

# have PROGRAM: whether it is on this machine.
have() { command -v "$1" >/dev/null || { echo "left out, not here: $1"; return 1; }; }

# Whether bytes that the kernel copies by itself (copy_file_range, sendfile) are recorded.
copies() { grep -qa copy_file_range "$library"; }

# Each script defines its own: fills the directory it is called in.
given() { :; }

# contents DIRECTORY: names, modes and bytes of everything in it.
contents() {
    cd "$1" || return
    find . -mindepth 1 -printf '%y %m %P %l\n' | sort
    find . -type f | grep -v -E "$volatile" | sort | tr '\n' '\0' | xargs -r -0 cksum
}

fresh() { rm -rf "$here" && mkdir "$here" && (cd "$here" && given); }

same() { # WHAT FILE FILE
    cmp -s "$2" "$3" || fail "$label: $1 differs: $(diff "$2" "$3" | head -n 5)"
}

# both LABEL COMMAND...: runs it with and without Iolite. Afterwards $log is its log.
both() {
    local plain seen
    label=$1
    shift
    fresh
    (cd "$here" && exec "$@") >"$work/plain.out" 2>"$work/plain.err" </dev/null
    plain=$?
    (contents "$here") >"$work/plain.files"
    rm -rf "$logs"
    fresh
    (cd "$here" && exec "$iolite" run -q --log-dir "$logs" -- "$@") >"$work/seen.out" 2>"$work/seen.err" </dev/null
    seen=$?
    (contents "$here") >"$work/seen.files"
    [ "$plain" = "$seen" ] || fail "$label: exit status $seen with Iolite, $plain without"
    same "standard output" "$work/plain.out" "$work/seen.out"
    same "standard error" "$work/plain.err" "$work/seen.err"
    same "what it left" "$work/plain.files" "$work/seen.files"
    read_log
}

# The one log of the run, sound, and its counters as lines: module, rank, id, counter, value, name.
read_log() {
    : >"$work/counters"
    log=$(find "$logs" -type f 2>/dev/null)
    if [ "$(find "$logs" -type f 2>/dev/null | wc -l)" != 1 ]; then
        fail "$label: not exactly one log: $log"
        log=/dev/null
        return
    fi
    # What enters the kernel past libc is not seen: that is a note, and the program's own test looks at the number.
    "$iolite" check "$log" >"$work/checked" 2>&1 ||
        [ "$(grep -c '^  ' "$work/checked")" = "$(grep -c 'io_uring that were not seen' "$work/checked")" ] ||
        fail "$label: check: $(head -n 3 "$work/checked")"
    "$tools/checklist" "$log" 2>"$work/checked" || fail "$label: checklist: $(head -n 3 "$work/checked")"
    "$bin/darshan-parser" --base "$log" 2>/dev/null | grep '^[^#]' >"$work/counters"
    processes=$("$bin/darshan-parser" "$log" 2>/dev/null | sed -n 's/^# nprocs: //p')
}

# total COUNTERS NAME: their sum over all records of a file here. COUNTERS is an expression; a name that ends in *
# stands for all that begin so, and one that begins with < for itself.
total() {
    local name=$2
    [[ $name == "<"* ]] || name=$here/$name
    awk -F '\t' -v wanted="^($1)\$" -v name="$name" '
        function matches(candidate) {
            if (name !~ /\*$/) return candidate == name
            return index(candidate, substr(name, 1, length(name) - 1)) == 1
        }
        $4 ~ wanted && matches($6) { sum += $5 }
        END { printf "%.0f\n", sum }' "$work/counters"
}

# expect NAME COUNTERS [-ge] VALUE: what the log says of a file.
expect() {
    local operator=-eq got
    got=$(total "$2" "$1")
    if [ $# = 4 ]; then
        operator=$3
        set -- "$1" "$2" "$4"
    fi
    test "$got" "$operator" "$3" || fail "$label: $2 of $1 is $got, expected $operator $3"
}

# moved NAME READ WRITTEN: bytes that the program moved, through whichever layer; - is not asked.
moved() {
    [ "$2" = - ] || expect "$1" '(POSIX|STDIO)_BYTES_READ' "$2"
    [ "$3" = - ] || expect "$1" '(POSIX|STDIO)_BYTES_WRITTEN' "$3"
}

# was NAME: the size of a file here now.
was() { stat -c %s "$here/$1"; }
