/* Reading the section PLAT: texts of fixed size, but for the list of nodes, which may be long. */
#include "log/trailer/platform.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"

static bool read_platform_count(iol__plain_json *json, int64_t *to) {
    int64_t value;
    if (!iol__plain_integer(json, &value)) return false;
    *to = value < 0 ? 0 : value;
    return true;
}

static bool read_platform_text(iol__plain_json *json, char *to, size_t room) {
    char *text;
    if (!iol__plain_text(json, &text)) return false;
    size_t length = strnlen(text, room - 1);
    memcpy(to, text, length);
    to[length] = 0;
    return true;
}

static bool platform_value(iol__plain_json *json, void *object, const char *key) {
    iol__platform *p = object;
    const struct {
        const char *key;
        int64_t *to;
    } numbers[] = {{"nodes", &p->nodes},
                   {"ranks_per_node_min", &p->ranks_per_node[0]},
                   {"ranks_per_node_max", &p->ranks_per_node[1]},
                   {"page_bytes", &p->page_bytes}};
    const struct {
        const char *key;
        char *to;
        size_t room;
    } texts[] = {{"scheduler", p->scheduler, sizeof p->scheduler},
                 {"scheduler_job", p->scheduler_job, sizeof p->scheduler_job},
                 {"mpi", p->mpi, sizeof p->mpi},
                 {"kernel", p->kernel, sizeof p->kernel},
                 {"machine", p->machine, sizeof p->machine},
                 {"processor", p->processor, sizeof p->processor},
                 {"container", p->container, sizeof p->container}};
    char *list;
    for (size_t i = 0; i < IOL_COUNT(numbers); i++)
        if (strcmp(key, numbers[i].key) == 0) return read_platform_count(json, numbers[i].to);
    for (size_t i = 0; i < IOL_COUNT(texts); i++)
        if (strcmp(key, texts[i].key) == 0) return read_platform_text(json, texts[i].to, texts[i].room);
    if (strcmp(key, "node_list") != 0) return iol__plain_skip(json);
    if (!iol__plain_text(json, &list)) return false;
    free(p->node_list);
    p->node_list = strdup(list);
    return true;
}

static bool read_platform_section(iol_log *log, char *text, size_t length, void *platform) {
    iol__plain_json json = {text, text + length};
    if (!iol__plain_object(&json, platform, platform_value))
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "what the job ran on cannot be understood");
    return false; /* one is enough */
}

void iol__platform_read(iol_log *log, iol__platform *platform) {
    *platform = (iol__platform){0};
    iol__section_each(log, IOL_TAG_PLATFORM, read_platform_section, platform);
}

void iol__platform_free(iol__platform *platform) {
    free(platform->node_list);
    platform->node_list = NULL;
}
