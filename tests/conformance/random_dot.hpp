// SPDX-License-Identifier: Apache-2.0
// Random instances of dot_general: batches, dimensions in any order, tiles of all sizes.
#pragma once

#include <initializer_list>
#include <vector>

#include "conformance/kernel_case.hpp"

namespace tw::test {

enum class Group : uint8_t { batch, free, contracting };

// A random dot_general: dimensions of each operand in random order.
struct Dot {
  KernelCase call;
  std::vector<Group> lhs_groups, rhs_groups;
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_k, rhs_k;
};

struct Sizes {
  std::vector<int64_t> batch, m, n, k;
};

Dot make_dot(Rng &rng, const Sizes &sizes, graph::DType operand, graph::DType result, bool shuffle,
             bool integers);
std::vector<int64_t> random_sizes(Rng &rng, int64_t dims, std::initializer_list<int64_t> choices);

} // namespace tw::test
