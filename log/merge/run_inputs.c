/* Folders, spools and lists of processes are read here; they may be damaged, or still be written to. Only places and
   lengths of frames are looked at, not what is in them. */
#include "log/merge/run_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/read/endings.h"
#include "log/read/found.h"
#include "record/spool_frame.h"
#include "record/mapped.h"
#include "record/unseen.h"

static void run_inputs_complain(iol__inputs *inputs, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void run_inputs_complain(iol__inputs *inputs, const char *format, ...) {
    char message[600];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    inputs->complain(inputs->context, message);
}

/* Lists ----------------------------------------------------------------------------------------------------------- */

/* Takes the path over, also when it fails. */
static const char *keep_run_inputs_path(iol__inputs *inputs, char *path) {
    bool good = path && IOL_GROW(inputs->paths, inputs->path_room, inputs->n_paths);
    if (!good) {
        free(path);
        return NULL;
    }
    return inputs->paths[inputs->n_paths++] = path;
}

static bool add_input(iol__inputs *inputs, iol__input input) {
    bool good = IOL_GROW(inputs->all, inputs->room, inputs->count);
    if (good) inputs->all[inputs->count++] = input;
    return good;
}

static bool new_group(iol__inputs *inputs, size_t *group) {
    int64_t *grown = realloc(inputs->group_ends, (inputs->n_groups + 1) * sizeof *grown);
    if (!grown) return false;
    inputs->group_ends = grown;
    grown[inputs->n_groups] = 0;
    *group = inputs->n_groups++;
    return true;
}

void iol__inputs_free(iol__inputs *inputs) {
    for (size_t i = 0; i < inputs->n_starts; i++) free(inputs->starts[i].command);
    for (size_t i = 0; i < inputs->n_paths; i++) free(inputs->paths[i]);
    free(inputs->all);
    free(inputs->starts);
    free(inputs->paths);
    free(inputs->group_ends);
    free(inputs->logs);
}

bool iol__inputs_have(const iol__inputs *inputs, const char *path) {
    struct stat mine, other;
    const char *before = NULL;
    if (stat(path, &mine) != 0) return false;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *now = inputs->all[i].path;
        if (now == before) continue; /* the next frame of a spool */
        before = now;
        if (stat(now, &other) == 0 && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino) return true;
    }
    return false;
}

int iol__input_open(const iol__input *input) {
    struct stat st;
    if (input->found) return iol__found_open(AT_FDCWD, input->path, &st);
    const int fd = open(input->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))) return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

/* Spools ---------------------------------------------------------------------------------------------------------- */

/* False if there is none, or one that the rest of the spool has no room for. */
static bool read_frame_head(int fd, uint64_t at, uint64_t end, iol__spool_frame_head *head) {
    if (end < at || end - at < sizeof *head || pread(fd, head, sizeof *head, (off_t)at) != sizeof *head) return false;
    if (head->length % 8 != 0 || head->length > end - at - sizeof *head) return false;
    if (head->unpacked == 0) return head->length >= IOL_MAPPED_HEAD;
    return head->unpacked >= IOL_MAPPED_HEAD && head->unpacked <= IOL_SPOOL_FRAME_MOST &&
           head->length <= IOL_SPOOL_FRAME_ROOM;
}

static bool add_frames(iol__inputs *inputs, const iol__input *spool, int fd, uint64_t end) {
    const char *path = spool->path;
    uint64_t at = sizeof(iol__spool_head);
    while (at < end) {
        iol__spool_frame_head head;
        if (!read_frame_head(fd, at, end, &head)) {
            run_inputs_complain(inputs, "%s: no frame of a spool at %llu; the rest is left out", path,
                                (unsigned long long)at);
            return true;
        }
        at += sizeof head;
        iol__input frame = *spool;
        frame.offset = at;
        frame.length = head.length;
        frame.unpacked = head.unpacked;
        if (!add_input(inputs, frame)) return false;
        at += head.length;
    }
    return true;
}

