/* What the two directions of the column codec share: how a column is described. */
#ifndef IOL_LOG_COLUMNS_INTERNAL_H
#define IOL_LOG_COLUMNS_INTERNAL_H

/* How the values of a column are stored. */
enum {
    COLUMN_ZERO,    /* all zero */
    COLUMN_EQUAL,   /* all the same: the value */
    COLUMN_FEW,     /* at most 256 values: how many less one, the values; in the planes one index a row */
    COLUMN_FOLLOWS, /* decided by the index of an earlier column: its number, a value for each of its values */
    COLUMN_NUMBERS, /* differences to a prediction: form, prediction, base, mask; in the planes the bytes in the mask */
};

/* What the numbers of such a column stand for. */
enum {
    FORM_PLAIN,
    FORM_ID,      /* twice the place in the name region; an odd number stands for an id that is not there and follows */
    FORM_BINARY,  /* a double, as multiple of 2^-n; n follows */
    FORM_DECIMAL, /* a double, as multiple of 10^-9 */
};

/* What a number is predicted from. */
enum {
    PREDICT_NOTHING,
    PREDICT_ROW,    /* the number in the row before; the base in the first */
    PREDICT_COLUMN, /* another column's number in the same row plus the base; that column's number follows */
};

enum { COLUMNS_MOST = IOL_ROW_MOST / 8, FEW_MOST = 256, BINARY_MOST = 60, NO_COLUMN = -1 };

#define NANOSECONDS 1e9

#endif
