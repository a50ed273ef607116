/* Writes docs/counters.md and docs/settings.md from the tables in schema/, and docs/figures.md from log/figures/figures.def.
   The pages say nothing that the tables do not: to change them, change a table and run ./dev docs.
   APMPI and APXC have more than a thousand counters that follow a rule; the rule is found by comparing the names, so
   that a new operation or tile shows up without any change here. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/figures/figures.h"
#include "schema/schema.h"

enum { TEXT_MOST = 256, PATTERNS_MOST = 64, OPERATIONS_MOST = 128, NUMBERS_MOST = 4 };

/* A table cell: an empty one is a dash, and a bar would end it. */
static void cell(const char *text) {
    printf(" ");
    for (const char *c = *text ? text : "-"; *c; c++) {
        if (*c == '|') putchar('\\');
        putchar(*c);
    }
    printf(" |");
}

static void code_cell(const char *text) {
    if (*text)
        printf(" `%s` |", text);
    else
        cell("");
}

static void slot_cell(int slot) {
    if (slot < 0)
        cell("");
    else
        printf(" %d |", slot);
}

static const char *array_name(bool reals) { return reals ? "Doubles" : "Integers"; }

/* A counter that goes along with the maximum of another one names it; the two are never in the same array. */
static void reduce_cell(const iol__module *module, const iol__counter *counter) {
    if (counter->reduce != IOL_REDUCE_MAX_WITH) {
        printf(" %s |", iol__reduce_name(counter->reduce));
        return;
    }
    size_t at = (size_t)counter->with + (counter->kind == IOL_KIND_REAL ? 0 : module->ints);
    printf(" %s `%s` |", iol__reduce_name(counter->reduce), module->counters[at].name);
}

static const char *meaning_of(const iol__module *module, size_t index) {
    return iol__counter_meaning((int)(module - iol__modules), index);
}

static void print_array(const iol__module *module, const iol__version *layout, bool reals) {
    size_t first = reals ? module->ints : 0, count = reals ? module->reals : module->ints;
    if (count == 0) return;
    printf("\n%s:\n\n| index | byte | counter | unit | combined by | since | meaning |\n", array_name(reals));
    printf("|---:|---:|---|---|---|---:|---|\n");
    for (size_t i = 0; i < count; i++) {
        const iol__counter *counter = &module->counters[first + i];
        printf("| %zu | %zu | `%s` |", i, layout->counters_at + 8 * (first + i), counter->name);
        cell(counter->unit);
        reduce_cell(module, counter);
        printf(" %d |", counter->since);
        cell(meaning_of(module, first + i));
        printf("\n");
    }
}

/* Rules found in the names ------------------------------------------------------------------------------------ */

/* Counters that differ only in their operation (APMPI) or in their numbers (APXC). */
typedef struct pattern {
    char name[TEXT_MOST], meaning[TEXT_MOST];
    const char *unit;
    unsigned count;
    long lowest[NUMBERS_MOST], highest[NUMBERS_MOST];
    unsigned numbers;
} pattern;

typedef struct operation {
    char name[TEXT_MOST];
    unsigned ints, reals;
    size_t first_int, first_real;
} operation;

/* snprintf for texts that must fit. */
__attribute__((format(printf, 2, 3))) static void compose(char out[TEXT_MOST], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out, TEXT_MOST, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < TEXT_MOST) return;
    fprintf(stderr, "iolite-docgen: a text of more than %d bytes: %s\n", TEXT_MOST - 1, out);
    exit(1);
}

static void replace_first(char out[TEXT_MOST], const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (at)
        compose(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    else
        compose(out, "%s", text);
}

/* The operation of an APMPI counter: the word in capitals that both its meaning and its name contain. */
static bool find_operation(const char *name, const char *meaning, char word[TEXT_MOST]) {
    for (const char *c = meaning; *c;) {
        size_t length = strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        char framed[TEXT_MOST];
        compose(word, "%.*s", (int)length, c);
        compose(framed, "_%s_", word);
        if (length > 1 && strstr(name, framed)) return true;
        c += length ? length : 1;
    }
    return false;
}

static pattern *find_pattern(pattern *patterns, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(patterns[i].name, name) == 0) return &patterns[i];
    if (*count == PATTERNS_MOST) {
        fprintf(stderr, "iolite-docgen: more than %d rules; is %s really folded?\n", PATTERNS_MOST, name);
        exit(1);
    }
    pattern *fresh = &patterns[(*count)++];
    memset(fresh, 0, sizeof *fresh);
    compose(fresh->name, "%s", name);
    return fresh;
}

