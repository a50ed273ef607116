/* What a test program knows that it did, as the counters of its records: kept while it runs, printed at its end as
   lines of record name, counter and value. Ranks do the same, so that sums are as often as there are ranks. */
#ifndef IOL_TESTS_EXPECT_H
#define IOL_TESTS_EXPECT_H

/* More of a counter that ranks add up; and one that is the same in all of them. */
void expect_more(const char *record, const char *counter, long long more);
void expect_is(const char *record, const char *counter, long long value);
/* More of one that is the sum over all ranks already. */
void expect_of_all(const char *record, const char *counter, long long more);
void expect_print(int ranks);

/* Ends the program unless PnetCDF's result is this one. */
void must(int result, int expected, const char *what);
#define MUST(call) must(call, 0, #call)

#endif
