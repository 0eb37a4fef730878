// SPDX-License-Identifier: Apache-2.0
// The loops that an op may stand in, by name: each is a rewrite of PartIR, `matmul-tile-0`, `matmul-sum`,
// that holds in both directions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/rule.hpp"

namespace tw::ops {

// How a loop names a reduction: "product" where sharding says prod.
std::string_view reduction_word(sharding::Reduction kind);

struct NamedLoop {
  std::string
      name; // "tile-0", "sum"; "sum-1" where a rule sums over several factors, "tile-0-of-1" of a second result
  std::vector<FactorId>
      factors; // of a reshaped dimension several, major to minor: the first that axes do not cover yet is meant
};

// All but those that must stay whole.
std::vector<NamedLoop> loop_names(const Rule &rule);

// Whether these are the loops of a product of two matrices, called matmul.
bool is_matrix_product(const Rule &rule);

} // namespace tw::ops
