#!/bin/sh
# Puts 1,200 small files under version control, packs them and unpacks them again: the files are given.
# PREPARE
# NEEDS git tar
# INNOCENT
if [ "${1:-}" = prepare ]; then
    mkdir tree
    i=0
    while [ $i -lt 1200 ]; do
        echo "file $i" >"tree/$i"
        i=$((i + 1))
    done
    exit
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q tree || exit
git -C tree add . || exit
git -C tree -c user.name=somebody -c user.email=somebody@example.org commit -q -m "All" || exit
tar cf tree.tar tree || exit
mkdir again
tar xf tree.tar -C again
