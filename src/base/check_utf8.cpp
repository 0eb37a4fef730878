// SPDX-License-Identifier: Apache-2.0
// Finds the line and the column of what is wrong.
#include "base/check_utf8.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace tw {

Status check_utf8(std::string_view text, std::string_view what, std::optional<std::string> file) {
  const size_t at = find_not_utf8(text);
  if (at == std::string_view::npos)
    return {};
  Error error(Code::invalid_argument, "TW-003",
              fmt::format("{}: the byte 0x{:02x} is no UTF-8", what, static_cast<unsigned char>(text[at])));
  if (!file)
    return fail(std::move(error));
  const std::string_view before = text.substr(0, at);
  const size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  return fail(
      std::move(error).at({std::move(*file), static_cast<uint32_t>(std::ranges::count(before, '\n')) + 1,
                           static_cast<uint32_t>(at - line_start) + 1}));
}

} // namespace tw
