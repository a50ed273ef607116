#!/usr/bin/env bash
# SECURITY.md, "The archiver": root packs and removes logs in a tree that everybody can write to. Whatever mallory plants or
# swaps there, nothing outside of the tree is read or removed, nobody's log is lost, and nothing waits.
# shellcheck disable=SC2016  # the shells of alice and mallory expand these
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"
tree=$work/tree day=$work/tree/2026/10/18
install -d -m 755 "$tree" "$tree/2026" "$tree/2026/10"
install -d -m 1777 "$day"
install -d -m 700 "$work/kept" "$work/secret"
install -d -m 777 "$work/open"
root() { timeout 60 "$iolite" "$@" >"$work/out" 2>"$work/err"; }
user_log() { "$1" sh -c 'cat "$work/demo.darshan" >"$1"; chmod 400 "$1"' sh "$2"; }
gone() { [ ! -e "$1" ] || fail "still there: $1"; }
there() { [ -e "$1" ] || fail "gone: $1"; }

# What must never be touched
cp "$work/demo.darshan" "$work/secret/victim.darshan"
user_log alice "$work/alice/own.darshan"
alice sh -c 'echo precious >$HOME/precious; chmod 600 $HOME/precious'

# Logs of both, and what mallory can think of
user_log alice "$day/alice.darshan"
user_log mallory "$day/mallory.darshan"
mallory mkdir -p "$day/x
$work"
user_log mallory "$day/x
$work/new
line.darshan"
mallory ln -s "$work/secret" "$day/dir_link"
mallory ln -s "$work/secret/victim.darshan" "$day/link.darshan"
mallory ln -s "$work/alice/own.darshan" "$day/to_alice.darshan"
mallory ln -s /dev/zero "$day/zero.darshan"
mallory mkfifo "$day/pipe.darshan"
# A file that takes nothing of her quota, and would take all of the disk that bundles are on
mallory truncate -s 100G "$day/holes.darshan"
mallory mkdir "$day/dir.darshan" "$day/-rf" "$day/\$(touch $$)"
user_log mallory "$day/-rf/--help.darshan"
# A second name for a file of somebody else, as older kernels let everybody make
ln "$work/alice/own.darshan" "$day/hard.darshan"
ln "$work/secret/victim.darshan" "$day/hard2.darshan"
# A lease on her own log: who opens it without a thought waits for her
user_log mallory "$day/leased.darshan"
mallory sh -c 'chmod 600 "$1"' sh "$day/leased.darshan"
mallory perl -e 'open(my $f, "+<", $ARGV[0]) or exit 1; $SIG{IO} = "IGNORE"; fcntl($f, 1024, 1) or exit 1;
    open(my $g, ">", $ARGV[1]); close $g;
    for (1 .. 600) { last if -e $ARGV[2]; select undef, undef, undef, 0.05 }' \
    "$day/leased.darshan" "$work/open/leased" "$work/open/released" &
for ((i = 0; i < 100; i++)); do
    [ ! -e "$work/open/leased" ] || break
    sleep 0.05
done

root archive pack --remove -o "$work/kept/day.bundle" "$tree"
got=$?
! grep -q 'has no zstd' "$work/err" || { touch "$work/open/released"; echo "this build has no zstd" >&2; exit 77; }
[ $got = 3 ] || fail "status $got: $(head -n 3 "$work/err")"
gone "$day/alice.darshan"
gone "$day/mallory.darshan"
gone "$day/-rf/--help.darshan"
gone "$day/x
$work/new
line.darshan"
there "$work/secret/victim.darshan"
there "$work/alice/own.darshan"
there "$day/hard.darshan"
there "$day/hard2.darshan"
there "$day/link.darshan"
there "$day/pipe.darshan"
[ ! -e "$day/holes.darshan" ] || grep -q 'holes.darshan: most of it is a hole' "$work/err" || fail "holes are packed"
[ ! -e "$work/open/leased" ] || there "$day/leased.darshan"
touch "$work/open/released"
wait
[ "$(cat "$work/alice/precious")" = precious ] || fail "alice lost something"
root archive list "$work/kept/day.bundle"
! grep -q 'victim\|own\|hard\|link\|zero\|pipe' "$work/out" || fail "packed: $(cat "$work/out")"
grep -q 'alice.darshan' "$work/out" || fail "alice's log is not in the bundle"
refused alice cat "$work/kept/day.bundle"
root archive restore "$work/kept/day.bundle" -o "$work/kept/back"
cmp -s "$work/kept/back/2026/10/18/alice.darshan" "$work/demo.darshan" || fail "alice's log does not come back"
[ "$(stat -c '%u %a' "$work/kept/back/2026/10/18/alice.darshan")" = "$alice_id 400" ] || fail "it is no longer alice's"

