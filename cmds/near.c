/* How far two words are from each other, for words of a command line: longer ones are near nothing. */
#include "cmds/near.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 40, CUT_SHORT = 3 };

static int lower_letter(char letter) { return tolower((unsigned char)letter); }

static size_t near_least(size_t a, size_t b) { return a < b ? a : b; }

/* Three rows of the usual table: of the letter before last, of the last letter, and of this one. */
size_t letters_between(const char *typed, const char *name) {
    const size_t n = strlen(typed), m = strlen(name);
    size_t rows[3][LONGEST + 1] = {{0}};
    if (n > LONGEST || m > LONGEST) return n > m ? n : m;
    for (size_t j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        const int letter = lower_letter(typed[i - 1]);
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] =
                near_least(near_least(above[j], row[j - 1]) + 1, above[j - 1] + (letter != lower_letter(name[j - 1])));
            if (i > 1 && j > 1 && letter == lower_letter(name[j - 2]) &&
                lower_letter(typed[i - 2]) == lower_letter(name[j - 1]))
                row[j] = near_least(row[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void look_at_name(near_name *near, const char *name) {
    const size_t typed = strlen(near->typed);
    size_t letters = letters_between(near->typed, name);
    if (typed >= CUT_SHORT && letters > 1 && strncasecmp(near->typed, name, typed) == 0) letters = 1;
    if (near->name && letters >= near->letters) return;
    near->name = name;
    near->letters = letters;
}

const char *meant_name(const near_name *near) {
    return near->name && near->letters <= (strlen(near->name) + 2) / 3 ? near->name : NULL;
}
