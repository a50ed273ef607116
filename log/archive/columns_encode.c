/* Making a body of columns from rows. For each column the cheapest of a few descriptions is taken; how cheap one is, is
   guessed from a sample of its rows by the entropy of the bytes it would store. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log/archive/columns.h"
#include "log/archive/columns_internal.h"

enum { SAMPLE = 1024, FEW_SLOTS = 1024, FEW_FREE = 32 };

typedef struct columns_encode_column {
    bool varies;
    const uint8_t *index; /* COLUMN_FEW: the row's number among the values */
    size_t few;
    int form, binary;
} columns_encode_column;

typedef struct columns_encode_encoder {
    const iol__idmap *ids;
    bool uses_ids;
    iol__body head, planes;
    size_t columns, rows; /* of the lane at hand */
    uint64_t *words;      /* its numbers, column after column */
    uint64_t *trial;      /* one column */
    uint8_t *index;       /* of all its columns of few values, row after row of indexes */
    size_t index_used;
    uint64_t *others; /* ids without a name */
    size_t n_others;
    columns_encode_column column[COLUMNS_MOST];
    float bits[SAMPLE + 1]; /* n log2 n */
} columns_encode_encoder;

/* What a column is going to be. */
typedef struct columns_encode_choice {
    int prediction;
    size_t other;
    uint64_t base;
    double cost; /* bits, over all rows */
} columns_encode_choice;

static bool put_columns_u64(iol__body *body, uint64_t value) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> 8 * i);
    return iol__body_put(body, bytes, 8);
}

static uint64_t *column_words(const columns_encode_encoder *e, size_t number) { return e->words + number * e->rows; }

/* Numbers: differences to a prediction ----------------------------------------------------------------------------- */

/* Small differences of both signs get small codes. */
static uint64_t columns_encode_fold(uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }

static uint64_t code_at(const columns_encode_encoder *e, const columns_encode_choice *how, const uint64_t *values,
                        size_t row) {
    switch (how->prediction) {
    case PREDICT_ROW: return columns_encode_fold(values[row] - (row ? values[row - 1] : how->base));
    case PREDICT_COLUMN: return columns_encode_fold(values[row] - column_words(e, how->other)[row] - how->base);
    default: return columns_encode_fold(values[row]);
    }
}

static double columns_encode_bits_of(const columns_encode_encoder *e, const uint16_t counts[256], size_t sampled) {
    double bits = e->bits[sampled];
    for (int i = 0; i < 256; i++) bits -= (double)e->bits[counts[i]];
    return bits;
}

static double guess_cost(const columns_encode_encoder *e, const columns_encode_choice *how, const uint64_t *values) {
    uint16_t counts[8][256] = {0};
    size_t sampled = e->rows < SAMPLE ? e->rows : SAMPLE, step = e->rows / sampled;
    uint64_t any = 0;
    for (size_t i = 0; i < sampled; i++) {
        uint64_t code = code_at(e, how, values, i * step + step - 1);
        any |= code;
        for (int k = 0; k < 8; k++) counts[k][code >> 8 * k & 255]++;
    }
    double bits = 0;
    for (int k = 0; k < 8; k++)
        if (any >> 8 * k & 255) bits += columns_encode_bits_of(e, counts[k], sampled);
    return bits * (double)e->rows / (double)sampled;
}

static bool same_form(const columns_encode_column *a, const columns_encode_column *b) {
    return a->form == b->form && a->binary == b->binary;
}

/* The cheapest prediction for the numbers in `values`, which are to become column `number`. */
static columns_encode_choice best_prediction(const columns_encode_encoder *e, size_t number, const uint64_t *values) {
    columns_encode_choice best = {.prediction = PREDICT_NOTHING};
    best.cost = guess_cost(e, &best, values);
    columns_encode_choice row = {.prediction = PREDICT_ROW, .base = values[0]};
    row.cost = guess_cost(e, &row, values);
    if (row.cost < best.cost) best = row;
    for (size_t i = 0; i < number && best.cost > 0; i++) {
        if (!e->column[i].varies || !same_form(&e->column[i], &e->column[number])) continue;
        columns_encode_choice other = {
            .prediction = PREDICT_COLUMN, .other = i, .base = values[0] - column_words(e, i)[0]};
        other.cost = guess_cost(e, &other, values);
        if (other.cost < best.cost) best = other;
    }
    return best;
}

