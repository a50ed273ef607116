/* The fuzzer of merging: up to three logs into one, which must be readable without a complaint. The first byte
   chooses what happens to shared files, and whether the logs are the folder of a run of Iolite: two frames of a spool
   and a list of processes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/merge/merge.h"
#include "tests/support/frame.h"
#include "tests/support/runmaker.h"
#include "tests/support/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOGS = 3, FOLDER = 6, OUTPUT = 7, IN_FOLDER = 128 };

/* The next log; false if nothing is left. */
static bool take_log(const uint8_t **data, size_t *size, int number, const char **path) {
    if (*size < 2) return false;
    size_t length = (*data)[0] | (size_t)(*data)[1] << 8, framed;
    *data += 2;
    *size -= 2;
    if (length > *size || number == LOGS - 1) length = *size;
    uint8_t *file = frame_log(FRAME_MAPPED, *data, length, &framed);
    *path = scratch_write(number, file, framed);
    free(file);
    *data += length;
    *size -= length;
    return true;
}

/* The same bytes as files of one folder. */
static const char *make_folder(const uint8_t *data, size_t size) {
    bytes spool = {0};
    for (int i = 0; i < LOGS - 1 && size >= 2; i++) {
        size_t length = data[0] | (size_t)data[1] << 8;
        if (length > size - 2) length = size - 2;
        rm_spool_bytes(&spool, data + 2, length);
        data += 2 + length;
        size -= 2 + length;
    }
    const char *folder = scratch_path(FOLDER);
    mkdir(folder, 0700);
    char path[100];
    const struct {
        const char *name;
        const uint8_t *data;
        size_t length;
    } files[] = {{IOL_RUN_SPOOL, spool.data, spool.length}, {IOL_RUN_PROCESSES, data, size}};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(files[i].data, 1, files[i].length, file) != files[i].length || fclose(file) != 0) abort();
    }
    bytes_free(&spool);
    return folder;
}

static void remove_folder(const char *folder) {
    static const char *const names[] = {IOL_RUN_SPOOL, IOL_RUN_PROCESSES};
    char path[100];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    uint8_t choice = *data++;
    const char *paths[LOGS];
    int count = 0;
    size--;
    if (choice & IN_FOLDER)
        paths[count++] = make_folder(data, size);
    else
        while (count < LOGS && take_log(&data, &size, count, &paths[count])) count++;
    iol__merge merge = {.inputs = paths,
                        .n_inputs = (size_t)count,
                        .reduce = (iol__merge_reduce)(choice % 3),
                        .end_seconds = choice & 64 ? 5 : 0};
    iol_error error;
    const iol_write_options options = {.compression = IOL_UNCOMPRESSED, .replace = true};
    iol__merging *merging = NULL;
    if (count && iol__merge_begin(&merge, &merging, &error) == IOL_OK)
        for (size_t i = 0; i < iol__merge_parts(merging); i++)
            if (iol__merge_part_write(merging, i, scratch_path(OUTPUT), &options, NULL, &error) == IOL_OK)
                scratch_must_be_clean(OUTPUT);
    iol__merge_end(merging);
    if (choice & IN_FOLDER)
        remove_folder(paths[0]);
    else
        for (int i = 0; i < count; i++) unlink(paths[i]);
    return 0;
}
