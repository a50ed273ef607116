/* A node that is watched for long: jobs are followed from look to look, so that what a process did still counts for its job
   when it has ended, and findings are made when somebody asks for them. */
#ifndef IOL_LIVE_NODE_H
#define IOL_LIVE_NODE_H

#include "live/state.h"
#include "live/watch.h"

/* What a job has done since the node is watched, and before by the processes that were met. */
typedef struct iol__live_account {
    int64_t job;
    uid_t uid;
    iol__live_figures total;
} iol__live_account;

typedef struct iol__live_name {
    uid_t uid;
    char *name; /* NULL: the system knows none */
} iol__live_name;

/* A job whose findings somebody wants. */
typedef struct iol__live_wish {
    int64_t job;
    uid_t uid;
} iol__live_wish;
enum { IOL_LIVE_WISHES = 16 };

typedef struct iol__live_node {
    iol__live_watch watch;
    iol__live_process **ordered; /* the processes of the last look, those of a job together */
    size_t ordered_room;
    iol__live_account *accounts; /* in the same order */
    size_t n_accounts;
    iol__live_figures sum; /* of all that was seen to happen */
    size_t jobs;
    iol__live_name *names;
    size_t n_names, names_room;
    size_t hidden;
    double hidden_at;               /* when they were counted, by the monotonic clock; 0: never */
    struct iol__rulebook *rulebook; /* loaded when it is first needed */
} iol__live_node;

/* Looks, and brings the accounts of jobs up to date. */
void iol__live_node_look(iol__live_node *node);
/* What to say of the last look. Findings are made for the jobs of `wishes`. All of it is the arena's, whose owner waits for
   lack of memory, and names are the watch's: it is good until the next look. */
iol__live_state iol__live_node_state(iol__live_node *node, iol__arena *arena, const iol__live_wish *wishes,
                                     size_t n_wishes);
void iol__live_node_close(iol__live_node *node);

/* How many processes of users have another directory than this process in this place; files that they map there cannot be
   seen from here. */
size_t iol__live_count_hidden(const char *place);

/* Findings of a job of the node, from the records of its processes so far. */
void iol__live_judge(iol__live_node *node, iol__arena *arena, iol__live_job *job);

/* The node for Prometheus: sums, and `series` of its busiest jobs. */
void iol__live_metrics(iol__out *out, const iol__live_node *node, const iol__live_state *state, size_t series);

#endif
