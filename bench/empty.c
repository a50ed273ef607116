/* A library with an empty constructor: what any preloaded library costs a program. */
__attribute__((constructor)) static void start_nothing(void) {}
