/* iolite archive list and verify. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmds/bundle/bundles.h"
#include "cmds/site/site_options.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"

static iol__bundle *open_list_bundle(archiving *a, const char *path) {
    iol__bundle *bundle;
    iol_error error;
    if (iol__bundle_open(path, &bundle, &error) == IOL_OK) return bundle;
    a->status = report_open_error(&error);
    return NULL;
}

/* List ------------------------------------------------------------------------------------------------------------------- */

typedef struct bundle_list_listing {
    iol__out out;
    iol__json json;
    bool as_json;
} bundle_list_listing;

static const char *form_name(iol__packed_form form) {
    static const char *const names[] = {"as it is", "recipe", "columns"};
    return names[form];
}

static bool list_one(void *context, const iol__bundle_entry *e) {
    bundle_list_listing *l = context;
    if (!l->as_json) {
        iol__out_safe(&l->out, e->name);
        iol__out_char(&l->out, '\n');
        return true;
    }
    iol__json_open(&l->json, '{');
    iol__json_put_text(&l->json, "name", e->name);
    iol__json_put_u64(&l->json, "bytes", e->size);
    iol__json_put_u64(&l->json, "stored_bytes", e->form == IOL_PACKED_AS_IT_IS ? e->size : e->columns + e->frame);
    iol__json_put_text(&l->json, "form", form_name(e->form));
    iol__json_put_i64(&l->json, "mtime", e->mtime / 1000000000);
    iol__json_put_u64(&l->json, "uid", e->uid);
    iol__json_close(&l->json, '}');
    return true;
}

int archive_list(archiving *a) {
    if (a->n_operands != 1) return usage_error(a->args, "one bundle is needed");
    iol__bundle *bundle = open_list_bundle(a, a->operands[0]);
    if (!bundle) return a->status;
    bundle_list_listing l = {.as_json = a->args->given[OPT_BUNDLE_JSON]};
    iol_error error;
    iol__out_open(&l.out, STDOUT_FILENO);
    if (l.as_json) {
        iol__json_start(&l.json, &l.out, 2);
        iol__json_open(&l.json, '{');
        iol__json_put_text(&l.json, "bundle", a->operands[0]);
        iol__json_put_u64(&l.json, "count", iol__bundle_count(bundle));
        iol__json_put_u64(&l.json, "log_bytes", iol__bundle_log_bytes(bundle));
        iol__json_put_u64(&l.json, "bundle_bytes", iol__bundle_bytes(bundle));
        iol__json_put_text(&l.json, "packed_with", iol__bundle_packed_with(bundle));
        iol__json_key(&l.json, "logs");
        iol__json_open(&l.json, '[');
    }
    if (iol__bundle_each(bundle, list_one, &l, &error) != IOL_OK) a->status = report_open_error(&error);
    if (l.as_json) {
        iol__json_close(&l.json, ']');
        iol__json_close(&l.json, '}');
        iol__json_finish(&l.json);
    }
    iol__bundle_close(bundle);
    return finish_output(&l.out, a->status);
}

/* Verify ----------------------------------------------------------------------------------------------------------------- */

typedef struct verifying {
    archiving *a;
    iol__bundle *bundle;
    const char *path;
    uint64_t good, bad;
} verifying;

static void bundle_list_complain(void *context, const char *what) {
    verifying *v = context;
    v->bad++;
    archive_trouble(v->a, v->path, what);
}

static bool verify_one(void *context, const iol__bundle_entry *e) {
    verifying *v = context;
    iol_error error;
    uint8_t *bytes = NULL;
    iol_status status;
    if (e->size > IOL_PACKED_LOG_MOST) {
        FILE *nowhere = fopen("/dev/null", "we");
        status = nowhere ? iol__bundle_copy(v->bundle, e, fileno(nowhere), &error) : IOL_SYSTEM;
        if (nowhere) fclose(nowhere);
    } else {
        status = iol__bundle_restore(v->bundle, e, &bytes, &error);
    }
    free(bytes);
    if (status == IOL_OK)
        v->good++;
    else
        bundle_list_complain(v, error.message);
    return true;
}

static void verify_bundle(archiving *a, const char *path) {
    verifying v = {.a = a, .path = path, .bundle = open_list_bundle(a, path)};
    iol_error error;
    char text[IOL_HUMAN];
    if (!v.bundle) return;
    iol__bundle_verify(v.bundle, bundle_list_complain, &v);
    if (iol__bundle_each(v.bundle, verify_one, &v, &error) != IOL_OK) bundle_list_complain(&v, error.message);
    if (v.good != iol__bundle_count(v.bundle) && !v.bad) bundle_list_complain(&v, "logs are missing");
    if (!a->args->given[OPT_BUNDLE_QUIET])
        fprintf(stderr, "%s: %s logs come back byte by byte%s\n", path, iol__human_number(text, (double)v.good),
                v.bad ? "; the bundle is damaged, restore what is good and pack it again" : "");
    iol__bundle_close(v.bundle);
}

int archive_verify(archiving *a) {
    if (!a->n_operands) return usage_error(a->args, "which bundle?");
    for (size_t i = 0; i < a->n_operands; i++) verify_bundle(a, a->operands[i]);
    return a->status;
}
