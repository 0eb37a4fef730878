// SPDX-License-Identifier: Apache-2.0
// Layouts of arrays that a file states.
#include "cli/stated_shardings.hpp"

#include <sstream>

#include <fmt/format.h>

#include "base/pattern.hpp"
#include "base/suggest.hpp"

namespace tw::cli {

std::vector<Sharding> stated_shardings(const std::string &text, const std::string &file,
                                       const tw_mesh_t *mesh, const std::vector<StoredArray> &arrays) {
  std::vector<Sharding> shardings(arrays.size());
  std::vector<std::string> names;
  for (const StoredArray &array : arrays)
    names.push_back(array.name);
  std::istringstream lines(text);
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    constexpr const char *blank = " \t\r";
    const size_t begin = line.find_first_not_of(blank);
    if (begin == std::string::npos)
      continue;
    const auto at_line = [&](Failure failure) {
      failure.file = file;
      failure.line = number;
      failure.column = 0;
      return failure;
    };
    const size_t end = std::min(line.find_first_of(blank, begin), line.size());
    const std::string pattern = line.substr(begin, end - begin);
    std::string sharding = line.substr(std::min(line.find_first_not_of(blank, end), line.size()));
    sharding.resize(sharding.find_last_not_of(blank) + 1);
    if (sharding.empty())
      throw at_line(fail("invalid_argument", "TW-903",
                         fmt::format("a line is PATTERN SHARDING, '{}' has no sharding: {} [{{data}}, {{}}]",
                                     pattern, pattern)));
    bool fits = false;
    for (size_t i = 0; i < arrays.size(); ++i) {
      const StoredArray &array = arrays[i];
      if (!names_match(pattern, array.name))
        continue;
      fits = true;
      if (array.dtype == TW_DTYPE_INVALID)
        continue;
      tw_sharding_t *made = nullptr;
      if (tw_sharding_parse(mesh, sharding.c_str(), array.dims.data(), array.dims.size(), &made) != TW_OK) {
        Failure failure = last_failure();
        failure.notes.push_back(fmt::format("of array '{}'", array.name));
        throw at_line(std::move(failure));
      }
      shardings[i].reset(made);
    }
    if (!fits)
      throw at_line(fail("not_found", "TW-907",
                         fmt::format("no array is called '{}'{}", pattern, nearest_text(pattern, names))));
  }
  return shardings;
}

} // namespace tw::cli