static bool put_planes(columns_encode_encoder *e, const columns_encode_choice *how, const uint64_t *values) {
    uint64_t *codes = e->trial, any = 0;
    for (size_t r = 0; r < e->rows; r++) any |= codes[r] = code_at(e, how, values, r);
    uint8_t mask = 0;
    for (int k = 0; k < 8; k++)
        if (any >> 8 * k & 255) mask |= (uint8_t)(1 << k);
    if (!iol__body_put(&e->head, &mask, 1)) return false;
    for (int k = 0; k < 8; k++) {
        if (!(mask >> k & 1)) continue;
        uint8_t plane[4096];
        for (size_t r = 0; r < e->rows; r += sizeof plane) {
            size_t part = e->rows - r < sizeof plane ? e->rows - r : sizeof plane;
            for (size_t i = 0; i < part; i++) plane[i] = (uint8_t)(codes[r + i] >> 8 * k);
            if (!iol__body_put(&e->planes, plane, part)) return false;
        }
    }
    return true;
}

static bool put_columns_numbers(columns_encode_encoder *e, size_t number, const columns_encode_choice *how) {
    const columns_encode_column *c = &e->column[number];
    bool good = iol__body_varint(&e->head, COLUMN_NUMBERS) && iol__body_varint(&e->head, (uint64_t)c->form);
    if (c->form == FORM_BINARY) good = good && iol__body_varint(&e->head, (uint64_t)c->binary);
    if (c->form == FORM_ID) {
        e->uses_ids = true;
        good = good && iol__body_varint(&e->head, e->n_others);
        for (size_t i = 0; good && i < e->n_others; i++) good = put_columns_u64(&e->head, e->others[i]);
    }
    good = good && iol__body_varint(&e->head, (uint64_t)how->prediction);
    if (how->prediction == PREDICT_COLUMN) good = good && iol__body_varint(&e->head, how->other);
    if (how->prediction != PREDICT_NOTHING) good = good && put_columns_u64(&e->head, how->base);
    return good && put_planes(e, how, column_words(e, number));
}

/* Forms: values as smaller numbers --------------------------------------------------------------------------------- */

/* Ids become places in the table of names, if at least half of them are there. */
static bool try_ids(columns_encode_encoder *e, const uint64_t *values) {
    if (!e->ids || e->ids->count == 0) return false;
    if (iol__idmap_find(e->ids, values[0]) == IOL_IDMAP_NONE &&
        iol__idmap_find(e->ids, values[e->rows / 2]) == IOL_IDMAP_NONE)
        return false;
    uint64_t last = 0;
    e->n_others = 0;
    for (size_t r = 0; r < e->rows; r++) {
        size_t place = iol__idmap_find(e->ids, values[r]);
        if (place != IOL_IDMAP_NONE) {
            e->trial[r] = last = 2 * (uint64_t)place;
        } else {
            e->trial[r] = last | 1;
            e->others[e->n_others++] = values[r];
        }
    }
    return e->n_others <= e->rows / 2;
}

static double as_double(uint64_t value) {
    double number;
    memcpy(&number, &value, sizeof number);
    return number;
}

static uint64_t as_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Times as clocks give them: doubles of a size that seconds have. Zero is one, too. */
static bool could_be_time(uint64_t value) {
    double size = fabs(as_double(value));
    return value == 0 || (size >= 1e-12 && size <= 1e12);
}

