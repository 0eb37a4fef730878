// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer: gives a fuzzer each file of its seed corpus once, and each file cut off at a few
// places; with --random N also N inputs that are drawn at random, with --damaged N as many files of the
// corpus with bytes changed, taken out or put in, the same ones every time.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

// A copy of the exact size, so that a sanitizer sees any read past the end.
void give(std::string_view bytes) {
  const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

volatile std::sig_atomic_t current = -1; // the random input that is run

void tell(int signal) {
  if (current >= 0)
    std::fprintf(stderr, "at the input %d: 1 %d\n", static_cast<int>(current), static_cast<int>(current));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void give_random(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(random() % 384, '\0');
  for (char &c : bytes)
    c = static_cast<char>(random());
  give(bytes);
}

void give_damaged(uint64_t seed, const std::vector<std::string> &files) {
  std::mt19937_64 random(seed);
  std::string bytes = files[random() % files.size()];
  for (size_t left = 1 + random() % 4; left > 0 && !bytes.empty(); --left) {
    const size_t at = random() % bytes.size(), run = 1 + random() % 8;
    switch (random() % 6) {
    case 0: bytes[at] = static_cast<char>(random()); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8)); break;
    case 2: bytes[at] = static_cast<char>(bytes[at] + (random() % 2 == 0 ? 2 : -2)); break;
    case 3: bytes.erase(at, run); break;
    case 4: bytes.insert(at, bytes, random() % bytes.size(), run); break;
    default: bytes.resize(random() % 16 == 0 ? at : bytes.size()); break;
    }
  }
  give(bytes);
}

} // namespace

// FOLDER [--random COUNT [FIRST] | --damaged COUNT [FIRST]]
int main(int argc, char **argv) {
  size_t inputs = 0;
  std::vector<std::string> files;
  if (argc > 1)
    for (const auto &entry : std::filesystem::recursive_directory_iterator(argv[1])) {
      if (!entry.is_regular_file())
        continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      for (const size_t eighths : {8, 7, 5, 3, 1})
        give(std::string_view(text).substr(0, text.size() * eighths / 8));
      ++inputs;
      files.push_back(text);
    }
  std::sort(files.begin(), files.end()); // folders have no order
  const bool damaged = argc > 3 && std::string_view(argv[2]) == "--damaged" && !files.empty();
  if (argc > 3 && (damaged || std::string_view(argv[2]) == "--random")) {
    const uint64_t count = std::strtoull(argv[3], nullptr, 10),
                   first = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0;
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE})
      std::signal(signal, tell);
    for (uint64_t seed = first; seed < first + count; ++seed, ++inputs) {
      current = static_cast<std::sig_atomic_t>(seed);
      if (damaged)
        give_damaged(seed, files);
      else
        give_random(seed);
    }
  }
  std::printf("%zu inputs\n", inputs);
  return inputs != 0 ? 0 : 1;
}