# Root's bundle never goes where others can change names
root archive pack -o "$work/open/day.bundle" "$tree" && fail "a bundle of root in a directory of everybody"
grep -q 'others can write' "$work/err" || fail "why is not reported: $(cat "$work/err")"

# Restoring does not go through a link, and replaces nothing
install -d -m 777 "$work/open/back"
mallory ln -s "$work/secret" "$work/open/back/2026"
root archive restore "$work/kept/day.bundle" -o "$work/open/back"
[ "$(ls "$work/secret")" = victim.darshan ] || fail "restored through a link: $(ls "$work/secret")"

# A directory that was named to root is a link of somebody else by now; root's own links are followed
mallory ln -s "$work/alice" "$day/planned"
for ((i = 0; i < 2; i++)); do
    root archive pack --remove -o "$work/kept/planned.bundle" "$day/planned" && fail "packed through a link of mallory's"
    grep -q "planned" "$work/err" || fail "why is not reported: $(cat "$work/err")"
    there "$work/alice/own.darshan"
    mallory rm "$day/planned"
    mallory mkdir -p "$day/below"
    mallory ln -sfn "$work/alice/.." "$day/below/up"
    mallory ln -s "$day/below/up/alice" "$day/planned"
done
ln -s "$tree" "$work/kept/tree"
user_log alice "$day/alice3.darshan"
root archive pack --remove -o "$work/kept/linked.bundle" "$work/kept/tree/2026/../2026/10"
gone "$day/alice3.darshan"

# Swapped while root works: a directory for a link, to and fro
victims=$work/secret/swap
install -d -m 755 "$victims"
for ((i = 0; i < 40; i++)); do cp "$work/demo.darshan" "$victims/$i.darshan"; done
mallory mkdir "$day/swap" "$day/away"
mallory sh -c 'i=0; while [ $i -lt 40 ]; do cp "$work/demo.darshan" "$1/swap/$i.darshan"; i=$((i+1)); done' sh "$day"
mallory rmdir "$day/away"
mallory timeout 20 perl -e 'chdir $ARGV[0]; symlink $ARGV[1], "planted";
    while (!-e $ARGV[2]) { rename "swap", "away"; rename "planted", "swap"; rename "swap", "planted"; rename "away", "swap" }' \
    "$day" "$victims" "$work/open/stop" &
swapper=$!
for ((round = 0; round < 4; round++)); do
    root archive pack -q --remove -o "$work/kept/swap$round.bundle" "$tree"
    root archive purge -q --remove --bundle "$work/kept/day.bundle" "$tree"
done
touch "$work/open/stop"
wait $swapper
[ "$(ls "$victims" | wc -l)" = 40 ] || fail "$(ls "$victims" | wc -l) of 40 files behind a swapped link are left"

# Logs that change without a pause, through a mapping, so that their times do not tell: they stay, and the others are packed
install -d -m 1777 "$work/tree2"
user_log alice "$work/tree2/alice.darshan"
mallory sh -c 'i=0; while [ $i -lt 60 ]; do cp "$work/demo.darshan" "$1/$i.darshan"; i=$((i+1)); done' sh "$work/tree2"
if [ -x /usr/bin/python3 ]; then
    mallory timeout 100 /usr/bin/python3 -c 'import glob, mmap, os, sys
maps = [mmap.mmap(os.open(name, os.O_RDWR), 0) for name in glob.glob(sys.argv[1] + "/[0-9]*")]
open(sys.argv[2], "w").close()
while not os.path.exists(sys.argv[3]):
    for i in range(2000):
        for m in maps: m[len(m) // 2] = (m[len(m) // 2] + 1) & 255' "$work/tree2" "$work/open/writes" "$work/open/enough" &
    writer=$!
    for ((i = 0; i < 200; i++)); do
        [ ! -e "$work/open/writes" ] || break
        sleep 0.05
    done
    root archive pack --remove -o "$work/kept/changing.bundle" "$work/tree2"
    got=$?
    touch "$work/open/enough"
    wait $writer
    [ $got = 0 ] || [ $got = 3 ] || fail "logs that change: status $got: $(head -n 3 "$work/err")"
    gone "$work/tree2/alice.darshan"
    root archive verify "$work/kept/changing.bundle" || fail "logs that change: $(head -n 3 "$work/err")"
fi

# Ordinary users archive too, and remove only what is theirs
user_log alice "$day/alice2.darshan"
user_log mallory "$day/mallory2.darshan"
chmod 644 "$day/mallory2.darshan"
alice iolite archive pack -q --remove -o "$work/alice/mine.bundle" "$day" >/dev/null 2>&1
gone "$day/alice2.darshan"
there "$day/mallory2.darshan"
finish
