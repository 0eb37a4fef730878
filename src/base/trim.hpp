// SPDX-License-Identifier: Apache-2.0
// Text without the blanks around it.
#pragma once

#include <string_view>

namespace tw {

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

} // namespace tw
