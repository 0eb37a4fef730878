// SPDX-License-Identifier: Apache-2.0
// Redistribution of real bytes: how close it comes to a plain copy of as many, and its times on problems of a
// file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tw::bench {

// An array of three dimensions over 4 and 8 devices, between all pairs of tiled dimensions, to replicated, to
// other devices, and partial sums to tiled and to replicated; each against the floor: the same bytes copied
// from the same sources to the same targets, contiguous and past the caches, by as many threads. With one
// worker the processor's time counts, which other programs disturb less.
nlohmann::ordered_json run_axis_pairs(const std::vector<int64_t> &shape, unsigned workers, int rounds,
                                      const std::string &filter);

// Each of a list of {"mesh", "src", "dst"}, types as text: its time, that of a plain copy of the bytes that
// devices receive, and these, as a mean. Every element that arrives is checked.
nlohmann::ordered_json run_problems(const nlohmann::json &problems, unsigned workers, int rounds);

} // namespace tw::bench
