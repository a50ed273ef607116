/* Marks in a program, for Iolite to show: what it read and wrote while it was busy with what.
 *
 *     iolite_region_begin("checkpoint");
 *     ...
 *     iolite_region_end("checkpoint");
 *
 * Regions may be nested, may overlap, and belong to the thread that begins them; any thread may end them. What was not
 * ended lasts until the process does. Names are the program's own choice; one that distinguishes steps by a number makes
 * a region of each.
 *
 * This header is all there is: nothing to link. Without Iolite in the process every function does nothing. Marks do not
 * belong into inner loops: one costs some hundred instructions, and more where a program has used thousands of files.
 */
#ifndef IOLITE_IOLITE_H
#define IOLITE_IOLITE_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct iolite_definition;
struct iolite_module;
struct iolite_record;

/* What libiolite offers. Functions are only ever added, at the end; `bytes` says how many there are. */
typedef struct iolite_functions {
    size_t bytes;
    void (*region_begin)(const char *name);
    void (*region_end)(const char *name);
    double (*now)(void);
    struct iolite_module *(*module_register)(const struct iolite_definition *definition);
    struct iolite_record *(*module_record)(struct iolite_module *module, const char *name, unsigned flags);
    void *(*record_values)(struct iolite_record *record);
    void (*record_span)(struct iolite_record *record, double begin, double end);
} iolite_functions;

/* Where libiolite is in the process, it has this function. Programs do not link to it: it may be put before them when
 * they start. In programs that are not position-independent a weak reference is nothing from the start, so that the
 * loader is asked as well; in static programs there is no loader, and the reference is what counts. */
const iolite_functions *iolite_interface(void) __attribute__((weak));
#pragma weak dlsym

static inline const iolite_functions *iolite_find(void) {
    static const iolite_functions *found;
    static int asked;
    if (__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) return found;
    const iolite_functions *(*ask)(void) = iolite_interface;
    if (!ask && dlsym) *(void **)(void *)&ask = dlsym((void *)0, "iolite_interface");
    if (ask) found = ask();
    __atomic_store_n(&asked, 1, __ATOMIC_RELEASE);
    return found;
}

/* A function of this Iolite, which may be older than the header. */
#define IOLITE_HAS(functions, name) \
    ((functions) && (functions)->bytes >= offsetof(iolite_functions, name) + sizeof((functions)->name))

static inline void iolite_region_begin(const char *name) {
    const iolite_functions *f = iolite_find();
    if (IOLITE_HAS(f, region_begin)) f->region_begin(name);
}

static inline void iolite_region_end(const char *name) {
    const iolite_functions *f = iolite_find();
    if (IOLITE_HAS(f, region_end)) f->region_end(name);
}

/* Seconds since the start of the run, the same axis for all of its processes; -1 without Iolite. */
static inline double iolite_now(void) {
    const iolite_functions *f = iolite_find();
    return IOLITE_HAS(f, now) ? f->now() : -1;
}

#ifdef __cplusplus
}

/* For C++: a region as long as a scope. */
class iolite_region {
  public:
    explicit iolite_region(const char *region_name) : name(region_name) { iolite_region_begin(name); }
    ~iolite_region() { iolite_region_end(name); }
    iolite_region(const iolite_region &) = delete;
    iolite_region &operator=(const iolite_region &) = delete;

  private:
    const char *name;
};
#endif

#endif