static bool unpack_first(const iol__input *input, int fd, uint8_t *bytes, size_t length) {
    const iol__spool_frame_head head = {.length = input->length, .unpacked = input->unpacked};
    if (head.length > IOL_SPOOL_FRAME_ROOM) return false;
    uint8_t *packed = malloc(head.length);
    const bool good = packed && pread(fd, packed, head.length, (off_t)input->offset) == (ssize_t)head.length &&
                      iol__spool_frame_unpack_first(&head, packed, bytes, length);
    free(packed);
    return good;
}

uint8_t *iol__input_unpack(const iol__input *input, int fd) {
    uint8_t *bytes = input->unpacked <= IOL_SPOOL_FRAME_MOST ? malloc(input->unpacked) : NULL;
    if (bytes && unpack_first(input, fd, bytes, input->unpacked)) return bytes;
    free(bytes);
    return NULL;
}

bool iol__input_head(const iol__input *input, int fd, uint8_t *bytes, size_t length) {
    if (input->unpacked == 0) return pread(fd, bytes, length, (off_t)input->offset) == (ssize_t)length;
    return unpack_first(input, fd, bytes, length);
}

bool iol__spool_first(int fd, uint8_t *bytes, size_t length) {
    iol__spool_head spool;
    iol__spool_frame_head head;
    const uint64_t at = sizeof spool;
    if (pread(fd, &spool, sizeof spool, 0) != sizeof spool || memcmp(spool.magic, IOL_SPOOL_MAGIC, 8) != 0)
        return false;
    if (!read_frame_head(fd, at, spool.committed, &head)) return false;
    const iol__input frame = {.offset = at + sizeof head, .length = head.length, .unpacked = head.unpacked};
    return iol__input_head(&frame, fd, bytes, length);
}

enum { DROPPED_MOST = 1000000 }; /* that a damaged spool may tell of */

/* True if the file is a spool; *memory is false when that ran out. */
static bool add_spool(iol__inputs *inputs, iol__input input, int fd, bool *memory) {
    iol__spool_head head;
    struct stat st;
    bool spool = fd >= 0 && fstat(fd, &st) == 0 && pread(fd, &head, sizeof head, 0) == sizeof head &&
                 memcmp(head.magic, IOL_SPOOL_MAGIC, 8) == 0;
    if (spool) {
        uint64_t end = head.committed;
        inputs->dropped += head.dropped < DROPPED_MOST ? head.dropped : DROPPED_MOST;
        if (end > (uint64_t)st.st_size) {
            run_inputs_complain(inputs, "%s: should have %llu bytes, but has %lld", input.path, (unsigned long long)end,
                                (long long)st.st_size);
            end = (uint64_t)st.st_size;
        }
        *memory =
            (input.group != IOL_NO_GROUP || new_group(inputs, &input.group)) && add_frames(inputs, &input, fd, end);
    }
    return spool;
}

/* The list of processes -------------------------------------------------------------------------------------------- */

static bool add_start(iol__inputs *inputs, const iol__process_entry *entry, const char *command, size_t group) {
    size_t length = entry->command_bytes < IOL_COMMAND_MOST ? entry->command_bytes : IOL_COMMAND_MOST;
    bool good = IOL_GROW(inputs->starts, inputs->start_room, inputs->n_starts);
    char *copy = good ? strndup(command, length) : NULL;
    if (!copy) return false;
    inputs->starts[inputs->n_starts++] = (iol__start){.group = group,
                                                      .pid = entry->pid,
                                                      .parent = entry->parent,
                                                      .born = entry->born,
                                                      .run = entry->run,
                                                      .zero_s = entry->zero_s,
                                                      .zero_ns = entry->zero_ns,
                                                      .how = (unsigned)entry->how,
                                                      .time = entry->start,
                                                      .command = copy};
    return true;
}

/* Most lists have one entry. */
typedef struct run_inputs_reader {
    int fd;
    size_t at, end;
    char bytes[4096];
} run_inputs_reader;