static operation *find_operation_row(operation *operations, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
    if (*count == OPERATIONS_MOST) {
        fprintf(stderr, "iolite-docgen: more than %d operations\n", OPERATIONS_MOST);
        exit(1);
    }
    operation *fresh = &operations[(*count)++];
    memset(fresh, 0, sizeof *fresh);
    compose(fresh->name, "%s", name);
    return fresh;
}

static void print_operations(const iol__module *module) {
    static pattern patterns[PATTERNS_MOST];
    static operation operations[OPERATIONS_MOST];
    size_t n_patterns = 0, n_operations = 0, n_counters = (size_t)module->ints + module->reals;
    for (size_t i = 0; i < n_counters; i++) {
        const iol__counter *counter = &module->counters[i];
        char word[TEXT_MOST], framed[TEXT_MOST], name[TEXT_MOST];
        const char *meaning = meaning_of(module, i);
        bool found = find_operation(counter->name, meaning, word);
        compose(framed, "_%s_", word);
        replace_first(name, counter->name, found ? framed : counter->name, found ? "_<OP>_" : counter->name);
        pattern *rule = find_pattern(patterns, &n_patterns, name);
        if (rule->count++ == 0) {
            replace_first(rule->meaning, meaning, word, found ? "`<OP>`" : word);
            rule->unit = counter->unit;
        }
        if (!found) continue;
        operation *row = find_operation_row(operations, &n_operations, word);
        if (counter->kind == IOL_KIND_REAL) {
            if (row->reals++ == 0) row->first_real = i - module->ints;
        } else if (row->ints++ == 0)
            row->first_int = i;
    }

    printf("\nMeasures, made from the names of all %zu counters:\n\n", n_counters);
    printf("| counter | unit | operations | meaning |\n|---|---|---:|---|\n");
    for (size_t i = 0; i < n_patterns; i++) {
        printf("| `%s` |", patterns[i].name);
        cell(patterns[i].unit);
        printf(" %u |", patterns[i].count);
        cell(patterns[i].meaning);
        printf("\n");
    }
    printf(
        "\nOperations in storage order. An operation's integers stand together, and so do its first three doubles; a "
        "fourth one is\nits sync time, which stands behind the times of all operations.\n\n");
    printf("| operation | first integer | integers | first double | doubles |\n|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < n_operations; i++)
        printf("| `%s` | %zu | %u | %zu | %u |\n", operations[i].name, operations[i].first_int, operations[i].ints,
               operations[i].first_real, operations[i].reals);
}

/* Replace every part of a name that is a number by <i>, and say which numbers they were. */
static unsigned fold_numbers(const char *name, char out[TEXT_MOST], long numbers[NUMBERS_MOST]) {
    unsigned count = 0;
    compose(out, "%s", "");
    for (const char *part = name; *part;) {
        size_t size = strcspn(part, "_"), digits = strspn(part, "0123456789");
        char so_far[TEXT_MOST];
        compose(so_far, "%s", out);
        if (size > 0 && digits == size && count < NUMBERS_MOST) {
            numbers[count++] = strtol(part, NULL, 10);
            compose(out, "%s<i>%.1s", so_far, part + size);
        } else
            compose(out, "%s%.*s", so_far, (int)size + (part[size] == '_'), part);
        part += size + (part[size] == '_');
    }
    return count;
}

static void print_tiles(const iol__module *module) {
    static pattern patterns[PATTERNS_MOST];
    size_t n_patterns = 0;
    for (size_t i = 0; i < module->ints; i++) {
        const iol__counter *counter = &module->counters[i];
        char name[TEXT_MOST];
        long numbers[NUMBERS_MOST];
        unsigned count = fold_numbers(counter->name, name, numbers);
        pattern *rule = find_pattern(patterns, &n_patterns, name);
        for (unsigned n = 0; n < count; n++) {
            if (rule->count == 0 || numbers[n] < rule->lowest[n]) rule->lowest[n] = numbers[n];
            if (rule->count == 0 || numbers[n] > rule->highest[n]) rule->highest[n] = numbers[n];
        }
        if (rule->count++ == 0) {
            compose(rule->meaning, "%s", meaning_of(module, i));
            rule->unit = counter->unit;
            rule->numbers = count;
        }
    }
    printf(
        "\nAll %d counters, folded over the numbers in their names; the last number runs fastest, and all counters of "
        "one pair of\nnumbers stand together in the order of this table:\n\n",
        module->ints);
    printf("| counter | numbers | counters | unit | meaning |\n|---|---|---:|---|---|\n");
    for (size_t i = 0; i < n_patterns; i++) {
        const pattern *rule = &patterns[i];
        printf("| `%s` | ", rule->name);
        for (unsigned n = 0; n < rule->numbers; n++) {
            printf("%s%ld", n ? ", " : "", rule->lowest[n]);
            if (rule->highest[n] != rule->lowest[n]) printf("..%ld", rule->highest[n]);
        }
        printf(" | %u |", rule->count);
        cell(rule->unit);
        cell(rule->meaning);
        printf("\n");
    }
}

/* Pages ------------------------------------------------------------------------------------------------------- */

static void print_versions(int slot) {
    printf("\n| version | bytes | integers | doubles | since release | note |\n|---:|---|---:|---:|---|---|\n");
    for (size_t i = 0; i < iol__versions_count; i++) {
        const iol__version *version = &iol__versions[i];
        if (version->slot != slot) continue;
        printf("| %d |", version->version);
        if (*version->size)
            cell(version->size);
        else
            printf(" %d |", version->fixed_bytes);
        printf(" %d | %d |", version->ints, version->reals);
        cell(version->first_release);
        cell(version->note);
        printf("\n");
    }
}

static void print_components(void) {
    printf("\nCounters of one component, in storage order:\n\n| index | counter | unit | since | meaning |\n");
    printf("|---:|---|---|---:|---|\n");
    for (int i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
        const iol__counter *counter = &iol__lustre_component[i];
        printf("| %d | `%s` |", i, counter->name);
        cell(counter->unit);
        printf(" %d |", counter->since);
        cell(iol__counter_meaning(IOL_SLOT_LUSTRE, (size_t)i));
        printf("\n");
    }
}

static void print_module(int slot) {
    const iol__module *module = &iol__modules[slot];
    const iol__version *layout = iol__version_find(slot, module->current);
    printf("\n## %s\n\nSlot %d", module->name, slot);
    if (*module->former) printf(" (%s)", module->former);
    printf(". A record is named after: %s.\n", module->named_after);
    print_versions(slot);
    switch (module->form) {
    case IOL_FORM_APMPI: print_operations(module); break;
    case IOL_FORM_APXC: print_tiles(module); break;
    case IOL_FORM_LUSTRE: print_components(); break;
    case IOL_FORM_TRACE: printf("\nSingle operations instead of counters: see \"Traces\" in log-format.md.\n"); break;
    case IOL_FORM_HEATMAP:
        printf("\nBytes over time instead of counters: see \"Heat maps\" in log-format.md.\n");
        break;
    default: print_array(module, layout, false); print_array(module, layout, true);
    }
}

/* What no record has a counter for. */
static void print_totals(void) {
    static const struct {
        const char *name, *what;
    } operations[] = {
#define OPERATION(NAME, name, alone, what) {name, what},
#include "schema/operations.def"
#undef OPERATION
    };
    printf("\n## Operations\n\nCounted for a whole process, and in its log for the whole job, in the trailer section "
           "`OPER`: how many succeeded, how\nmany failed, how long all took together and the longest one. Calls on "
           "names and files that are recorded count. The\ntimes of open, close, seek and stat are also in the metadata "
           "time of POSIX records, that of sync in their write time.\n\n| operation | calls |\n|---|---|\n");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        printf("| `%s` |", operations[i].name);
        cell(operations[i].what);
        printf("\n");
    }
}

