/* Opens its settings anew for each item.
   PREPARE
   FINDS stdio.open.repeat
   REPAIRED */
#include <fstream>
#include <string>

int main(int argc, char **argv) {
    const std::string word = argc > 1 ? argv[1] : "";
    if (word == "prepare") {
        std::ofstream out("settings.txt");
        for (int i = 0; i < 100; i++) out << "key" << i << " = " << i << '\n';
        return 0;
    }
    std::size_t total = 0;
    for (int i = 0; i < (word == "repaired" ? 1 : 20000); i++) {
        std::ifstream settings("settings.txt");                                     // HERE
        for (std::string line; std::getline(settings, line);) total += line.size(); // HERE
    }
    return total == 0;
}
