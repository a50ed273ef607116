/* The sections PROC and FOLD, to and from what the rest of the project uses. */
#include "log/trailer/processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"
#include "record/mapped.h"

static const char *const target_keys[3] = {"stdin", "stdout", "stderr"};
static const char *const end_names[] = {[IOL_ENDED_NOT] = NULL, [IOL_ENDED_EXIT] = "exit", [IOL_ENDED_EXEC] = "exec"};

/* Printing -------------------------------------------------------------------------------------------------------- */

/* A text from outside; what is no UTF-8 comes once more in hexadecimal. */
static void print_processes_text(FILE *to, const char *key, const char *text) {
    fprintf(to, ",\"%s\":", key);
    iol__plain_print_text(to, text);
    if (iol__plain_utf8(text)) return;
    fprintf(to, ",\"%s_hex\":", key);
    iol__plain_print_hex(to, text);
}

static void print_list(FILE *to, const char *key, const iol__process *p, void (*print)(FILE *, const char *)) {
    fprintf(to, ",\"%s\":", key);
    for (size_t i = 0; i < p->n_images; i++) {
        putc(i ? ',' : '[', to);
        print(to, p->images[i]);
    }
    putc(']', to);
}

static void print_images(FILE *to, const iol__process *p) {
    bool good = true;
    if (p->n_images < 2) return;
    print_list(to, "images", p, iol__plain_print_text);
    for (size_t i = 0; i < p->n_images; i++) good = good && iol__plain_utf8(p->images[i]);
    if (!good) print_list(to, "images_hex", p, iol__plain_print_hex);
}

void iol__process_print(FILE *to, const iol__process *p) {
    fprintf(to, "{\"rank\":%lld,\"pid\":%lld,\"parent\":%lld,\"start\":", (long long)p->rank, (long long)p->pid,
            (long long)p->parent);
    iol__plain_print_seconds(to, p->start);
    fputs(",\"end\":", to);
    iol__plain_print_seconds(to, p->end);
    const char *ended = p->ended <= IOL_ENDED_EXEC ? end_names[p->ended] : NULL;
    fprintf(to, ended ? ",\"ended\":\"%s\"" : ",\"ended\":null", ended);
    if (p->signal > 0) fprintf(to, ",\"signal\":%lld", (long long)p->signal);
    if (p->status > 0) fprintf(to, ",\"status\":%lld", (long long)p->status);
    print_processes_text(to, "command", p->n_images ? p->images[p->n_images - 1] : "");
    print_images(to, p);
    for (int i = 0; i < 3; i++)
        if (p->targets[i] && *p->targets[i]) print_processes_text(to, target_keys[i], p->targets[i]);
    fputs("}\n", to);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

typedef struct process_line {
    iol__process process;
    const char *images[IOL_PROCESS_IMAGES];
    char *command, *command_hex, *target_hex[3];
    bool images_hex;
} process_line;

/* The list of images, perhaps in hexadecimal, which then stands for the one before. */
static bool read_images(iol__plain_json *json, process_line *line, bool hex) {
    size_t count = 0;
    char *text;
    if (!iol__plain_take(json, '[')) return false;
    while (count < IOL_PROCESS_IMAGES && iol__plain_text(json, &text)) {
        if (hex && !iol__plain_unhex(text)) return false;
        if (hex || !line->images_hex) line->images[count] = text;
        count++;
        if (!iol__plain_take(json, ',')) break;
    }
    if (hex && line->process.n_images && count != line->process.n_images) return false;
    line->images_hex = line->images_hex || hex;
    line->process.n_images = count;
    return count > 0 && iol__plain_take(json, ']');
}

static bool read_ended(iol__plain_json *json, unsigned *ended) {
    char *text;
    *ended = IOL_ENDED_NOT;
    if (iol__plain_null(json)) return true;
    if (!iol__plain_text(json, &text)) return false;
    for (unsigned i = IOL_ENDED_EXIT; i <= IOL_ENDED_EXEC; i++)
        if (strcmp(text, end_names[i]) == 0) *ended = i;
    return true;
}

static bool read_processes_value(iol__plain_json *json, process_line *line, const char *key) {
    iol__process *p = &line->process;
    char *text;
    if (strcmp(key, "rank") == 0) return iol__plain_integer(json, &p->rank);
    if (strcmp(key, "pid") == 0) return iol__plain_integer(json, &p->pid);
    if (strcmp(key, "parent") == 0) return iol__plain_integer(json, &p->parent);
    if (strcmp(key, "start") == 0) return iol__plain_number(json, &p->start);
    if (strcmp(key, "end") == 0) return iol__plain_number(json, &p->end);
    if (strcmp(key, "ended") == 0) return read_ended(json, &p->ended);
    if (strcmp(key, "signal") == 0) return iol__plain_integer(json, &p->signal);
    if (strcmp(key, "status") == 0) return iol__plain_integer(json, &p->status);
    if (strcmp(key, "command") == 0) return iol__plain_text(json, &line->command);
    if (strcmp(key, "command_hex") == 0) return iol__plain_text(json, &line->command_hex);
    if (strcmp(key, "images") == 0) return read_images(json, line, false);
    if (strcmp(key, "images_hex") == 0) return read_images(json, line, true);
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(target_keys[i]);
        if (strncmp(key, target_keys[i], length) != 0) continue;
        bool hex = strcmp(key + length, "_hex") == 0;
        if (!hex && key[length]) continue;
        if (!iol__plain_text(json, &text)) return false;
        if (hex)
            line->target_hex[i] = text;
        else
            p->targets[i] = text;
        return true;
    }
    return iol__plain_skip(json);
}