static void print_counters_page(void) {
    printf("# Modules and counters\n\n"
           "Made from the tables in `schema/` by `./dev docs`. Do not edit this page; edit a table.\n\n"
           "- **index** counts from 0 in each of the two arrays. Row order is storage order and print order.\n"
           "- **byte** is the offset inside a record of the current version.\n"
           "- **since** is the record version that brought the counter; older records get -1 or what the upgrade rule "
           "says.\n"
           "- **combined by** names the rule by which two values become one: see \"Combining records\" in "
           "[log-format.md](log-format.md).\n"
           "- A time stamp of 0 means \"never\"; -1 means \"the writer could not know\".\n\n");
    printf("| slot | module | current version | slot in 3.20, 3.21 | slot in 3.00, 3.10 | JSON key |\n");
    printf("|---:|---|---:|---:|---:|---|\n");
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *module = &iol__modules[slot];
        printf("| %d | %s | %d |", slot, module->name, module->current);
        slot_cell(module->slot_320);
        slot_cell(module->slot_300);
        code_cell(module->key);
        printf("\n");
    }
    printf("\nSlots %d to %d are not assigned.\n", IOL_SLOTS_KNOWN, IOL_SLOTS - 1);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) print_module(slot);
    print_totals();
}

static const char *const setting_types[] = {
    [IOL_SETTING_FLAG] = "0 or 1",     [IOL_SETTING_PATH] = "path",       [IOL_SETTING_TEXT] = "text",
    [IOL_SETTING_LIST] = "list",       [IOL_SETTING_MEBIBYTES] = "MiB",   [IOL_SETTING_BYTES] = "bytes",
    [IOL_SETTING_FRACTION] = "0 to 1", [IOL_SETTING_SECONDS] = "seconds", [IOL_SETTING_COUNT] = "number",
    [IOL_SETTING_MODE] = "octal",
};

