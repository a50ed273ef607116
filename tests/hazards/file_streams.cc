/* C++ file streams: opens of the one layer, transfers of the other, and a question for the number at each.
   EXPECT STDIO f.txt STDIO_OPENS = 2
   EXPECT POSIX f.txt POSIX_BYTES_WRITTEN = 2400
   EXPECT POSIX f.txt POSIX_BYTES_READ = 2400
   EXPECT POSIX f.txt POSIX_OPENS = POSIX_FILENOS */
#include <fstream>
#include <iostream>
#include <string>

int main() {
    {
        std::ofstream out("f.txt");
        for (int i = 0; i < 200; i++) out << "eleven char" << '\n';
    }
    std::ifstream in("f.txt");
    std::string line;
    int lines = 0;
    while (std::getline(in, line)) lines += line == "eleven char";
    std::cout << lines << " lines" << std::endl;
    return lines == 200 ? 0 : 1;
}
