/* The section on MPI's own calls: time by rank and by operation, and who comes late. */
#include "log/figures/messages.h"
#include "report/page/page_internal.h"

enum { MOST_ROWS = 1024 };

typedef struct page_messages_row {
    double first, last, time, time_min, time_max, sync;
    double ranks; /* with a record */
} page_messages_row;

static void add_page_messages_rank(page_messages_row *to, const iol__message_rank *rank) {
    if (to->ranks == 0 || rank->time < to->time_min) to->time_min = rank->time;
    if (rank->time > to->time_max) to->time_max = rank->time;
    to->time += rank->time;
    to->sync += rank->sync;
    to->ranks++;
}

/* The mean of neighbouring ranks, where there are more than rows. */
static size_t make_page_messages_rows(const iol__messages *messages, int64_t ranks, iol__page_rows rows,
                                      page_messages_row *list) {
    for (size_t i = 0; i < rows.count; i++) {
        const int64_t first = (int64_t)i * rows.per_row, last = first + rows.per_row - 1;
        list[i] = (page_messages_row){.first = (double)first, .last = (double)(last < ranks ? last : ranks - 1)};
    }
    for (size_t i = 0; i < messages->n_ranks; i++) {
        const int64_t rank = messages->ranks[i].rank;
        if (rank >= 0 && rank < ranks) add_page_messages_rank(&list[rank / rows.per_row], &messages->ranks[i]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < rows.count; i++) {
        if (list[i].ranks == 0) continue;
        list[i].time /= list[i].ranks;
        list[i].sync /= list[i].ranks;
        list[kept++] = list[i];
    }
    return kept;
}

static void write_ranks(iol__json *json, const iol__page *page, const iol__messages *messages) {
    const int64_t ranks = page->facts->processes;
    const iol__page_rows rows = iol__page_rows_of(ranks, MOST_ROWS);
    page_messages_row list[MOST_ROWS];
    const size_t n = make_page_messages_rows(messages, ranks, rows, list);
    iol__json_put_i64(json, "per_row", rows.per_row);
    iol__page_table(json, "ranks", n);
    iol__page_doubles(json, "first", &list[0].first, n, sizeof *list);
    iol__page_doubles(json, "last", &list[0].last, n, sizeof *list);
    iol__page_times(json, "time", &list[0].time, n, sizeof *list);
    iol__page_times(json, "time_min", &list[0].time_min, n, sizeof *list);
    iol__page_times(json, "time_max", &list[0].time_max, n, sizeof *list);
    if (messages->sync) iol__page_times(json, "sync", &list[0].sync, n, sizeof *list);
    iol__page_table_end(json);
}

static void write_page_messages_operations(iol__json *json, const iol__messages *messages) {
    int order[IOL_MESSAGE_OPERATIONS];
    const int count = iol__messages_by_time(messages, order);
    char name[32];
    iol__json_put_open(json, "operations", '[');
    for (int i = 0; i < count; i++) {
        const iol__message_operation *of = &messages->of[order[i]];
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", iol__message_name(order[i], name));
        iol__json_put_u64(json, "calls", of->calls);
        iol__json_put_u64(json, "bytes", of->bytes);
        iol__json_put_real(json, "time", of->time);
        if (messages->sync) iol__json_put_real(json, "sync", of->sync);
        iol__json_put_real(json, "longest", of->longest);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void write_late(iol__json *json, const iol__messages *messages) {
    const iol__late_rank late = iol__messages_late(messages);
    if (late.rank < 0) return;
    iol__json_put_open(json, "late", '{');
    iol__json_put_i64(json, "rank", late.rank);
    iol__json_put_real(json, "time", late.own_s);
    iol__json_put_real(json, "median", late.usual_s);
    iol__json_put_real(json, "wait", late.wait_s);
    iol__json_close(json, '}');
}

void iol__page_messages_write(iol__json *json, const iol__page *page) {
    iol__messages messages;
    iol__messages_read(page->log, &messages);
    if (messages.n_ranks) {
        iol__json_put_open(json, "messages", '{');
        iol__json_put_bool(json, "sync_times", messages.sync);
        write_ranks(json, page, &messages);
        write_page_messages_operations(json, &messages);
        write_late(json, &messages);
        iol__json_close(json, '}');
    }
    iol__messages_free(&messages);
}
