// SPDX-License-Identifier: Apache-2.0
// Redistribution of real bytes: how close it comes to a plain copy of as many, and its times on problems of a file.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tw::bench {

// 64 MiB over 4 and 8 devices, between all pairs of tiled dimensions, to replicated, permuted; each against the floor: the
// same bytes copied from the same sources to the same targets, contiguous and past the caches, by as many threads.
nlohmann::ordered_json run_axis_pairs(unsigned workers, int rounds, const std::string &filter);

} // namespace tw::bench
