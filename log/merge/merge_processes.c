/* Who ran: the processes of runs of Iolite, from the facts in their mapped files and from the lists that their runs
   keep. A process is named by its pid and when it was born; exec keeps both, so that several mapped files may be of one
   process, and one that left no records is still known. In the merged log each is a rank. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/merge/living.h"
#include "log/merge/merge_internal.h"
#include "record/hash.h"
#include "record/starter.h"

enum {
    JOB_AT = IOL_HEADER_NEW,
    JOB_TEXT_AT = IOL_HEADER_NEW + 1080,
    JOB_TEXT = IOL_MAPPED_AT - JOB_TEXT_AT,
    LIST_MOST = 12 << 20, /* bytes of the list of processes; a reader of the smallest log takes that */
    COMMAND_LEAST = 128,
};

/* People ---------------------------------------------------------------------------------------------------------- */

static uint64_t process_key(uint64_t run, int32_t pid, uint64_t born) {
    const uint64_t words[3] = {run, (uint64_t)(int64_t)pid, born};
    return iol__hash(words, sizeof words, 0);
}

/* The process, new if need be; NULL without memory. */
static merge_process *process_of(merger *m, const merge_process *who) {
    size_t known = m->people_ids.count;
    size_t number = iol__idmap_add(&m->people_ids, process_key(who->run, who->pid, who->born));
    if (number == IOL_IDMAP_NONE) return NULL;
    if (number < known) return &m->people[number];
    bool good = IOL_GROW(m->people, m->people_room, m->n_people);
    if (!good) return NULL;
    m->people[m->n_people] = *who;
    return &m->people[m->n_people++];
}

/* What the process ran from this time on. Of very many the first ones and the last one are kept. Takes the command
   over. */
static bool add_image(merge_process *p, merge_image image) {
    if (!image.command) return false;
    if (p->n_images == IOL_PROCESS_IMAGES) {
        merge_image *last = &p->images[p->n_images - 1];
        bool later = image.start >= last->start;
        free(later ? last->command : image.command);
        if (later) *last = image;
        return true;
    }
    bool good = IOL_GROW(p->images, p->image_room, p->n_images);
    if (good)
        p->images[p->n_images++] = image;
    else
        free(image.command);
    if (image.start < p->start) p->start = image.start;
    return good;
}

/* Mapped files ---------------------------------------------------------------------------------------------------- */

static merge_seat seat_of(const iol__mapped *facts) {
    const bool sane =
        facts->world_rank >= 0 && facts->world_rank < facts->world_size && facts->world_size <= MERGE_RANKS_MOST;
    return sane && facts->world ? (merge_seat){facts->world, facts->world_rank, facts->world_size} : (merge_seat){0};
}

bool iol__merge_is_mapped(const iol__input *input, uint8_t head[IOL_MAPPED_HEAD]) {
    int fd = strcmp(input->path, "-") == 0 ? -1 : iol__input_open(input);
    if (fd < 0) return false;
    const bool whole = iol__input_head(input, fd, head, IOL_MAPPED_HEAD);
    close(fd);
    if (!whole) return false;
    iol__mapped facts;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    return iol__mapped_is(head, IOL_MAPPED_HEAD) && memcmp(head, "3.41", 5) == 0 &&
           iol__u64(head + 8, false) == 6567223 && head[16] == IOL_UNCOMPRESSED &&
           (iol__i64(head + JOB_AT + 40, false) <= 1 || seat_of(&facts).world);
}

static iol__mapped merge_processes_facts_of(const uint8_t head[IOL_MAPPED_HEAD]) {
    iol__mapped facts;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    if (!isfinite(facts.start)) facts.start = 0;
    if (!isfinite(facts.end)) facts.end = 0;
    for (int i = 0; i < 3; i++) facts.target[i][IOL_MAPPED_TARGET - 1] = 0;
    return facts;
}

