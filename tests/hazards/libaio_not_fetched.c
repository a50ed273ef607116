/* Results of libaio that are fetched past its functions, as its users may: they are not counted, and the log says how
   many there were.
   NEEDS libaio.h
   LINK -laio
   EXPECT POSIX aio.dat POSIX_WRITES = 1
   OPERATION ring UNSEEN = 3 */
#include <libaio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static char bytes[512];
    io_context_t context = NULL;
    struct iocb blocks[3], *list[3];
    struct io_event event;
    if (io_setup(8, &context) != 0) return CANNOT_RUN_HERE;
    int fd = fresh("aio.dat");
    for (int i = 0; i < 3; i++) {
        io_prep_pwrite(&blocks[i], fd, bytes, sizeof bytes, i * 512);
        list[i] = &blocks[i];
    }
    CHECK(io_submit(context, 3, list) == 3);
    CHECK(io_getevents(context, 1, 1, &event, NULL) == 1);
    CHECK(io_submit(context, 1, (struct iocb *[]){event.obj == &blocks[2] ? &blocks[1] : &blocks[2]}) == 1);
    CHECK(io_destroy(context) == 0);
    say("done");
    return 0;
}
