/* For whom the ranks wait in MPI, and whether that one was in I/O meanwhile. MPI-IO's own time has waiting in it, so
   that what a rank did is counted where it reached the file system: POSIX and stdio. */
#include <math.h>

#include "base/count.h"
#include "insight/facts/carriers.h"
#include "insight/findings/case.h"
#include "log/figures/messages.h"

/* Seconds of this rank in a layer, and of the others on average. */
typedef struct seconds_of {
    double own, others;
    double carriers; /* of those that move data, on average */
} seconds_of;

static void add_own_files(seconds_of *to, const iol__facts_layer_ranks *ranks, int64_t rank, double others) {
    for (size_t r = 0; r < ranks->count; r++) {
        const iol__facts_rank *of = &ranks->ranks[r];
        const double time = of->time[IOL_READ] + of->time[IOL_WRITE] + of->meta_time;
        if ((int64_t)r == rank)
            to->own += time;
        else
            to->others += time / others;
    }
}

/* A record of all ranks tells the time of its slowest; the rest is everybody else's alike. */
static void add_shared_file(seconds_of *to, const iol__facts *facts, const iol__facts_use *use, int64_t rank,
                            double others) {
    if (!use || !use->whole) return;
    const iol__facts_whole *whole = use->whole;
    const double all = whole->time[IOL_READ] + whole->time[IOL_WRITE] + whole->meta_time;
    const double slowest = fmin(fmax(0, whole->slowest_time), all), rest = (all - slowest) / others;
    const bool late = whole->slowest_rank == rank;
    to->own += late ? slowest : rest;
    to->others += late ? rest : (slowest + rest * (others - 1)) / others;
    const iol__carriers c = iol__carriers_of(facts, use);
    to->carriers += c.count >= 2 ? c.mean_s : rest;
}

static seconds_of time_in_io(const iol__facts *facts, int64_t rank) {
    static const iol__facts_layer layers[] = {IOL_LAYER_POSIX, IOL_LAYER_STDIO};
    const double others = fmax(1, (double)facts->processes - 1);
    seconds_of of = {0};
    for (size_t l = 0; l < IOL_COUNT(layers); l++) {
        add_own_files(&of, &facts->ranks[layers[l]], rank, others);
        for (size_t i = 0; i < facts->n_files; i++)
            add_shared_file(&of, facts, facts->file[i].layer[layers[l]], rank, others);
    }
    /* One that carries everything is compared with those that carry nothing. */
    const iol__unique_carriers own = iol__carriers_of_unique_files(facts);
    if (own.ranks >= 2) of.carriers += own.mean_s;
    return of;
}

void iol__case_waiting(iol__case *job) {
    double *v = job->job;
    iol__messages messages;
    iol__messages_read(job->facts.log, &messages);
    const iol__late_rank late = iol__messages_late(&messages);
    iol__messages_free(&messages);
    v[IOL_JOB_mpi_wait_s] = v[IOL_JOB_mpi_usual_s] = v[IOL_JOB_mpi_late_s] = NAN;
    v[IOL_JOB_late_rank] = v[IOL_JOB_late_io_s] = v[IOL_JOB_others_io_s] = NAN;
    v[IOL_JOB_carriers_io_s] = NAN;
    if (late.rank < 0) return;
    const seconds_of io = time_in_io(&job->facts, late.rank);
    v[IOL_JOB_mpi_wait_s] = late.wait_s;
    v[IOL_JOB_mpi_usual_s] = late.usual_s;
    v[IOL_JOB_mpi_late_s] = late.own_s;
    v[IOL_JOB_late_rank] = (double)late.rank;
    v[IOL_JOB_late_io_s] = io.own;
    v[IOL_JOB_others_io_s] = io.others;
    v[IOL_JOB_carriers_io_s] = io.carriers;
}
