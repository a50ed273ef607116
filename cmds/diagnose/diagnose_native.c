/* The native mode: rules over facts, findings with their cost. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "cmds/diagnose/diagnose.h"

static bool diagnose_native_knows(const diagnose_settings *settings, const char *glob) {
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(settings->book, i, &info); i++) {
        if (fnmatch(glob, info.id, FNM_CASEFOLD) == 0) return true;
        for (size_t k = 0; info.aliases[k]; k++)
            if (fnmatch(glob, info.aliases[k], FNM_CASEFOLD) == 0) return true;
    }
    return false;
}

static iol_status diagnose_native_judge(const diagnose_settings *settings, diagnosed *d) {
    const iol_status status = iol__diagnose(d->log, &settings->options, &d->native, &d->error);
    if (status != IOL_OK || !settings->budget) return status;
    d->budget = judge_budget(settings->budget, d->native);
    if (d->budget) return IOL_OK;
    snprintf(d->error.message, sizeof d->error.message, "out of memory");
    return IOL_SYSTEM;
}

static void diagnose_native_release(diagnosed *d) {
    iol__diagnosis_free(d->native);
    free_judged_budget(d->budget);
}

static void diagnose_native_count(const diagnosed *d, size_t found[IOL_LEVELS]) {
    for (int level = 0; level < IOL_LEVELS; level++) found[level] += d->native->count[level];
}

static void diagnose_native_text(iol__out *out, const iol__findings_style *style, const diagnose_settings *settings,
                                 const diagnosed *d) {
    (void)settings;
    iol__findings_text(out, d->native, style);
}

/* Forms --------------------------------------------------------------------------------------------------------- */

static void print_diagnose_native_json(diagnose_output *output, const diagnosed *d) {
    iol__findings_json(&output->json, d->native);
}
static void print_diagnose_native_ndjson(diagnose_output *output, const diagnosed *d) {
    iol__findings_ndjson(&output->out, d->native);
}

static void begin_csv(diagnose_output *output) {
    iol__findings_csv_head(&output->out, output->settings->book, output->settings->wide);
}
static void print_csv(diagnose_output *output, const diagnosed *d) {
    iol__findings_csv(&output->out, d->native, output->settings->wide);
}

static void begin_sarif(diagnose_output *output) {
    iol__findings_sarif_begin(&output->json, output->settings->book, IOLITE_VERSION);
}
static void print_sarif(diagnose_output *output, const diagnosed *d) { iol__findings_sarif(&output->json, d->native); }
static void end_sarif(diagnose_output *output) {
    iol__findings_sarif_end(&output->json);
    iol__json_finish(&output->json);
}

static void begin_junit(diagnose_output *output) { iol__findings_junit_begin(&output->out); }
static void print_junit(diagnose_output *output, const diagnosed *d) {
    const iol__level from = output->settings->fail_on < IOL_LEVELS ? output->settings->fail_on : IOL_LEVEL_WARN;
    iol__findings_junit(&output->out, d->native, from);
}
static void unreadable_junit(diagnose_output *output, const diagnosed *d) {
    iol__findings_junit_unreadable(&output->out, d->path, d->error.message);
}
static void end_junit(diagnose_output *output) { iol__findings_junit_end(&output->out); }

static const diagnose_writer writers[FORMS] = {
    DIAGNOSE_TEXT_FORMS,
    [FORM_JSON] = DIAGNOSE_JSON_FORM(print_diagnose_native_json),
    [FORM_NDJSON] = {.print = print_diagnose_native_ndjson, .unreadable = unreadable_ndjson_output},
    [FORM_CSV] = {.begin = begin_csv, .print = print_csv},
    [FORM_JUNIT] = {.begin = begin_junit, .print = print_junit, .unreadable = unreadable_junit, .end = end_junit},
    [FORM_SARIF] = {.begin = begin_sarif, .print = print_sarif, .end = end_sarif},
};

const diagnose_mode diagnose_native = {"native",
                                       writers,
                                       diagnose_native_knows,
                                       diagnose_native_judge,
                                       diagnose_native_release,
                                       diagnose_native_count,
                                       diagnose_native_text};
