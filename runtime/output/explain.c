/* Lines on standard error that scripts already know; nothing of this happens unless a setting asks for it. */
#include "runtime/output/explain.h"

#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { STEPS = 16 };

static struct {
    const char *step;
    int64_t ns;
} steps[STEPS];
static unsigned n_steps;
static int64_t began, last, start_took = -1;

static void print(const iol__text *text) { iol__write_stderr(text->to, text->length); }

void iol__explain_settings(const iol__config *config) {
    char line[1024];
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const iol__setting *setting = &iol__settings[i];
        iol__text text = {line, sizeof line - 1, 0};
        iol__text_add(&text, "# ");
        iol__text_add(&text, *setting->key ? setting->key : *setting->env ? setting->env : setting->alias);
        iol__text_add(&text, " = ");
        iol__text_add(&text, config->values[i].text);
        line[text.length++] = '\n';
        print(&text);
    }
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__text text = {line, sizeof line, 0};
        iol__text_add(&text, "# ");
        iol__text_add(&text, iol__modules[slot].name);
        iol__text_add(&text, iol__module_enabled(config, slot) ? " enabled\n" : " disabled\n");
        print(&text);
    }
}

void iol__timing_begin(void) {
    n_steps = 0;
    began = last = iol__clock_monotonic();
}

void iol__timing_step(const char *step) {
    if (n_steps == STEPS) return;
    const int64_t now = iol__clock_monotonic();
    steps[n_steps].step = step;
    steps[n_steps++].ns = now - last;
    last = now;
}

void iol__timing_head(void) {
    char head[] = "#darshan:<op>\t<nprocs>\t<time>\n";
    print(&(iol__text){head, sizeof head, sizeof head - 1});
}

void iol__timing_line(const char *step, int processes, int64_t ns) {
    char line[128];
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, "darshan:");
    iol__text_add(&text, step);
    iol__text_add(&text, "\t");
    iol__text_number(&text, processes);
    iol__text_add(&text, "\t");
    iol__text_seconds(&text, ns);
    iol__text_add(&text, "\n");
    print(&text);
}

static bool wanted(void) { return iol__setting_flag(&iol__core_state.config, IOL_SET_INTERNAL_TIMING); }

void iol__timing_started(void) {
    start_took = iol__clock_monotonic() - began;
    if (iol__core_state.task < 0) iol__timing_print_start(iol__timing_take_start(), 1);
}

int64_t iol__timing_take_start(void) {
    const int64_t took = start_took;
    start_took = -1;
    return took;
}

void iol__timing_print_start(int64_t ns, int processes) {
    if (ns < 0 || !wanted()) return;
    iol__timing_head();
    iol__timing_line("init", processes, ns);
}

void iol__timing_print(const char *whole) {
    if (!wanted()) return;
    const int64_t all = iol__clock_monotonic() - began;
    if (iol__core_state.fork_parent == 0) iol__timing_print_start(iol__timing_take_start(), 1);
    iol__timing_head();
    /* the modules come after everything else, whatever was done when; those without data are not there */
    for (int modules = 0; modules < 2; modules++)
        for (unsigned i = 0; i < n_steps; i++)
            if (steps[i].step && (strstr(steps[i].step, "_shutdown") != NULL) == (modules == 1))
                iol__timing_line(steps[i].step, 1, steps[i].ns);
    iol__timing_line(whole, 1, all);
}
