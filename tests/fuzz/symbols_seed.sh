#!/bin/sh
# symbols_seed.sh COMPILER SEED: a small program with DWARF behind eight offsets that it has code at.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'static int add(int a) { return a + 1; }\nint main(int n, char **a) { (void)a; return add(n); }\n' >"$work/program.c"
"$1" -g -O1 -nostdlib -Wl,-e,main -Wl,--build-id=sha1 -o "$work/program" "$work/program.c"
at=$(nm "$work/program" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
at=$((0x$at % 65536))
: >"$work/offsets"
for step in 0 1 2 3 4 5 6 7; do
    # shellcheck disable=SC2059 # octal of two bytes
    printf "$(printf '\\%03o\\%03o' $(((at + step) / 256)) $(((at + step) % 256)))" >>"$work/offsets"
done
cat "$work/offsets" "$work/program" >"$2"