static void print_settings_rules(void) {
    printf(
        "\n`iolite config` prints the settings in force and where each comes from. A value that is wrong leaves what "
        "was\n"
        "there before; `run`, `config` and `doctor` say so, a preloaded program does only if `IOLITE_VERBOSE` asks.\n\n"
        "- Flags: `0`, `no`, `off`, `false` are off; `1`, `yes`, `on`, `true` and nothing are on; an empty "
        "`IOLITE_DISABLE` switches nothing off. Under an older name "
        "a flag\n"
        "  is on whenever the variable is there, whatever its value.\n"
        "- Sizes may have fractions, as in `0.5`.\n"
        "- Module lists are names with commas between them, or `*` for all. What `MOD_ENABLE` names is on, whatever\n"
        "  `MOD_DISABLE` says. DXT_POSIX needs POSIX, DXT_MPIIO needs MPI-IO.\n"
        "- `APP_EXCLUDE`, `APP_INCLUDE` and the name filters are extended regular expressions with commas between "
        "them. They\n"
        "  are searched for: `ls` also leaves out `/opt/tools/also`. Those of programs are looked for in the path of "
        "the file that\n"
        "  runs, links resolved, and in its last part alone: `^ls$` is every `ls`.\n"
        "- If one of `APP_EXCLUDE` and `APP_INCLUDE` is in the environment, both of the config file are dropped. So it "
        "is\n"
        "  for the two of `RANK_` and the two of `MOD_`.\n\n"
        "## Config files\n\n"
        "The site's file is `/etc/iolite/iolite.conf`; the file that `IOLITE_CONFIG` names comes after it. One setting "
        "a line:\n"
        "a key and its value, with blanks between them. Lines that begin with `#` are comments. A setting that has\n"
        "a key is also known by its variable's name without `IOLITE_` or `DARSHAN_`. A flag needs no value. Lists add "
        "up over lines.\n\n"
        "```\nLOGPATH      /scratch/iolite\nAPP_EXCLUDE  ^/usr/bin/git$,^ssh$\nNAME_EXCLUDE \\.so$ POSIX,STDIO\n"
        "MAX_RECORDS  5000 POSIX\n```\n\n"
        "## Where the log goes\n\n"
        "The first of these that works; each that does not costs a line on standard error.\n\n"
        "1. the file of `IOLITE_LOG_FILE`, if there is none of that name yet\n"
        "2. the directory of `IOLITE_LOG_DIR`, created when missing\n"
        "3. the directory in the first variable of `IOLITE_LOG_PATH_BY_ENV` that is set\n"
        "4. `YEAR/MONTH/DAY` below `IOLITE_LOG_PATH`, which the site creates\n"
        "5. `YEAR/MONTH/DAY` below `~/.local/share/iolite/logs`, created when missing\n\n"
        "Its name is `USER_PROGRAM_idJOB-PID_MONTH-DAY-SECONDS-RANDOM_W.darshan`; W is how long writing took.\n");
}

