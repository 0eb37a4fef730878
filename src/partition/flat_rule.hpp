// SPDX-License-Identifier: Apache-2.0
// A factor rule as flat tables: propagation asks "in which dimension is this factor" and "which factor is
// this dimension" a million times, and a program has only a few hundred distinct rules, so the tables stay in
// cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/rule.hpp"

namespace tw::partition {

constexpr ops::FactorId kAny = 254;      // kept whole on this axis on purpose; stops propagation
constexpr ops::FactorId kNoFactor = 255; // a dimension without factors: always whole
constexpr uint8_t kNoDim = 255;          // a factor that an operand or result does not carry

class FlatRule {
public:
  FlatRule() = default;
  explicit FlatRule(const ops::Rule &rule);

  // An operand or result: slots count the operands first, then the results.
  uint32_t operand_slot(uint32_t operand) const { return operand; }
  uint32_t result_slot(uint32_t result) const { return num_operands_ + result; }
  uint32_t num_operands() const { return num_operands_; }
  uint32_t num_results() const { return num_results_; }

  // The dimension of a slot that carries a factor, kNoDim where none does.
  uint8_t dim_of(uint32_t slot, ops::FactorId f) const { return dim_of_[slot * num_factors_ + f]; }
  // The factors of a dimension, major to minor.
  std::span<const ops::FactorId> factors(uint32_t slot, uint32_t dim) const {
    const uint32_t at = first_dim_[slot] + dim;
    return {dim_factors_.data() + first_factor_[at], first_factor_[at + 1] - first_factor_[at]};
  }
  // The product of a dimension's factors: its size, except under a window.
  int64_t product(uint32_t slot, uint32_t dim) const {
    int64_t n = 1;
    for (const ops::FactorId f : factors(slot, dim))
      n *= factors_[f].size;
    return n;
  }
  int64_t size(ops::FactorId f) const { return factors_[f].size; }
  ops::FactorKind kind(ops::FactorId f) const { return factors_[f].kind; }
  // Its parts combine by the region of the op.
  bool folds(ops::FactorId f) const {
    return factors_[f].kind == ops::FactorKind::reduce &&
           factors_[f].reduction == sharding::Reduction::region;
  }
  // Factors that must be covered by axes before this one may be split, since they come before it in some
  // dimension.
  std::span<const ops::FactorId> before(ops::FactorId f) const {
    return {before_.data() + first_before_[f], first_before_[f + 1] - first_before_[f]};
  }
  // Some factor stands behind this one in a dimension, so this one takes no axis once that one is split.
  bool leads(ops::FactorId f) const { return leads_[f] != 0; }
  // In results only, while there are operands: a broadcast. Every tile of it is at hand everywhere, so it is
  // no evidence for others.
  bool is_broadcast(ops::FactorId f) const { return broadcast_[f] != 0; }

private:
  uint32_t num_operands_ = 0, num_results_ = 0, num_factors_ = 0;
  std::vector<ops::Factor> factors_;
  std::vector<uint8_t> dim_of_;        // [slot][factor]
  std::vector<uint32_t> first_dim_;    // [slot] into first_factor_
  std::vector<uint32_t> first_factor_; // [dimension] into dim_factors_
  std::vector<ops::FactorId> dim_factors_;
  std::vector<uint32_t> first_before_;
  std::vector<ops::FactorId> before_;
  std::vector<uint8_t> leads_;
  std::vector<uint8_t> broadcast_;
};

} // namespace tw::partition