/* n, so that the double is a multiple of 2^-n. */
static int binary_digits(uint64_t value) {
    if (value == 0) return 0;
    int exponent = (int)(value >> 52 & 2047) - 1075; /* of the last bit of the mantissa */
    uint64_t mantissa = (value & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    return -exponent - __builtin_ctzll(mantissa);
}

/* True if every value comes back bit by bit from its number. */
static bool numbers_of(columns_encode_encoder *e, const uint64_t *values, double scale, bool divide) {
    for (size_t r = 0; r < e->rows; r++) {
        double number = divide ? nearbyint(as_double(values[r]) * scale) : as_double(values[r]) / scale;
        if (!(fabs(number) <= 9007199254740992.0)) return false;
        if (as_bits(divide ? number / scale : number * scale) != values[r]) return false;
        e->trial[r] = (uint64_t)(int64_t)number;
    }
    return true;
}

/* Doubles become integers where a clock's step can be found. */
static bool try_times(columns_encode_encoder *e, columns_encode_column *c, const uint64_t *values) {
    int digits = 0;
    for (size_t r = 0; r < e->rows; r++) {
        if (!could_be_time(values[r])) return false;
        int n = binary_digits(values[r]);
        if (n > digits) digits = n;
    }
    if (digits <= BINARY_MOST && numbers_of(e, values, ldexp(1, -digits), false)) {
        c->form = FORM_BINARY;
        c->binary = digits;
        return true;
    }
    c->form = FORM_DECIMAL;
    return numbers_of(e, values, NANOSECONDS, true);
}

/* Find the form of a column and put its numbers in place of its values. */
static void choose_form(columns_encode_encoder *e, size_t number) {
    uint64_t *values = column_words(e, number);
    columns_encode_column *c = &e->column[number];
    if (try_ids(e, values)) {
        c->form = FORM_ID;
    } else if (!try_times(e, c, values)) {
        c->form = FORM_PLAIN;
        return;
    }
    memcpy(values, e->trial, 8 * e->rows);
}

/* Few values ------------------------------------------------------------------------------------------------------- */

/* The different values, and the number of each row's value among them. 0 if there are too many to be worth it. */
static size_t find_columns_few(const columns_encode_encoder *e, const uint64_t *values, uint64_t few[FEW_MOST],
                               uint8_t *index) {
    uint16_t slots[FEW_SLOTS] = {0};
    size_t n = 0, most = e->rows / 8 < FEW_MOST ? e->rows / 8 : FEW_MOST;
    for (size_t r = 0; r < e->rows; r++) {
        size_t slot = (size_t)(values[r] * UINT64_C(0x9e3779b97f4a7c15) >> 54);
        while (slots[slot] && few[slots[slot] - 1] != values[r]) slot = (slot + 1) % FEW_SLOTS;
        if (!slots[slot]) {
            if (n == most) return 0;
            few[n++] = values[r];
            slots[slot] = (uint16_t)n;
        }
        index[r] = (uint8_t)(slots[slot] - 1);
    }
    return n;
}

/* A short table is not counted: others may follow the column, which saves much more. */
static double few_cost(const columns_encode_encoder *e, const uint8_t *index, size_t few) {
    uint16_t counts[256] = {0};
    size_t sampled = e->rows < SAMPLE ? e->rows : SAMPLE, step = e->rows / sampled;
    for (size_t i = 0; i < sampled; i++) counts[index[i * step + step - 1]]++;
    return columns_encode_bits_of(e, counts, sampled) * (double)e->rows / (double)sampled +
           (few > FEW_FREE ? 64 * (double)few : 0);
}

/* An earlier column of few values that decides this one's, or NO_COLUMN. `table` gets the value for each of those. */
static int find_leader(const columns_encode_encoder *e, size_t number, const uint64_t *values,
                       uint64_t table[FEW_MOST]) {
    for (size_t i = 0; i < number; i++) {
        const uint8_t *index = e->column[i].index;
        if (!index) continue;
        bool known[FEW_MOST] = {false};
        size_t r = 0;
        for (; r < e->rows; r++) {
            if (!known[index[r]]) {
                known[index[r]] = true;
                table[index[r]] = values[r];
            } else if (table[index[r]] != values[r]) {
                break;
            }
        }
        if (r == e->rows) return (int)i;
    }
    return NO_COLUMN;
}

static bool put_columns_values(columns_encode_encoder *e, const uint64_t *values, size_t count) {
    bool good = true;
    for (size_t i = 0; good && i < count; i++) good = put_columns_u64(&e->head, values[i]);
    return good;
}

static bool put_follows(columns_encode_encoder *e, size_t leader, const uint64_t *table) {
    return iol__body_varint(&e->head, COLUMN_FOLLOWS) && iol__body_varint(&e->head, leader) &&
           put_columns_values(e, table, e->column[leader].few);
}

static bool put_few(columns_encode_encoder *e, columns_encode_column *c, const uint64_t *few, size_t count) {
    uint8_t less_one = (uint8_t)(count - 1);
    c->index = e->index + e->index_used;
    c->few = count;
    e->index_used += e->rows;
    return iol__body_varint(&e->head, COLUMN_FEW) && iol__body_put(&e->head, &less_one, 1) &&
           put_columns_values(e, few, count) && iol__body_put(&e->planes, c->index, e->rows);
}

/* Columns ---------------------------------------------------------------------------------------------------------- */

static bool all_equal(const uint64_t *values, size_t rows) {
    for (size_t r = 1; r < rows; r++)
        if (values[r] != values[0]) return false;
    return true;
}

static bool put_equal(columns_encode_encoder *e, uint64_t value) {
    if (value == 0) return iol__body_varint(&e->head, COLUMN_ZERO);
    return iol__body_varint(&e->head, COLUMN_EQUAL) && put_columns_u64(&e->head, value);
}

static bool put_column(columns_encode_encoder *e, size_t number) {
    const uint64_t *values = column_words(e, number);
    columns_encode_column *c = &e->column[number];
    *c = (columns_encode_column){.form = FORM_PLAIN};
    if (e->rows == 0 || all_equal(values, e->rows)) return put_equal(e, e->rows ? values[0] : 0);
    c->varies = true;
    uint64_t table[FEW_MOST] = {0}, few[FEW_MOST];
    int leader = find_leader(e, number, values, table);
    double leader_cost = leader == NO_COLUMN ? INFINITY : 64 * (double)e->column[leader].few;
    uint8_t *index = e->index + e->index_used;
    size_t count = leader == NO_COLUMN ? find_columns_few(e, values, few, index) : 0;
    double cost = count ? few_cost(e, index, count) : leader_cost;
    if (isinf(cost)) choose_form(e, number);
    columns_encode_choice how = best_prediction(e, number, values);
    if (how.cost < 0.95 * cost) return put_columns_numbers(e, number, &how);
    return count ? put_few(e, c, few, count) : put_follows(e, (size_t)leader, table);
}

static bool put_lane(columns_encode_encoder *e) {
    e->index_used = 0;
    for (size_t i = 0; i < e->columns; i++)
        if (!put_column(e, i)) return false;
    return true;
}

/* Lanes ------------------------------------------------------------------------------------------------------------ */

typedef struct lanes {
    uint32_t width[IOL_LANES_MOST];
    size_t rows[IOL_LANES_MOST];
    size_t count, most_rows, most_words;
} lanes;

static size_t lane_of(const lanes *l, uint32_t width) {
    size_t i = 0;
    while (i < l->count && l->width[i] != width) i++;
    return i;
}

static bool find_lanes(const iol__column_run *runs, size_t n_runs, lanes *l) {
    for (size_t i = 0; i < n_runs; i++) {
        uint32_t width = runs[i].width;
        if (width == 0 || width % 8 || width > IOL_ROW_MOST || runs[i].bytes % width) return false;
        size_t number = lane_of(l, width);
        if (number == IOL_LANES_MOST) return false;
        if (number == l->count) l->width[l->count++] = width;
        l->rows[number] += runs[i].bytes / width;
    }
    for (size_t i = 0; i < l->count; i++) {
        if (l->rows[i] > l->most_rows) l->most_rows = l->rows[i];
        if (l->rows[i] * l->width[i] / 8 > l->most_words) l->most_words = l->rows[i] * l->width[i] / 8;
    }
    return l->count > 0;
}

static bool put_order(columns_encode_encoder *e, const lanes *l, const iol__column_run *runs, size_t n_runs) {
    bool good = iol__body_varint(&e->head, l->count);
    for (size_t i = 0; good && i < l->count; i++)
        good = iol__body_varint(&e->head, l->width[i]) && iol__body_varint(&e->head, l->rows[i]);
    good = good && iol__body_varint(&e->head, n_runs);
    for (size_t i = 0; good && i < n_runs; i++)
        good = iol__body_varint(&e->head, lane_of(l, runs[i].width)) &&
               iol__body_varint(&e->head, runs[i].bytes / runs[i].width);
    return good;
}

/* The rows of one width, turned into columns. */
static void columns_encode_gather(columns_encode_encoder *e, const uint8_t *raw, const iol__column_run *runs,
                                  size_t n_runs, uint32_t width) {
    size_t row = 0;
    for (size_t i = 0; i < n_runs; i++) {
        if (runs[i].width == width) {
            for (size_t at = 0; at < runs[i].bytes; at += width, row++)
                for (size_t c = 0; c < width / 8; c++) memcpy(&e->words[c * e->rows + row], raw + at + 8 * c, 8);
        }
        raw += runs[i].bytes;
    }
}

static bool columns_encode(columns_encode_encoder *e, const uint8_t *raw, const iol__column_run *runs, size_t n_runs) {
    lanes *l = calloc(1, sizeof *l);
    bool good = l && find_lanes(runs, n_runs, l) && put_order(e, l, runs, n_runs);
    if (good) {
        e->words = malloc(8 * l->most_words);
        e->trial = malloc(8 * l->most_rows);
        e->others = malloc(8 * l->most_rows);
        e->index = malloc(l->most_words);
        good = e->words && e->trial && e->others && e->index;
    }
    for (size_t i = 0; good && i < l->count; i++) {
        e->columns = l->width[i] / 8;
        e->rows = l->rows[i];
        columns_encode_gather(e, raw, runs, n_runs, l->width[i]);
        good = put_lane(e);
    }
    free(l);
    return good;
}

bool iol__columns_encode(const uint8_t *raw, const iol__column_run *runs, size_t n_runs, const iol__idmap *ids,
                         iol__body *body, bool *uses_ids) {
    columns_encode_encoder *e = calloc(1, sizeof *e);
    if (!e) return false;
    e->ids = ids;
    for (int i = 2; i <= SAMPLE; i++) e->bits[i] = (float)(i * log2(i));
    bool good = columns_encode(e, raw, runs, n_runs);
    body->length = 0;
    good = good && iol__body_varint(body, e->head.length) && iol__body_put(body, e->head.bytes, e->head.length) &&
           iol__body_put(body, e->planes.bytes, e->planes.length);
    *uses_ids = e->uses_ids;
    free(e->head.bytes);
    free(e->planes.bytes);
    free(e->words);
    free(e->trial);
    free(e->others);
    free(e->index);
    free(e);
    return good;
}
