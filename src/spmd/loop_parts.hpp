// SPDX-License-Identifier: Apache-2.0
// Which part of each loop of an op one device runs, found from the boxes of what it reads and makes: what the
// verifier knows instead of plans.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/rule.hpp"
#include "sharding/sharding.hpp"

namespace tw::spmd {

class LoopParts {
public:
  explicit LoopParts(const ops::Rule &rule)
      : rule_(rule), part_(rule.factors.size()), known_(rule.factors.size(), false) {}

  // Takes in what is held of one dimension, of `n` elements, of an operand or result: "" or what is wrong
  // with it.
  std::string add(const ops::DimFactors &factors, int64_t n, sharding::Interval held);
  // Of a dimension under a window, after everything else was added.
  std::string check(const ops::Window &window, sharding::Interval held) const;

  bool is_empty() const { return empty_; }
  // How many points of the reduced loops are run; of a loop that picks a known one, whether that is.
  int64_t reduced_points() const;
  static int64_t all_reduced_points(const ops::Rule &rule);

private:
  std::string add_factor(ops::FactorId f, sharding::Interval part);

  const ops::Rule &rule_;
  std::vector<sharding::Interval> part_;
  std::vector<bool> known_;
  bool empty_ = false;
};

} // namespace tw::spmd
