#!/usr/bin/env bash
# names.sh LIBC-OF-X86-64 LIBC-OF-AARCH64: writes glibc-2.17.txt from two files libc.so.6 of a later release, before 2.32. Names of a
# C library keep the version that they came with; in 2.32 it began to take in those of libpthread, with their old versions.
set -euo pipefail

names() { # LIBC
    readelf -W --dyn-syms "$1" | awk '$7 != "UND" && $5 != "LOCAL" { print $8 }' | sed -n 's/@@*GLIBC_2\./ /p' |
        awk '{ split($2, version, ".") } version[1] <= 17 && $1 !~ /^GLIBC/ { print $1 }' | LC_ALL=C sort -u
}

x86_64=$(mktemp) aarch64=$(mktemp)
trap 'rm -f "$x86_64" "$aarch64"' EXIT
names "$1" >"$x86_64"
names "$2" >"$aarch64"
cat <<'TEXT'
# What libc.so.6 of glibc 2.17 defines, for every processor and for one only (names.sh). The loader is always there, too.
[loader]
__libc_stack_end _r_debug
[loader AArch64]
__stack_chk_guard
TEXT
echo "[all]"
LC_ALL=C comm -12 "$x86_64" "$aarch64" | fmt -w 130
echo "[X86-64]"
LC_ALL=C comm -23 "$x86_64" "$aarch64" | fmt -w 130
echo "[AArch64]"
LC_ALL=C comm -13 "$x86_64" "$aarch64" | fmt -w 130
