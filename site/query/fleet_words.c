/* Sentences about the worst job of each metric, from the log that the metric selected: what happened, what it cost a process,
   what rules the harmless explanations out, and what would help. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "site/query/fleet.h"
#include "site/query/query.h"
#include "text/number.h"

double iol__fleet_figure(const iol__fleet_job *job, int metric) {
    return metric == 0 ? (double)job->redundant : metric == 1 ? job->meta_ratio : (double)job->small_writes;
}

/* Numbers in words, each in a place of its own. */
typedef struct words {
    char text[8][IOL_HUMAN];
    int used;
} words;

static const char *bytes(words *w, double value) { return iol__human_bytes(w->text[w->used++], value); }
static const char *fleet_words_count(words *w, double value) { return iol__human_count(w->text[w->used++], value); }
static const char *fleet_words_number(words *w, double value) { return iol__human_number(w->text[w->used++], value); }
static const char *fleet_words_seconds(words *w, double value) { return iol__human_seconds(w->text[w->used++], value); }

static double each(double sum, int64_t parts) { return parts > 0 ? sum / (double)parts : NAN; }
static double per_process(const iol__fleet_log_row *log, int64_t time) { return each((double)time / 1e6, log->nprocs); }

static void say_who(FILE *to, const iol__fleet_job *j, const iol__fleet_log_row *log) {
    words w = {0};
    fprintf(to, "Job %.40s of %.40s ran %.60s on %s processes", j->jobid, j->owner,
            j->exename ? j->exename : "its program", fleet_words_number(&w, (double)log->nprocs));
    if (log->run > 0) fprintf(to, " for %s", fleet_words_seconds(&w, (double)log->run / 1e6));
    if (j->logs > 1) fprintf(to, ", the worst of its %s logs", fleet_words_number(&w, (double)j->logs));
}

static void say_redundant(FILE *to, const iol__fleet_log_row *log) {
    words w = {0};
    const int64_t again = log->redundant_read_bytes.value, written_too = again - log->redundant_read_ro_bytes.value;
    const double once = (double)log->bytes_read - (double)again;
    fprintf(to, ": it read %s from at most %s of data", bytes(&w, (double)log->bytes_read), bytes(&w, fmax(once, 0)));
    if (once > 0)
        fprintf(to, ", every byte %s times on average", fleet_words_number(&w, (double)log->bytes_read / once));
    fprintf(to, ", in %s reads of %s that took %s per process. ", fleet_words_count(&w, (double)log->reads),
            bytes(&w, each((double)log->bytes_read, log->reads)),
            fleet_words_seconds(&w, per_process(log, log->read_time)));
    if (written_too == 0)
        fputs("None of these files was written, so this is not out-of-core work", to);
    else
        fprintf(to, "%s of it came from files that were written too, as work out of core does",
                bytes(&w, (double)written_too));
    fputs(log->modules >> IOL_SLOT_MPIIO & 1 ? "; MPI-IO was used, whose data sieving reads more than it is asked for. "
                                             : "; without MPI-IO there is no data sieving. ",
          to);
    fputs("Reading once and sharing the data among the ranks, or keeping it in memory, would spare the file system the "
          "rest.",
          to);
}

static void say_metadata(FILE *to, const iol__fleet_log_row *log) {
    words w = {0};
    const double moved = (double)log->bytes_read + (double)log->bytes_written;
    fprintf(to, ": %s of its I/O time are metadata calls, ", iol__human_share(w.text[w.used++], log->meta_ratio));
    fprintf(to, "%s per process, to move %s per process: ", fleet_words_seconds(&w, log->meta_s_per_proc),
            bytes(&w, each(moved, log->nprocs)));
    fprintf(to, "%s files of %s on average, ", fleet_words_number(&w, (double)log->files),
            bytes(&w, each(moved, log->files)));
    fprintf(to, "%s opens and %s stats per file. ", fleet_words_number(&w, each((double)log->opens, log->files)),
            fleet_words_number(&w, each((double)log->stats, log->files)));
    fputs("Fewer and larger files, files that stay open and fewer stats would help; closing may include the writing of "
          "cached data.",
          to);
}

static void say_small_writes(FILE *to, const iol__fleet_log_row *log) {
    words w = {0};
    fprintf(to, ": it made %s writes of at most 1 MiB to files that its ranks share, none of them collective. ",
            fleet_words_count(&w, (double)log->small_shared_indep_writes.value));
    fprintf(to, "%s were written, %s per write on average, in %s per process. ", bytes(&w, (double)log->bytes_written),
            bytes(&w, each((double)log->bytes_written, log->writes)),
            fleet_words_seconds(&w, per_process(log, log->write_time)));
    fputs("Collective writes would merge them.", to);
}

char *iol__fleet_paragraph(int metric, const iol__fleet_job *job, const iol__fleet_log_row *log) {
    static void (*const say[IOL_METRICS])(FILE *, const iol__fleet_log_row *) = {say_redundant, say_metadata,
                                                                                 say_small_writes};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    say_who(to, job, log);
    say[metric](to, log);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}
