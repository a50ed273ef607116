/* How much went to or from each component of a file system: series SITE FS DATASET START END. What was not measured is counted
   apart from zeros. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <iolite/site.h>

static void print(const iol_site_series *series) {
    for (size_t column = 0; column < series->columns; column++) {
        double sum = 0;
        size_t missing = 0;
        for (size_t row = 0; row < series->rows; row++) {
            double value = series->values[row * series->columns + column];
            if (isnan(value))
                missing++;
            else
                sum += value;
        }
        printf("%s %.0f %s, %zu of %zu steps missing\n", series->names[column], sum, series->units, missing,
               series->rows);
    }
}

int main(int argc, char **argv) {
    iol_site *site;
    iol_site_series *series;
    iol_error error;
    if (argc != 6) return fputs("usage: series SITE FS DATASET START END\n", stderr), 2;
    if (iol_site_open(argv[1], &site, &error) != IOL_OK) return fprintf(stderr, "%s\n", error.message), 3;
    iol_status status = iol_site_series_read(site, argv[2], argv[3], strtoimax(argv[4], NULL, 10),
                                             strtoimax(argv[5], NULL, 10), &series);
    if (status == IOL_OK) {
        print(series);
        iol_site_series_free(series);
    } else {
        fprintf(stderr, "%s\n", iol_site_message(site));
    }
    iol_site_close(site);
    return status == IOL_OK ? 0 : 3;
}