/* The bytes that a text really had. */
static bool prefer_hex(const char **text, char *hex) {
    if (!hex) return true;
    *text = hex;
    return iol__plain_unhex(hex);
}

static bool process_value(iol__plain_json *json, void *line, const char *key) {
    return read_processes_value(json, line, key);
}

static bool read_processes_line(char *from, size_t length, process_line *line) {
    iol__plain_json json = {from, from + length};
    iol__process *p = &line->process;
    *line = (process_line){.process = {.rank = -1, .start = NAN, .end = NAN}};
    p->images = line->images;
    if (!iol__plain_object(&json, line, process_value) || p->rank < 0) return false;
    const char *command = line->command;
    for (int i = 0; i < 3; i++)
        if (!prefer_hex(&p->targets[i], line->target_hex[i])) return false;
    if (!prefer_hex(&command, line->command_hex) || !command) return false;
    if (p->n_images > 0) return true;
    line->images[0] = command;
    p->n_images = 1;
    return true;
}

static bool each_line(iol_log *log, char *text, size_t length, iol__process_visitor visit, void *context) {
    size_t wrong = 0;
    bool go_on = true;
    process_line *line = malloc(sizeof *line);
    if (!line) {
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
        return false;
    }
    for (size_t at = 0, next; go_on && at < length; at = next + 1) {
        const char *newline = memchr(text + at, '\n', length - at);
        next = newline ? (size_t)(newline - text) : length;
        if (next == at) continue;
        if (read_processes_line(text + at, next - at, line))
            go_on = visit(context, &line->process);
        else
            wrong++;
    }
    free(line);
    if (wrong)
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "%zu lines of the process list cannot be understood", wrong);
    return go_on;
}

/* A mapped file describes itself. */
static void visit_facts(iol_log *log, iol__process_visitor visit, void *context) {
    const iol__mapped *facts = log->facts;
    const char *images[1] = {log->job.exe ? log->job.exe : ""};
    visit(context, &(iol__process){.pid = facts->pid,
                                   .parent = facts->parent,
                                   .start = facts->start,
                                   .end = facts->ended != IOL_ENDED_NOT ? facts->end : NAN,
                                   .ended = facts->ended,
                                   .images = images,
                                   .n_images = 1,
                                   .targets = {facts->target[0], facts->target[1], facts->target[2]}});
}

typedef struct visiting {
    iol__process_visitor visit;
    void *context;
} visiting;

static bool visit_section(iol_log *log, char *text, size_t length, void *context) {
    const visiting *v = context;
    return each_line(log, text, length, v->visit, v->context);
}

