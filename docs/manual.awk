# A page of docs/ as a manual page of section 5: awk -v name=iolite.conf -v version=0.1.0 -f manual.awk settings.md
# It knows the Markdown that is used there: headings, paragraphs, lists, tables, blocks of code, `code`, **bold** and links.
function text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    while (match(line, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(line, RSTART + 1, RLENGTH - 2)
        sub(/\]\(.*/, "", link)
        line = substr(line, 1, RSTART - 1) link substr(line, RSTART + RLENGTH)
    }
    while (match(line, /`[^`]+`/))
        line = substr(line, 1, RSTART - 1) "\\fB" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" substr(line, RSTART + RLENGTH)
    while (match(line, /\*\*[^*]+\*\*/))
        line = substr(line, 1, RSTART - 1) "\\fB" substr(line, RSTART + 2, RLENGTH - 4) "\\fR" substr(line, RSTART + RLENGTH)
    if (line ~ /^[.']/) line = "\\&" line
    return line
}
# A row is a heading and what the other columns say about it.
function row(line, n, cells, i, out) {
    gsub(/\\\|/, "\001", line)
    sub(/^\| */, "", line)
    sub(/ *\|$/, "", line)
    n = split(line, cells, / *\| */)
    for (i = 1; i <= n; i++) gsub(/\001/, "|", cells[i])
    if (!head) {
        head = 1
        for (i = 1; i <= n; i++) titles[i] = cells[i]
        return
    }
    if (line ~ /^[-:| ]+$/) return
    print ".TP"
    print cells[1] == "" ? "\\&" : text(cells[1])
    for (i = 2; i <= n; i++)
        if (cells[i] != "") print (i > 2 ? ".br\n" : "") text((titles[i] == "" || n == 2 ? "" : titles[i] ": ") cells[i])
}
BEGIN { paragraph = 0 }
/^```/ {
    code = !code
    print code ? ".PP\n.nf\n.RS 4" : ".RE\n.fi"
    next
}
code {
    gsub(/\\/, "\\e")
    gsub(/-/, "\\-")
    print ($0 ~ /^[.']/ ? "\\&" : "") $0
    next
}
/^<!--/ || /^!\[/ { next }
/^# / && !titled {
    titled = 1
    title = substr($0, 3)
    gsub(/`/, "", title)
    printf ".TH %s 5 \"\" \"Iolite %s\" \"Iolite\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", toupper(name), version, name, text(tolower(substr(title, 1, 1)) substr(title, 2))
    next
}
/^##? / { sub(/^#+ /, ""); print ".SH " text($0); head = 0; next }
/^###+ / { sub(/^#+ /, ""); print ".SS " text($0); head = 0; next }
/^\|/ { row($0); next }
/^ *[-*] / { sub(/^ *[-*] /, ""); print ".IP \\(bu 2"; print text($0); head = 0; next }
/^ *[0-9]+\. / { number = $1; sub(/^ *[0-9]+\. /, ""); print ".IP " number " 4"; print text($0); head = 0; next }
/^ *$/ { if (titled) paragraph = 1; head = 0; next }
{
    sub(/^ +/, "")
    if (paragraph) print ".PP"
    paragraph = 0
    print text($0)
}
