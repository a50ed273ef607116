#!/usr/bin/env bash
# Notebooks: the kernel that is recorded, what %%iolite and recorded() say in it and elsewhere, and the three examples as they stand.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
python=/usr/bin/python3
build=$(cd "$IOLITE_BIN/.." && pwd)
own_home
export IOLITE_LOG_LIBRARY=$build/lib/libiolite-log.so IOLITE_COMMAND=$build/bin/iolite PYTHONPATH=$root/packaging/python PYTHONDONTWRITEBYTECODE=1
$python -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip "no Python from 3.9 on with ctypes"
$python -c 'import iolite; iolite.open(b"")' 2>"$work/err"
grep -q 'iolite.errors.Error: ' "$work/err" || skip "Python cannot load the library"

# A block of a program, recorded and not
cat >"$work/block.py" <<'END'
import iolite, os, sys
with open(sys.argv[1] + ".before", "w") as file:
    file.write("x" * 100)
with iolite.recorded() as block:
    with open(sys.argv[1], "wb", buffering=0) as file:
        for _ in range(500):
            file.write(b"y" * 100)
if not block.active:
    assert "iolite kernel install" in str(block)
    sys.exit(0)
table = block.files(form="lists")
assert table["file_name"] == [os.path.realpath(sys.argv[1])], table
assert table["writes"] == [500] and table["bytes_written"] == [50000] and block.figures["writes"] == 500
assert block.log.job["processes"] == 1 and 0 <= block.log.job["run_time"] < 1000
assert "wrote 48.8 KiB in 500 calls" in str(block) and "<table>" in block._repr_html_()
with iolite.recorded() as nothing:
    pass
assert nothing.files(form="lists")["file_name"] == [] and nothing.figures["bytes"] == 0
print("recorded")
END
# Blocks inside one another, with threads, that end by an exception, and in a forked child, which has no records before it reads or writes
cat >"$work/blocks.py" <<'END'
import iolite, os, sys, threading
def write(name, times):
    with open(sys.argv[1] + name, "wb", buffering=0) as file:
        for _ in range(times):
            file.write(b"y" * 10)
def writes(block):
    table = block.files(form="lists")
    return {os.path.basename(name)[4:]: calls for name, calls in zip(table["file_name"], table["writes"])}
with iolite.recorded() as outer:
    write("a", 3)
    with iolite.recorded() as inner:
        write("b", 5)
assert writes(inner) == {"b": 5} and writes(outer) == {"a": 3, "b": 5}, (writes(inner), writes(outer))
with iolite.recorded() as block:
    threads = [threading.Thread(target=write, args=("t%d" % i, 4)) for i in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
assert writes(block) == {"t0": 4, "t1": 4, "t2": 4, "t3": 4}, writes(block)
try:
    with iolite.recorded() as block:
        write("c", 2)
        raise KeyError
except KeyError:
    assert writes(block) == {"c": 2}
child = os.fork()
if child == 0:
    try:
        with iolite.recorded() as block:
            write("d", 6)
        os._exit(0 if block.active and writes(block) == {"d": 6} else 7)
    finally:
        os._exit(8)
assert os.waitpid(child, 0)[1] == 0, "the child"
print("recorded")
END
status 0 "$iolite" run --quiet -o "$work/blocks.darshan" -- $python "$work/blocks.py" "$work/data"
has recorded
status 0 $python "$work/block.py" "$work/data"
lacks recorded
status 0 "$iolite" run --quiet -o "$work/block.darshan" -- $python "$work/block.py" "$work/data"
has recorded

# The kernel
status 2 "$iolite" kernel
status 0 env JUPYTER_DATA_DIR="$work/jupyter" "$iolite" kernel install --python $python
has "$work/jupyter/kernels/iolite/kernel.json"
status 0 "$iolite" kernel install --prefix "$work/prefix"
[ -e "$work/prefix/share/jupyter/kernels/iolite/kernel.json" ] || fail "no kernel below the prefix"
$python -c 'import json, sys; made = json.load(open(sys.argv[1])); assert made["argv"][1:3] == ["run", "--quiet"] and made["argv"][-1] == "{connection_file}"' \
    "$work/jupyter/kernels/iolite/kernel.json" || fail "the kernel's file"

# The examples, in that kernel; and %%iolite in another one
$python -c 'import nbclient, nbformat, ipykernel, pandas' 2>/dev/null || { finish; exit; }
"$tools/make-centre" --logs 120 --large 0 --broken 0 --months 12 "$work/centre" 2>/dev/null &&
    "$iolite" index --store "$work/index.db" "$work/centre" >/dev/null 2>&1 || rm -f "$work/index.db"
cat >"$work/execute.py" <<'END'
import sys, nbclient, nbformat
book = nbformat.read(sys.argv[1], 4)
if len(sys.argv) > 2:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in ("%load_ext iolite", "%%iolite\nprint(6 * 7)")])
nbclient.NotebookClient(book, timeout=240, kernel_name=sys.argv[2] if len(sys.argv) > 2 else "iolite").execute()
print("\n".join(str(output) for cell in book.cells if cell.cell_type == "code" for output in cell.outputs))
END
export JUPYTER_DATA_DIR=$work/jupyter JUPYTER_RUNTIME_DIR=$work/runtime IPYTHONDIR=$work/ipython LOG=$demo STORE=$work/index.db
for book in training checkpoint fleet; do
    [ $book != fleet ] || [ -e "$STORE" ] || continue
    $python "$work/execute.py" examples/notebooks/$book.ipynb >"$work/out" 2>"$work/err" || fail "$book: $(grep -v '^ *$' "$work/err" | tail -n 6)"
done
if $python -m jupyter_client.kernelspecapp list 2>/dev/null | grep -q python3 || [ -d /usr/share/jupyter/kernels/python3 ]; then
    $python "$work/execute.py" examples/notebooks/training.ipynb python3 >"$work/out" 2>"$work/err" || fail "another kernel: $(tail -n 3 "$work/err")"
    has 'iolite kernel install'
    has '42'
fi
finish
