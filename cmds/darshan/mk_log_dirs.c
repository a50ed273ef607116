/* iolite mk-log-dirs: the dated tree that jobs of all users write their logs into. Jobs never make it themselves, so a
   site makes it once a year; what is there already stays as it is. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/settings.h"
#include "text/number.h"

enum { MONTHS = 12, DAYS = 31, PARENT_MODE = 0755 };

typedef struct mk_log_dirs_tree {
    int root;    /* descriptor of the log directory */
    mode_t mode; /* of the directories of days */
    gid_t group; /* of all of them; -1: whatever they get */
    unsigned long made;
} mk_log_dirs_tree;

/* Below `at`; true if it is there afterwards. A mode with bits that mkdir() drops is set by hand, on new ones only. */
static bool make_one(mk_log_dirs_tree *t, const char *path, mode_t mode) {
    if (mkdirat(t->root, path, mode & 0777) != 0) return errno == EEXIST;
    t->made++;
    /* First the group: giving a directory away may take the bit that hands its group on. */
    if (t->group != (gid_t)-1 && fchownat(t->root, path, (uid_t)-1, t->group, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return !(mode & ~(mode_t)0777) || fchmodat(t->root, path, mode, 0) == 0;
}

/* Every month has 31 days here, as the name of a log is made without a calendar. */
static bool make_year(mk_log_dirs_tree *t, int year) {
    char path[48];
    snprintf(path, sizeof path, "%d", year);
    if (!make_one(t, path, PARENT_MODE)) return false;
    for (int month = 1; month <= MONTHS; month++) {
        snprintf(path, sizeof path, "%d/%d", year, month);
        if (!make_one(t, path, PARENT_MODE)) return false;
        for (int day = 1; day <= DAYS; day++) {
            snprintf(path, sizeof path, "%d/%d/%d", year, month, day);
            if (!make_one(t, path, t->mode)) return false;
        }
    }
    return true;
}

static bool read_mk_log_dirs_number(const char *text, int base, unsigned long most, unsigned long *number) {
    char *end;
    errno = 0;
    *number = strtoul(text, &end, base);
    return !errno && end != text && !*end && *text != '-' && *number <= most;
}

/* Of the group that the settings name. */
static bool read_group(const char *text, gid_t *group) {
    unsigned long number;
    *group = (gid_t)-1;
    if (!*text) return true;
    const struct group *known = getgrnam(text);
    if (!known && !read_mk_log_dirs_number(text, 10, UINT32_MAX - 1, &number)) return false;
    *group = known ? known->gr_gid : (gid_t)number;
    return true;
}

int cmd_mk_log_dirs(const iol__args *args) {
    /* The older script's directories are writable for their owner alone. */
    unsigned long mode = is_darshan_name(args->command) ? 0755 : 01777, years = 2;
    const char *text = argument_value(args, OPT_DIR_MODE);
    if (text && !read_mk_log_dirs_number(text, 8, 07777, &mode))
        return usage_error(args, "'%s' is not a mode such as 1777", text);
    text = argument_value(args, OPT_YEARS);
    if (text && (!read_mk_log_dirs_number(text, 10, 100, &years) || !years))
        return usage_error(args, "'%s' is not a number of years", text);
    if (args->n_operands > 1) return usage_error(args, "only one directory is expected");
    const iol__config *settings = load_settings(complain_on_stderr);
    const char *path = args->n_operands ? args->operands[0] : settings->values[IOL_SET_LOG_PATH].text;
    const char *group = settings->values[IOL_SET_LOG_GROUP].text;
    if (!*path)
        return usage_error(args, "a directory is needed: no argument names one, nor does LOGPATH in the settings");

    mk_log_dirs_tree t = {.root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .mode = (mode_t)mode};
    if (!read_group(group, &t.group)) {
        tell_stderr("LOGGROUP names '%s', and there is no such group", group);
        if (t.root >= 0) close(t.root);
        return EXIT_INPUT;
    }
    if (t.group != (gid_t)-1) t.mode |= S_ISGID;
    if (t.root < 0 || faccessat(t.root, ".", W_OK, AT_EACCESS) != 0) {
        tell_stderr("%s: %m; the log directory itself must exist and be writable", path);
        if (t.root >= 0) close(t.root);
        return EXIT_TROUBLE;
    }
    umask(0);
    time_t now = time(NULL);
    struct tm today = {0};
    localtime_r(&now, &today);
    bool done = true;
    for (int i = 0; done && i < (int)years; i++) done = make_year(&t, today.tm_year + 1900 + i);
    if (!done) tell_stderr("%s: %m; the tree is not complete", path);
    close(t.root);
    char made[IOL_HUMAN];
    tell_stderr("%s directories made below %s", iol__human_number(made, (double)t.made), path);
    return done ? EXIT_DONE : EXIT_TROUBLE;
}
