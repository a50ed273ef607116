#!/usr/bin/env bash
# Prometheus over HTTP: counters become amounts, long ranges are split, secrets stay secret, and servers that answer
# rubbish or without end do no harm.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
python=/usr/bin/python3
$python -c 'import h5py' 2>/dev/null || { echo "python3-h5py is not here"; exit 77; }
$python tests/site/replay.py "$work/port" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for ((i = 0; i < 100; i++)); do
    [ -e "$work/port" ] && break
    sleep 0.1
done
[ -e "$work/port" ] || { echo "no server could be started"; exit 77; }
base=http://127.0.0.1:$(cat "$work/port")
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
cat >"$work/mapping.json" <<'END'
{"datasets": {
  "datatargets/writebytes": {"query": "bytes_total{fs=\"$fs\"}", "kind": "counter", "column": "{target}", "units": "bytes"},
  "fullness/bytes": {"query": "bytes_total", "kind": "gauge", "column": "{target}", "units": "bytes"}}}
END
start=1770134400
ask() { # HOW OUT END
    "$iolite" collect prometheus "$base/$1" --mapping "$work/mapping.json" --fs onyx --start @$start --end @$3 --step 15 -o "$2"
}
ask good "$work/good.hdf5" $((start + 105)) 2>"$work/err" || {
    grep -q 'libcurl is not\|HDF5 library is not' "$work/err" && { cat "$work/err"; exit 77; }
    fail "a server that answers: $(head -n 1 "$work/err")"
}
$python - "$work/good.hdf5" <<'END' || fail "other values than the counters say"
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as file:
    amounts, gauge = file["datatargets/writebytes"][:, 0], file["fullness/bytes"][:, 0]
    assert file["datatargets"].attrs["source"] == b"prometheus" and list(file["datatargets/writebytes"].attrs["columns"]) == [b"fs-OST0000"]
missing = (amounts == 0) & numpy.signbit(amounts)
assert list(missing) == [False, False, True, False, True, False, True], missing
assert list(amounts[[0, 1, 3, 5]]) == [150, 0, 250, 50], amounts
assert gauge[0] == 1000 and numpy.signbit(gauge[3]), gauge
END
# A day of 5-second samples is more than one request may ask for; the server checks that
status 0 ask good "$work/long.hdf5" $((start + 200010))

status 3 ask rubbish "$work/none.hdf5" $((start + 105))
grep -q 'no JSON' "$work/err" || fail "rubbish: $(head -n 1 "$work/err")"
status 3 ask token "$work/none.hdf5" $((start + 105))
grep -q 'who are you' "$work/err" || fail "what the server says is lost: $(head -n 1 "$work/err")"
export IOLITE_PROMETHEUS_TOKEN=secret-word
status 0 ask token "$work/token.hdf5" $((start + 105))
status 3 ask rubbish "$work/none.hdf5" $((start + 105))
! grep -q secret-word "$work/err" || fail "a secret in a message"
status 3 "$iolite" collect prometheus http://127.0.0.1:1 --mapping "$work/mapping.json" --start @$start --end @$((start + 105)) -o "$work/none.hdf5"
status 3 ask endless "$work/none.hdf5" $((start + 105))
[ ! -e "$work/none.hdf5" ] || fail "a file from no answer"
finish
