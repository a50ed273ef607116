#include "runtime/where/python.h"
bool iol__python_first(const iol__object *interpreter, iol__python_frame *frame) {
    (void)interpreter;
    (void)frame;
    return false;
}
bool iol__python_next(iol__python_frame *frame) {
    (void)frame;
    return false;
}
const char *iol__python_describe(const iol__python_frame *frame, uint64_t *key, uint32_t *line) {
    (void)frame;
    (void)key;
    (void)line;
    return "";
}