/* As many bytes as there are. */
static size_t run_inputs_take(run_inputs_reader *r, void *to, size_t length) {
    size_t taken = 0;
    while (taken < length) {
        if (r->at == r->end) {
            const ssize_t got = read(r->fd, r->bytes, sizeof r->bytes);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            r->at = 0;
            r->end = (size_t)got;
        }
        const size_t here = r->end - r->at, part = here < length - taken ? here : length - taken;
        memcpy((char *)to + taken, r->bytes + r->at, part);
        r->at += part;
        taken += part;
    }
    return taken;
}

static bool run_inputs_skip(run_inputs_reader *r, size_t length) {
    const size_t here = r->end - r->at, part = here < length ? here : length;
    r->at += part;
    return part == length || lseek(r->fd, (off_t)(length - part), SEEK_CUR) >= 0;
}

static bool add_starts(iol__inputs *inputs, const char *path, int fd, size_t group, bool *damaged) {
    run_inputs_reader list;
    iol__process_entry entry;
    char command[IOL_COMMAND_MOST + 8];
    size_t got;
    list.fd = fd;
    list.at = list.end = 0;
    while ((got = run_inputs_take(&list, &entry, sizeof entry)) == sizeof entry) {
        size_t room = entry.bytes >= sizeof entry ? entry.bytes - sizeof entry : 0;
        size_t kept = room < sizeof command ? room : sizeof command;
        bool sane = entry.bytes >= sizeof entry && entry.bytes % 8 == 0 && entry.command_bytes <= room;
        if (!sane || run_inputs_take(&list, command, kept) != kept || !run_inputs_skip(&list, room - kept)) break;
        if (!add_start(inputs, &entry, command, group)) return false;
    }
    /* A process that is killed while it writes leaves a part of its entry; nothing is missing but that. */
    *damaged = got == sizeof entry;
    if (*damaged) run_inputs_complain(inputs, "%s: the list of processes is damaged; the rest is left out", path);
    return true;
}

/* In place of what should be on the list. */
static bool add_unlisted(iol__inputs *inputs, const struct stat *st, size_t group) {
    const iol__process_entry entry = {.zero_s = st->st_mtime, .how = iol__unseen_how(IOL_UNSEEN_UNLISTED)};
    return add_start(inputs, &entry, "", group);
}

static bool add_processes(iol__inputs *inputs, const char *path, size_t group) {
    struct stat st;
    const int fd = iol__found_open(AT_FDCWD, path, &st);
    if (fd < 0) {
        run_inputs_complain(inputs, "%s: cannot read: %s", path, strerror(errno));
        return true;
    }
    inputs->group_ends[group] = st.st_mtime;
    bool damaged = false, good = add_starts(inputs, path, fd, group, &damaged);
    close(fd);
    const bool cut = damaged || (st.st_mode & 0777) == IOL_LIST_CUT;
    return good && (!cut || add_unlisted(inputs, &st, group));
}

/* Logs that are there already -------------------------------------------------------------------------------------- */

static bool add_run_inputs_log(iol__inputs *inputs, const char *line, size_t length) {
    const char *path = keep_run_inputs_path(inputs, strndup(line, length));
    bool good = path && IOL_GROW(inputs->logs, inputs->log_room, inputs->n_logs);
    if (good) inputs->logs[inputs->n_logs++] = path;
    return good;
}

/* A line that is not ended was cut short; the log is there, but nobody knows where. */
static bool add_logs(iol__inputs *inputs, const char *path) {
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    struct stat st;
    const int fd = iol__found_open(AT_FDCWD, path, &st);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && !file) close(fd);
    for (ssize_t length; file && good && (length = getline(&line, &room, file)) > 0;)
        if (line[0] == '/' && line[length - 1] == '\n') good = add_run_inputs_log(inputs, line, (size_t)length - 1);
    if (file) fclose(file);
    free(line);
    return good;
}

/* Folders --------------------------------------------------------------------------------------------------------- */

