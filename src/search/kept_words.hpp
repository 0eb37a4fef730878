// SPDX-License-Identifier: Apache-2.0
// What a search found as words of 64 bits, in which arguments, ops and values stand by their numbers in the
// program's key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "partition/plan.hpp"
#include "search/answer.hpp"
#include "search/program_key.hpp"

namespace tw::search {

std::vector<uint64_t> words_of(const Found &found, const ProgramKey &key, const partition::Plan &plan);
// All but what make_answer knows; nothing where these are no such words, or do not fit the program.
std::optional<Found> found_in(std::span<const uint64_t> words, const ProgramKey &key,
                              const partition::Plan &plan);

} // namespace tw::search
