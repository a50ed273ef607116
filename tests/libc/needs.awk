# What keeps an object from being loaded where glibc is 2.17 (riscv64, which began later: 2.27), one line each. Reads the list of
# names, then `readelf -W -h -d -V --dyn-syms OBJECT`. A name without a version would pass a check of versions and still end
# every program, if libc did not define it; so every undefined symbol is looked up.
function refuse(why) { print object ": " why; bad = 1 }
function newer(version,    part) {
    split(version, part, ".")
    return part[1] > 2 || part[2] > least
}
BEGIN { least = 17 }
FNR == NR {
    if (/^\[/) section = $0
    else if (!/^#/) for (i = 1; i <= NF; i++) known[section, $i] = 1
    next
}
/^ +[0-9]+: / { sub(/\[[^\]]*\]/, "") } # what is said of symbols of some processors besides
/^  Machine:/ {
    machine = $NF
    if (machine == "RISC-V") least = 27
}
/^ 0x.*\(NEEDED\)/ && !/\[(libc\.so\.6|ld-linux[^\]]*|ld64\.so\.[12])\]/ { refuse("needs another library than libc: " $NF) }
/^ 0x.*\((RELR|RELRSZ|RELRENT)\)/ && !said_relr++ { refuse("has relocations that glibc before 2.36 does not know (DT_RELR)") }
/ Name: GLIBC_/ {
    version = $0
    sub(/.* Name: GLIBC_/, "", version)
    sub(/ .*/, "", version)
    if (version !~ /^[0-9.]+$/ || newer(version)) refuse("needs GLIBC_" version)
}
/^ +[0-9]+: / && $7 == "UND" && $8 != "" {
    seen++
    name = $8
    sub(/@.*/, "", name)
    if ($5 == "WEAK" && (name ~ /^_ITM_/ || name == "__gmon_start__")) next
    if (!(("[all]", name) in known) && !(("[" machine "]", name) in known) && !(("[loader]", name) in known) &&
        !(("[loader " machine "]", name) in known)) refuse("refers to " $8)
}
END {
    if (!seen) refuse("has no undefined symbols: this is no library of ours")
    exit bad
}
