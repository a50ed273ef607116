#!/usr/bin/env bash
# Manual pages and completions follow from the tables of commands and options: every command has its page, which groff takes without a
# warning; bash completes commands, options, files and programs; zsh and fish read theirs. Slips of the fingers get the right name back.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
share=$IOLITE_BIN/../share
unset "${!IOLITE_@}"

mkdir "$work/man1"
status 0 "$iolite" help --man-pages "$work/man1"
names=$("$iolite" help | sed -n 's/^  \([a-z][a-z.-]*\) .*/\1/p')
[ "$(wc -w <<<"$names")" -gt 40 ] || fail "few commands: $names"
for name in $names; do
    case $name in darshan-*) page=$name ;; *) page=iolite-$name ;; esac
    [ -s "$work/man1/$page.1" ] || fail "no page of $name"
    diff -q "$work/man1/$page.1" "$share/man/man1/$page.1" >/dev/null || fail "$page.1 is not what is installed"
    "$iolite" help --man "$name" | cmp -s - "$work/man1/$page.1" || fail "help --man $name differs"
done
[ "$(find "$work/man1" -name '*.1' | wc -l)" = $(($(wc -w <<<"$names") + 1)) ] || fail "pages of nothing"
status 4 "$iolite" help --man-pages "$work/nowhere"
status 2 "$iolite" help --man no-such-command
if command -v groff >/dev/null && compgen -G "/usr/share/groff/*/tmac/an.tmac" >/dev/null; then
    for page in "$work"/man1/*.1 "$share"/man/man5/*.5; do
        [ -z "$(groff -k -man -Tutf8 -ww -z "$page" 2>&1 | head -n 3 | tee "$work/err")" ] || fail "$page: $(cat "$work/err")"
    done
    groff -k -man -Tascii -P-c "$work/man1/iolite-run.1" 2>/dev/null | sed 's/.\x08//g' >"$work/out"
    has "--log-dir DIR"
    has "iolite.conf(5)"
fi

# completed WORD...: what bash offers for the last word.
status 0 "$iolite" help --completion bash
cp "$work/out" "$work/completion"
bash -n "$work/completion" || fail "bash does not take its completion"
completed() {
    bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iolite; printf "%s\n" "${COMPREPLY[@]}"' - "$work/completion" "$@" >"$work/out"
}
completed iolite dia
has diagnose
lines 1
completed iolite show --js
has --json
completed iolite dump --module ''
lacks --json
completed iolite run -- gre
has grep
completed iolite help rep
has report
completed darshan-parser --to
has --total
if command -v zsh >/dev/null; then status 0 zsh -n "$share/completion/_iolite"; fi
if command -v fish >/dev/null; then
    status 0 fish -n "$share/completion/iolite.fish"
    HOME=$work status 0 fish --no-config -c "source $share/completion/iolite.fish; complete -C 'iolite diagnose --fail'"
    has --fail-on
fi
status 2 "$iolite" help --completion tcsh

while IFS='|' read -r words meant; do
    # shellcheck disable=SC2086 # they are words
    "$iolite" $words >"$work/out" 2>&1
    if [ -n "$meant" ]; then has "Did you mean '$meant'?"; else lacks "Did you mean"; fi
done <<'TABLE'
diagnsoe x|diagnose
reprot|report
sohw x|show
frobnicate|
diagnose --fial-on=high x|--fail-on
show --nonsense-altogether x|
help indx|index
diag x|diagnose
RUN x|run
vesion|--version
collect slrum|slurm
collect nothing-like-it|
explain posix.smal.read|posix.small.read
explain POSIX_OPNES|POSIX_OPENS
explain nothing.like.it.at.all|
TABLE
finish