static void print_schedulers(void) {
    static const struct {
        const char *variable, *who;
    } rows[] = {
#define SCHEDULER(variable, form, who) {variable, who},
#include "schema/schedulers.def"
#undef SCHEDULER
    };
    printf("\n## Job ids\n\n"
           "The variable that `IOLITE_JOBID` names is asked first, then these; without any the process id takes its "
           "place.\n\n"
           "| variable | set by |\n|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) printf("| `%s` | %s |\n", rows[i].variable, rows[i].who);
}

static void print_settings_page(void) {
    printf(
        "# Settings\n\n"
        "Made from `schema/settings.def` by `./dev docs`. Do not edit this page; edit the table.\n\n"
        "These settings belong to the runtime, the part that lives inside a user's program. Reading logs needs none "
        "of them.\n"
        "An `IOLITE_` variable beats the older name, the older name beats the config file, and the config file beats "
        "the default.\n\n"
        "| environment | older name | config file | value | default | what it does |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const iol__setting *setting = &iol__settings[i];
        printf("|");
        code_cell(setting->env);
        code_cell(setting->alias);
        code_cell(setting->key);
        cell(setting_types[setting->type]);
        code_cell(setting->value);
        cell(setting->help);
        printf("\n");
    }
    print_settings_rules();
    print_schedulers();
}

static void print_figures_page(void) {
    printf(
        "# The figures of a job\n\n"
        "Made from `log/figures/figures.def` by `./dev docs`. Do not edit this page; edit the table.\n\n"
        "Each figure has one definition and is computed in one place, `log/figures/figures.c`. `run`, `show`, "
        "`diagnose`, "
        "`report`,\n"
        "`compare` and `metrics` print from it; in JSON they are the object `figures`. `iolite explain NAME` says the "
        "same in the\nterminal.\n\n"
        "A file counts in the layer that the program used: MPI-IO, or POSIX where there is no MPI-IO record of it, "
        "and STDIO,\n"
        "DFS and DAOS beside these, because none of their calls passes through the others. The `darshan-*` tools "
        "have rules\n"
        "of their own, those of the originals.\n\n"
        "The index of a centre has `run_time`, `io_time` and `rate` as they are here. Its bytes, calls and times in "
        "calls are\n"
        "those that reached the file systems, POSIX, STDIO, DFS and DAOS together, so that sums over jobs can be "
        "compared with\n"
        "what servers count: MPI-IO that reads more than was asked for, or packs requests, makes a difference.\n\n"
        "Figures that can be added up are known per rank and per file system too.\n\n"
        "| figure | unit | what it is | not known when | per rank, file system |\n|---|---|---|---|---|\n");
    for (int i = 0; i < IOL_JOB_FIGURES; i++) {
        const iol__figure_info *info = &iol__figure_infos[i];
        printf("| `%s` | %s | %s | %s | %s |\n", info->name, iol__figure_units[info->unit], info->formula,
               info->unknown, i < IOL_SUMMED_FIGURES ? "yes" : "");
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "counters") == 0)
        print_counters_page();
    else if (argc == 2 && strcmp(argv[1], "settings") == 0)
        print_settings_page();
    else if (argc == 2 && strcmp(argv[1], "figures") == 0)
        print_figures_page();
    else {
        fprintf(stderr, "usage: iolite-docgen counters|settings|figures\n");
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 4;
}
