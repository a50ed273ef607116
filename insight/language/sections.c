/* Sections: from what files say to the values that hold here. */
#include "insight/language/sections.h"

#include <fnmatch.h>
#include <string.h>

#include "insight/facts/facts.h"

static bool sections_applies(const iol__scoped *scoped, const char *system, const char *mount) {
    const char *name = scoped->section == IOL_SECTION_MOUNT ? mount : system;
    return name && fnmatch(scoped->pattern, name, scoped->section == IOL_SECTION_SYSTEM ? FNM_CASEFOLD : 0) == 0;
}

double iol__rulebook_value(const iol__rulebook *book, size_t index, const char *system, const char *mount,
                           const iol__scoped **from) {
    const iol__threshold *plain = &book->thresholds[index];
    const iol__scoped *best = NULL;
    for (size_t i = 0; i < book->n_scoped; i++) {
        const iol__scoped *s = &book->scoped[i];
        if (s->threshold != (int)index || s->layer < plain->layer || !sections_applies(s, system, mount)) continue;
        if (best && (s->layer < best->layer || (s->layer == best->layer && s->section < best->section))) continue;
        best = s;
    }
    if (from) *from = best;
    return best ? best->value : plain->value;
}

static const double *values_for(iol__case *job, const char *mount) {
    const iol__rulebook *book = job->book;
    double *values = iol__arena_alloc(&job->arena, book->n_thresholds + 1, sizeof *values);
    for (size_t i = 0; i < book->n_thresholds; i++) values[i] = iol__rulebook_value(book, i, job->system, mount, NULL);
    return values;
}

/* Mounts with the same values have the same array, so that files of both still are of one mind. */
static const double *shared_values(iol__case *job, const char *mount) {
    const double *values = values_for(job, mount);
    size_t size = job->book->n_thresholds * sizeof *values;
    if (memcmp(values, job->thresholds, size) == 0) return job->thresholds;
    for (size_t i = 0; i < job->n_mounts; i++)
        if (memcmp(values, job->mounts[i].values, size) == 0) return job->mounts[i].values;
    return values;
}

static bool any_about(const iol__rulebook *book, const char *mount) {
    for (size_t i = 0; i < book->n_scoped; i++)
        if (book->scoped[i].section == IOL_SECTION_MOUNT && sections_applies(&book->scoped[i], NULL, mount))
            return true;
    return false;
}

/* The log's own word for it, which `iolite convert --annotate system=NAME` can add. */
static const char *system_of_log(const iol_log *log) {
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, "system") == 0 && *value) return value;
    return NULL;
}

void iol__case_thresholds(iol__case *job) {
    if (job->options->system) job->system = job->options->system;
    if (!job->system) job->system = system_of_log(job->facts.log);
    job->thresholds = values_for(job, NULL);
    const char *point, *type;
    for (size_t i = 0; job->book->n_scoped && iol_log_mount(job->facts.log, i, &point, &type) == IOL_OK; i++) {
        if (!any_about(job->book, point)) continue;
        job->mounts = iol__arena_grow(&job->arena, job->mounts, job->n_mounts, sizeof *job->mounts);
        const double *values = shared_values(job, point);
        job->mounts[job->n_mounts++] = (iol__mount_thresholds){point, values};
    }
}

const double *iol__thresholds_of_file(const iol__case *job, const iol__facts_file *file) {
    if (!job->n_mounts) return job->thresholds;
    const char *point = "", *type, *name = iol__case_name(job, file);
    iol_log_mount_of(job->facts.log, name ? name : "", &point, &type);
    for (size_t i = 0; i < job->n_mounts; i++)
        if (strcmp(job->mounts[i].point, point) == 0) return job->mounts[i].values;
    return job->thresholds;
}

/* Lists --------------------------------------------------------------------------------------------------------- */

bool iol__rulebook_scoped(const iol__rulebook *book, size_t index, iol__scoped_info *info) {
    static const char *const kinds[] = {[IOL_SECTION_SYSTEM] = "system", [IOL_SECTION_MOUNT] = "mount"};
    if (index >= book->n_scoped) return false;
    const iol__scoped *s = &book->scoped[index];
    *info = (iol__scoped_info){.kind = kinds[s->section],
                               .pattern = s->pattern,
                               .path = book->thresholds[s->threshold].path,
                               .value = s->value,
                               .origin = s->origin,
                               .overruled = s->layer < book->thresholds[s->threshold].layer};
    return true;
}

double iol__rulebook_for_system(const iol__rulebook *book, size_t index, const char *system, const char **origin) {
    const iol__scoped *from;
    double value = iol__rulebook_value(book, index, system, NULL, &from);
    *origin = from ? from->origin : book->thresholds[index].origin;
    return value;
}
