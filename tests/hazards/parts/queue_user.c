/* A plug-in that writes by functions of libaio, which it expects to be there. Of one there are two, and a reference
   without a version gets the older. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

int io_setup(int count, void **context);
int io_destroy(void *context);
int io_submit(void *context, long n, void **blocks);
int queue_write(int fd, void *memory, size_t size);

int queue_write(int fd, void *memory, size_t size) {
    struct {
        uint64_t data;
        uint32_t key, flags;
        int16_t opcode, priority;
        int32_t fd;
        uint64_t memory, size;
        int64_t offset;
        uint64_t rest[2];
    } block = {.opcode = 1, .fd = fd, .memory = (uint64_t)(uintptr_t)memory, .size = size};
    struct {
        uint64_t data, block;
        int64_t result, second;
    } event = {0};
    void *context = NULL, *list[] = {&block};
    int (*get)(void *, long, long, void *, void *);
    *(void **)&get = dlsym(RTLD_DEFAULT, "io_getevents");
    if (!get || io_setup(4, &context) != 0) return -1;
    int result = io_submit(context, 1, list);
    if (result == 1) result = get(context, 1, 1, &event, NULL);
    io_destroy(context);
    return result == 1 ? (int)event.result : result;
}
