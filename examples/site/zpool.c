/* A source of one's own: pools of ZFS, from what `zpool list -Hp -o name,size,alloc,health` prints. Compiled to a shared object
   that IOLITE_CONNECTORS names, it is used like the built-in ones: iolite collect zpool POOLS.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iolite/site.h>

/* {"tank": {"size": 100, "alloc": 40, "health": "ONLINE"}}. Names of pools need no quoting in JSON. */
static char *pools_of(FILE *input) {
    char *json = NULL, name[256], health[64];
    size_t length = 0;
    unsigned long long size, alloc;
    FILE *out = open_memstream(&json, &length);
    if (!out) return NULL;
    const char *between = "{";
    while (fscanf(input, "%255[A-Za-z0-9_.:-] %llu %llu %63[A-Z] ", name, &size, &alloc, health) == 4) {
        fprintf(out, "%s\"%s\": {\"size\": %llu, \"alloc\": %llu, \"health\": \"%s\"}", between, name, size, alloc,
                health);
        between = ", ";
    }
    fputs(*between == '{' ? "{}" : "}", out);
    return fclose(out) == 0 ? json : NULL;
}

static char *read_pools(const iol_site_request *request, char why[400]) {
    FILE *input = request->count == 1 ? fopen(request->inputs[0], "r") : NULL;
    if (!input) {
        snprintf(why, 400, "one file with what zpool list prints, please");
        return NULL;
    }
    char *json = pools_of(input);
    if (json && !feof(input)) {
        free(json);
        json = NULL;
        snprintf(why, 400, "%.300s: not what zpool list -Hp -o name,size,alloc,health prints", request->inputs[0]);
    }
    fclose(input);
    return json;
}

const iol_site_connector iol_site_connectors[] = {
    {IOL_SITE_CONNECTOR_VERSION, "zpool", "pools of ZFS: zpool list -Hp -o name,size,alloc,health", read_pools}, {0}};
