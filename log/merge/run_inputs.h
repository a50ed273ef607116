/* What there is to merge: the files and folders that a caller names, taken apart into single logs. A folder of a run
   has a spool, whose frames are a log each, mapped files of processes that did not end in order, and the list of all
   processes that ever started. */
#ifndef IOL_LOG_RUN_INPUTS_H
#define IOL_LOG_RUN_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define IOL_NO_GROUP SIZE_MAX

typedef enum iol__input_fate {
    IOL_INPUT_NEW,
    IOL_INPUT_USED, /* all it has is in the merged log */
    IOL_INPUT_LEFT, /* it lives, is of another job, or cannot be read */
} iol__input_fate;

typedef struct iol__input {
    const char *path;
    uint64_t offset, length; /* of a frame; length 0: the whole file */
    uint64_t unpacked;       /* what a frame that is packed stands for; 0: it is not */
    size_t group;            /* the folder or spool it came from, or IOL_NO_GROUP */
    iol__input_fate fate;
    bool mapped; /* a whole mapped file of Iolite; found out by the survey */
    bool found;  /* in a folder, where anybody may have put it; nobody gave its name */
} iol__input;

/* A program that began to run in some process. */
typedef struct iol__start {
    size_t group;
    int32_t pid, parent;
    uint64_t born;
    uint64_t run;
    int64_t zero_s, zero_ns; /* the run's zero */
    double time;             /* relative to that */
    unsigned how;            /* IOL_STARTED_* */
    char *command;
} iol__start;

typedef struct iol__inputs {
    iol__input *all;
    size_t count, room;
    iol__start *starts;
    size_t n_starts, start_room;
    char **paths; /* that the above point to */
    size_t n_paths, path_room;
    size_t n_groups;
    uint64_t dropped;  /* processes whose records had no room in their spool */
    const char **logs; /* that MPI jobs of the runs have written themselves */
    size_t n_logs, log_room;
    bool found;          /* what is added is found, too, and not named by a user */
    int64_t *group_ends; /* when the list of processes of a group was last written, seconds since the epoch */
    /* Called for what cannot be read; the caller counts. */
    void (*complain)(void *context, const char *message);
    void *context;
} iol__inputs;

enum { IOL_COMMAND_MOST = 4096 /* bytes of a command line that are kept */ };

/* False without memory. What is no folder and no spool is taken for a log, whatever it is. */
bool iol__inputs_add(iol__inputs *inputs, const char *path);
/* The bytes of a packed frame as they were, input->unpacked of them, to be freed; NULL if they are not what the frame
   says, or without memory. */
uint8_t *iol__input_unpack(const iol__input *input, int fd);
/* The first bytes of a frame, packed or not; `length` is a multiple of IOL_SPOOL_FRAME_LINE. False if there are not as many. */
bool iol__input_head(const iol__input *input, int fd, uint8_t *bytes, size_t length);
/* The first bytes of the first frame of a spool, which is open; false if there is none. */
bool iol__spool_first(int fd, uint8_t *bytes, size_t length);
/* The file of an input, if it is a regular one: a descriptor, or -1 with errno. Never waits. */
int iol__input_open(const iol__input *input);
void iol__inputs_free(iol__inputs *inputs);
/* Whether a file is one of the inputs. */
bool iol__inputs_have(const iol__inputs *inputs, const char *path);

#endif
