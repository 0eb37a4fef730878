// SPDX-License-Identifier: Apache-2.0
// The programs of the tree: those of the golden cases, those that carry their expectation, our models.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "import/import.hpp"
#include "unit.hpp"

namespace tw::test {

struct TreeProgram {
  std::string name; // file, and function where it has several
  import::Imported imported;
};

// Names of the functions of a text that others may call.
inline std::vector<std::string> public_functions(std::string_view text) {
  std::vector<std::string> names;
  for (size_t at = text.find("func.func"); at != std::string_view::npos;
       at = text.find("func.func", at + 1)) {
    const size_t name = text.find('@', at);
    if (text.substr(at, name - at).find("private") == std::string_view::npos)
      names.emplace_back(text.substr(name + 1, text.find('(', name) - name - 1));
  }
  return names;
}

inline std::vector<TreeProgram> programs_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<TreeProgram> all;
  for (const import::TextPart &part : import::split_text(text)) {
    std::vector<std::string> names = public_functions(part.text);
    if (names.size() <= 1 || std::ranges::find(names, "main") != names.end())
      names = {""};
    for (const std::string &name : names) {
      import::ImportOptions options;
      options.file = path;
      options.entry = name;
      options.first_line = part.first_line;
      auto imported = import::import_text(part.text, options);
      REQUIRE_MESSAGE(imported.has_value(), path << " " << name << ": " << imported.error().message());
      all.push_back({name.empty() ? path : path + " @" + name, std::move(*imported)});
    }
  }
  return all;
}

// All of them.
inline std::vector<TreeProgram> tree_programs() {
  std::vector<std::string> paths;
  for (const char *folder :
       {"tests/golden/programs", "tests/golden/checked", "examples/models", "examples/models/zoo"})
    for (const auto &file : std::filesystem::directory_iterator(source_path(folder)))
      if (file.path().extension() == ".mlir")
        paths.push_back(file.path().string());
  std::ranges::sort(paths);
  REQUIRE(paths.size() > 30);
  std::vector<TreeProgram> all;
  for (const std::string &path : paths)
    std::ranges::move(programs_of(path), std::back_inserter(all));
  return all;
}

} // namespace tw::test
