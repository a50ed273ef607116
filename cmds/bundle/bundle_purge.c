/* iolite archive purge: originals that a bundle holds, and bundles that are old enough. Without --remove it only says what
   it would do. A log goes only if the bundle gives it back byte by byte at that moment. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/bundle/bundles.h"
#include "cmds/site/site_options.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"

typedef struct purging {
    archiving *a;
    iol__bundle **bundles;
    size_t n_bundles;
    bool really;
    iol__out out;
    uint64_t files, bytes, kept;
} purging;

static void purged(purging *p, const char *name, uint64_t bytes) {
    p->files++;
    p->bytes += bytes;
    if (p->a->args->given[OPT_BUNDLE_JSON]) return;
    iol__out_text(&p->out, p->really ? "removed " : "would remove ");
    iol__out_safe(&p->out, name);
    iol__out_char(&p->out, '\n');
}

/* Logs ------------------------------------------------------------------------------------------------------------------- */

static bool bundle_purge_held(purging *p, const iol__retained *log) {
    for (size_t i = 0; i < p->n_bundles; i++) {
        iol__bundle_entry entry;
        if (iol__bundle_find(p->bundles[i], log->name, &entry, NULL) == IOL_OK &&
            same_as_original(p->bundles[i], &entry, log))
            return true;
    }
    return false;
}

static void purge_logs(purging *p) {
    iol__retained_list list;
    if (archive_list_logs(p->a, 0, &list)) {
        for (size_t i = 0; i < list.count; i++) {
            const iol__retained *log = &list.all[i];
            if (!bundle_purge_held(p, log)) {
                p->kept++;
                continue;
            }
            const int failed = p->really ? iol__retained_remove(log) : 0;
            if (failed)
                archive_trouble(p->a, log->name, failed == ESTALE ? "it changed, and stays" : strerror(failed));
            else
                purged(p, log->name, (uint64_t)log->seen.st_size);
        }
    }
    iol__retained_free(&list);
}

/* Bundles ---------------------------------------------------------------------------------------------------------------- */

static bool is_old(void *context, const iol__bundle_entry *entry) {
    int64_t *newest = context;
    if (entry->mtime / 1000000000 > *newest) *newest = entry->mtime / 1000000000;
    return true;
}

/* A bundle that was named is looked at through its own descriptor, in its directory, which is held. */
static void purge_bundle(purging *p, const char *path) {
    iol__walk_root root;
    struct stat st;
    iol_error error = {0};
    iol__bundle *bundle = NULL;
    int64_t newest = INT64_MIN;
    int failed = iol__walk_open(path, &root);
    const int fd = failed || !root.file ? -1 : iol__walk_open_file(root.fd, root.file, &st);
    if (!failed && fd < 0) failed = root.file ? errno : EISDIR;
    if (!failed && (iol__bundle_open_file(fd, path, &bundle, &error) != IOL_OK ||
                    iol__bundle_each(bundle, is_old, &newest, &error) != IOL_OK))
        failed = EINVAL;
    if (!failed && newest >= p->a->before) {
        p->kept++;
    } else if (!failed) {
        struct stat now;
        if (p->really && (fstatat(root.fd, root.file, &now, AT_SYMLINK_NOFOLLOW) != 0 || now.st_ino != st.st_ino ||
                          now.st_dev != st.st_dev || unlinkat(root.fd, root.file, 0) != 0))
            failed = errno ? errno : ESTALE;
        if (!failed) purged(p, path, (uint64_t)st.st_size);
    }
    if (failed) archive_trouble(p->a, path, error.status != IOL_OK ? error.message : strerror(failed));
    iol__bundle_close(bundle);
    if (fd >= 0) close(fd);
    iol__walk_root_close(&root);
}

/* Both ------------------------------------------------------------------------------------------------------------------- */

static bool open_bundles(purging *p) {
    const iol__args *args = p->a->args;
    p->bundles = calloc(args->n_values[OPT_OF_BUNDLE] + 1, sizeof *p->bundles);
    for (size_t i = 0; p->bundles && i < args->n_values[OPT_OF_BUNDLE]; i++) {
        iol_error error;
        if (iol__bundle_open(args->values[OPT_OF_BUNDLE][i], &p->bundles[p->n_bundles], &error) != IOL_OK) {
            p->a->status = report_open_error(&error);
            return false;
        }
        p->n_bundles++;
    }
    return p->bundles != NULL;
}

static void bundle_purge_tell(purging *p) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    if (p->a->args->given[OPT_BUNDLE_JSON]) {
        iol__json json;
        iol__json_start(&json, &p->out, 1);
        iol__json_open(&json, '{');
        iol__json_put_bool(&json, "dry_run", !p->really);
        iol__json_put_u64(&json, "removed", p->files);
        iol__json_put_u64(&json, "bytes", p->bytes);
        iol__json_put_u64(&json, "kept", p->kept);
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    } else if (!p->a->args->given[OPT_BUNDLE_QUIET]) {
        fprintf(stderr, "%s %s files, %s; %s stay%s\n", p->really ? "removed" : "would remove",
                iol__human_number(a, (double)p->files), iol__human_bytes(b, (double)p->bytes),
                iol__human_number(c, (double)p->kept), p->really ? "" : ". Nothing was done: --remove does it");
    }
}

int archive_purge(archiving *a) {
    purging p = {.a = a, .really = a->args->given[OPT_REMOVE]};
    const bool logs = a->args->given[OPT_OF_BUNDLE];
    if (!a->n_operands) return usage_error(a->args, "name the trees to purge originals from, or the bundles to remove");
    if (!logs && !a->before)
        return usage_error(
            a->args, "give --bundle BUNDLE to purge logs that are in one, or --older-than DAYS to purge old bundles");
    iol__out_open(&p.out, STDOUT_FILENO);
    if (open_bundles(&p)) {
        if (logs)
            purge_logs(&p);
        else
            for (size_t i = 0; i < a->n_operands; i++) purge_bundle(&p, a->operands[i]);
        bundle_purge_tell(&p);
    }
    for (size_t i = 0; i < p.n_bundles; i++) iol__bundle_close(p.bundles[i]);
    free(p.bundles);
    return finish_output(&p.out, a->status);
}
