/* make-centre: a made-up centre of any size, for tests, measurements and the demo. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "examples/centre/centre.h"

static const char usage[] = "make-centre [options] DIR\n"
                            "  --logs N      logs (1000)\n"
                            "  --seed N      another seed, another centre (42)\n"
                            "  --months N    over how many months, up to October 2026 (4)\n"
                            "  --large N     of 1000 logs, how many are larger than 1 MB (10)\n"
                            "  --broken N    of 1000 logs, how many cannot be read (5)\n"
                            "  --steps N     logs of the first job\n"
                            "  --lists-only  only the batch system's lists\n";

static long number(const char *text, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (!*text || *end || value < least || value > most) {
        fputs(usage, stderr);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"logs", required_argument, NULL, 'l'},   {"seed", required_argument, NULL, 's'},
        {"months", required_argument, NULL, 'm'}, {"large", required_argument, NULL, 'g'},
        {"broken", required_argument, NULL, 'b'}, {"steps", required_argument, NULL, 't'},
        {"lists-only", no_argument, NULL, 'o'},   {0},
    };
    centre_plan plan = {.logs = 1000, .seed = 42, .months = 4, .large = 10, .broken = 5};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'l': plan.logs = (uint64_t)number(optarg, 1, 1000000000); break;
        case 's': plan.seed = (uint64_t)number(optarg, 0, 1000000000); break;
        case 'm': plan.months = (int)number(optarg, 1, 60); break;
        case 'g': plan.large = (int)number(optarg, 0, 1000); break;
        case 'b': plan.broken = (int)number(optarg, 0, 1000); break;
        case 't': plan.steps = (int)number(optarg, 1, 1000000); break;
        case 'o': plan.lists_only = true; break;
        default: fputs(usage, stderr); return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        return 2;
    }
    centre_make(&plan, argv[optind]);
    return 0;
}
