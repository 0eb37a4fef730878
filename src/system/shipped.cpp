// SPDX-License-Identifier: Apache-2.0
// Finds a system by its name or its file.
#include "system/shipped.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"
#include "system/system.hpp"

namespace tw::system {
namespace {

constexpr std::pair<std::string_view, std::string_view> kShipped[] = {
#include "system/shipped.inc"
};
constexpr size_t kMostBytes = size_t{1} << 20; // a device or a pipe may never end

} // namespace

std::span<const std::pair<std::string_view, std::string_view>> shipped_systems() { return kShipped; }

Result<System> load(const std::string &name_or_file) {
  for (const auto &[name, text] : kShipped)
    if (name == name_or_file)
      return parse(text, name_or_file);
  std::ifstream in(name_or_file, std::ios::binary);
  if (!in || std::filesystem::is_directory(name_or_file)) {
    const auto names = shipped_names();
    return fail(Code::not_found, "TW-444",
                fmt::format("there is no system '{}', and no file of that name{}; systems: {}", name_or_file,
                            nearest_text(name_or_file, names), fmt::join(names, ", ")));
  }
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() > kMostBytes)
    return fail(Code::resource_exhausted, "TW-444",
                fmt::format("{} is no system file: it has more than {} bytes", name_or_file, kMostBytes));
  return parse(text, name_or_file);
}

} // namespace tw::system
