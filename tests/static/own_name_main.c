/* Calls the program's own getline (own_name.c); ends with 0 if that is the one. */
int getline(char *to, int room, int mark);
int main(void) {
    char text[4];
    return getline(text, 4, 7) == 11 && text[0] == 'o' ? 0 : 1;
}
