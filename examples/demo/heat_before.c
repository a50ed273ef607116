/* Heat in a plate, with the I/O as it often grows: the sources are read again in every step, the history is opened for
   every line, and a checkpoint goes out number by number. */
#include <fcntl.h>
#include <unistd.h>

#include "heat.h"

static void read_sources(source *sources) {
    FILE *file = fopen("sources.txt", "r");
    if (!file) stop("sources.txt");
    for (int i = 0; i < SOURCES; i++)
        if (fscanf(file, "%d %d %lf", &sources[i].row, &sources[i].column, &sources[i].heat) != 3) stop("sources.txt");
    fclose(file);
}

static void add_to_history(int step) {
    for (int row = 0; row < SIZE; row++) {
        FILE *file = fopen("history.csv", "a");
        if (!file) stop("history.csv");
        fprintf(file, "%d,%d,%.6f\n", step, row, mean_of_row(row));
        fclose(file);
    }
}

static void write_checkpoint(int step) {
    char path[32];
    snprintf(path, sizeof path, "checkpoint.%03d", step);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) stop(path);
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            if (write(file, &plate[row][column], sizeof(double)) != sizeof(double)) stop(path);
    close(file);
}

int main(void) {
    static source sources[SOURCES];
    for (int step = 1; step <= STEPS; step++) {
        read_sources(sources);
        step_forward(sources);
        add_to_history(step);
        if (step % STEPS_A_CHECKPOINT == 0) write_checkpoint(step);
    }
    return 0;
}
