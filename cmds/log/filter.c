/* Filters: option values are parsed once, up front, so that a wrong one is a usage error and not an empty result. */
#include "cmds/log/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool parse_rank(const char *text, char end, const char **rest, int64_t *rank) {
    char *stop;
    errno = 0;
    long long value = strtoll(text, &stop, 10);
    if (stop == text || errno || (*stop != '\0' && *stop != end)) return false;
    *rank = value;
    *rest = stop;
    return true;
}

static bool parse_range(const char *text, iol__rank_range *range) {
    const char *rest;
    if (!parse_rank(text, ':', &rest, &range->first)) return false;
    range->last = range->first;
    return !*rest || (parse_rank(rest + 1, '\0', &rest, &range->last) && range->first <= range->last);
}

static bool parse_filter_id(const char *text, uint64_t *id) {
    char *stop;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 10);
    *id = value;
    return *text >= '0' && *text <= '9' && !*stop && !errno;
}

static void *filter_table(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory) return memory;
    fputs("iolite: out of memory\n", stderr);
    exit(EXIT_TROUBLE);
}

int filter_parse(const iol__args *args, uint64_t allowed, int (*slot_of)(const char *name), iol__filter *filter) {
    *filter = (iol__filter){.args = args, .slots = args->n_values[OPT_MODULE] ? 0 : allowed};
    for (size_t i = 0; i < args->n_values[OPT_MODULE]; i++) {
        int slot = slot_of(args->values[OPT_MODULE][i]);
        if (slot < 0 || !(allowed >> slot & 1))
            return usage_error(args, "there is no module '%s' here", args->values[OPT_MODULE][i]);
        filter->slots |= UINT64_C(1) << slot;
    }
    filter->ranks = filter_table(args->n_values[OPT_RANK], sizeof *filter->ranks);
    filter->ids = filter_table(args->n_values[OPT_RECORD], sizeof *filter->ids);
    int status = -1;
    for (size_t i = 0; status < 0 && i < args->n_values[OPT_RANK]; i++)
        if (!parse_range(args->values[OPT_RANK][i], &filter->ranks[i]))
            status = usage_error(args, "'%s' is neither a rank nor a range like 0:15", args->values[OPT_RANK][i]);
    for (size_t i = 0; status < 0 && i < args->n_values[OPT_RECORD]; i++)
        if (!parse_filter_id(args->values[OPT_RECORD][i], &filter->ids[i]))
            status = usage_error(args, "'%s' is not a record id", args->values[OPT_RECORD][i]);
    if (status >= 0) filter_free(filter);
    return status;
}

void filter_free(iol__filter *filter) {
    free(filter->ranks);
    free(filter->ids);
    filter->ranks = NULL;
    filter->ids = NULL;
}

static bool any_glob(const iol__args *args, int option, const char *text) {
    size_t n = args->n_values[option];
    for (size_t i = 0; i < n; i++)
        if (glob_matches(args->values[option][i], text)) return true;
    return n == 0;
}

static bool any_rank(const iol__filter *filter, int64_t rank) {
    size_t n = filter->args->n_values[OPT_RANK];
    for (size_t i = 0; i < n; i++)
        if (rank >= filter->ranks[i].first && rank <= filter->ranks[i].last) return true;
    return n == 0;
}

static bool any_id(const iol__filter *filter, uint64_t id) {
    size_t n = filter->args->n_values[OPT_RECORD];
    for (size_t i = 0; i < n; i++)
        if (id == filter->ids[i]) return true;
    return n == 0;
}

bool filter_module(const iol__filter *filter, int slot) { return filter->slots >> slot & 1; }

bool filter_record(const iol__filter *filter, const iol_record *record, const char *name) {
    return any_rank(filter, record->rank) && any_id(filter, record->id) &&
           any_glob(filter->args, OPT_FILE, name ? name : "");
}

bool filter_counter(const iol__filter *filter, const char *name) { return any_glob(filter->args, OPT_COUNTER, name); }
