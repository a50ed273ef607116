/* The life of all modules, from one list. What a module does at each of its turns stands in its own
   iol__runtime_module. */
#include "runtime/core/modules.h"

#include "runtime/core/core.h"

#define MODULE(name, SLOT) PART(name)
#define PART(name) extern iol__runtime_module iol__##name##_module;
#include "runtime/core/modules.def"
#undef PART

static iol__runtime_module *const modules[] = {
#define PART(name) &iol__##name##_module,
#include "runtime/core/modules.def"
#undef PART
};
enum { MODULES = sizeof modules / sizeof *modules };

void iol__modules_start(void) {
    for (int i = 0; i < MODULES; i++) iol__module_start(modules[i]);
}

void iol__modules_forked(void) {
    for (int i = 0; i < MODULES; i++)
        if (modules[i]->forked) modules[i]->forked();
}

void iol__modules_reset(void) {
    for (int i = 0; i < MODULES; i++)
        if (modules[i]->reset) modules[i]->reset();
}

void iol__modules_finish(void) {
    for (int i = 0; i < MODULES; i++)
        if (modules[i]->finish) modules[i]->finish();
}

void iol__modules_stored(void) {
    for (int i = 0; i < MODULES; i++)
        if (modules[i]->stored) modules[i]->stored();
}

void iol__modules_settle(void) {
    for (int i = 0; i < MODULES; i++)
        if (modules[i]->settle) modules[i]->settle();
}
