# Counts, from the output of `strace -ff -y -s 0`, what a program did to each file below `root`, in the terms of the
# POSIX module; what the kernel copies from file to file only if `copies` is set. Prints lines: name, counter, value.
# Directories are left out: opendir() opens them inside the C library.

# The path in a decorated descriptor: 3</some/path>(deleted)
function path_of(text) {
    if (!match(text, /^[A-Z_0-9]+<[^>]*>/)) return ""
    text = substr(text, 1, RLENGTH - 1)
    sub(/^[A-Z_0-9]+</, "", text)
    return text
}

# Argument number `n` (from 1) of a call; strings are all empty because of -s 0, file names come first.
function argument(n,    parts) {
    split(arguments, parts, ", ")
    return parts[n]
}

# A path without //, /./ and /../
function clean(path,    parts, count, i, kept, depth) {
    count = split(path, parts, "/")
    depth = 0
    for (i = 1; i <= count; i++) {
        if (parts[i] == "" || parts[i] == ".") continue
        if (parts[i] == "..") { if (depth > 0) depth--; continue }
        kept[++depth] = parts[i]
    }
    path = ""
    for (i = 1; i <= depth; i++) path = path "/" kept[i]
    return path
}

function add(path, counter, value) {
    if (index(path, root "/") != 1) return
    names[path] = 1
    sums[path "\t" counter] += value
}

function transfer(path, direction, bytes) {
    add(path, direction == "read" ? "POSIX_READS" : "POSIX_WRITES", 1)
    add(path, direction == "read" ? "POSIX_BYTES_READ" : "POSIX_BYTES_WRITTEN", bytes)
}

# The file of a status call: a path, relative to a directory or not, or a descriptor alone.
function status_path(    directory, name) {
    directory = call ~ /^(newfstatat|statx)$/ ? path_of(argument(1)) : path_of(arguments)
    if (call == "fstat") return directory
    name = arguments
    if (!match(name, /"[^"]*"/)) return ""
    name = substr(name, RSTART + 1, RLENGTH - 2)
    if (name == "") return directory
    return clean(name ~ /^\// ? name : directory "/" name)
}

{
    if (!match($0, /^[a-z_0-9]+\(/)) next
    call = substr($0, 1, RLENGTH - 1)
    rest = substr($0, RLENGTH + 1)
    if (!match(rest, /.*\) += /)) next
    result = substr(rest, RLENGTH + 1)
    arguments = substr(rest, 1, RLENGTH)
    sub(/\) += $/, "", arguments)
    if (result ~ /^(-|\?)/) next
    value = result + 0
}

# The C library opens with O_PATH where it has to change the mode of what may be a link.
call ~ /^(open|openat|openat2|creat)$/ && arguments !~ /O_PATH/ {
    if (arguments ~ /O_DIRECTORY/) directories[path_of(result)] = 1
    add(path_of(result), "PATH_OPENS", 1)
}
call ~ /^dup[23]?$/ || (call == "fcntl" && arguments ~ /F_DUPFD/) { add(path_of(arguments), "POSIX_DUPS", 1) }
call ~ /^(read|pread64|readv|preadv|preadv2)$/ { transfer(path_of(arguments), "read", value) }
call ~ /^(write|pwrite64|writev|pwritev|pwritev2)$/ { transfer(path_of(arguments), "write", value) }
# Nothing is written at the end of the source.
copies && call ~ /^(copy_file_range|splice)$/ {
    transfer(path_of(arguments), "read", value)
    if (value > 0) transfer(path_of(argument(3)), "write", value)
}
copies && call == "sendfile" {
    transfer(path_of(argument(2)), "read", value)
    if (value > 0) transfer(path_of(arguments), "write", value)
}
call == "lseek" { add(path_of(arguments), "POSIX_SEEKS", 1) }
call == "fsync" { add(path_of(arguments), "POSIX_FSYNCS", 1) }
call == "fdatasync" { add(path_of(arguments), "POSIX_FDSYNCS", 1) }
call == "mmap" { add(path_of(argument(5)), "POSIX_MMAPS", 1) }
call ~ /^(stat|lstat|fstat|newfstatat|statx)$/ && arguments ~ /mode=S_IFREG/ { add(status_path(), "POSIX_STATS", 1) }

END {
    for (key in sums) {
        split(key, parts, "\t")
        if (!(parts[1] in directories)) print key "\t" sums[key]
    }
    for (name in directories) print name "\tDIRECTORY\t1"
}
