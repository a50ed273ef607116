#!/usr/bin/env bash
# Opting out: the main switch means the same to the library, to programs that a recorded shell starts, to `run`, doctor and
# Slurm's prologue; and where Iolite is on for everybody, taking the preload out of the environment is a no as well.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
prolog=$PWD/packaging/slurm/iolite-task-prolog
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" IOLITE LD_PRELOAD
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"
cd "$work" || exit 1
echo content >in.dat

logs_of() { find "$HOME" -name "*_$1_*.darshan" | wc -l; }
forget() { rm -rf "$HOME" copy.dat && mkdir "$HOME"; }

# Settings in this order: word for on (recorded) or off
while read -r expected settings; do
    read -r -a words <<<"$settings"
    [ "$expected" = off ] && wanted=0 || wanted=1
    forget
    env "${words[@]}" LD_PRELOAD="$library" cp in.dat copy.dat
    [ "$(logs_of cp)" = $wanted ] || fail "$settings: $(logs_of cp) logs of cp, not $wanted"
    # Below a shell that is recorded
    forget
    LD_PRELOAD=$library sh -c 'env "$@" cp in.dat copy.dat' sh "${words[@]}"
    [ "$(logs_of cp)" = $wanted ] || fail "$settings below a shell: $(logs_of cp) logs of cp, not $wanted"
    forget
    env "${words[@]}" IOLITE_LIBRARY="$library" "$iolite" run -q --log-dir "$HOME" -- cp in.dat copy.dat
    [ "$(find "$HOME" -name '*.darshan' | wc -l)" = $wanted ] || fail "$settings, run: $(find "$HOME" -type f)"
    env "${words[@]}" IOLITE_LIBRARY="$library" "$iolite" doctor cp >doctor 2>&1
    said=$?
    [ $said = $((1 - wanted)) ] || fail "$settings, doctor: status $said: $(head -n 3 doctor)"
    rm -f "$IOLITE_MMAP_DIR"/iolite-entry.*
    env "${words[@]}" SLURM_JOB_ID=7 SLURM_PROCID=0 LD_PRELOAD="$library" "$prolog"
    entry=$(cat "$IOLITE_MMAP_DIR"/iolite-entry.* 2>/dev/null | grep -e preloaded -e opted-out)
    [ "$entry" = "$([ $wanted = 1 ] && echo preloaded || echo opted-out)" ] || fail "$settings, prologue: '$entry'"
done <<'TABLE'
on  A=1
off IOLITE_DISABLE=1
off IOLITE_DISABLE=yes
off IOLITE_DISABLE=On
off IOLITE_DISABLE=true
on  IOLITE_DISABLE=0
on  IOLITE_DISABLE=no
on  IOLITE_DISABLE=off
on  IOLITE_DISABLE=FALSE
on  IOLITE_DISABLE=
off IOLITE=0
off IOLITE=off
on  IOLITE=1
on  IOLITE=/opt/iolite
off DARSHAN_DISABLE=1
off DARSHAN_DISABLE=0
off DARSHAN_DISABLE=
on  IOLITE_DISABLE=0 DARSHAN_DISABLE=1
off IOLITE_DISABLE=1 IOLITE=1
on  IOLITE=1 DARSHAN_DISABLE=1
on  DARSHAN_DISABLE=1 IOLITE_DISABLE=no
off IOLITE_DISABLE=maybe IOLITE=0
TABLE

# The library under its other name
other=$(dirname "$library")/libdarshan.so
if [ "$other" -ef "$library" ]; then
    rm -f "$IOLITE_MMAP_DIR"/iolite-entry.*
    SLURM_JOB_ID=7 SLURM_PROCID=0 LD_PRELOAD=$other "$prolog"
    [ "$(cat "$IOLITE_MMAP_DIR"/iolite-entry.*)" = preloaded ] || fail "libdarshan.so, prologue: $(cat "$IOLITE_MMAP_DIR"/iolite-entry.*)"
fi

# Each way to be without the preload in a job, and what the note of the job says of it
note=$IOLITE_MMAP_DIR/iolite-entry.$(id -u).7
export SLURM_JOB_ID=7
while read -r command; do
    forget
    rm -f "$note"
    : >"$note"
    LD_PRELOAD=$library bash -c "$command"
    [ "$(logs_of cp)" = 0 ] || fail "recorded all the same: $command"
    grep -q '^missed opted_out cp$' "$note" || fail "not in the note: $command: $(cat "$note")"
done <<'WAYS'
unset LD_PRELOAD; cp in.dat copy.dat; true
LD_PRELOAD= cp in.dat copy.dat
env -u LD_PRELOAD cp in.dat copy.dat
env -i /bin/cp in.dat copy.dat
export LD_PRELOAD=${LD_PRELOAD#*libiolite.so}; bash -c 'cp in.dat copy.dat; true'; exec cp in.dat copy.dat
WAYS
# What the site leaves alone goes by the file that runs, however it was found; doctor says what happens
unset SLURM_JOB_ID
ln -s "$(type -P cp)" "$work/copier"
real=$(readlink -f "$(type -P cp)")
while read -r expected expression; do
    [ "$expected" = off ] && wanted=0 || wanted=1
    for command in cp "$(type -P cp)" "$work/copier"; do
        forget
        IOLITE_APP_EXCLUDE=$expression LD_PRELOAD=$library "$command" in.dat copy.dat
        got=$(find "$HOME" -name '*.darshan' | wc -l)
        [ "$got" = $wanted ] || fail "APP_EXCLUDE=$expression: $got logs of $command, not $wanted"
        IOLITE_APP_EXCLUDE=$expression IOLITE_LIBRARY=$library "$iolite" doctor "$command" >doctor 2>&1
        said=$?
        [ $said = $((1 - wanted)) ] || fail "APP_EXCLUDE=$expression, doctor $command: status $said"
    done
done <<END_LIST
off ^$real\$
off ^cp\$
off ^/nowhere/,/cp\$
on  ^copier\$
on  ^/home/
END_LIST

# Inside of a run it is recorded: that is what was asked for
for command in 'unset LD_PRELOAD; cp in.dat copy.dat; true' 'env -i /bin/cp in.dat copy.dat'; do
    forget
    IOLITE_LIBRARY=$library "$iolite" run -q -o "$work/run.darshan" -- bash -c "$command"
    "$iolite" dump run.darshan | grep -q '/copy.dat ' || fail "in a run: $command"
    rm -f run.darshan run.darshan.old
done
finish
