/* For programs that run the end of a job without being recorded: there is nobody to hear of it, and always room. */

#include "runtime/core/core.h"

void iol__write_stderr(const char *text, size_t length) {
    (void)text;
    (void)length;
}
bool iol__may_write(int fd, uint64_t more) {
    (void)fd;
    (void)more;
    return true;
}
void iol__run_note(const char *log) { (void)log; }