static merge_input input_of(const iol__mapped *facts, const uint8_t *head, size_t number) {
    merge_input in = {.number = number,
                      .start = facts->zero_s,
                      .start_ns = facts->zero_ns,
                      .processes = 1,
                      .job_id = iol__i64(head + JOB_AT + 48, false),
                      .instant = iol__merge_instant(facts->zero_s, facts->zero_ns, facts->start),
                      .run_zero = facts->run_zero};
    int64_t end = iol__merge_instant(facts->zero_s, facts->zero_ns, facts->end);
    if (facts->ended == IOL_ENDED_NOT || end <= 0 || end == INT64_MAX) return in;
    in.end = end / 1000000000;
    in.end_ns = end % 1000000000;
    return in;
}

/* True if the process has no later image. */
static bool note_merge_processes_end(merge_process *p, const iol__mapped *facts) {
    if (p->n_inputs > 0 && facts->start < p->last) return false;
    p->last = facts->start;
    p->ended = facts->ended;
    p->end = facts->ended == IOL_ENDED_NOT ? NAN : facts->end;
    return true;
}

static double seconds_between(int64_t from, int64_t to) {
    int64_t nanoseconds;
    return __builtin_sub_overflow(to, from, &nanoseconds) ? 0 : (double)nanoseconds * 1e-9;
}

/* Images of one process may count from different instants: a shell from the start of the run, and the rank that it
   becomes from its own. */
static iol__mapped relative_to(const merge_process *p, const iol__mapped *facts) {
    iol__mapped moved = *facts;
    const double offset = seconds_between(p->zero, iol__merge_instant(facts->zero_s, facts->zero_ns, 0));
    moved.start += offset;
    moved.end += offset;
    return moved;
}

/* A process that was killed between its last two steps has its records in the spool and still in its mapped file; one that
   tried to start another program, in vain, has left them there before. True if another input has this image; of the two
   the frame is used, and of two frames the later one, which is complete. */
static bool known_image(merger *m, const iol__mapped *facts, merge_input *in, bool *memory) {
    uint64_t words[6] = {facts->run, (uint64_t)(int64_t)facts->pid, facts->born,
                         0,          (uint64_t)facts->zero_s,       (uint64_t)facts->zero_ns};
    memcpy(&words[3], &facts->start, sizeof facts->start);
    size_t known = m->image_ids.count, image = iol__idmap_add(&m->image_ids, iol__hash(words, sizeof words, 0));
    *memory = image != IOL_IDMAP_NONE && IOL_GROW(m->image_inputs, m->image_room, known);
    if (!*memory) return false;
    if (image == known) {
        m->image_inputs[image] = m->n_inputs;
        return false;
    }
    merge_input *other = &m->inputs[m->image_inputs[image]];
    iol__input *mine = &m->found.all[in->number], *theirs = &m->found.all[other->number];
    const bool later = mine->path == theirs->path && mine->offset > theirs->offset;
    bool better = mine->length && (!theirs->length || later);
    (better ? theirs : mine)->fate = IOL_INPUT_USED;
    if (better) {
        in->process = other->process;
        *other = *in;
        const iol__mapped moved = relative_to(&m->people[in->process], facts);
        note_merge_processes_end(&m->people[in->process], &moved);
    }
    return true;
}

static void command_of(const uint8_t *head, char command[JOB_TEXT + 1]) {
    memcpy(command, head + JOB_TEXT_AT, JOB_TEXT);
    command[JOB_TEXT] = 0;
    command[strcspn(command, "\n")] = 0;
}

static bool note_image(merge_process *p, const merge_input *in, const iol__mapped *facts, const char *command) {
    const merge_image image = {.start = facts->start, .command = strdup(command), .seated = in->seated};
    if (!add_image(p, image)) return false;
    bool newest = note_merge_processes_end(p, facts);
    p->n_inputs++;
    p->late = p->late || in->late;
    if (!p->seat.world) p->seat = seat_of(facts); /* programs that it ran before and later are the rank's as well */
    for (int i = 0; i < 3; i++) {
        if (!facts->target[i][0] || (p->targets[i] && !newest)) continue;
        char *target = strdup(facts->target[i]);
        if (!target) return false;
        free(p->targets[i]);
        p->targets[i] = target;
    }
    return true;
}

