// SPDX-License-Identifier: Apache-2.0
// What a program moves: its collectives, by kind.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "spmd/program.hpp"

namespace tw::report {

// The kinds that reports count, in their order; a local slice, transpose or copy is no collective.
inline constexpr std::array kCountedKinds = {
    redistribute::Kind::all_gather, redistribute::Kind::all_reduce, redistribute::Kind::reduce_scatter,
    redistribute::Kind::all_to_all, redistribute::Kind::permute,    redistribute::Kind::exchange,
};

// How a collective goes over the levels of the mesh, all of its arrays together: the method of the first, as
// many steps as the longest has.
struct CollectivePlan {
  redistribute::Method method;
  size_t steps;
  std::vector<int64_t> bytes_by_level; // as of redistribute::Move
};
CollectivePlan plan_of(const spmd::Collective &c); // which is planned
// An error where none of the kinds above has this name.
Result<size_t> count_kind(const spmd::Program &program, std::string_view kind);

} // namespace tw::report
