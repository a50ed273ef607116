#!/usr/bin/env bash
# The small programs that every script is made of behave as without Iolite, and their bytes are in the log.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"

given() {
    seq 1 40000 >data
    seq 40000 -3 1 >other
    mkdir -p tree/deep/deeper
    for i in 1 2 3 4; do
        seq "$i" "$((1000 * i))" >"tree/$i"
        seq "$i" "$((300 * i))" >"tree/deep/deeper/$i"
    done
    ln -s 1 tree/link
}
fresh
size=$(was data)
other=$(was other)

# One program -----------------------------------------------------------------------------------------------------

both "cp" cp --reflink=never data copy
moved data "$size" 0
moved copy 0 "$size"
expect data POSIX_OPENS 1
expect copy POSIX_OPENS 1

both "cp -r" cp -r --reflink=never tree copied
for file in 1 4 deep/deeper/2; do
    moved "tree/$file" "$(was "tree/$file")" 0
    moved "copied/$file" 0 "$(was "tree/$file")"
done

both "cp of what is not there" cp nothing copy

# An option that changes nothing here keeps cat from leaving the copy to the kernel.
both "cat" cat -s data other
moved data "$size" 0
moved other "$other" 0

both "cat from and to redirections" sh -c 'cat -s <data >copy'
moved data "$size" 0
moved copy 0 "$size"

both "cat by the kernel" sh -c 'cat <data >copy'
if copies; then
    moved data "$size" 0
    moved copy 0 "$size"
fi

both "dd" dd if=data of=copy bs=4096 conv=fsync status=none
moved data "$size" 0
moved copy 0 "$size"
expect copy POSIX_WRITES $(((size + 4095) / 4096))
expect copy POSIX_FSYNCS 1

both "dd that seeks" dd if=data of=other bs=512 skip=3 seek=5 count=7 conv=notrunc status=none
moved data 3584 0
moved other 0 3584
expect other POSIX_WRITES 7
expect other POSIX_MAX_BYTE_WRITTEN $((12 * 512 - 1))

# sort makes its output file its standard output and writes to the stream of that.
both "sort" sort -r -o sorted data
moved data "$size" 0
moved '<STDOUT>' - "$size"

both "sort with temporary files" sort -S 32k -T . -o sorted data
moved data "$size" 0
moved '<STDOUT>' - "$size"

both "wc" wc data other
moved data "$size" 0
moved other "$other" 0

both "head" head -n 5 data other
expect data '(POSIX|STDIO)_READS' -ge 1

both "tail" tail -n 5 data

both "tee" sh -c 'tee one two <data >/dev/null'
moved data "$size" 0
moved one 0 "$size"
moved two 0 "$size"

both "split" split -b 50000 data part.
moved data "$size" 0
moved 'part.*' 0 "$size"

both "md5sum" md5sum data
moved data "$size" 0

both "cmp" cmp data other
both "ls -lR" ls -lR --time-style=+ tree
both "find" find tree -type f -size +1k
both "mv, ln, rm, touch, truncate" sh -c '
    mv data moved && ln moved hard && rm other && touch new && truncate -s 5k moved'
both "mkfifo" sh -c 'mkfifo pipe && { cat data >pipe & cat pipe >copy; wait; }'
moved data "$size" 0
moved copy 0 "$size"

# tar and gzip ----------------------------------------------------------------------------------------------------

same_tar=(--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner)
both "tar" tar "${same_tar[@]}" -cf tree.tar tree
moved tree.tar 0 "$(was tree.tar)"
moved tree/4 "$(was tree/4)" 0
moved tree/deep/deeper/3 "$(was tree/deep/deeper/3)" 0

both "tar, unpacked" sh -c "tar ${same_tar[*]} -cf tree.tar tree && rm -r tree && tar -xf tree.tar"
moved tree.tar "$(was tree.tar)" "$(was tree.tar)"
moved tree/4 "$(was tree/4)" "$(was tree/4)"

both "tar through gzip" sh -c "GZIP=-n tar ${same_tar[*]} -czf tree.tgz tree && tar -tzf tree.tgz"
moved tree.tgz - "$(was tree.tgz)"
[ "$processes" -ge 4 ] || fail "$label: $processes processes in the log of tar and gzip"

both "gzip" gzip -n data
moved data "$size" 0
moved data.gz 0 "$(was data.gz)"

both "gunzip" sh -c 'gzip -n data && gunzip -k data.gz'
moved data.gz "$(was data.gz)" "$(was data.gz)"
moved data "$size" "$size"

# Pipelines and what shells do ------------------------------------------------------------------------------------

both "a pipeline" bash -c 'cat data | grep 7 | sort -n | uniq -c | tail -n 3 >found; echo "${PIPESTATUS[@]}"'
moved data "$size" 0
[ "$processes" -ge 5 ] || fail "$label: $processes processes in the log of a pipeline"

both "a pipe closed early" bash -c 'cat data data data | head -n 1; echo "${PIPESTATUS[@]}"'

both "a shell script" bash -c '
    exec 3>log 4<data
    read -r first <&4
    echo "first $first" >&3
    while read -r line; do [ "$line" = 17 ] && break; done <&4
    cat <<<"here is $line" >&3
    diff <(sort data) <(sort other) | wc -l
    (exit 7); echo "subshell $?"
    { sleep 0.05; echo late >background; } &
    wait $!; echo "background $?"
    trap "echo trapped >>log" EXIT
    kill -0 $$ && printf "%s\n" tree/*
    exec 3>&- 4<&-
    exit 3'
expect data '(POSIX|STDIO)_READS' -ge 2

both "a program that a signal ends" bash -c 'cat -s data >copy; kill -TERM $$'
moved copy 0 "$size"

both "xargs" sh -c 'find tree -type f | sort | xargs -n 2 -P 2 cksum | sort'
moved tree/4 "$(was tree/4)" 0
[ "$processes" -ge 6 ] || fail "$label: $processes processes in the log of xargs"

finish
