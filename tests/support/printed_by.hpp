// SPDX-License-Identifier: Apache-2.0
// What a command prints.
#pragma once

#include <array>
#include <cstdio>
#include <optional>
#include <string>

namespace tw::test {

// Nothing where it cannot be run, fails or prints nothing.
inline std::optional<std::string> printed_by(const std::string &command) {
  std::FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> block;
  size_t n = block.size();
  while (n == block.size()) {
    n = std::fread(block.data(), 1, block.size(), pipe);
    text.append(block.data(), n);
  }
  if (pclose(pipe) != 0 || text.empty())
    return std::nullopt;
  return text;
}

} // namespace tw::test