/* A file that was made and never begun: its process was killed first, or is about to write to it. */
static bool never_begun(int fd) {
    uint8_t bytes[16] = {0};
    static const uint8_t none[8]; /* the magic number is written last */
    return pread(fd, bytes, sizeof bytes, 0) >= 0 && memcmp(bytes + 8, none, sizeof none) == 0;
}

/* Its own name, or that under which it was put aside. */
static bool is_spool(const char *name) {
    size_t length = strlen(IOL_RUN_SPOOL);
    return strncmp(name, IOL_RUN_SPOOL, length) == 0 && (!name[length] || name[length] == '.') &&
           !iol__name_between(name, "", ".darshan");
}

static bool add_run_inputs_file(iol__inputs *inputs, const char *path, const char *name, size_t group) {
    const bool spool = is_spool(name), mapped = iol__name_between(name, "", IOL_MAPPED_SUFFIX);
    const iol__input input = {.path = path, .group = spool || mapped ? group : IOL_NO_GROUP, .found = true};
    bool memory = true;
    if (strcmp(name, IOL_RUN_PROCESSES) == 0) return add_processes(inputs, path, group);
    if (strcmp(name, IOL_RUN_LOGS) == 0) return add_logs(inputs, path);
    const int fd = iol__input_open(&input);
    if (fd < 0) {
        if (errno != ENOENT) /* else it has gone since */
            run_inputs_complain(inputs, "%s: %s; left out", path,
                                errno == EINVAL ? "not a regular file" : strerror(errno));
        return true;
    }
    if (!never_begun(fd) || !(spool || mapped || iol__ends_as_partial_log(name))) {
        if (!spool)
            memory = add_input(inputs, input);
        else if (!add_spool(inputs, input, fd, &memory))
            run_inputs_complain(inputs, "%s: not a spool", path);
    }
    close(fd);
    return memory;
}

static int is_input(const struct dirent *entry) {
    const char *name = entry->d_name;
    return is_spool(name) || strcmp(name, IOL_RUN_PROCESSES) == 0 || strcmp(name, IOL_RUN_LOGS) == 0 ||
           iol__name_between(name, "", IOL_MAPPED_SUFFIX) || iol__ends_as_log(name) || iol__ends_as_partial_log(name);
}

/* The spool comes first: it says for certain of which run the folder is. */
static int run_inputs_by_name(const struct dirent **a, const struct dirent **b) {
    bool first = is_spool((*a)->d_name), other = is_spool((*b)->d_name);
    return first != other ? other - first : strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(iol__inputs *inputs, const char *path) {
    struct dirent **names;
    size_t group;
    if (!new_group(inputs, &group)) return false;
    int count = scandir(path, &names, is_input, run_inputs_by_name);
    if (count < 0) {
        if (errno == ENOMEM) return false;
        run_inputs_complain(inputs, "%s: cannot read: %s", path, strerror(errno));
        return true;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        char *full;
        if (good && asprintf(&full, "%s/%s", path, names[i]->d_name) < 0) full = NULL;
        const char *kept = good ? keep_run_inputs_path(inputs, full) : NULL;
        good = kept && add_run_inputs_file(inputs, kept, names[i]->d_name, group);
        free(names[i]);
    }
    free(names);
    return good;
}

bool iol__inputs_add(iol__inputs *inputs, const char *path) {
    struct stat st;
    bool memory = true, known = (inputs->found ? lstat : stat)(path, &st) == 0;
    if (known && S_ISDIR(st.st_mode)) return add_folder(inputs, path);
    const char *kept = keep_run_inputs_path(inputs, strdup(path));
    if (!kept) return false;
    const iol__input input = {.path = kept, .group = IOL_NO_GROUP, .found = inputs->found};
    const int fd = known && S_ISREG(st.st_mode) ? iol__input_open(&input) : -1;
    const bool spool = add_spool(inputs, input, fd, &memory);
    if (fd >= 0) close(fd);
    return spool ? memory : add_input(inputs, input);
}
