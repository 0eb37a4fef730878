// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known names nearest to one that does not exist.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tw {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other; counts no further
// than `limit` + 1.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit = SIZE_MAX - 1);

// The nearest names, nearest first, equal ones in the order given; none that is farther than half of the
// longer name's length, unless it holds something like it.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known,
                                       size_t count = 3);

// "; nearest: 'data', 'date'", or "" where nothing is near.
std::string nearest_text(std::string_view name, std::span<const std::string> known, size_t count = 3);

} // namespace tw
