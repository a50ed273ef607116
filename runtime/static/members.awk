# Writes bond_NAME.s for each wrapped name: __wrap_NAME goes on to our function, and a bond for each real function that
# ours calls (real.c has its layout). The functions that every version of a large library has share a file.
# Input: needs (name, other), slots (names of places in the tables), what nm says of libc.a, later (names of functions
# that are not libc's, and their library), and the wrapped names.

FILENAME == "needs" { needs[$1] = needs[$1] " " $2; next }
FILENAME == "slots" { slot[$1] = 1; next }

# libc.a: blocks of one object each; aliases have the same address and letter T or W.
FILENAME == "libc" {
    if (/:$/) { object++; next }
    if (NF != 3 || $2 !~ /^[TWi]$/) next
    place[$3] = object " " $1
    names_at[object " " $1] = names_at[object " " $1] " " $3
    next
}

FILENAME == "later" { if ($2 !~ /AIO|URING/ && $3 != "newer") library[$1] = tolower($2); next }

{ wrapped[$1] = 1 }

function second_name(name,    i, n, list) {
    if (!(name in place)) return ""
    n = split(names_at[place[name]], list, " ")
    for (i = 1; i <= n; i++) if (list[i] != name && list[i] ~ /^_/ && !(list[i] in wrapped)) return list[i]
    for (i = 1; i <= n; i++) if (list[i] != name && list[i] ~ /^_/) return "__real_" list[i]
    return ""
}

function bond(file, name, goes,    other) {
    other = goes ? second_name(name) : ""
    if (other != "") print "\t.weak " other > file
    print "\t.quad " (name in slot ? "iol__slot_" name : 0) ", __real_" name ", " (other == "" ? 0 : other) ", " (other != "") \
        ", " (goes ? "iol__wrap_" name : 0) > file
}

function member(file, name,    i, n, list) {
    print "\t.section .text." name ", \"ax\"\n\t.globl __wrap_" name > file
    print "\t.type __wrap_" name ", %function\n__wrap_" name ":" > file
    if (machine ~ /^x86_64/) print "\tendbr64\n\tjmp *.Lbond_" name "+32(%rip)" > file
    else {
        print "\thint #34\n\tadrp x16, .Lbond_" name "\n\tadd x16, x16, :lo12:.Lbond_" name > file
        print "\tldr x16, [x16, #32]\n\tbr x16" > file
    }
    print "\t.size __wrap_" name ", .-__wrap_" name > file
    print "\t.section iolite_bonds, \"aw\"\n\t.balign 8\n.Lbond_" name ":" > file
    bond(file, name, 1)
    n = split(needs[name], list, " ")
    for (i = 1; i <= n; i++) bond(file, list[i], 0)
    if (!(name in library)) end(file)
}

function end(file) {
    print "\t.section .note.GNU-stack, \"\", %progbits" > file
    close(file)
}

END {
    for (name in wrapped) member("bond_" (name in library ? library[name] : name) ".s", name)
    for (name in library) if (!ended[library[name]]++) end("bond_" library[name] ".s")
}
