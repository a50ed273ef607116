/* Lists of regular expressions against the path of a program. libc's are compiled at the start of a process, by settings that
   few sites have. */
#include "record/left_alone.h"

#include <regex.h>
#include <string.h>

enum { ITEM = 256 };

/* The next item of a list with commas or blanks between, "" at its end. */
static const char *left_alone_next_item(const char *list, char item[ITEM]) {
    size_t length = 0;
    list += strspn(list, " \t,");
    for (; *list && !strchr(" \t,", *list); list++)
        if (length < ITEM - 1) item[length++] = *list;
    item[length] = 0;
    return list;
}

static bool expression_found(const iol__config *config, const char *expression, const char *path) {
    const char *slash = strrchr(path, '/');
    regex_t regex;
    if (regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB) != 0) {
        if (config->complain)
            config->complain("an item of APP_EXCLUDE or APP_INCLUDE is not a regular expression and is left out");
        return false;
    }
    const bool found = regexec(&regex, path, 0, NULL, 0) == 0 || (slash && regexec(&regex, slash + 1, 0, NULL, 0) == 0);
    regfree(&regex);
    return found;
}

static bool is_listed(const iol__config *config, int setting, const char *path) {
    unsigned at = 0;
    char item[ITEM];
    for (const char *list; (list = iol__setting_list(config, setting, &at)) != NULL;)
        for (list = left_alone_next_item(list, item); *item; list = left_alone_next_item(list, item))
            if (expression_found(config, item, path)) return true;
    return false;
}

bool iol__program_left_alone(const iol__config *config, const char *path, bool by_itself) {
    return (by_itself || is_listed(config, IOL_SET_APP_EXCLUDE, path)) && !is_listed(config, IOL_SET_APP_INCLUDE, path);
}