/* Not to be touched, whatever it says of itself. */
static bool merge_processes_is_left_alone(const iol__merge *merge, const iol__input *input, const iol__mapped *facts,
                                          const uint8_t *head) {
    if (merge->skip_foreign && input->mapped && iol__mapped_is_foreign(head)) return true;
    if (!merge->skip_live || !input->mapped || (facts->ended != IOL_ENDED_NOT && !facts->locked)) return false;
    const int fd = iol__input_open(input);
    if (fd < 0) return input->found && errno == ENOENT; /* it lived until just now, and has a log of its own */
    const bool lives = iol__mapped_lives_on(fd, input->path, facts);
    close(fd);
    return lives;
}

iol_status iol__merge_survey_mapped(merger *m, size_t number, const uint8_t head[IOL_MAPPED_HEAD]) {
    iol__mapped facts = merge_processes_facts_of(head);
    iol__input *input = &m->found.all[number];
    input->mapped = input->length == 0;
    input->fate = IOL_INPUT_LEFT;
    if (merge_processes_is_left_alone(m->merge, input, &facts, head)) {
        m->merge->live++;
        return IOL_OK;
    }
    merge_input in = input_of(&facts, head, number);
    bool memory;
    char command[JOB_TEXT + 1];
    command_of(head, command);
    in.seated = seat_of(&facts).world != 0;
    in.late = in.seated && facts.late;
    in.starter = !in.seated && iol__is_starter(command);
    if (!iol__merge_wanted(m, &in)) return IOL_OK;
    if (known_image(m, &facts, &in, &memory)) return IOL_OK;
    const merge_process who = {.run = facts.run,
                               .born = facts.born,
                               .pid = facts.pid,
                               .parent = facts.parent,
                               .zero = iol__merge_instant(facts.zero_s, facts.zero_ns, 0),
                               .start = facts.start,
                               .end = NAN};
    merge_process *p = memory ? process_of(m, &who) : NULL;
    const iol__mapped moved = p ? relative_to(p, &facts) : facts;
    if (!p || !note_image(p, &in, &moved, command)) return iol__merge_out_of_memory(m);
    in.process = (size_t)(p - m->people);
    if (input->group != IOL_NO_GROUP && !m->groups[input->group].known)
        m->groups[input->group] = (merge_group){.known = true, .run = facts.run};
    m->inputs[m->n_inputs++] = in;
    return IOL_OK;
}

/* Lists of processes ----------------------------------------------------------------------------------------------- */

/* The image that this entry of a list is about, unless it left nothing. Both have the time from one variable; a command
   line that agrees will do where they do not. */
static merge_image *image_of(const merge_process *p, const iol__start *start) {
    merge_image *same_command = NULL;
    for (size_t i = 0; i < p->n_images; i++) {
        merge_image *image = &p->images[i];
        if (image->listed) continue;
        if (fabs(image->start - start->time) < 1e-9) return image;
        if (!same_command && strcmp(image->command, start->command) == 0) same_command = image;
    }
    return same_command;
}

/* Takes the command over. */
static bool note_start(merge_process *p, iol__start *start) {
    if (start->how & IOL_STARTED_RANK) {
        p->seated = true;
        p->follows = start->parent > 0;
        return true;
    }
    merge_image *image = image_of(p, start);
    char *command = start->command;
    start->command = NULL;
    const bool copy = start->how & IOL_STARTED_FORKED;
    if (!image)
        return add_image(p, (merge_image){.start = start->time, .command = command, .listed = true, .copy = copy});
    free(image->command); /* the job record had room for less */
    image->command = command;
    image->listed = true;
    return true;
}

/* A run that left nothing but its list. */
static void learn_group(merger *m, const iol__start *start) {
    m->groups[start->group] = (merge_group){.known = true,
                                            .run = start->run,
                                            .alone = true,
                                            .start = start->zero_s,
                                            .start_ns = start->zero_ns,
                                            .end = m->found.group_ends[start->group]};
}

