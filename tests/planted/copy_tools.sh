#!/bin/sh
# Copies with the tools that everybody uses: cp, dd, cat.
# PREPARE
# INNOCENT
if [ "${1:-}" = prepare ]; then
    head -c 33554432 /dev/zero >data
    exit
fi
cp data copy
dd if=copy of=second bs=1M 2>/dev/null
cat second >third
