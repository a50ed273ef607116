/* A sort that is made for one type, because a call for each comparison is most of what qsort costs. It merges runs that are in
   order already: what comes nearly sorted, or in a few sorted pieces, takes little more than a look. Equal items keep their order. */
#ifndef IOL_BASE_SORT_H
#define IOL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { IOL_SORT_RUN = 12 }; /* shorter runs are made that long by insertion */

/* IOL_SORT(NAME, TYPE, BEFORE) makes `static bool NAME(TYPE *items, size_t count)`, which is false without memory; then the
   items are as they were. BEFORE(a, b), with pointers to items: whether a belongs before b. */
#define IOL_SORT(NAME, TYPE, BEFORE)                                                                                  \
    /* The end of the run that begins at `start`. */                                                                  \
    static size_t NAME##_run(TYPE *items, size_t start, size_t count) {                                               \
        size_t end = start + 1;                                                                                       \
        while (end < count && !BEFORE(&items[end], &items[end - 1])) end++;                                           \
        for (; end < count && end - start < IOL_SORT_RUN; end++) {                                                    \
            TYPE iol_item = items[end];                                                                               \
            size_t at = end;                                                                                          \
            for (; at > start && BEFORE(&iol_item, &items[at - 1]); at--) items[at] = items[at - 1];                  \
            items[at] = iol_item;                                                                                     \
        }                                                                                                             \
        return end;                                                                                                   \
    }                                                                                                                 \
    static void NAME##_merge(const TYPE *left, const TYPE *middle, const TYPE *end, TYPE *out) {                      \
        const TYPE *right = middle;                                                                                   \
        while (left < middle && right < end) *out++ = BEFORE(right, left) ? *right++ : *left++;                       \
        memcpy(out, left, (size_t)(middle - left) * sizeof *out);                                                     \
        memcpy(out + (middle - left), right, (size_t)(end - right) * sizeof *out);                                    \
    }                                                                                                                 \
    /* Merge neighbours; how many runs are left. `ends` has where each of them ends. */                               \
    static size_t NAME##_pass(const TYPE *from, TYPE *to, size_t *ends, size_t runs) {                                \
        size_t left = 0;                                                                                              \
        for (size_t r = 0, start = 0; r < runs; r += 2) {                                                             \
            const size_t end = ends[r + 1 < runs ? r + 1 : r];                                                        \
            NAME##_merge(from + start, from + ends[r], from + end, to + start);                                       \
            ends[left++] = start = end;                                                                               \
        }                                                                                                             \
        return left;                                                                                                  \
    }                                                                                                                 \
    static bool NAME(TYPE *items, size_t count) {                                                                     \
        size_t *ends = malloc((count / IOL_SORT_RUN + 2) * sizeof *ends), runs = 0;                                   \
        TYPE *room = malloc((count + 1) * sizeof *room), *from = items, *to = room;                                   \
        if (ends && room) {                                                                                           \
            for (size_t start = 0; start < count; start = ends[runs++]) ends[runs] = NAME##_run(items, start, count); \
            while (runs > 1) {                                                                                        \
                runs = NAME##_pass(from, to, ends, runs);                                                             \
                TYPE *last = from;                                                                                    \
                from = to;                                                                                            \
                to = last;                                                                                            \
            }                                                                                                         \
            if (from != items) memcpy(items, from, count * sizeof *items);                                            \
        }                                                                                                             \
        const bool sorted = ends && room;                                                                             \
        free(ends);                                                                                                   \
        free(room);                                                                                                   \
        return sorted;                                                                                                \
    }

#endif
