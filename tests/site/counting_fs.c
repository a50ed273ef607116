/* A file system like one storage server: it moves a fixed number of bytes per second, for all who ask together, and counts
   them by job (SLURM_JOB_ID of the process). Files have a size and no content. "/stats" has the counters in Prometheus'
   text form.
     counting_fs BYTES_PER_SECOND MOUNT -f -o direct_io,fsname=testfs */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FILES = 64, MOST_JOBS = 64, LONGEST = 64 };

static struct file {
    char name[LONGEST];
    off_t size;
} files[MOST_FILES];
static struct job {
    char id[LONGEST];
    unsigned long long bytes[2]; /* read, written */
} jobs[MOST_JOBS];
static double rate;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, server = PTHREAD_MUTEX_INITIALIZER;

static struct file *find(const char *path, int make) {
    for (int i = 0; i < MOST_FILES; i++) {
        if (strcmp(files[i].name, path) == 0) return &files[i];
        if (files[i].name[0]) continue;
        if (make) snprintf(files[i].name, LONGEST, "%s", path);
        return make ? &files[i] : NULL;
    }
    return NULL;
}

/* The job of a process, from its environment; "none" outside of jobs. */
static void job_of(pid_t pid, char id[LONGEST]) {
    char path[64], environment[65536], *end = environment;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    snprintf(id, LONGEST, "none");
    FILE *from = fopen(path, "re");
    if (!from) return;
    end += fread(environment, 1, sizeof environment - 1, from);
    *end = 0;
    fclose(from);
    for (char *at = environment; at < end; at += strlen(at) + 1)
        if (strncmp(at, "SLURM_JOB_ID=", 13) == 0) snprintf(id, LONGEST, "%.60s", at + 13);
}

static void move(size_t size, int direction) {
    char id[LONGEST];
    job_of(fuse_get_context()->pid, id);
    struct timespec wait = {(time_t)((double)size / rate), 0};
    wait.tv_nsec = (long)(((double)size / rate - (double)wait.tv_sec) * 1e9);
    pthread_mutex_lock(&server);
    nanosleep(&wait, NULL);
    pthread_mutex_unlock(&server);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_JOBS; i++) {
        if (!jobs[i].id[0]) snprintf(jobs[i].id, LONGEST, "%s", id);
        if (strcmp(jobs[i].id, id) != 0) continue;
        jobs[i].bytes[direction] += size;
        break;
    }
    pthread_mutex_unlock(&lock);
}

static size_t print_stats(char *to, size_t room) {
    static const char *const directions[] = {"read", "write"};
    unsigned long long all[2] = {0, 0};
    size_t used = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_JOBS && jobs[i].id[0]; i++)
        for (int direction = 0; direction < 2; direction++) {
            all[direction] += jobs[i].bytes[direction];
            used += (size_t)snprintf(
                to + used, room - used,
                "lustre_job_%s_bytes_total{component=\"ost\",target=\"testfs-OST0000\",jobid=\"%s\"} %llu\n",
                directions[direction], jobs[i].id, jobs[i].bytes[direction]);
        }
    pthread_mutex_unlock(&lock);
    for (int direction = 0; direction < 2; direction++)
        used +=
            (size_t)snprintf(to + used, room - used,
                             "lustre_%s_bytes_total{component=\"ost\",fs=\"testfs\",target=\"testfs-OST0000\"} %llu\n",
                             directions[direction], all[direction]);
    return used;
}

static int get_attributes(const char *path, struct stat *to, struct fuse_file_info *info) {
    (void)info;
    memset(to, 0, sizeof *to);
    to->st_mode = strcmp(path, "/") == 0 ? S_IFDIR | 0777 : S_IFREG | 0666;
    to->st_nlink = 1;
    if (strcmp(path, "/") == 0 || strcmp(path, "/stats") == 0) return 0;
    const struct file *file = find(path, 0);
    if (!file) return -ENOENT;
    to->st_size = file->size;
    return 0;
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *info) {
    (void)mode;
    info->direct_io = 1;
    return strlen(path) < LONGEST && find(path, 1) ? 0 : -ENOSPC;
}

static int open_file(const char *path, struct fuse_file_info *info) {
    info->direct_io = 1;
    return strcmp(path, "/stats") == 0 || find(path, 0) ? 0 : -ENOENT;
}

static int cut_file(const char *path, off_t size, struct fuse_file_info *info) {
    (void)info;
    struct file *file = find(path, 0);
    if (!file) return -ENOENT;
    file->size = size;
    return 0;
}

static int read_file(const char *path, char *to, size_t size, off_t offset, struct fuse_file_info *info) {
    (void)info;
    if (strcmp(path, "/stats") == 0) {
        static char text[65536];
        size_t length = print_stats(text, sizeof text);
        if ((size_t)offset >= length) return 0;
        if (size > length - (size_t)offset) size = length - (size_t)offset;
        memcpy(to, text + offset, size);
        return (int)size;
    }
    const struct file *file = find(path, 0);
    if (!file || offset >= file->size) return file ? 0 : -ENOENT;
    if ((off_t)size > file->size - offset) size = (size_t)(file->size - offset);
    memset(to, 0, size);
    move(size, 0);
    return (int)size;
}

static int write_file(const char *path, const char *from, size_t size, off_t offset, struct fuse_file_info *info) {
    (void)from, (void)info;
    struct file *file = find(path, 0);
    if (!file) return -ENOENT;
    move(size, 1);
    if (offset + (off_t)size > file->size) file->size = offset + (off_t)size;
    return (int)size;
}

int main(int argc, char **argv) {
    static const struct fuse_operations operations = {.getattr = get_attributes,
                                                      .create = create_file,
                                                      .open = open_file,
                                                      .truncate = cut_file,
                                                      .read = read_file,
                                                      .write = write_file};
    rate = argc > 2 ? strtod(argv[1], NULL) : 0;
    if (!(rate > 0)) return 2;
    argv[1] = argv[0];
    return fuse_main(argc - 1, argv + 1, &operations, NULL);
}
