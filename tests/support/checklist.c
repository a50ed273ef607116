/* The checklist, point by point. Every complaint names the file and the point; the first missing byte does not stop the
   rest from being looked at where that still makes sense. */
#include "tests/support/checklist.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <zlib.h>

#include "tests/support/logrecords.h"

enum { HEADER = 1328, SLOTS = 64, KNOWN = 18, JOB_FIXED = 1080, STREAM_MOST = 1 << 20, ZLIB = 0, NONE = 2 };

typedef struct checked {
    const char *path;
    const uint8_t *file;
    size_t length;
    const checklist_wishes *wishes;
    int compression, complaints;
    int64_t processes;
    checklist_region names;
    uint64_t *ids; /* of the names, sorted */
    size_t n_ids;
    double heatmap_width;
    int64_t heatmap_bins;
} checked;

static void complain(checked *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(checked *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", s->path);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    s->complaints++;
}

static uint64_t u64(const uint8_t *at) { return get_u64(at, false); }
static int64_t i64(const uint8_t *at) { return (int64_t)get_u64(at, false); }

static bool all_zero(const uint8_t *at, size_t count) {
    while (count > 0 && *at == 0) at++, count--;
    return count == 0;
}

/* A text field: zeros from its first NUL on. */
static bool padded(const uint8_t *at, size_t width) {
    size_t length = strnlen((const char *)at, width);
    return all_zero(at + length, width - length);
}

/* Regions --------------------------------------------------------------------------------------------------------- */

static bool note_end(checklist_region *r) {
    size_t *grown = realloc(r->ends, (r->n_ends + 1) * sizeof *grown);
    if (!grown) return false;
    r->ends = grown;
    r->ends[r->n_ends++] = r->length;
    return true;
}

static bool inflate_one(z_stream *z, checklist_region *r) {
    for (int result = Z_OK; result != Z_STREAM_END;) {
        enum { STEP = 1 << 18 };
        uint8_t *grown = realloc(r->bytes, r->length + STEP);
        if (!grown) return false;
        r->bytes = grown;
        z->next_out = r->bytes + r->length;
        z->avail_out = STEP;
        result = inflate(z, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END) return false;
        r->length += STEP - z->avail_out;
    }
    return note_end(r) && inflateReset(z) == Z_OK;
}

bool checklist_inflate(const uint8_t *stored, size_t length, int compression, checklist_region *region) {
    *region = (checklist_region){0};
    if (compression == NONE) {
        region->bytes = need(length + 1);
        memcpy(region->bytes, stored, length);
        region->length = length;
        return note_end(region);
    }
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stored, .avail_in = (uInt)length};
    if (compression != ZLIB || inflateInit(&z) != Z_OK) return false;
    bool good = true;
    while (good && z.avail_in > 0) good = inflate_one(&z, region);
    inflateEnd(&z);
    if (!good) checklist_release(region);
    return good;
}

void checklist_release(checklist_region *region) {
    free(region->bytes);
    free(region->ends);
    *region = (checklist_region){0};
}

/* Header ---------------------------------------------------------------------------------------------------------- */

/* Regions follow each other without gaps. Returns the end of the last. */
static uint64_t check_maps(checked *s) {
    uint64_t at = u64(s->file + 32), end = at + u64(s->file + 40);
    if (at < HEADER) complain(s, "the name region has no place");
    for (int slot = 0; slot < SLOTS; slot++) {
        uint64_t offset = u64(s->file + 48 + 16 * slot), size = u64(s->file + 56 + 16 * slot);
        if (size == 0 && offset != 0 && offset != end) complain(s, "empty slot %d is not where it would be", slot);
        if (size == 0) continue;
        if (slot == 0 || slot >= KNOWN) complain(s, "slot %d has data", slot);
        if (offset != end)
            complain(s, "slot %d begins at %llu instead of %llu", slot, (unsigned long long)offset,
                     (unsigned long long)end);
        end = offset + size;
    }
    if (end > s->length) complain(s, "the regions end behind the file");
    return end;
}