void iol__processes_each(iol_log *log, iol__process_visitor visit, void *context) {
    if (log->facts)
        visit_facts(log, visit, context);
    else
        iol__section_each(log, IOL_TAG_PROCESSES, visit_section, &(visiting){visit, context});
}

bool iol__processes_any(iol_log *log) {
    size_t count = iol_log_trailer_count(log), length;
    for (size_t i = 0; i < count; i++) {
        char tag[5];
        const void *bytes;
        if (iol_log_trailer(log, i, tag, &bytes, &length) == IOL_OK && strcmp(tag, IOL_TAG_PROCESSES) == 0) return true;
    }
    return log->facts != NULL;
}

/* Folding --------------------------------------------------------------------------------------------------------- */

static bool folded_value(iol__plain_json *json, void *object, const char *key) {
    iol__folded *folded = object;
    int64_t value;
    if (!iol__plain_integer(json, &value) || value < 0) return false;
    int slot = iol_module_find(key);
    if (slot > 0 && slot < IOL_SLOTS_KNOWN)
        folded->files[slot] += (uint64_t)value;
    else if (strcmp(key, "trace_lost") == 0)
        folded->trace_lost += (uint64_t)value;
    else if (strcmp(key, "lost") == 0)
        folded->lost += (uint64_t)value;
    else if (strcmp(key, "ring_unseen") == 0)
        folded->ring_unseen += (uint64_t)value;
    else if (strcmp(key, "calls_unseen") == 0)
        folded->calls_unseen += (uint64_t)value;
    else if (strcmp(key, "spaces_unseen") == 0)
        folded->spaces_unseen += (uint64_t)value;
    else if (strcmp(key, "stopped") == 0)
        folded->stopped += (uint64_t)value;
    else if (strcmp(key, "trailer_lost") == 0)
        folded->trailer_lost += (uint64_t)value;
    return true;
}

static bool add_processes_section(iol_log *log, char *text, size_t length, void *folded) {
    iol__plain_json json = {text, text + length};
    if (!iol__plain_object(&json, folded, folded_value))
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "what was folded cannot be understood");
    return true;
}

void iol__folded_add(iol_log *log, iol__folded *folded) {
    const iol__mapped *facts = log->facts;
    if (!facts) {
        iol__section_each(log, IOL_TAG_FOLDED, add_processes_section, folded);
        return;
    }
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) folded->files[slot] += facts->folded[slot];
    folded->trace_lost += facts->trace_lost;
    folded->lost += facts->lost;
    folded->ring_unseen += facts->ring_unseen;
    folded->calls_unseen += facts->calls_unseen;
    folded->spaces_unseen += facts->spaces_unseen;
    folded->stopped += facts->stopped;
}

bool iol__folded_any(const iol__folded *folded) {
    uint64_t any = folded->trace_lost | folded->lost | folded->ring_unseen | folded->calls_unseen |
                   folded->spaces_unseen | folded->stopped | folded->trailer_lost;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) any |= folded->files[slot];
    return any != 0;
}

static void print_processes_count(FILE *to, const char *key, uint64_t count, bool *first) {
    if (count == 0) return;
    /* More digits than a reader takes are the sum of damaged files. */
    const uint64_t most = UINT64_C(999999999999999999);
    fprintf(to, "%s\"%s\":%llu", *first ? "{" : ",", key, (unsigned long long)(count < most ? count : most));
    *first = false;
}

void iol__folded_print(FILE *to, const iol__folded *folded) {
    bool first = true;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++)
        print_processes_count(to, iol__modules[slot].name, folded->files[slot], &first);
    print_processes_count(to, "trace_lost", folded->trace_lost, &first);
    print_processes_count(to, "lost", folded->lost, &first);
    print_processes_count(to, "ring_unseen", folded->ring_unseen, &first);
    print_processes_count(to, "calls_unseen", folded->calls_unseen, &first);
    print_processes_count(to, "spaces_unseen", folded->spaces_unseen, &first);
    print_processes_count(to, "stopped", folded->stopped, &first);
    print_processes_count(to, "trailer_lost", folded->trailer_lost, &first);
    fputs(first ? "{}\n" : "}\n", to);
}
