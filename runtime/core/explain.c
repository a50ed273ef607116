/* Lines on standard error that scripts already know; nothing of this happens unless a setting asks for it. */
#include "runtime/core/explain.h"

#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/own.h"
#include "runtime/core/text.h"

enum { STEPS = 16 };

static struct {
    const char *step;
    int64_t ns;
} steps[STEPS];
static unsigned n_steps;
static int64_t began, last;

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

/* Six decimals. */
static void add_seconds(iol__text *text, int64_t ns) {
    const int64_t micros = ns / 1000;
    iol__text_number(text, micros / 1000000);
    iol__text_add(text, ".");
    for (int64_t digit = 100000, rest = micros % 1000000; digit > 0; digit /= 10)
        iol__text_number(text, rest / digit % 10);
}

static void print_step(const char *step, int64_t ns) {
    char line[128];
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, "darshan:");
    iol__text_add(&text, step);
    iol__text_add(&text, "\t1\t");
    add_seconds(&text, ns);
    iol__text_add(&text, "\n");
    print(&text);
}

void iol__timing_print(const char *whole) {
    if (!iol__setting_flag(&iol__core_state.config, IOL_SET_INTERNAL_TIMING)) return;
    const int64_t all = iol__clock_monotonic() - began;
    char header[] = "#darshan:<op>\t<nprocs>\t<time>\n";
    print(&(iol__text){header, sizeof header, sizeof header - 1});
    /* the modules come after everything else, whatever was done when; those without data are not there */
    for (int modules = 0; modules < 2; modules++)
        for (unsigned i = 0; i < n_steps; i++)
            if (steps[i].step && (strstr(steps[i].step, "_shutdown") != NULL) == (modules == 1))
                print_step(steps[i].step, steps[i].ns);
    print_step(whole, all);
}
