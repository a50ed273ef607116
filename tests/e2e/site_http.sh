#!/usr/bin/env bash
# Prometheus over HTTP: counters become amounts, long ranges are split, secrets stay secret, and servers that answer
# rubbish or without end do no harm.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/replay.bash
. "$(dirname "$0")/replay.bash"
python=/usr/bin/python3
$python -c 'import h5py' 2>/dev/null || { echo "python3-h5py is not here"; exit 77; }
replay
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
# A closed or moved address is not reported as rubbish; secrets are not sent to another host
status 3 ask closed "$work/none.hdf5" $((start + 105))
grep -q ': status 401$' "$work/err" || fail "a server that wants to know who asks: $(head -n 1 "$work/err")"
status 3 ask moved "$work/none.hdf5" $((start + 105))
grep -q ': status 302$' "$work/err" || fail "an answer that is elsewhere: $(head -n 1 "$work/err")"
status 3 "$iolite" collect slurm "$base/moved/slurmdb/v0.0.38/jobs"
grep -q 'status 302$' "$work/err" || fail "jobs that are elsewhere: $(head -n 1 "$work/err")"
# A server that begins to answer and falls silent is not asked for each dataset again
began=$SECONDS
status 3 "$iolite" collect prometheus "$base/drip" --mapping packaging/mappings/lustrefs-exporter.json --timeout 2 --start @$start --end @$((start + 105)) --step 15 -o "$work/none.hdf5"
[ "$(grep -c 'timed out' "$work/err")" = 1 ] || fail "asked again and again, for $((SECONDS - began)) seconds: $(cat "$work/err")"
status 3 ask token "$work/none.hdf5" $((start + 105))
grep -q 'who are you' "$work/err" || fail "what the server says is lost: $(head -n 1 "$work/err")"
echo secret-word >"$work/token"
chmod 644 "$work/token"
IOLITE_PROMETHEUS_TOKEN_FILE=$work/token status 2 ask token "$work/none.hdf5" $((start + 105))
grep -q 'others can read' "$work/err" || fail "a token that all can read: $(head -n 1 "$work/err")"
chmod 600 "$work/token"
IOLITE_PROMETHEUS_TOKEN_FILE=$work/token status 0 ask token "$work/token.hdf5" $((start + 105))
export IOLITE_PROMETHEUS_TOKEN=secret-word
status 0 ask token "$work/token.hdf5" $((start + 105))
status 3 ask rubbish "$work/none.hdf5" $((start + 105))
! grep -q secret-word "$work/err" || fail "a secret in a message"
status 3 "$iolite" collect prometheus http://127.0.0.1:1 --mapping "$work/mapping.json" --start @$start --end @$((start + 105)) -o "$work/none.hdf5"
# Half an answer: the series that are whole are used, and one query that is refused does not take the others with it
status 3 ask cut "$work/cut.hdf5" $((start + 105))
grep -q 'partial:' "$work/err" || fail "half an answer goes by in silence: $(head -n 1 "$work/err")"
$python - "$work/cut.hdf5" "$work/good.hdf5" <<'END' || fail "other values from half an answer"
import sys, h5py
cut, good = (h5py.File(path)["datatargets/writebytes"] for path in sys.argv[1:])
assert list(cut.attrs["columns"]) == list(good.attrs["columns"]) and (cut[:] == good[:]).all()
END
status 3 ask one-refused "$work/refused.hdf5" $((start + 105))
grep -q 'partial:.*no such metric' "$work/err" || fail "a refused query: $(head -n 1 "$work/err")"
$python - "$work/refused.hdf5" <<'END' || fail "the other queries are lost"
import sys, h5py
assert "datatargets/writebytes" in h5py.File(sys.argv[1])
END
status 3 "$iolite" collect prometheus "$base/slow" --timeout 4 --mapping "$work/mapping.json" --fs onyx --start @$start --end @$((start + 105)) --step 15 -o "$work/slow.hdf5"
grep -q 'partial:.*[Tt]imed out' "$work/err" || fail "an answer that does not end: $(head -n 1 "$work/err")"
$python -c 'import sys, h5py; h5py.File(sys.argv[1])["datatargets/writebytes"]' "$work/slow.hdf5" 2>/dev/null || fail "what came in time is lost"
status 3 ask endless "$work/none.hdf5" $((start + 105))
[ ! -e "$work/none.hdf5" ] || fail "a file from no answer"

# A server with a certificate of the site's own
if openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/key.pem" -out "$work/ca.pem" -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 >/dev/null 2>&1; then
    cat "$work/key.pem" "$work/ca.pem" >"$work/both.pem"
    CERTIFICATE=$work/both.pem replay_at "$work/tls-port"
    base=https://127.0.0.1:$(cat "$work/tls-port")
    status 3 ask good "$work/tls.hdf5" $((start + 105))
    grep -qi certificate "$work/err" || fail "a strange certificate: $(head -n 1 "$work/err")"
    IOLITE_CA_FILE=$work/ca.pem status 0 ask good "$work/tls.hdf5" $((start + 105))
fi
finish
