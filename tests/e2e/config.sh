#!/usr/bin/env bash
# iolite config: every setting with its value and origin, and one line for each that is wrong.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}"
file=$work/iolite.conf
printf '# mine\nNAMEMEM 2\r\nMOD_DISABLE STDIO\nNAME_EXCLUDE ^/a POSIX\nNAME_EXCLUDE b$ *\n' >"$file"

# row NAME VALUE ORIGIN: the line of a setting.
row() {
    awk -v name="$1" -v value="$2" -v origin="$3" '$1 == name && $2 == value && $NF == origin { found = 1 }
        END { exit !found }' "$work/out" || fail "no row $*: $(grep -e "^$1 " "$work/out")"
}

status 0 "$iolite" config
row IOLITE_MEMORY 8 default
row IOLITE_LOG_DIR - default
lines "$(grep -c '^SETTING(' "$(dirname "$0")/../../schema/settings.def")"
[ ! -s "$work/err" ] || fail "complaints about nothing"

IOLITE_CONFIG=$file DARSHAN_LOGPATH=/logs IOLITE_TRACE=yes DXT_ENABLE_IO_TRACE='' status 0 "$iolite" config
row IOLITE_NAME_MEMORY 2 "$file:2"
row IOLITE_MOD_DISABLE STDIO "$file:3"
row NAME_EXCLUDE ^/a "$file:4"
row NAME_EXCLUDE b$ "$file:5"
row IOLITE_LOG_PATH /logs DARSHAN_LOGPATH
row IOLITE_TRACE 1 IOLITE_TRACE
row IOLITE_CONFIG "$file" IOLITE_CONFIG

IOLITE_CONFIG=$file IOLITE_MOD_ENABLE=DXT_POSIX status 0 "$iolite" config --json
valid_json "config --json"
has '"name":"IOLITE_NAME_MEMORY","older_name":"DARSHAN_NAMEMEM","key":"NAMEMEM","values":["2"],"origin":"file"'
has '"values":["^/a POSIX","b$ *"]'
has '"dxt_posix": true'
has '"stdio": true'

# What is wrong is reported, and only once.
IOLITE_CONFIG=$work/none IOLITE_MEMORY=x IOLITE_FOO=1 DARSHAN_FOO=1 status 0 "$iolite" config
[ "$(wc -l <"$work/err")" = 3 ] || fail "complaints: $(cat "$work/err")"
grep -qxF "iolite: the config file $work/none cannot be read; it is ignored" "$work/err" || fail "no word of the file"
grep -qxF "iolite: IOLITE_MEMORY=x is not a number; 8 is used" "$work/err" || fail "no word about the number"
grep -qxF "iolite: IOLITE_FOO is not a setting" "$work/err" || fail "no word about the name"
row IOLITE_MEMORY 8 default
IOLITE_CONFIG=$work status 0 "$iolite" config
grep -qF "cannot be read" "$work/err" || fail "a directory as config file"

status 2 "$iolite" config something
finish
