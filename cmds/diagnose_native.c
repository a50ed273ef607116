/* The native way of judging: rules over facts, findings with their price. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "cmds/diagnose.h"

static bool knows(const diagnose_settings *settings, const char *glob) {
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(settings->book, i, &info); i++) {
        if (fnmatch(glob, info.id, FNM_CASEFOLD) == 0) return true;
        for (size_t k = 0; info.aliases[k]; k++)
            if (fnmatch(glob, info.aliases[k], FNM_CASEFOLD) == 0) return true;
    }
    return false;
}

static iol_status judge(const diagnose_settings *settings, diagnosed *d) {
    return iol__diagnose(d->log, &settings->options, &d->native, &d->error);
}

static void release(diagnosed *d) { iol__diagnosis_free(d->native); }

static void count(const diagnosed *d, size_t found[IOL_LEVELS]) {
    for (int level = 0; level < IOL_LEVELS; level++) found[level] += d->native->count[level];
}

static void text(iol__out *out, const iol__findings_style *style, const diagnose_settings *settings,
                 const diagnosed *d) {
    (void)settings;
    iol__findings_text(out, d->native, style);
}

static void begin(diagnose_sheet *sheet) {
    if (sheet->form == FORM_JSON && sheet->several) iol__json_open(&sheet->json, '[');
    if (sheet->form == FORM_CSV) iol__findings_csv_head(&sheet->out, sheet->settings->book, sheet->settings->wide);
    if (sheet->form == FORM_SARIF) iol__findings_sarif_begin(&sheet->json, sheet->settings->book, IOLITE_VERSION);
}

static void print(diagnose_sheet *sheet, const diagnosed *d) {
    switch (sheet->form) {
    case FORM_JSON: iol__findings_json(&sheet->json, d->native); break;
    case FORM_NDJSON: iol__findings_ndjson(&sheet->out, d->native); break;
    case FORM_CSV: iol__findings_csv(&sheet->out, d->native, sheet->settings->wide); break;
    case FORM_SARIF: iol__findings_sarif(&sheet->json, d->native); break;
    default: break;
    }
}

static void end(diagnose_sheet *sheet) {
    if (sheet->form == FORM_JSON && sheet->several) iol__json_close(&sheet->json, ']');
    if (sheet->form == FORM_SARIF) iol__findings_sarif_end(&sheet->json);
    if (sheet->form == FORM_JSON || sheet->form == FORM_SARIF) iol__json_finish(&sheet->json);
}

const diagnose_mode diagnose_native = {
    .name = "native",
    .forms = 1 << FORM_TEXT | 1 << FORM_JSON | 1 << FORM_NDJSON | 1 << FORM_CSV | 1 << FORM_HTML | 1 << FORM_SVG |
             1 << FORM_SARIF,
    .knows = knows,
    .judge = judge,
    .release = release,
    .count = count,
    .begin = begin,
    .print = print,
    .end = end,
    .text = text,
};
