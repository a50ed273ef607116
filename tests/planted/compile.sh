#!/bin/sh
# Compiles a program: many headers are looked for in several places.
# NEEDS cc
# INNOCENT
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\nint main(void) { return puts("x") < 0; }\n' >program.c
cc -O1 -c program.c -o program.o
