/* Programs that the settings leave alone. The library, `run` and `doctor` ask the same function, so that what one of them says
   is what happens. */
#ifndef IOL_RECORD_LEFT_ALONE_H
#define IOL_RECORD_LEFT_ALONE_H

#include <stdbool.h>

#include "schema/resolve.h"

/* Whether APP_EXCLUDE leaves a program alone and APP_INCLUDE does not take it back. `path` is that of the file that runs, with
   links resolved, because a first word may be anything; an expression is looked for in it and in its last part, so that
   ^cp$ is every cp. `by_itself`: one that is left alone unless APP_INCLUDE names it. */
bool iol__program_left_alone(const iol__config *config, const char *path, bool by_itself);

#endif
