#!/usr/bin/env bash
# enter.sh ROOT QEMU TREE BUILD COMMAND...: in namespaces of its own, where the kernel hands programs of arm64 to qemu, so that what they
# start is run as well. The machine's own table of such programs stays as it is.
set -euo pipefail
root=$1 qemu=$2 tree=$3 build=$4
shift 4
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":iolite-arm64:M::$magic:$mask:$qemu:F" >/proc/sys/fs/binfmt_misc/register
mount --bind "$root" "$root" # a root, as containers have it
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for folder in "$tree" "$build"; do
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
done
exec chroot "$root" "$@"
