#!/usr/bin/env bash
# SECURITY.md, "Others cannot change": a log in the common tree, and files behind links that somebody planted where a log
# is going to be.
# shellcheck disable=SC2016,SC2086  # the shells of alice and mallory expand these
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"

alice iolite run -q -o "$work/logs/alice.darshan" -- cat /etc/passwd >/dev/null || fail "no log"
sum=$(cksum <"$work/logs/alice.darshan")
refused mallory rm -f "$work/logs/alice.darshan"
refused mallory mv "$work/logs/alice.darshan" "$work/logs/mine"
refused mallory iolite convert --force "$work/demo.darshan" "$work/logs/alice.darshan"
refused mallory iolite merge --force -o "$work/logs/alice.darshan" "$work/demo.darshan"
[ "$(cksum <"$work/logs/alice.darshan")" = "$sum" ] || fail "a log was changed"

# A link of mallory's leads to a file of alice's: it is never written through. Without the sticky bit the kernel does not
# help, so what is seen here is Iolite's own doing.
install -d -m 777 "$work/open"
alice sh -c 'echo precious >$HOME/precious; chmod 644 $HOME/precious; chmod 711 $HOME'
target=$work/alice/precious
for command in "convert $work/demo.darshan" "convert --force $work/demo.darshan" "convert --archive --force $work/demo.darshan" \
    "merge --force -o" "report -o"; do
    for kind in link dangling; do
        rm -f "$work/open/out"
        victim=$target
        [ $kind = link ] || victim=$work/alice/made
        mallory ln -s "$victim" "$work/open/out"
        case $command in
        merge*) set -- $command "$work/open/out" "$work/demo.darshan" ;;
        report*) set -- $command "$work/open/out" "$work/demo.darshan" ;;
        *) set -- $command "$work/open/out" ;;
        esac
        alice iolite "$@" >/dev/null 2>&1
        [ "$(cat "$target")" = precious ] || fail "written through a link: iolite $*"
        [ ! -e "$work/alice/made" ] || fail "made through a link: iolite $*"
    done
done

# The log of a program that is preloaded, under a name that somebody may guess.
for ((i = 0; i < 2; i++)); do
    rm -f "$work/open/exact"
    mallory ln -s "$target" "$work/open/exact"
    alice env DARSHAN_LOGFILE="$work/open/exact" LD_PRELOAD="$library" cat /etc/passwd >/dev/null 2>&1
    [ "$(cat "$target")" = precious ] || fail "the library wrote through a link"
done
finish
