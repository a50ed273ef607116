/* Filling recipes. Names from a log may hold anything, so each language has its own quoting; a snippet is something
   that people paste into a shell. */
#include "insight/findings/advice.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "insight/language/rule_eval.h"
#include "log/trailer/plain_json.h"

/* What a snippet is for; all of it must hold. */
enum { ALWAYS = 0, PYTHON = 1, HDF5 = 2, PNETCDF = 4, WRITES = 8, LUSTRE = 16 };

typedef struct recipe {
    const char *name, *applies_to, *effort, *text, *check;
} recipe;

static const recipe recipes[] = {
#define RECIPE(name, applies_to, effort, text, check) {#name, applies_to, effort, text, check},
#include "insight/findings/recipes.def"
};
enum { RECIPES = IOL_COUNT(recipes) };

static const struct {
    const char *recipe, *language;
    unsigned when;
    const char *code;
} snippets[] = {
#define SNIPPET(recipe, language, when, code) {#recipe, language, when, code},
#include "insight/findings/recipes.def"
};
enum { SNIPPETS = IOL_COUNT(snippets) };

int iol__recipe_find(const char *name) {
    for (int i = 0; i < RECIPES; i++)
        if (strcmp(recipes[i].name, name) == 0) return i;
    return -1;
}

/* Quoting ----------------------------------------------------------------------------------------------------- */

static char *quote_c(iol__arena *arena, const char *text) {
    char *out = iol__arena_alloc(arena, 4 * strlen(text) + 3, 1), *at = out;
    *at++ = '"';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            *at++ = '\\', *at++ = (char)c;
        else if (c < 32 || c > 126 || c == '?')
            at += sprintf(at, "\\%03o", c); /* '?': no trigraphs */
        else
            *at++ = (char)c;
    }
    *at = '"';
    return out;
}

static char *quote_python(iol__arena *arena, const char *text) {
    bool utf8 = iol__plain_utf8(text);
    char *out = iol__arena_alloc(arena, 6 * strlen(text) + 3, 1), *at = out;
    *at++ = '\'';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\'' || c == '\\')
            *at++ = '\\', *at++ = (char)c;
        else if (c < 32 || c == 127)
            at += sprintf(at, "\\x%02x", c);
        else if (c > 127 && !utf8)
            at += sprintf(at, "\\udc%02x", c); /* what open() turns back into the byte */
        else
            *at++ = (char)c;
    }
    *at = '\'';
    return out;
}

/* A constant has no escapes, and a line no more than 132 columns: other bytes are put in by number, and long names are
   continued. */
static char *quote_fortran(iol__arena *arena, const char *text) {
    char *out = iol__arena_alloc(arena, 32 * strlen(text) + 3, 1), *at = out, *line = out;
    *at++ = '\'';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (at - line > 80) line = at = stpcpy(at, "'// &\n      '");
        if (c < 32 || c > 126)
            at += sprintf(at, "'//char(%d)//'", c);
        else if (c == '\'')
            at = stpcpy(at, "''");
        else
            *at++ = (char)c;
    }
    *at = '\'';
    return out;
}

