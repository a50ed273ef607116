# Writes the list of functions that our modules ask for by name (late.c has its layout), as far as the program has them:
# nothing is linked because of it. What is wrapped is known anyway.
# Input: later, asked and may_ask, lines of a name and its library.

FILENAME == "later" { wrapped[$1] = 1; next }

!($1 in wrapped) && !seen[$1]++ {
    print "\t.weak " $1
    print "\t.section .rodata.iolite_asked, \"a\"\n1:\t.asciz \"" $1 "\""
    print "\t.section iolite_asked, \"aw\"\n\t.balign 8\n\t.quad 1b, " $1
}

END { print "\t.section .note.GNU-stack, \"\", %progbits" }
