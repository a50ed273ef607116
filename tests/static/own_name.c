/* A function of the program that has the name of one that Iolite wraps, and nothing else in common with it. It is in a
   file of its own, so that the linker sees the call. */
int getline(char *to, int room, int mark);
int getline(char *to, int room, int mark) {
    to[0] = 'o';
    to[1] = '\0';
    return room + mark;
}
