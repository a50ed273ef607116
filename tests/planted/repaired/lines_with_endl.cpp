/* Ends each line with std::endl, which writes it out.
   FINDS posix.small.write
   REPAIRED */
#include <fstream>

int main(int argc, char **) {
    std::ofstream lines("lines.txt");
    for (int i = 0; i < 300000; i++) {
        lines << "line " << i;
        if (argc > 1)
            lines << '\n';
        else
            lines << std::endl; // HERE
    }
    return lines.good() ? 0 : 1;
}
