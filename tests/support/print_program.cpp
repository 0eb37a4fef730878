// SPDX-License-Identifier: Apache-2.0
// Prints what is read of programs: print_program [--locations] FILE..
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "program_text.hpp"

int main(int argc, char **argv) {
  bool locations = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--locations") {
      locations = true;
      continue;
    }
    std::ifstream file(argv[i], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    tw::import::ImportOptions options;
    options.file = argv[i];
    const auto imported = tw::import::import_text(bytes, options);
    if (!imported) {
      std::fprintf(stderr, "%s: %s\n", argv[i], imported.error().message().c_str());
      for (const std::string &note : imported.error().info().notes)
        std::fprintf(stderr, "  %s\n", note.c_str());
      return 1;
    }
    std::fputs(tw::test::program_text(*imported, locations).c_str(), stdout);
  }
}
