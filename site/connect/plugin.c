/* Connectors of others: shared objects that IOLITE_CONNECTORS names, with the interface of iolite/site.h. What they give is
   JSON and is looked at like any foreign file. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iolite/site.h"
#include "site/connect/connect.h"
#include "text/plain_file.h"

enum { MOST_PLUGINS = 64 };

static iol_status read_plugin(iol__request *request, iol__value **out);
static const iol_site_connector *plugins[MOST_PLUGINS];
static iol__connector rows[MOST_PLUGINS];
static size_t n_plugins;

static void load_object(const char *path) {
    /* The loader would wait for a pipe. */
    if (strchr(path, '/') && !iol__plain_file_is(path)) {
        iol__site_say("%s: %s", path, iol__plain_file_trouble(errno));
        return;
    }
    /* Stays loaded: its functions are called until the end. */
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const iol_site_connector *table = object ? dlsym(object, "iol_site_connectors") : NULL;
    if (!table) {
        iol__site_say("%s: %s", path, object ? "there is no table iol_site_connectors in it" : dlerror());
        return;
    }
    for (; table->name && n_plugins < MOST_PLUGINS; table++) {
        if (table->version != IOL_SITE_CONNECTOR_VERSION || !table->read) {
            iol__site_say("%s: '%s' has version %u of the interface, not %d", path, table->name, table->version,
                          IOL_SITE_CONNECTOR_VERSION);
            continue;
        }
        plugins[n_plugins] = table;
        rows[n_plugins++] = (iol__connector){table->name, table->about ? table->about : "", read_plugin, NULL};
    }
}

static void load_all(void) {
    static bool loaded;
    const char *list = getenv("IOLITE_CONNECTORS");
    if (loaded) return;
    loaded = true;
    char *copy = list ? strdup(list) : NULL, *rest = copy;
    for (char *path; rest && (path = strsep(&rest, ":"));)
        if (*path) load_object(path);
    free(copy);
}

const iol__connector *iol__plugin(size_t number) {
    load_all();
    return number < n_plugins ? &rows[number] : NULL;
}

static iol_status read_plugin(iol__request *request, iol__value **out) {
    const iol_site_connector *plugin = NULL;
    for (size_t i = 0; i < n_plugins; i++)
        if (request->source && strcmp(plugins[i]->name, request->source) == 0) plugin = plugins[i];
    if (!plugin) return iol__refuse(request, IOL_INVALID, "no such source");
    const iol_site_request asked = {.inputs = request->paths,
                                    .count = request->n_paths,
                                    .ranged = request->ranged,
                                    .start = request->start,
                                    .end = request->end,
                                    .host = request->host,
                                    .job = request->job,
                                    .user = request->user,
                                    .fs = request->fs};
    char wrong[120] = "nothing";
    char *text = plugin->read(&asked, request->why);
    request->why[sizeof request->why - 1] = 0;
    if (!text) return *request->why ? IOL_SYSTEM : iol__refuse(request, IOL_SYSTEM, "%s gave nothing", plugin->name);
    *out = iol__value_parse(request->arena, text, strlen(text), wrong);
    free(text);
    return *out ? IOL_OK : iol__refuse(request, IOL_DAMAGED, "%s gave no JSON: %s", plugin->name, wrong);
}
