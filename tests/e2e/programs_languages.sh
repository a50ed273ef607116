#!/usr/bin/env bash
# Programs in Python, Perl and Java, with the ways in which their libraries start processes and threads, behave as
# without Iolite, and what they do is in the log.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"

given() { seq 1 20000 >data; }
fresh
size=$(was data)

# Python ----------------------------------------------------------------------------------------------------------

# The interpreter itself: what is called python3 may be a script that looks for one. The system's has numpy, if any.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3; do
        command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; print(sys.executable)' && return
    done
    echo "left out, not here: python3"
    return 1
}

test_python_files() {
    cat >"$work/files.py" <<'END'
import os, shutil, mmap, tempfile
with open("data") as source, open("copy", "w") as target:
    for line in source: target.write(line)
fd = os.open("raw", os.O_RDWR | os.O_CREAT, 0o640)
for i in range(100): os.write(fd, b"x" * 50)
for i in range(40): os.pwrite(fd, b"y" * 7, 1000 * i)
print(os.lseek(fd, 10, os.SEEK_SET), os.read(fd, 33), os.pread(fd, 20, 7))
print(os.writev(fd, [b"a", b"bc"]), os.preadv(fd, [bytearray(5), bytearray(6)], 0))
os.fsync(fd)
os.fdatasync(fd)
with mmap.mmap(fd, 0) as view: print(len(view), view[1000:1008])
os.ftruncate(fd, 30000)
os.close(fd)
shutil.copyfile("data", "sent")
os.rename("sent", "renamed")
with tempfile.TemporaryFile(dir=".") as t: t.write(b"z" * 5000)
try: open("absent/file", "w")
except OSError as error: print(error)
print(os.stat("raw").st_size, sorted(os.listdir(".")))
END
    both "Python's files" "$python" "$work/files.py"
    moved copy 0 "$size"
    if copies; then
        moved data $((2 * size)) 0 # once by lines, once by copyfile
        moved sent 0 "$size"
    fi
    expect raw POSIX_WRITES 141
    expect raw POSIX_BYTES_WRITTEN $((100 * 50 + 40 * 7 + 3))
    expect raw POSIX_READS 3
    expect raw POSIX_BYTES_READ $((33 + 20 + 11))
    expect raw POSIX_SEEKS 1
    expect raw POSIX_FSYNCS 1
    expect raw POSIX_FDSYNCS 1
    expect raw POSIX_MODE $((8#640))
    expect raw POSIX_OPENS -ge 1
}

# One process each, for each way of starting them: every worker writes a file of its own and one of all.
test_python_workers() {
    cat >"$work/workers.py" <<'END'
import multiprocessing, os, sys
def work(number):
    with open(f"out.{number}", "wb", buffering=0) as out:
        for i in range(20): out.write(b"w" * 100)
    fd = os.open("all", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.write(fd, b"a" * 10)
    os.close(fd)
    return number * number
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    pool = context.Pool(3)
    print(pool.map(work, range(6)))
    pool.close()
    pool.join()
    single = context.Process(target=work, args=(6,))
    single.start()
    single.join()
    print(single.exitcode)
END
    for method in fork spawn forkserver; do
        both "Python's workers by $method" "$python" "$work/workers.py" $method
        expect 'out.*' POSIX_WRITES 140
        expect 'out.*' POSIX_BYTES_WRITTEN 14000
        expect out.6 POSIX_BYTES_WRITTEN 2000
        expect all POSIX_WRITES 7
        expect all POSIX_BYTES_WRITTEN 70
        [ "$processes" -ge 5 ] || fail "$label: $processes processes in the log"
    done
}

test_python_others() {
    cat >"$work/children.py" <<'END'
import concurrent.futures, os, subprocess
print(subprocess.run(["wc", "-c", "data"], capture_output=True, text=True).stdout)
with open("copy", "wb") as out: subprocess.run(["cat", "-s", "data"], stdout=out, check=True)
print(subprocess.run("cat data | head -n 2; exit 4", shell=True, capture_output=True))
print(os.system("exit 3") >> 8)
with os.popen("tail -n 1 data") as pipe: print(pipe.read())
if os.fork() == 0:
    os.close(os.open("forked", os.O_CREAT | os.O_WRONLY))
    os._exit(5)
print(os.waitstatus_to_exitcode(os.wait()[1]))
def work(number):
    fd = os.open(f"thread.{number}", os.O_CREAT | os.O_WRONLY)
    for i in range(50): os.write(fd, b"t" * 30)
    os.close(fd)
with concurrent.futures.ThreadPoolExecutor(4) as pool: list(pool.map(work, range(8)))
END
    both "Python's children and threads" "$python" "$work/children.py"
    moved copy 0 "$size"
    expect 'thread.*' POSIX_WRITES 400
    expect 'thread.*' POSIX_BYTES_WRITTEN 12000
    expect forked POSIX_OPENS 1
    [ "$processes" -ge 7 ] || fail "$label: $processes processes in the log"
    "$python" -c 'import numpy' 2>/dev/null || { echo "left out, not here: numpy"; return; }
    cat >"$work/arrays.py" <<'END'
import numpy
a = numpy.arange(50000, dtype=numpy.float64).reshape(500, 100)
numpy.save("a.npy", a)
numpy.savez("b.npz", first=a, second=a.T)
print(numpy.load("a.npy").sum(), numpy.load("b.npz")["second"].shape, numpy.load("a.npy", mmap_mode="r")[7, 7])
a.tofile("raw.bin")
print(numpy.fromfile("raw.bin").mean())
END
    volatile='/b\.npz$' # its parts carry the time of day
    both "numpy" "$python" "$work/arrays.py"
    volatile='^$'
    expect a.npy '(POSIX|STDIO)_BYTES_WRITTEN' -ge 400000
    expect a.npy '(POSIX|STDIO)_BYTES_READ' -ge 400000
    expect raw.bin '(POSIX|STDIO)_BYTES_WRITTEN' -ge 400000
    expect raw.bin '(POSIX|STDIO)_BYTES_READ' -ge 400000
}

if python=$(find_python); then
    export PYTHONDONTWRITEBYTECODE=1
    test_python_files
    test_python_workers
    test_python_others
else
    echo "$python"
fi

# Perl ------------------------------------------------------------------------------------------------------------

if have perl; then
    # shellcheck disable=SC2016  # the dollars are Perl's
    both "Perl" perl -e '
        open(my $in, "<", "data") or die; open(my $out, ">", "copy") or die;
        print $out $_ while <$in>; close $out;
        sysopen(my $raw, "raw", 0102) or die; syswrite($raw, "p" x 25) for 1..40;
        sysseek($raw, 5, 0); sysread($raw, my $got, 10); print "$got\n";
        my $pid = fork(); if (!$pid) { syswrite($raw, "child"); exit 6 } waitpid($pid, 0); print $? >> 8, "\n";
        print `echo from a shell`; system("cat -s data >system"); rename("copy", "renamed");
        exec("cat", "-s", "raw");'
    moved data $((2 * size)) 0
    moved copy 0 "$size"
    moved system 0 "$size"
    expect raw POSIX_WRITES 41
    expect raw POSIX_BYTES_WRITTEN 1005
    moved raw 1010 1005
    [ "$processes" -ge 4 ] || fail "$label: $processes processes in the log"
fi

# Java ------------------------------------------------------------------------------------------------------------

if have java && have javac; then
    cat >"$work/Files.java" <<'END'
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
class Files {
    public static void main(String[] arguments) throws Exception {
        try (FileInputStream in = new FileInputStream("data"); FileOutputStream out = new FileOutputStream("copy")) {
            out.write(in.readAllBytes());
        }
        try (FileChannel c = FileChannel.open(Path.of("raw"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 30; i++) c.write(ByteBuffer.wrap(new byte[200]), i * 1000L);
            c.force(true);
        }
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            String name = "thread." + t;
            threads[t] = new Thread(() -> {
                try (RandomAccessFile f = new RandomAccessFile(name, "rw")) {
                    for (int i = 0; i < 25; i++) f.write(new byte[40]);
                } catch (IOException e) { System.out.println(e); }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        ProcessBuilder child = new ProcessBuilder("cat", "-s", "data").redirectOutput(new File("child"));
        System.out.println(child.start().waitFor());
        System.exit(9);
    }
}
END
    javac -d "$work" "$work/Files.java" || fail "javac"
    both "Java" java -Xint -XX:-UsePerfData -Xmx64m -cp "$work" Files
    expect copy POSIX_BYTES_WRITTEN "$size"
    expect raw POSIX_WRITES 30
    expect raw POSIX_BYTES_WRITTEN 6000
    expect 'thread.*' POSIX_WRITES 100
    expect 'thread.*' POSIX_BYTES_WRITTEN 4000
    expect child POSIX_BYTES_WRITTEN "$size"
fi

finish
