/* What was carried into a program is taken out of its environment: see carry.h.

   Constructors of libraries that a program is linked with run before ours, and see the environment, too. So a loader gets
   a function of ours to ask which function a name stands for (ifunc): it asks when it has loaded all there is to load, and
   before it runs the first constructor. At that time nothing may be relied on but this object, which is bound already,
   and the loader: libc's `environ` is not set yet, and functions of libc may be those of a sanitizer that has not started.
   So nobody is called here. Where the loader does not ask, our own constructor does it. */
#if defined __GNUC__ && !defined __clang__ /* clang needs no more than -fno-builtin */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/process/carry.h"
#include "runtime/lazy/next.h"

iol__carry_hidden iol__carry_taken;

static size_t number_in(const char *digits) {
    size_t value = 0;
    for (; *digits >= '0' && *digits <= '9' && value < SIZE_MAX / 16; digits++)
        value = value * 10 + (size_t)(*digits - '0');
    return value;
}

static bool is_begin(const char *entry) {
    const char *value = entry + sizeof CARRIED - 1;
    return iol__name_begins(entry, CARRIED) && *value >= '0' && *value <= '9';
}

/* Ours are between the last two marks, which others may have put there, too. */
static size_t find_ours(char **environment, size_t *first) {
    size_t count = 0, begin = SIZE_MAX;
    for (size_t i = 0; environment && environment[i]; i++) {
        if (is_begin(environment[i])) begin = i;
        if (begin == SIZE_MAX || !iol__same_name(environment[i], CARRIED)) continue;
        *first = begin;
        count = i - begin + 1;
        begin = SIZE_MAX;
    }
    return count > IOL_MOST_CARRIED || count % 2 ? 0 : count;
}

/* Takes `count` entries out of the list. Some programs go from its end to the auxiliary vector, which is behind it and
   comes in pairs: the places that become free are made such pairs, to be ignored. */
static void cut(char **list, size_t count) {
    size_t n = 0;
    while ((list[n] = list[n + count])) n++;
    for (size_t i = 1; i <= count; i++) list[n + i] = (char *)(uintptr_t)(i % 2 ? AT_IGNORE : 0);
}

/* An LD_PRELOAD of the program's own has ours behind it. */
static void cut_preload(char **environment, size_t n, size_t keep) {
    char *entry = NULL;
    for (size_t i = 0; i < n; i++)
        if (iol__name_begins(environment[i], PRELOAD)) entry = environment[i];
    if (!entry || keep < sizeof PRELOAD - 1) return;
    for (size_t i = 0; i < keep; i++)
        if (!entry[i]) return;
    if (!entry[keep]) return;
    entry[keep] = 0;
    iol__carry_taken.preload = entry + keep + 1;
}

void iol__carry_hide(char **environment) {
    static bool done;
    size_t first = 0;
    if (__atomic_exchange_n(&done, true, __ATOMIC_RELAXED)) return; /* a page that is written first is found once */
    const size_t count = find_ours(environment, &first);
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) iol__carry_taken.entries[i] = environment[first + i];
    cut_preload(environment, first, number_in(environment[first] + sizeof CARRIED - 1));
    cut(environment + first, count);
}

#if !IOL_STATIC
/* The loader's: where the kernel has put the number of arguments, the arguments and the environment. */
extern void *__libc_stack_end __attribute__((weak));

static void nothing(void) {}

static __attribute__((used)) void (*asked(void))(void) {
    if (!&__libc_stack_end || !__libc_stack_end) return nothing;
    char **at = (char **)__libc_stack_end + 1;
    while (*at) at++;
    iol__carry_hide(at + 1);
    return nothing;
}

static void early(void) __attribute__((ifunc("asked")));

/* Somebody has to want it. */
void (*const iol__carry_early)(void) = early;
#endif
