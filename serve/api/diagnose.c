/* POST /diagnose: a log is judged and forgotten, as a gateway wants it. */
#include "report/findings/findings.h"
#include "serve/reading.h"
#include "serve/serve.h"

static void diagnose_diagnose(iol__exchange *x, iol_log *log) {
    iol_error error;
    iol__diagnosis *diagnosis;
    const iol__diagnose_options how = {.rulebook = x->serve->rulebook};
    if (iol__diagnose(log, &how, &diagnosis, &error) != IOL_OK) {
        iol__answer_error(x, 503, "this log cannot be judged at the moment");
        return;
    }
    diagnosis->log_name = "log";
    iol__json_start(&x->json, &x->body, 1);
    iol__findings_json(&x->json, diagnosis);
    iol__json_finish(&x->json);
    iol__diagnosis_free(diagnosis);
}

void iol__serve_log_diagnose(iol__exchange *x) {
    iol_log *log;
    if (!iol__open_body(x, "log", &log)) return;
    if (iol__reading_begin(x)) {
        diagnose_diagnose(x, log);
        iol__reading_end(x);
    }
    iol_log_close(log);
}