iol_status iol__merge_survey_starts(merger *m) {
    for (uint64_t i = 0; i < m->found.dropped; i++)
        iol__unseen_note(&m->unseen, iol__unseen_how(IOL_UNSEEN_NO_ROOM), "");
    for (size_t i = 0; i < m->found.n_starts; i++) {
        iol__start *start = &m->found.starts[i];
        if (!isfinite(start->time) || start->how & IOL_STARTED_ENDED) continue;
        if (!m->groups[start->group].known) {
            if (m->merge->one_job) continue; /* nobody knows of which job it was */
            learn_group(m, start);
        }
        if (start->how & IOL_STARTED_UNSEEN) {
            iol__unseen_note(&m->unseen, start->how, start->command);
            continue;
        }
        const int64_t zero = iol__merge_instant(start->zero_s, start->zero_ns, 0);
        const merge_process who = {.run = start->run,
                                   .born = start->born,
                                   .pid = start->pid,
                                   .parent = start->parent,
                                   .zero = zero,
                                   .start = start->time,
                                   .end = NAN};
        merge_process *p = process_of(m, &who);
        if (p) start->time += seconds_between(p->zero, zero);
        if (!p || !note_start(p, start)) return iol__merge_out_of_memory(m);
    }
    return IOL_OK;
}

/* Ranks ----------------------------------------------------------------------------------------------------------- */

/* A process, or an input that is no process of a run. */
typedef struct turn {
    int64_t instant;
    size_t input, process; /* one of them is SIZE_MAX */
} turn;

