/* leaks ORIGINAL HIDDEN: whether an anonymised log (zlib or not compressed) still holds anything that names the
   user, the project or the machine of the original: words of names, mounts, arguments and metadata, hosts, pools,
   numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "tests/support/checklist.h"
#include "tests/support/load.h"

enum { SHORTEST = 4, HEADER = 1328, SLOTS = 64 };

static bytes hidden; /* everything in the anonymised log, decompressed */
static int found;

/* Names that every log has are not secret. */
static const char *const common_names[] = {"<STD",     "heatmap:", "heatmap:POSIX",        "heatmap:STDIO",
                                           "APMPI",    "APXC",     "heatmap:MPIIO",        "darshan-bgq-record",
                                           "darshan-", "lib_ver",  "darshan-apmpi-header", "darshan-apxc-header",
                                           "<STDOUT>", "<STDERR>", "total-mdhim-obj-stats"};
enum { COMMON = sizeof common_names / sizeof *common_names };

/* Nor are the types of file systems, which stay. */
static iol_log *original;

static bool is_harmless(const char *word, size_t length) {
    const char *point, *type;
    for (size_t i = 0; i < COMMON; i++)
        if (memmem(common_names[i], strlen(common_names[i]), word, length)) return true;
    for (size_t i = 0; iol_log_mount(original, i, &point, &type) == IOL_OK; i++)
        if (memmem(type, strlen(type), word, length)) return true;
    return false;
}

static void seek(const char *what, const char *word, size_t length) {
    if (length < SHORTEST || is_harmless(word, length)) return;
    if (!memmem(hidden.data, hidden.length, word, length)) return;
    fprintf(stderr, "%s still there: %.*s\n", what, (int)length, word);
    found++;
}

static void seek_words(const char *what, const char *text) {
    static const char apart[] = "/ :=\t\n";
    while (*text) {
        text += strspn(text, apart);
        size_t length = strcspn(text, apart);
        seek(what, text, length);
        text += length;
    }
}

static void gather_region(const uint8_t *file, uint64_t at, uint64_t length, int compression) {
    checklist_region region;
    if (!checklist_inflate(file + at, (size_t)length, compression, &region)) {
        fputs("the anonymised log must be zlib or not compressed\n", stderr);
        exit(2);
    }
    bytes_raw(&hidden, region.bytes, region.length);
    bytes_fill(&hidden, 0, 8);
    checklist_release(&region);
}

static void gather(const char *path) {
    bytes file = load_file(path);
    uint64_t names = get_u64(file.data + 32, false);
    gather_region(file.data, HEADER, names - HEADER, file.data[16]);
    gather_region(file.data, names, get_u64(file.data + 40, false), file.data[16]);
    for (int slot = 0; slot < SLOTS; slot++) {
        uint64_t length = get_u64(file.data + 56 + 16 * slot, false);
        if (length) gather_region(file.data, get_u64(file.data + 48 + 16 * slot, false), length, file.data[16]);
    }
    bytes_raw(&hidden, file.data, file.length); /* and what else there may be, behind the regions */
    bytes_free(&file);
}

static iol_log *open_log(const char *path) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(path, &log, &error) == IOL_OK) return log;
    fprintf(stderr, "%s\n", error.message);
    exit(2);
}

static bool common(const char *name) {
    for (size_t i = 0; i < COMMON; i++)
        if (strncmp(name, common_names[i], strlen(common_names[i])) == 0) return true;
    return false;
}

static void seek_job(const iol_log *log) {
    const char *key, *value, *point, *type;
    seek_words("the command line", iol_log_job(log)->exe);
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, "lib_ver") != 0) seek_words("metadata", value);
    for (size_t i = 0; iol_log_mount(log, i, &point, &type) == IOL_OK; i++) seek_words("a mount point", point);
}

static void seek_names(iol_log *log) {
    uint64_t id;
    const char *name;
    for (size_t i = 0; iol_log_name_at(log, i, &id, &name) == IOL_OK; i++) {
        if (common(name)) continue;
        seek_words("a name", name);
        if (*name) seek("a record id", (const char *)&id, sizeof id);
    }
}

static void seek_records(iol_log *log, int slot) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        seek("a host", record->trace.host, strlen(record->trace.host));
        seek("a processor", record->processor, strlen(record->processor));
        for (size_t i = 0; i < record->n_components; i++)
            seek("a pool", record->components[i].pool, strlen(record->components[i].pool));
        if (record->pool_uuid) seek("a pool's UUID", (const char *)record->pool_uuid, 16);
        if (record->container_uuid) seek("a container's UUID", (const char *)record->container_uuid, 16);
        if (record->owner) seek("an owner's id", (const char *)&record->owner, sizeof record->owner);
    }
    iol_records_close(records);
}

static void compare_numbers(const iol_log *other) {
    const iol_job *x = iol_log_job(original), *y = iol_log_job(other);
    if (x->uid == y->uid || (x->job_id == y->job_id && x->job_id != 0)) {
        fputs("the user or job number is still there\n", stderr);
        found++;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    original = open_log(argv[1]);
    iol_log *other = open_log(argv[2]);
    gather(argv[2]);
    compare_numbers(other);
    seek_job(original);
    seek_names(original);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) seek_records(original, slot);
    if (iol_log_trailer_count(other) > 0) {
        fputs("a trailer is still there\n", stderr);
        found++;
    }
    iol_log_close(original);
    iol_log_close(other);
    bytes_free(&hidden);
    return found > 0;
}
