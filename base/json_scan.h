/* Texts and numbers of JSON by the letter of the standard. Every reader of JSON is made of these two. */
#ifndef IOL_BASE_JSON_SCAN_H
#define IOL_BASE_JSON_SCAN_H

#include <stddef.h>

/* From the opening quote to behind the closing one. The text goes to `to`, with a NUL behind it; it is never longer than
   what it is read from, so `to` may be the byte behind the opening quote. It may hold NULs, and half of a surrogate pair
   becomes U+FFFD. NULL: read; otherwise what is wrong, with `at` where. */
const char *iol__json_scan_text(const char **at, const char *end, char *to, size_t *length);

/* Behind the number that begins here. NULL: there is one; otherwise what is wrong, with `at` where. */
const char *iol__json_scan_number(const char **at, const char *end);

#endif