static int by_turn(const void *a, const void *b) {
    const turn *x = a, *y = b;
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

int64_t iol__merge_process_instant(const merge_process *p) {
    double offset = p->start * 1e9;
    if (p->zero == INT64_MIN || p->zero == INT64_MAX || !(fabs(offset) < 4e18)) return p->zero;
    int64_t sum;
    return __builtin_add_overflow(p->zero, (int64_t)offset, &sum) ? p->zero : sum;
}

iol_status iol__merge_number(merger *m, size_t from) {
    size_t n = 0;
    turn *turns = calloc(m->n_people + m->n_inputs + 1, sizeof *turns);
    if (!turns) return iol__merge_out_of_memory(m);
    for (size_t i = 0; i < m->n_people; i++)
        turns[n++] = (turn){iol__merge_process_instant(&m->people[i]), SIZE_MAX, i};
    for (size_t i = from; i < m->n_inputs; i++)
        if (m->inputs[i].process == MERGE_NO_PROCESS) turns[n++] = (turn){m->inputs[i].instant, i, SIZE_MAX};
    qsort(turns, n, sizeof *turns, by_turn);
    for (size_t i = 0; i < n; i++) {
        merge_input *in = turns[i].process == SIZE_MAX ? &m->inputs[turns[i].input] : NULL;
        *(in ? &in->first_rank : &m->people[turns[i].process].rank) = m->processes;
        m->processes += in && !in->single && in->processes > 1 ? in->processes : 1;
    }
    free(turns);
    for (size_t i = from; i < m->n_inputs; i++)
        if (m->inputs[i].process != MERGE_NO_PROCESS) m->inputs[i].first_rank = m->people[m->inputs[i].process].rank;
    return IOL_OK;
}

static int merge_processes_by_start(const void *a, const void *b) {
    const merge_image *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

const merge_process *iol__merge_first(const merger *m) {
    const merge_process *first = NULL;
    for (size_t i = 0; i < m->n_people; i++) {
        const merge_process *p = &m->people[i];
        if (p->n_images && (m->world ? !first || p->rank < first->rank : p->rank == 0)) first = p;
    }
    return first;
}

const char *iol__merge_command(const merger *m) {
    const merge_process *p = iol__merge_first(m);
    if (!p) return NULL;
    const merge_image *first = &p->images[0];
    for (size_t k = 1; k < p->n_images; k++) {
        const merge_image *other = &p->images[k];
        if (other->seated != first->seated ? other->seated : other->start < first->start) first = other;
    }
    return first->command;
}

/* The list in the merged log --------------------------------------------------------------------------------------- */

static bool add_merge_processes_line(merger *m, const iol__process *process) {
    if (!m->lines_file) m->lines_file = open_memstream(&m->lines, &m->lines_length);
    bool good = m->lines_file && IOL_GROW(m->line_list, m->line_room, m->n_lines);
    if (!good || fflush(m->lines_file) != 0) return false;
    size_t at = m->lines_length;
    iol__process_print(m->lines_file, process);
    if (fflush(m->lines_file) != 0) return false;
    m->line_list[m->n_lines++] = (merge_line){process->rank, at, m->lines_length - at};
    return true;
}

typedef struct keeping {
    merger *m;
    const merge_input *in;
    bool failed;
} keeping;

static bool keep_line(void *context, const iol__process *process) {
    keeping *k = context;
    iol__process moved = *process;
    if (process->rank >= k->in->processes) return true;
    moved.rank = k->in->single ? k->in->first_rank : process->rank + k->in->first_rank;
    moved.start += k->in->shift;
    moved.end += k->in->shift;
    k->failed = !add_merge_processes_line(k->m, &moved);
    return !k->failed;
}

iol_status iol__merge_keep_lines(merger *m, const merge_input *in, iol_log *log) {
    keeping k = {m, in, false};
    if (!in->listed) return IOL_OK;
    iol__processes_each(log, keep_line, &k);
    return k.failed ? iol__merge_out_of_memory(m) : IOL_OK;
}

/* Long command lines of very many processes are cut, so that the list stays within its size. */
static void merge_processes_cut(char *command, size_t most) {
    static const char mark[] = "<TRUNCATED>";
    if (strlen(command) > most) memcpy(command + most - (sizeof mark - 1), mark, sizeof mark);
}

static int64_t merge_processes_signal_of(const merger *m, const merge_process *p) {
    if (p->pid == m->merge->signaled) return m->merge->signal;
    return WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;
}

static bool add_process(merger *m, merge_process *p, size_t most) {
    const char *images[IOL_PROCESS_IMAGES];
    double shift = ((double)p->zero - (double)iol__merge_instant(m->whole.start, m->whole.start_ns, 0)) / 1e9;
    if (p->n_images > 0) qsort(p->images, p->n_images, sizeof *p->images, merge_processes_by_start);
    size_t kept = 0;
    for (size_t i = 0; i < p->n_images; i++) {
        if (p->images[i].copy && kept + 1 < p->n_images && i + 1 < p->n_images) continue;
        merge_processes_cut(p->images[i].command, most);
        images[kept++] = p->images[i].command;
    }
    return add_merge_processes_line(
        m, &(iol__process){.rank = p->rank,
                           .pid = p->pid,
                           .parent = p->parent,
                           .start = p->start + shift,
                           .end = p->end + shift,
                           .ended = p->ended,
                           .signal = merge_processes_signal_of(m, p),
                           .status = p->seat.world && WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 0,
                           .images = images,
                           .n_images = kept,
                           .targets = {p->targets[0], p->targets[1], p->targets[2]}});
}

static int by_line_rank(const void *a, const void *b) {
    const merge_line *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static iol_status write_merge_processes_lines(merger *m, iol_writer *writer) {
    size_t length = 0, lines = 0;
    char *text = malloc(m->lines_length + 1);
    if (!text) return iol__merge_out_of_memory(m);
    if (m->n_lines > 0) qsort(m->line_list, m->n_lines, sizeof *m->line_list, by_line_rank);
    for (; lines < m->n_lines && length + m->line_list[lines].length <= LIST_MOST; lines++) {
        memcpy(text + length, m->lines + m->line_list[lines].at, m->line_list[lines].length);
        length += m->line_list[lines].length;
    }
    if (lines < m->n_lines)
        iol__merge_complain(m, "the list of processes is too long; the last %zu are left out of it",
                            m->n_lines - lines);
    iol_status status = iol_writer_trailer(writer, IOL_TAG_PROCESSES, text, length);
    free(text);
    return status;
}

static void print_folded(FILE *to, const merger *m) { iol__folded_print(to, &m->folded); }
static void print_merge_processes_unseen(FILE *to, const merger *m) { iol__unseen_print(to, &m->unseen); }
static void print_merge_processes_operations(FILE *to, const merger *m) { iol__operations_print(to, &m->operations); }
static void print_lustre(FILE *to, const merger *m) { iol__lustre_print(to, &m->lustre); }

static iol_status write_merge_processes_section(merger *m, iol_writer *writer, const char *tag,
                                                void (*print)(FILE *, const merger *)) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file) print(file, m);
    bool good = file && fclose(file) == 0;
    iol_status status = good ? iol_writer_trailer(writer, tag, text, length) : iol__merge_out_of_memory(m);
    free(text);
    return status;
}

/* Of files that somebody has a name for: who removes a tree has removed many that nobody knew. */
static iol_status write_pairs(merger *m, iol_writer *writer, const char *tag, const iol__id_pairs *pairs) {
    size_t length;
    void *bytes = iol__id_pairs_pack(pairs, &m->names, &length);
    iol_status status = bytes ? IOL_OK : iol__merge_out_of_memory(m);
    if (status == IOL_OK && length) status = iol_writer_trailer(writer, tag, bytes, length);
    free(bytes);
    return status;
}

static iol_status write_merge_processes_custom(merger *m, iol_writer *writer) {
    size_t length;
    void *bytes = iol__custom_pack(&m->custom, &length);
    iol_status status = bytes ? iol_writer_trailer(writer, IOL_TAG_CUSTOM, bytes, length) : iol__merge_out_of_memory(m);
    free(bytes);
    return status;
}

iol_status iol__merge_write_processes(merger *m, iol_writer *writer) {
    size_t images = 1;
    for (size_t i = 0; i < m->n_people; i++) images += m->people[i].n_images;
    size_t most = LIST_MOST / 4 / images;
    most = most < COMMAND_LEAST ? COMMAND_LEAST : most > IOL_COMMAND_MOST ? IOL_COMMAND_MOST : most;
    for (size_t i = 0; i < m->n_people && !m->completes; i++)
        if (!add_process(m, &m->people[i], most)) return iol__merge_out_of_memory(m);
    iol_status status = m->n_lines ? write_merge_processes_lines(m, writer) : IOL_OK;
    if (status == IOL_OK && iol__folded_any(&m->folded))
        status = write_merge_processes_section(m, writer, IOL_TAG_FOLDED, print_folded);
    if (iol__unseen_total(&m->unseen)) iol__unseen_sort(&m->unseen);
    if (status == IOL_OK && iol__unseen_total(&m->unseen))
        status = write_merge_processes_section(m, writer, IOL_TAG_UNSEEN, print_merge_processes_unseen);
    if (status == IOL_OK && iol__operations_any(&m->operations))
        status = write_merge_processes_section(m, writer, IOL_TAG_OPERATIONS, print_merge_processes_operations);
    if (status == IOL_OK && m->lustre.count)
        status = write_merge_processes_section(m, writer, IOL_TAG_LUSTRE, print_lustre);
    if (status == IOL_OK) status = write_pairs(m, writer, IOL_TAG_SIZES, &m->sizes);
    if (status == IOL_OK) status = write_pairs(m, writer, IOL_TAG_REMOVED, &m->removed);
    if (status == IOL_OK && (m->custom.count || m->custom.damaged)) status = write_merge_processes_custom(m, writer);
    return status;
}

void iol__merge_free_process(merge_process *p) {
    for (size_t i = 0; i < p->n_images; i++) free(p->images[i].command);
    for (int i = 0; i < 3; i++) free(p->targets[i]);
    free(p->images);
}
