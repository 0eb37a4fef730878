// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer: gives a fuzzer each file of its seed corpus once, and each file cut off at a few places.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto &entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file())
        continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      ++files;
      // A copy of the exact size, so that a sanitizer sees any read past the end.
      for (size_t eighths : {8, 7, 5, 3, 1}) {
        const std::string cut = text.substr(0, text.size() * eighths / 8);
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(cut.data()), cut.size());
      }
    }
  std::printf("%zu files\n", files);
  return files != 0 ? 0 : 1;
}
