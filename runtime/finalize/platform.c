/* Lists of nodes are long, and nodes are numbered: nid[00012-00075,00080] is how schedulers write them, and people read
   them. */
#include "runtime/finalize/platform.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/output/sections.h"
#include "runtime/mpi/mpi.h"

/* Hosts ------------------------------------------------------------------------------------------------------------ */

/* A name as letters, digits at the end of the first label, and the domain. */
typedef struct host_parts {
    const char *name;
    size_t letters, digits; /* lengths */
    const char *domain;
} host_parts;

static host_parts cut(const char *name) {
    size_t label = strcspn(name, "."), letters = label;
    while (letters > 0 && name[letters - 1] >= '0' && name[letters - 1] <= '9') letters--;
    return (host_parts){name, letters, label - letters, name + label};
}

static int compare(const char *a, size_t a_length, const char *b, size_t b_length) {
    const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

int iol__host_order(const char *a, const char *b) {
    const host_parts x = cut(a), y = cut(b);
    int order = compare(a, x.letters, b, y.letters);
    if (order == 0) order = strcmp(x.domain, y.domain);
    if (order == 0 && x.digits != y.digits) order = x.digits < y.digits ? -1 : 1;
    return order ? order : compare(a + x.letters, x.digits, b + y.letters, y.digits);
}

static const iol__host *host_at(const iol__list *hosts, size_t at) {
    return at < hosts->used ? (const iol__host *)(const void *)(hosts->bytes + at) : NULL;
}

uint32_t iol__host_count(const iol__list *hosts) {
    uint32_t n = 0;
    for (size_t at = 0; at < hosts->used; at += host_at(hosts, at)->bytes) n++;
    return n;
}

static uint64_t number_of(const host_parts *p) {
    uint64_t value = 0;
    for (size_t i = 0; i < p->digits; i++) value = value * 10 + (uint64_t)(p->name[p->letters + i] - '0');
    return value;
}

/* Whether b has the number behind that of a, and is like it otherwise. */
static bool follows(const host_parts *a, const host_parts *b) {
    if (a->digits == 0 || b->digits < a->digits || b->digits > 15 || strcmp(a->domain, b->domain) != 0) return false;
    if (a->letters != b->letters || memcmp(a->name, b->name, a->letters) != 0) return false;
    return number_of(b) == number_of(a) + 1 && (b->digits == a->digits || b->name[b->letters] != '0');
}

static bool same_family(const host_parts *a, const host_parts *b) {
    return a->digits > 0 && b->digits > 0 && a->letters == b->letters && memcmp(a->name, b->name, a->letters) == 0 &&
           strcmp(a->domain, b->domain) == 0;
}

/* Names must not spoil the text that they go into. */
static void add_clean(iol__text *to, const char *text, size_t length) {
    for (size_t i = 0; i < length && text[i]; i++) {
        const unsigned char c = (unsigned char)text[i];
        iol__text_bytes(to, c <= ' ' || c >= 127 || c == '"' || c == '\\' ? "?" : text + i, 1);
    }
}

static void add_digits(iol__text *to, const host_parts *p) { iol__text_bytes(to, p->name + p->letters, p->digits); }

/* One family of numbered hosts, or a single host; returns what is behind it. */
static size_t add_family(iol__text *to, const iol__list *hosts, size_t at) {
    const iol__host *host = host_at(hosts, at);
    const host_parts first = cut(host->name);
    const iol__host *next = host_at(hosts, at + host->bytes);
    host_parts other = next ? cut(next->name) : first;
    at += host->bytes;
    if (!next || !same_family(&first, &other)) {
        add_clean(to, host->name, strlen(host->name));
        return at;
    }
    add_clean(to, first.name, first.letters);
    iol__text_add(to, "[");
    for (host_parts from = first, last = first;; from = last = other) {
        for (; next && (other = cut(next->name), follows(&last, &other)); next = host_at(hosts, at)) {
            last = other;
            at += next->bytes;
        }
        add_digits(to, &from);
        if (last.name != from.name) iol__text_add(to, "-"), add_digits(to, &last);
        if (!next || !same_family(&first, &other)) break;
        iol__text_add(to, ",");
        at += next->bytes;
        next = host_at(hosts, at);
    }
    iol__text_add(to, "]");
    add_clean(to, first.domain, strlen(first.domain));
    return at;
}

static void say_hosts(iol__text *json, const iol__list *hosts) {
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t at = 0; at < hosts->used; at += host_at(hosts, at)->bytes) {
        const uint32_t ranks = host_at(hosts, at)->ranks;
        if (ranks < least) least = ranks;
        if (ranks > most) most = ranks;
    }
    iol__say_count(json, "nodes", iol__host_count(hosts));
    iol__say_count(json, "ranks_per_node_min", least);
    iol__say_count(json, "ranks_per_node_max", most);
    iol__say_key(json, "node_list");
    iol__text_add(json, "\"");
    for (size_t at = 0; at < hosts->used;) {
        if (at > 0) iol__text_add(json, ",");
        at = add_family(json, hosts, at);
        if (json->room - json->length < 1024) break; /* names without order, and very many */
    }
    iol__text_add(json, "\"");
}

