/* From what the processes of a run left to its log, or its logs. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strings.h"
#include "cmds/cmd.h"
#include "cmds/run/run_log.h"
#include "cmds/run/unseen.h"
#include "cmds/settings.h"
#include "record/mapped.h"
#include "record/mounts.h"

enum { COMMAND_MOST = 4096, MOUNTS_MOST = 1 << 16 };

/* What is known of the run ----------------------------------------------------------------------------------------- */

typedef struct run_work {
    const iol__config *config;
    const char *mounts[2 * IOL_MOUNTS];
    const run_directory *run;
    const child_end *end;
    char command[COMMAND_MOST];
    char user[256];
    iol__place_facts facts;
} run_work;

static void run_log_complain(void *context, const char *message) {
    (void)context;
    fprintf(stderr, "iolite: %s\n", message);
}

static void join_command(const iol__config *config, char **command, char text[COMMAND_MOST]) {
    const bool arguments = iol__setting_flag(config, IOL_SET_COMMAND_LINE);
    size_t length = 0;
    for (; *command && length + 1 < COMMAND_MOST && (arguments || length == 0); command++) {
        int more = snprintf(text + length, COMMAND_MOST - length, "%s%s", length ? " " : "", *command);
        length += more < 0 ? 0 : (size_t)more;
    }
}

static void find_facts(run_work *w, char **command) {
    char host[256] = "";
    struct timespec time;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &time);
    iol__user_name(environ, geteuid(), w->user, sizeof w->user);
    w->facts = (iol__place_facts){
        .user = w->user,
        .program = iol__base_name(command[0]),
        .job = iol__job_id(w->config, environ, w->end->pid),
        .pid = w->end->pid,
        .start = w->run->zero.tv_sec,
        .utc_offset = local_offset(w->run->zero.tv_sec),
        .random = iol__place_random(host, (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000),
        .environment = environ,
    };
}

/* For a run of which no process knows them: one without /proc. */
static size_t find_mounts(void *context, const char *const **pairs) {
    static char table[MOUNTS_MOST];
    static iol__mount mounts[IOL_MOUNTS];
    run_work *w = context;
    struct statfs root;
    const char *root_type = NULL;
    const long length = read_small_file("/proc/self/mounts", table, sizeof table - 1);
    *pairs = w->mounts;
    if (length <= 0) return 0;
    table[length] = '\0';
    if (iol__mounts_lack_root(table) && statfs("/", &root) == 0)
        root_type = iol__mount_type_of_number((uint64_t)root.f_type);
    const int count = iol__mounts_take(table, root_type, mounts);
    for (int i = 0; i < count; i++) {
        w->mounts[2 * i] = mounts[i].path;
        w->mounts[2 * i + 1] = mounts[i].type;
    }
    return (size_t)count;
}

/* What MPI jobs of the run have written themselves. */
static void find_written(const run_directory *run, written_logs *logs) {
    char *line = NULL;
    size_t room = 0;
    struct stat st;
    FILE *file = open_in_run(run, IOL_RUN_LOGS);
    for (ssize_t length; file && (length = getline(&line, &room, file)) > 0;) {
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        if (*line == '/' && lstat(line, &st) == 0 && S_ISREG(st.st_mode)) keep_written(logs, line);
    }
    if (file) fclose(file);
    free(line);
}

/* Never over what is there. File systems that do not know how to rename so can link. */
static bool rename_new(const char *from, const char *to) {
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE; not every C library has the function */
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE) == 0) return true;
    if ((errno != EINVAL && errno != ENOSYS) || link(from, to) != 0) return false;
    unlink(from);
    return true;
}

/* An MPI job has written its log beside the one that was asked for, because nobody but us writes that. One that is
   elsewhere has reported why. */
static void give_run_log_name(const iol__config *config, written_logs *logs, size_t number) {
    const iol__setting_value *wanted = &config->values[IOL_SET_LOG_FILE];
    const char *path = logs->paths[number], *slash = strrchr(wanted->text, '/');
    const size_t directory = slash ? (size_t)(slash - wanted->text) : 0;
    char *name = slash ? numbered_log(wanted->text, number) : NULL;
    if (name && strncmp(path, wanted->text, directory + 1) == 0 && !strchr(path + directory + 1, '/')) {
        if (rename_new(path, name)) {
            free(logs->paths[number]);
            logs->paths[number] = name;
            return;
        }
        fprintf(stderr, "iolite: the log could not be written to the place given by %s: %s: %s; it is in %s\n",
                place_asked_for(wanted->variable), name, strerror(errno), path);
    }
    free(name);
}

/* The buffers of a merge are large, and those of a short run hardly used: from the heap, which is there, they cost less
   than as mappings of their own. We end soon. */
static void keep_memory_together(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}

void write_run_log(const iol__config *config, run_directory *run, char **command, iol__unseen_why unseen,
                   const child_end *end, run_output *output, written_logs *logs) {
    run_work w = {.config = config, .run = run, .end = end};
    keep_memory_together();
    const bool whole = repair_run_directory(run);
    close_spool(run);
    stray_list strays = {0};
    gather_strays(config, run, &strays);
    join_command(config, command, w.command);
    find_facts(&w, command);
    list_unseen(run, (int32_t)end->pid, w.command);
    note_first_program(run, unseen, command[0], end->pid);
    if (!whole) note_lost(run);
    if (end->someone_left) note_survivors(run);
    find_written(run, logs);
    make_way_for_log(output);
    for (size_t i = 0; i < logs->count; i++) give_run_log_name(config, logs, i);
    const iol_job job = {.uid = getuid(),
                         .start_seconds = run->zero.tv_sec,
                         .start_nanoseconds = run->zero.tv_nsec,
                         .job_id = w.facts.job,
                         .processes = 1,
                         .exe = w.command};
    const char **inputs = malloc((strays.count + 1) * sizeof *inputs), *alone[] = {run->path};
    if (inputs) inputs[0] = run->path;
    for (size_t i = 0; inputs && i < strays.count; i++) inputs[i + 1] = strays.paths[i];
    iol__merge merge = {.inputs = inputs ? inputs : alone,
                        .n_inputs = inputs ? strays.count + 1 : 1,
                        .end_seconds = end->ended.tv_sec,
                        .end_nanoseconds = end->ended.tv_nsec,
                        .signaled = WIFSIGNALED(end->status) ? end->pid : 0,
                        .signal = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0,
                        .skip_live = true,
                        .round_times = !iol__setting_flag(config, IOL_SET_EXACT_TIMES),
                        .unhurried = true,
                        .remove_used = true,
                        .command = w.command,
                        .written = (const char *const *)logs->paths,
                        .n_written = logs->count,
                        .job = &job,
                        .metadata = "lib_ver=3.5.0\niolite=" IOLITE_VERSION "\n",
                        .mounts = find_mounts,
                        .complain = run_log_complain,
                        .context = &w};
    if (write_merged(config, &merge, &w.facts, logs))
        remove_run_directory(run);
    else
        fprintf(stderr,
                "iolite: no log was written; what was recorded is in %s\n"
                "iolite: 'iolite merge -o LOG %s' makes a log of it\n",
                run->path, run->path);
    free(inputs);
    free_strays(&strays);
}
