/* How many servers a Lustre file system has: its client has small files, <root>/lov/<name>-clilov-<number>/numobd
   for OSTs and the same under lmv for MDTs. Read when the first layout of a file system is recorded, so that the mapped
   file of a process that is killed has it too. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/core/job_record.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/lustre/lustre.h"

enum { PATH = 512 };

/* As the kernel fills it in. */
typedef struct totals_entry {
    uint64_t inode, next;
    uint16_t bytes;
    uint8_t type;
    char name[];
} totals_entry;

/* The name in a directory that begins so; "" if there is none. */
static void find_name(const char *directory, const char *start, char *to, size_t room) {
    static uint8_t list[4096] __attribute__((aligned(8)));
    to[0] = 0;
    const int fd = iol__sys_open(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return;
    for (long got; to[0] == 0 && (got = sys(getdents64, fd, list, sizeof list)) > 0;) {
        for (long at = 0; at < got;) {
            const totals_entry *e = (const totals_entry *)(const void *)(list + at);
            if (strncmp(e->name, start, strlen(start)) == 0) iol__text_add(&(iol__text){to, room, 0}, e->name);
            at += e->bytes;
        }
    }
    sys(close, fd);
}

static int32_t read_number(const char *path) {
    char text[16] = "";
    int64_t value = 0;
    if (iol__sys_read_file(path, text, sizeof text - 1) <= 0) return 0;
    for (const char *c = text; *c >= '0' && *c <= '9' && value < INT32_MAX / 10; c++) value = value * 10 + (*c - '0');
    return (int32_t)value;
}

static int32_t targets(const char *root, const char *kind, const char *volume) {
    char path[PATH], start[64], name[128];
    iol__text directory = {path, sizeof path, 0}, wanted = {start, sizeof start, 0};
    iol__text_add(&directory, root);
    iol__text_add(&directory, "/");
    iol__text_add(&directory, kind);
    iol__text_add(&wanted, volume);
    iol__text_add(&wanted, "-cli");
    iol__text_add(&wanted, kind);
    find_name(path, start, name, sizeof name);
    iol__text_add(&directory, "/");
    iol__text_add(&directory, name);
    iol__text_add(&directory, "/numobd");
    return *name ? read_number(path) : 0;
}

static int32_t count(const char *kind, const char *volume) {
    const char *root = iol__core_state.config.values[IOL_SET_LUSTRE_STATUS].text;
    const int32_t found = targets(root, kind, volume);
    return found ? found : targets("/proc/fs/lustre", kind, volume); /* where it was before */
}

void iol__lustre_count(int32_t mount) {
    const char *volume = iol__mount_volume(mount);
    iol__lustre_total *total = iol__store_facts()->lustre;
    if (!*volume) return;
    for (int i = 0; i < IOL_LUSTRE_TOTALS; i++, total++) {
        if (strcmp(total->name, volume) == 0) return;
        if (total->name[0]) continue;
        total->osts = count("lov", volume);
        total->mdts = count("lmv", volume);
        iol__text_add(&(iol__text){total->mount, sizeof total->mount, 0}, iol__mount_path(mount));
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        iol__text_add(&(iol__text){total->name, sizeof total->name, 0}, volume);
        return;
    }
}

/* Names of Lustre are letters, digits, - and _; mounts are anything, and what JSON would not take is left out. */
static void add_text(iol__text *json, const char *text) {
    iol__text_add(json, "\"");
    for (; *text; text++)
        if ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\') iol__text_bytes(json, text, 1);
    iol__text_add(json, "\"");
}

static void add_number(iol__text *json, const char *key, int32_t value) {
    if (value == 0) return;
    iol__text_add(json, key);
    iol__text_number(json, value);
}

void iol__lustre_say(iol__text *json, const iol__lustre_total totals[IOL_LUSTRE_TOTALS]) {
    const iol__lustre_total *total = totals;
    for (int i = 0; i < IOL_LUSTRE_TOTALS && total->name[0]; i++, total++) {
        iol__text_add(json, i ? "," : "{");
        add_text(json, total->name);
        iol__text_add(json, ":{\"mount\":");
        add_text(json, total->mount);
        add_number(json, ",\"osts\":", total->osts);
        add_number(json, ",\"mdts\":", total->mdts);
        iol__text_add(json, "}");
    }
}
