/* The files and variables that a program has open, by their numbers, which PnetCDF gives again when a file is closed.
   Looking one up takes no lock. What is not used any more waits to be used again, so that nobody who still looks at it
   finds something else there than a variable. */
#include "runtime/core/files.h"
#include "runtime/core/handles.h"
#include "runtime/pnetcdf/pnetcdf.h"

static iol__guard lock;
static iol__handles files, variables;
static iol__nc_file *spare_files;
static iol__nc_variable *spare_variables;

/* Numbers begin at 0, which is not a handle. */
static uint64_t file_key(int number) { return (uint64_t)(uint32_t)number + 1; }
static uint64_t variable_key(int file, int number) { return file_key(file) << 32 | (uint32_t)number; }

iol__nc_file *iol__nc_file_find(int number) { return iol__handle_find(&files, file_key(number)); }

iol__nc_variable *iol__nc_variable_find(int file, int number) {
    return iol__handle_find(&variables, variable_key(file, number));
}

static bool enter(void) {
    if (iol__guard_enter(&lock)) return true;
    iol__count_lost();
    return false;
}

static void *memory(size_t bytes) {
    if (!iol__files_enter()) return NULL;
    void *given = iol__files_memory(bytes);
    iol__files_leave();
    return given;
}

static void drop(int number) {
    iol__nc_file *file = iol__handle_remove(&files, file_key(number));
    if (!file) return;
    for (iol__nc_variable *v = file->variables, *next; v; v = next) {
        next = v->next;
        iol__handle_remove(&variables, variable_key(number, v->number));
        v->next = spare_variables;
        spare_variables = v;
    }
    file->next = spare_files;
    spare_files = file;
}

void iol__nc_file_drop(int number) {
    if (!enter()) return;
    drop(number);
    iol__guard_leave(&lock);
}

static iol__nc_file *add_file(int number, iol__file *of) {
    drop(number);
    iol__nc_file *file = spare_files ? spare_files : memory(sizeof *file);
    if (!file) return NULL;
    if (file == spare_files) spare_files = file->next;
    *file = (iol__nc_file){.number = number, .file = of};
    return iol__handle_set(&files, file_key(number), file) ? file : NULL;
}

iol__nc_file *iol__nc_file_add(int number, iol__file *of) {
    if (!enter()) return NULL;
    iol__nc_file *file = add_file(number, of);
    iol__guard_leave(&lock);
    return file;
}

static iol__nc_variable *add_variable(iol__nc_file *within, int number, iol__file *of) {
    iol__nc_variable *variable = iol__nc_variable_find(within->number, number);
    if (variable) return variable;
    variable = spare_variables ? spare_variables : memory(sizeof *variable);
    if (!variable) return NULL;
    if (variable == spare_variables) spare_variables = variable->next;
    *variable = (iol__nc_variable){.within = within, .number = number, .file = of, .next = within->variables};
    within->variables = variable;
    return iol__handle_set(&variables, variable_key(within->number, number), variable) ? variable : NULL;
}

iol__nc_variable *iol__nc_variable_add(iol__nc_file *within, int number, iol__file *of) {
    if (!enter()) return NULL;
    iol__nc_variable *variable = add_variable(within, number, of);
    iol__guard_leave(&lock);
    return variable;
}

void iol__nc_handles_reset(void) { lock.owner = 0; }
