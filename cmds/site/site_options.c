/* Options that the commands about a centre share. */
#include "cmds/site/site_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "site/query/period.h"

const char *store_url(const iol__args *args) {
    const char *url = argument_value(args, OPT_STORE);
    if (!url) url = argument_value(args, OPT_HISTORY_STORE);
    return url ? url : getenv("IOLITE_STORE");
}

bool open_site(const iol__args *args, iol__site **site) {
    iol_error error;
    if (iol__site_open(argument_value(args, OPT_SITE_FILE), site, &error) == IOL_OK) return true;
    tell_stderr("%s", error.message);
    return false;
}

int open_store(const char *url, iol__store_mode mode, iol__store **store) {
    iol_error error;
    iol_status status = iol__store_open(url, mode, store, &error);
    if (status == IOL_OK) return EXIT_DONE;
    tell_stderr("%s", error.message);
    return status == IOL_NOT_A_LOG || status == IOL_UNSUPPORTED ? EXIT_INPUT : EXIT_TROUBLE;
}

int store_trouble(const iol__store *store) {
    tell_stderr("%s", iol__store_error(store));
    return EXIT_TROUBLE;
}

bool read_day(const iol__args *args, int option, int64_t *day) {
    const char *text = argument_value(args, option);
    int year, month, date, end = 0;
    *day = 0;
    if (!text) return true;
    bool last = option == OPT_UNTIL;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &date, &end) == 3 && !text[end]) {
        *day = (int64_t)year * 10000 + month * 100 + date;
    } else if (sscanf(text, "%4d-%2d%n", &year, &month, &end) == 2 && !text[end]) {
        *day = (int64_t)year * 10000 + month * 100 + 1;
        if (last) {
            int64_t next = month == 12 ? (int64_t)(year + 1) * 10000 + 101 : *day + 100;
            if (iol__noon_of(next) != -1) *day = iol__day_of(iol__noon_of(next) - 86400);
        }
    } else if (sscanf(text, "%4d%n", &year, &end) == 1 && !text[end]) {
        *day = (int64_t)year * 10000 + (last ? 1231 : 101);
    }
    return *day >= 19000101 && iol__noon_of(*day) != -1;
}

iol__sheet_kind sheet_kind_of(iol__column_type type) {
    return type == IOL_TYPE_TEXT ? IOL_SHEET_TEXT : type == IOL_TYPE_REAL ? IOL_SHEET_REAL : IOL_SHEET_INT;
}