/* The node --------------------------------------------------------------------------------------------------------- */

static const char *container(void) {
    static const struct {
        const char *file, *variable, *kind;
    } signs[] = {
        {"/.dockerenv", "", "docker"},
        {"/run/.containerenv", "", "podman"},
        {"", "APPTAINER_CONTAINER", "apptainer"},
        {"", "SINGULARITY_CONTAINER", "singularity"},
        {"", "SHIFTER_IMAGE", "shifter"},
        {"", "KUBERNETES_SERVICE_HOST", "kubernetes"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const int fd = *signs[i].file ? iol__sys_open(AT_FDCWD, signs[i].file, O_PATH, 0) : -1;
        if (fd >= 0) sys(close, fd);
        if (fd >= 0 || (*signs[i].variable && iol__variable(environ, signs[i].variable))) return signs[i].kind;
    }
    char groups[1024];
    const long got = iol__sys_read_file("/proc/self/cgroup", groups, sizeof groups - 1);
    groups[got > 0 ? got : 0] = 0;
    if (strstr(groups, "kubepods")) return "kubernetes";
    if (strstr(groups, "/docker/") || strstr(groups, "docker-")) return "docker";
    return strstr(groups, "/lxc/") ? "lxc" : "";
}

/* The line "model name" of the first processor; others call it otherwise, or do not say. */
static void processor(char *name, size_t room) {
    static char text[4096];
    iol__text to = {name, room, 0};
    name[0] = 0;
    const int fd = iol__sys_open(AT_FDCWD, "/proc/cpuinfo", O_RDONLY, 0);
    const long got = fd < 0 ? -1 : sys(read, fd, text, sizeof text - 1);
    if (fd >= 0) sys(close, fd);
    text[got > 0 ? got : 0] = 0;
    const char *line = strstr(text, "model name");
    if (line) line = strchr(line, ':');
    if (!line) return;
    line += strspn(line, ": \t");
    iol__text_bytes(&to, line, strcspn(line, "\n"));
}

static void say_scheduler(iol__text *json) {
    static const struct {
        const char *variable, *who;
    } all[] = {
#define SCHEDULER(variable, form, who) {variable, who},
#include "schema/schedulers.def"
#undef SCHEDULER
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *value = iol__variable(iol__core_state.environment, all[i].variable);
        if (!value || !*value) continue;
        char who[64];
        iol__text name = {who, sizeof who, 0};
        iol__text_bytes(&name, all[i].who, strcspn(all[i].who, ","));
        iol__say_text(json, "scheduler", who);
        iol__say_text(json, "scheduler_job", value);
        return;
    }
}

void iol__platform_say(iol__text *json, const iol__list *hosts) {
    static struct utsname host;
    char cpu[128];
    say_hosts(json, hosts);
    say_scheduler(json);
    if (iol__mpi_library()[0]) iol__say_text(json, "mpi", iol__mpi_library());
    if (sys(uname, &host) == 0) {
        iol__say_text(json, "kernel", host.release);
        iol__say_text(json, "machine", host.machine);
    }
    processor(cpu, sizeof cpu);
    if (cpu[0]) iol__say_text(json, "processor", cpu);
    iol__say_count(json, "page_bytes", getauxval(AT_PAGESZ));
    iol__say_text(json, "container", container());
}