static char *quote_shell(iol__arena *arena, const char *text) {
    const char *dash = text[0] == '-' ? "./" : "";
    char *out = iol__arena_alloc(arena, 4 * strlen(text) + 5, 1), *at = out + sprintf(out, "'%s", dash);
    for (; *text; text++) {
        if (*text == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *text;
    }
    *at = '\'';
    return out;
}

/* For comments and sentences: printable ASCII, one line, not too long. */
static char *plain(iol__arena *arena, const char *text) {
    size_t length = strnlen(text, 200);
    char *out = iol__arena_text(arena, text, length);
    for (size_t i = 0; i < length; i++)
        if (out[i] < 32 || out[i] > 126) out[i] = '?';
    return out;
}

/* Values ------------------------------------------------------------------------------------------------------ */

/* The numbers that the templates use. */
typedef struct values {
    const iol__subject *s, *all; /* the file that is shown; everything that was found */
    const iol__facts_file *file; /* that file; for what concerns the whole job, the one that stands for it */
    const char *name, *path;     /* NULL: the log does not know it */
    bool stdio, writes;          /* through streams; more is written than read */
    double ops, bytes, mean, stripe, stripes, aggregators;
    double buffer; /* of collective calls: never less than MPI-IO takes by itself, or than the program asks for today */
} values;

static void fill_requests(values *v, const iol__rule *rule) {
    const double *raw = v->s->raw;
    bool stdio = v->stdio = rule && strcmp(rule->layer, "stdio") == 0;
    int direction = rule ? rule->direction : 0;
    double reads = raw[stdio ? IOL_SUM_stdio_reads : IOL_SUM_reads];
    double writes = raw[stdio ? IOL_SUM_stdio_writes : IOL_SUM_writes];
    double read = raw[stdio ? IOL_SUM_stdio_bytes_read : IOL_SUM_bytes_read];
    double written = raw[stdio ? IOL_SUM_stdio_bytes_written : IOL_SUM_bytes_written];
    v->writes = direction ? direction == 2 : written > read;
    v->ops = (direction == 2 ? 0 : reads) + (direction == 1 ? 0 : writes);
    v->bytes = (direction == 2 ? 0 : read) + (direction == 1 ? 0 : written);
    v->mean = v->ops > 0 ? fmax(1, round(v->bytes / v->ops)) : 1;
}

/* As many aggregators as stripes, so that each has an OST to itself; with fewer nodes than that, the largest number of
   which the stripes are a multiple and that nodes can bear. Where nothing is striped, one per node. */
static double aggregators_for(double nodes, double stripes) {
    double most = fmin(floor(4 * nodes), 1 << 20);
    if (stripes < 1) return nodes;
    if (stripes <= most) return stripes;
    for (int a = (int)most; a > 1 && a >= most / 2; a--)
        if (fmod(stripes, a) == 0) return a;
    return most;
}

static values values_of(const iol__rule *rule, const iol__subject *s, const iol__facts_file *shown) {
    values v = {.s = s, .all = s, .file = s->file ? s->file : shown};
    v.path = v.file ? iol__facts_name(&s->job->facts, v.file) : NULL;
    const char *slash = v.path ? strrchr(v.path, '/') : NULL;
    v.name = slash && slash[1] ? slash + 1 : v.path;
    fill_requests(&v, rule);
    v.stripe = iol__recommended_stripe_size(s);
    v.buffer = fmax(fmax(16 * 1048576.0, v.stripe), s->raw[IOL_MAX_hint_cb_buffer]);
    double nodes = fmax(1, s->job->job[IOL_JOB_nodes]);
    /* Nothing here is gained by fewer stripes than there are. */
    v.stripes = fmax(iol__recommended_stripes(s), s->raw[IOL_MAX_stripe_count]);
    v.aggregators = aggregators_for(nodes, s->raw[IOL_MAX_stripe_count] > 0 ? v.stripes : 0);
    /* Nor by fewer aggregators, where the OSTs can take those that there are. */
    if (s->raw[IOL_MAX_eff_ranks] <= fmax(nodes, v.stripes))
        v.aggregators = fmax(v.aggregators, s->raw[IOL_MAX_eff_ranks]);
    return v;
}

static char *number(iol__arena *arena, double value) {
    return iol__arena_print(arena, "%.0f", isnan(value) ? 0 : value);
}

/* In sentences as people write it, in programs as compilers read it. */
static char *whole(iol__arena *arena, double value, double least, double most, bool prose) {
    char buffer[IOL_HUMAN];
    double within = fmin(fmax(value, least), most);
    return prose ? iol__arena_copy(arena, iol__human_number(buffer, round(within))) : number(arena, within);
}

static const char *words(iol__arena *arena, double bytes) {
    char buffer[IOL_HUMAN];
    return iol__arena_copy(arena, iol__words(buffer, bytes, IOL_SHAPE_BYTES));
}

static const char *seconds_words(iol__arena *arena, double seconds) {
    char buffer[IOL_HUMAN];
    return iol__arena_copy(arena, iol__words(buffer, isnan(seconds) ? 0 : seconds, IOL_SHAPE_SECONDS));
}

static const char *files_words(iol__arena *arena, double files) {
    char buffer[IOL_HUMAN];
    return files > 1 ? iol__arena_print(arena, "%s files", iol__human_number(buffer, files)) : "one file";
}

static const char *aggregators_words(iol__arena *arena, double aggregators) {
    char buffer[IOL_HUMAN];
    return aggregators > 1 ? iol__arena_print(arena, "%s aggregators", iol__human_number(buffer, aggregators))
                           : "one aggregator";
}

static unsigned long long ost_of(const values *v, int variable) {
    double ost = v->s->job->job[variable];
    return ost >= 0 ? (unsigned long long)ost : 0;
}

static char *directory(iol__arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return iol__arena_copy(arena, ".");
    return slash == path ? iol__arena_copy(arena, "/") : iol__arena_text(arena, path, (size_t)(slash - path));
}

static const char *mount_value(const values *v, iol__arena *arena, bool type) {
    const char *point = "?", *fs = "?";
    if (v->file) iol__facts_mount(&v->s->job->facts, v->file, &point, &fs);
    return plain(arena, type ? fs : point);
}

/* A file without a name is called as in titles. */
static const char *name_value(const values *v, iol__arena *arena) {
    if (v->name) return plain(arena, v->name);
    return v->file ? iol__arena_print(arena, "file %llu", (unsigned long long)v->file->id) : "the file";
}

/* Its path, quoted; NULL: not a path, or none that a program could open. */
static const char *path_value(const values *v, const char *key, iol__arena *arena) {
    if (!v->path) return NULL;
    if (strcmp(key, "file_c") == 0) return quote_c(arena, v->path);
    if (strcmp(key, "file_py") == 0) return quote_python(arena, v->path);
    if (strcmp(key, "file_f") == 0) return quote_fortran(arena, v->path);
    if (strcmp(key, "file_sh") == 0) return quote_shell(arena, v->path);
    if (strcmp(key, "dir_sh") == 0) return quote_shell(arena, directory(arena, v->path));
    return NULL;
}

/* Striping and `lfs` are said only where there are stripes. Without a mount table the log does not tell what the file
   is on; a record of its layout does. */
static bool on_lustre(const values *v) {
    const char *point = "", *type = "";
    if (!v->file) return false;
    iol__facts_mount(&v->s->job->facts, v->file, &point, &type);
    return v->file->lustre || strcmp(type, "lustre") == 0;
}

static bool known_elsewhere(const values *v) {
    const char *point = "", *type = "";
    if (!v->file || v->file->lustre) return false;
    iol__facts_mount(&v->s->job->facts, v->file, &point, &type);
    return strcmp(type, "lustre") != 0 && strcmp(type, "UNKNOWN") != 0;
}

static const char *text_value(const values *v, const char *key, iol__arena *arena) {
    if (strcmp(key, "name") == 0 || strcmp(key, "name_plain") == 0) return name_value(v, arena);
    if (strcmp(key, "module") == 0) return v->stdio ? "STDIO" : "POSIX";
    if (strcmp(key, "seconds_there") == 0) return seconds_words(arena, v->s->job->job[IOL_JOB_ost_slow_s]);
    if (strcmp(key, "seconds_usual") == 0) return seconds_words(arena, v->s->job->job[IOL_JOB_ost_usual_s]);
    if (strcmp(key, "ost_label") == 0) return iol__arena_print(arena, "OST%04llx", ost_of(v, IOL_JOB_ost_slow));
    if (strcmp(key, "mount") == 0) return mount_value(v, arena, false);
    if (strcmp(key, "fs") == 0) return mount_value(v, arena, true);
    if (strcmp(key, "aggregators_words") == 0) return aggregators_words(arena, v->aggregators);
    if (strcmp(key, "buffer_note") == 0) return on_lustre(v) ? ", the stripe size or a multiple of it" : "";
    if (strcmp(key, "files_words") == 0) return files_words(arena, v->all->raw[IOL_SUM_files]);
    if (strcmp(key, "processes_words") == 0) {
        char count[IOL_HUMAN];
        return iol__arena_print(arena, "%s short processes",
                                iol__human_number(count, v->s->job->job[IOL_JOB_short_processes]));
    }
    if (strcmp(key, "set_words") == 0) return words(arena, v->all->raw[IOL_SUM_size]);
    if (strcmp(key, "size_words") == 0) return words(arena, v->s->raw[IOL_SUM_size]);
    if (strcmp(key, "redundant_words") == 0)
        return words(arena, fmax(v->all->raw[IOL_SUM_redundant_read], v->all->raw[IOL_SUM_stdio_redundant_read]));
    if (strcmp(key, "stripe_note") == 0)
        return v->s->raw[IOL_MAX_stripe_count] > 0 ? "" : " (The log does not say how the file is striped today.)";
    if (strcmp(key, "stripe_now") == 0)
        return v->s->raw[IOL_MAX_stripe_count] > 0 ? number(arena, v->s->raw[IOL_MAX_stripe_count]) : "not in the log";
    return NULL;
}

static const char *number_value(const values *v, const char *key, bool prose, iol__arena *arena) {
    const double *raw = v->s->raw, *all = v->all->raw;
    const struct {
        const char *key;
        double value, least, most;
    } table[] = {
        {"size", raw[IOL_SUM_size], 0, 9e18},
        {"ranks", raw[IOL_MAX_ranks], 1, 1e9},
        {"stripes", v->stripes, 1, 1e5},
        {"stripe", v->stripe, 1, 1 << 24},
        {"stripe_mib", v->stripe / 1048576, 1, 16},
        {"buffer", v->buffer, 1, 1 << 30},
        {"buffer_mib", v->buffer / 1048576, 1, 1024},
        {"aggregators", v->aggregators, 1, 1e6},
        {"ops", v->ops, 0, 9e18},
        {"calls", ceil(fmax(v->bytes, raw[IOL_SUM_size]) / v->stripe), 1, 9e18},
        {"mean", v->mean, 1, 1e9},
        {"opens", all[IOL_SUM_opens], 0, 9e18},
        {"interpreters", v->s->job->job[IOL_JOB_interpreters], 0, 9e18},
        {"stdio_opens", all[IOL_SUM_stdio_opens], 0, 9e18},
        {"files", all[IOL_SUM_files], 1, 9e18},
        {"stats", all[IOL_SUM_stats], 0, 9e18},
        {"seeks", all[IOL_SUM_seeks], 0, 9e18},
        {"syncs", all[IOL_SUM_syncs], 0, 9e18},
        {"writes", all[IOL_SUM_writes], 0, 9e18},
        {"stride", raw[IOL_MAX_stride], 1, 1e9},
        {"stride_blocks", round(raw[IOL_MAX_stride_count] / fmax(1, raw[IOL_MAX_ranks])) + 1, 1, 1e6},
        {"block", raw[IOL_MAX_common_size], 1, 1e9},
        {"chunk", raw[IOL_MAX_chunk_bytes], 0, 9e18},
        {"ost", (double)ost_of(v, IOL_JOB_ost_slow), 0, 1e5},
        {"ost_files", v->s->job->job[IOL_JOB_ost_slow_files], 0, 9e18},
        {"ost_well", (double)v->s->job->slow_osts.well, 0, 1e5},
        {"indep", raw[IOL_SUM_pnetcdf_indep], 0, 9e18},
    };
    for (size_t i = 0; i < IOL_COUNT(table); i++)
        if (strcmp(table[i].key, key) == 0) return whole(arena, table[i].value, table[i].least, table[i].most, prose);
    return NULL;
}

/* Templates --------------------------------------------------------------------------------------------------- */

/* The key between two @ signs, or 0 if this @ stands for itself. */
static size_t key_length(const char *at) {
    size_t n = 0;
    while (islower((unsigned char)at[n]) || at[n] == '_') n++;
    return at[n] == '@' ? n : 0;
}

/* NULL: a value is not known, so that the text would mean nothing. */
static char *fill(const char *template, const values *v, bool prose, iol__arena *arena) {
    char *text = iol__arena_copy(arena, ""), key[32];
    for (const char *at = template; *at;) {
        const char *sign = strchrnul(at, '@');
        size_t n = *sign ? key_length(sign + 1) : 0;
        if (!n || n >= sizeof key) { /* plain text up to and with this sign */
            size_t length = (size_t)(sign - at) + (*sign != 0);
            text = iol__arena_print(arena, "%s%.*s", text, (int)length, at);
            at += length;
            continue;
        }
        snprintf(key, sizeof key, "%.*s", (int)n, sign + 1);
        const char *value = text_value(v, key, arena);
        if (!value) value = path_value(v, key, arena);
        if (!value) value = number_value(v, key, prose, arena);
        if (!value) return NULL;
        text = iol__arena_print(arena, "%s%.*s%s", text, (int)(sign - at), at, value);
        at = sign + n + 2;
    }
    return text;
}

static bool applies(unsigned when, const values *v) {
    const iol__facts_file *file = v->file;
    if (when & PYTHON && v->s->job->job[IOL_JOB_python] == 0) return false;
    if (when & HDF5 && !(file && file->hdf5)) return false;
    if (when & PNETCDF && !(file && file->pnetcdf)) return false;
    if (when & LUSTRE && !on_lustre(v)) return false;
    return !(when & WRITES) || v->writes;
}

static iol__advice make(const recipe *r, const values *v, iol__arena *arena) {
    iol__advice advice = {.action = r->name,
                          .text = fill(r->text, v, true, arena),
                          .applies_to = r->applies_to,
                          .effort = r->effort,
                          .check = fill(r->check, v, true, arena)};
    for (int i = 0; i < SNIPPETS && !advice.code; i++) {
        if (strcmp(snippets[i].recipe, r->name) != 0 || !applies(snippets[i].when, v)) continue;
        advice.code = fill(snippets[i].code, v, false, arena);
        advice.lang = advice.code ? snippets[i].language : NULL;
    }
    return advice;
}

const iol__advice *iol__advice_make(const iol__rule *rule, const iol__subject *found, const iol__subject *worst,
                                    const iol__facts_file *shown, iol__arena *arena, size_t *count) {
    iol__advice *list = iol__arena_alloc(arena, (size_t)rule->n_advise + 1, sizeof *list);
    values v = values_of(rule, worst ? worst : found, shown);
    v.all = found;
    *count = 0;
    for (int i = 0; i < rule->n_advise; i++) {
        const recipe *r = &recipes[rule->advise[i].recipe];
        if (!iol__holds(rule->advise[i].condition, found)) continue;
        if (strcmp(r->applies_to, "directory") == 0 && known_elsewhere(&v)) continue; /* stripes are Lustre's */
        list[(*count)++] = make(r, &v, arena);
    }
    return list;
}

const char *iol__snippet_at(size_t index, const iol__subject *subject, iol__arena *arena, const char **name,
                            const char **language) {
    if (index >= SNIPPETS) return NULL;
    values v = values_of(NULL, subject, NULL);
    *name = snippets[index].recipe;
    *language = snippets[index].language;
    const char *code = fill(snippets[index].code, &v, false, arena);
    return code ? code : "";
}