static void check_versions(checked *s) {
    for (int slot = 0; slot < SLOTS; slot++) {
        uint32_t version = s->file[1072 + 4 * slot] | (uint32_t)s->file[1073 + 4 * slot] << 8;
        bool data = u64(s->file + 56 + 16 * slot) > 0;
        if (slot >= KNOWN ? version != 0 : version > lm_newest(slot))
            complain(s, "slot %d has version %u", slot, version);
        if (!data || slot >= KNOWN) continue;
        bool trace = slot == LM_DXT_POSIX || slot == LM_DXT_MPIIO; /* one version older is for released tools */
        if (version != lm_newest(slot) && !(trace && version + 1 == lm_newest(slot)))
            complain(s, "slot %d has version %u and not the newest", slot, version);
    }
}

/* False if nothing else can be looked at. */
static bool check_header(checked *s) {
    if (s->length < HEADER || memcmp(s->file, "3.41\0\0\0\0", 8) != 0 || i64(s->file + 8) != 6567223) {
        complain(s, "no header of version 3.41 in this machine's byte order");
        return false;
    }
    s->compression = s->file[16];
    if (!all_zero(s->file + 17, 7)) complain(s, "the padding of the header is not zero");
    if (u64(s->file + 24) >> KNOWN || (u64(s->file + 24) & 1)) complain(s, "partial flags of slots that do not exist");
    return true;
}

/* Behind the regions there is nothing, or a trailer. An archive may have a hole first. */
static void check_end(checked *s, uint64_t end) {
    if (end == s->length) return;
    const uint8_t *footer = s->length >= end + 32 ? s->file + s->length - 32 : NULL;
    if (!footer || memcmp(footer, "IOLTRAIL", 8) != 0) {
        if (s->compression != 129) complain(s, "something unknown follows the last region");
    } else if (u64(footer + 16) < end || u64(footer + 16) + u64(footer + 24) + 32 != s->length) {
        complain(s, "the trailer does not fill the space behind the last region");
    }
}

/* Job and names --------------------------------------------------------------------------------------------------- */

/* Mounts of file systems in memory are not listed; on a machine whose root is one, there may be no other. */
static bool root_is_in_memory(void) {
    struct statfs root;
    return statfs("/", &root) == 0 && (root.f_type == TMPFS_MAGIC || root.f_type == RAMFS_MAGIC);
}

static void check_job(checked *s) {
    checklist_region job;
    size_t stored = (size_t)u64(s->file + 32) - HEADER;
    if (!checklist_inflate(s->file + HEADER, stored, s->compression, &job)) {
        complain(s, "the job region cannot be decompressed");
        return;
    }
    if (job.n_ends != 1) complain(s, "the job region has %zu streams", job.n_ends);
    if (job.length <= JOB_FIXED || job.length > 4096 || job.bytes[job.length - 1] != 0) {
        complain(s, "the job region has %zu bytes, or no end", job.length);
    } else {
        const char *text = (const char *)job.bytes + JOB_FIXED;
        s->processes = i64(job.bytes + 40);
        if (!padded(job.bytes + 56, 1024)) complain(s, "the metadata field has something behind its end");
        if (strlen(text) + 1 != job.length - JOB_FIXED) complain(s, "something follows the text of the job");
        if (!strchr(text, '\n') && !root_is_in_memory()) complain(s, "there is no mount");
        for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
            const char *tab = strchr(line, '\t'), *next = strchr(line + 1, '\n');
            if (!tab || (next && tab > next))
                complain(s, "a line of the mounts has no tab: a newline in the command line?");
        }
    }
    checklist_release(&job);
}

