// SPDX-License-Identifier: Apache-2.0
// Names: which match a pattern, and which were probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tw::cli {

// `*` stands for any text, `?` for one character; everything else for itself (names hold brackets and
// quotes).
bool matches(std::string_view pattern, std::string_view name);

// Up to `most` of the names that are closest to what was written, the closest first; none that is far off.
std::vector<std::string> nearest(const std::string &written, const std::vector<std::string> &names,
                                 size_t most);

} // namespace tw::cli
