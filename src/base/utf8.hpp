// SPDX-License-Identifier: Apache-2.0
// Where text is not UTF-8, and text without control characters, which a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tw {

// Where the first byte stands that is no part of UTF-8; npos: there is none.
size_t find_not_utf8(std::string_view text);

// The text with escapes such as \x1b for control characters and for bytes that are no UTF-8.
std::string shown(std::string_view text);
// The same line by line.
std::string shown_lines(std::string_view text);

} // namespace tw