static int by_id(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_stream_ends(checked *s, const char *what, const checklist_region *r, const bool *record_ends,
                              const bool *large) {
    for (size_t i = 0; i < r->n_ends; i++) {
        size_t begin = i ? r->ends[i - 1] : 0;
        if (!record_ends[r->ends[i]]) complain(s, "%s: a stream ends inside a record, at %zu", what, r->ends[i]);
        if (s->compression == NONE || s->wishes->one_stream) continue;
        if (r->ends[i] - begin > STREAM_MOST && !large[r->ends[i]])
            complain(s, "%s: a stream has more than 1 MiB", what);
    }
}

static void check_names(checked *s) {
    checklist_region *r = &s->names;
    if (!checklist_inflate(s->file + u64(s->file + 32), (size_t)u64(s->file + 40), s->compression, r)) {
        complain(s, "the name region cannot be decompressed");
        return;
    }
    bool *ends = calloc(r->length + 1, 1), *large = calloc(r->length + 1, 1);
    s->ids = need(sizeof *s->ids * (r->length / 9 + 1));
    size_t at = 0;
    for (size_t size; at < r->length; at += size) {
        const uint8_t *nul = r->length - at > 8 ? memchr(r->bytes + at + 8, 0, r->length - at - 8) : NULL;
        if (!nul) break;
        size = (size_t)(nul + 1 - (r->bytes + at));
        s->ids[s->n_ids++] = u64(r->bytes + at);
        ends[at + size] = true;
        large[at + size] = size > STREAM_MOST;
    }
    if (at != r->length) complain(s, "the name region ends inside an entry");
    ends[0] = true;
    check_stream_ends(s, "names", r, ends, large);
    qsort(s->ids, s->n_ids, sizeof *s->ids, by_id);
    free(ends);
    free(large);
}

/* Records --------------------------------------------------------------------------------------------------------- */

static size_t check_lustre(checked *s, const uint8_t *at, size_t left) {
    uint64_t components = left >= 32 ? u64(at + 16) : 0, stripes = left >= 32 ? u64(at + 24) : 0, owned = 0;
    if (left < 32 || components > left / 72 || stripes > left / 8 || 32 + 72 * components + 8 * stripes > left)
        return 0;
    for (uint64_t i = 0; i < components; i++) {
        owned += u64(at + 32 + 72 * i + 8);
        if (!padded(at + 32 + 72 * i + 56, 16)) complain(s, "LUSTRE: a pool name is not padded with zeros");
    }
    if (owned != stripes)
        complain(s, "LUSTRE: the components own %llu stripes of %llu", (unsigned long long)owned,
                 (unsigned long long)stripes);
    return (size_t)(32 + 72 * components + 8 * stripes);
}

static size_t check_trace(checked *s, const uint8_t *at, size_t left, size_t segment) {
    uint64_t count = left >= 104 ? u64(at + 88) + u64(at + 96) : 0;
    if (left < 104 || count > (left - 104) / segment) return 0;
    if (i64(at + 8) < 0) complain(s, "DXT: a record of all ranks");
    if (i64(at + 16) != 0 || !padded(at + 24, 64)) complain(s, "DXT: the fixed part is not clean");
    return (size_t)(104 + segment * count);
}

static size_t check_heatmap(checked *s, const uint8_t *at, size_t left) {
    uint64_t bins = left >= 48 ? u64(at + 24) : 0;
    if (left < 48 || bins > (left - 48) / 16) return 0;
    double width;
    memcpy(&width, at + 16, sizeof width);
    if (s->heatmap_bins == 0) s->heatmap_bins = (int64_t)bins, s->heatmap_width = width;
    if ((int64_t)bins != s->heatmap_bins || width != s->heatmap_width) complain(s, "HEATMAP: bins or width differ");
    if (!all_zero(at + 32, 16)) complain(s, "HEATMAP: addresses are not zero");
    if (i64(at + 8) < 0) complain(s, "HEATMAP: a record of all ranks");
    return (size_t)(48 + 16 * bins);
}

static size_t check_mdhim(const uint8_t *at, size_t left) {
    uint64_t servers = left >= 96 && i64(at + 48) > 1 ? u64(at + 48) : 1;
    return left >= 96 && servers <= (left - 88) / 8 ? (size_t)(88 + 8 * servers) : 0;
}

static size_t check_apmpi(checked *s, const uint8_t *at, size_t left, bool first) {
    if (first) return left >= 48 && i64(at + 16) == 0x41504d5049 && all_zero(at + 28, 4) ? 48 : 0;
    if (left < 5232) return 0;
    if (!padded(at + 5232 - 128, 128)) complain(s, "APMPI: the processor name is not padded with zeros");
    return 5232;
}

static size_t check_apxc(const uint8_t *at, size_t left, bool first) {
    if (first) return left >= 72 && i64(at + 16) == 0x4155544f50455246 ? 72 : 0;
    return left >= 3184 ? 3184 : 0;
}

static size_t fixed_size(int slot) {
    unsigned ints, reals;
    if (!lm_shape(slot, lm_newest(slot), &ints, &reals)) return 0;
    size_t size = 16 + 8 * ((size_t)ints + reals);
    if (slot == LM_H5D || slot == LM_PNETCDF_VAR) size += 8;
    if (slot == LM_DFS || slot == LM_DAOS) size += 32;
    return slot == LM_DAOS ? size + 16 : size;
}

/* The size of the record that begins here; 0 if that is none. */
static size_t check_record(checked *s, int slot, uint32_t version, const uint8_t *at, size_t left, bool first) {
    switch (slot) {
    case LM_LUSTRE: return check_lustre(s, at, left);
    case LM_DXT_POSIX: return check_trace(s, at, left, version >= 2 ? 40 : 32);
    case LM_DXT_MPIIO: return check_trace(s, at, left, version >= 3 ? 40 : 32);
    case LM_HEATMAP: return check_heatmap(s, at, left);
    case LM_MDHIM: return check_mdhim(at, left);
    case LM_APMPI: return check_apmpi(s, at, left, first);
    case LM_APXC: return check_apxc(at, left, first);
    default: return left >= fixed_size(slot) ? fixed_size(slot) : 0;
    }
}

static void check_base(checked *s, int slot, const uint8_t *at) {
    uint64_t id = u64(at);
    int64_t rank = i64(at + 8);
    if (rank < -1 || rank >= s->processes)
        complain(s, "slot %d: rank %lld of %lld processes", slot, (long long)rank, (long long)s->processes);
    if (s->wishes->names && !bsearch(&id, s->ids, s->n_ids, sizeof id, by_id))
        complain(s, "slot %d: record %llu has no name entry", slot, (unsigned long long)id);
}

static void check_module(checked *s, int slot) {
    checklist_region r;
    char what[16];
    snprintf(what, sizeof what, "slot %d", slot);
    uint32_t version = s->file[1072 + 4 * slot];
    if (!checklist_inflate(s->file + u64(s->file + 48 + 16 * slot), (size_t)u64(s->file + 56 + 16 * slot),
                           s->compression, &r)) {
        complain(s, "%s cannot be decompressed", what);
        return;
    }
    bool *ends = calloc(r.length + 1, 1), *large = calloc(r.length + 1, 1);
    size_t at = 0;
    for (size_t size; at < r.length; at += size) {
        size = check_record(s, slot, version, r.bytes + at, r.length - at, at == 0);
        if (size == 0) break;
        check_base(s, slot, r.bytes + at);
        ends[at + size] = true;
        large[at + size] = size > STREAM_MOST;
    }
    if (at != r.length)
        complain(s, "%s: no record at %zu of %zu", what, at, r.length);
    else
        check_stream_ends(s, what, &r, ends, large);
    free(ends);
    free(large);
    checklist_release(&r);
}

int checklist(const char *path, const uint8_t *file, size_t length, const checklist_wishes *wishes) {
    checked s = {.path = path, .file = file, .length = length, .wishes = wishes};
    if (!check_header(&s)) return s.complaints;
    uint64_t end = check_maps(&s);
    check_versions(&s);
    check_end(&s, end);
    if (s.complaints || (s.compression != ZLIB && s.compression != NONE)) return s.complaints;
    check_job(&s);
    check_names(&s);
    for (int slot = 1; slot < KNOWN; slot++)
        if (u64(file + 56 + 16 * slot) > 0) check_module(&s, slot);
    checklist_release(&s.names);
    free(s.ids);
    return s.complaints;
}
