// Streams of C++, whose reads and writes come from its own library; one of them before main begins.
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {
struct early {
    early() { std::ofstream("early") << "before main\n"; }
} before_main;

void write_alone(int number) {
    std::ofstream file("thread." + std::to_string(number), std::ios::binary);
    const std::vector<char> block(1 << 16);
    for (int i = 0; i < 10; i++) file.write(block.data(), static_cast<std::streamsize>(block.size()));
}
}

int main() {
    std::ofstream to("lines");
    for (int i = 0; i < 20000; i++) to << "line " << i << '\n';
    to.close();
    std::size_t length = 0;
    std::string line;
    for (std::ifstream from("lines"); std::getline(from, line);) length += line.size();
    std::fstream both("both", std::ios::in | std::ios::out | std::ios::trunc);
    both << "some words";
    both.seekg(0);
    both >> line;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back(write_alone, i);
    for (auto &thread : threads) thread.join();
    std::cout << length << ' ' << line << '\n';
}
