// SPDX-License-Identifier: Apache-2.0
// Lays a factor rule out as the flat tables that propagation reads.
#include "partition/flat_rule.hpp"

#include <algorithm>

namespace tw::partition {

FlatRule::FlatRule(const ops::Rule &rule)
    : num_operands_(static_cast<uint32_t>(rule.operands.size())),
      num_results_(static_cast<uint32_t>(rule.results.size())),
      num_factors_(static_cast<uint32_t>(rule.factors.size())), factors_(rule.factors) {
  std::vector<std::vector<ops::FactorId>> before(num_factors_);
  std::vector<bool> in_operand(num_factors_, false);
  leads_.assign(num_factors_, 0);
  dim_of_.assign(size_t{num_operands_ + num_results_} * num_factors_, kNoDim);
  first_factor_.push_back(0);
  const auto add_slot = [&](const std::vector<ops::DimFactors> &dims, uint32_t slot) {
    first_dim_.push_back(static_cast<uint32_t>(first_factor_.size() - 1));
    for (size_t d = 0; d < dims.size(); ++d) {
      for (size_t i = 0; i < dims[d].size(); ++i) {
        const ops::FactorId f = dims[d][i];
        dim_of_[size_t{slot} * num_factors_ + f] = static_cast<uint8_t>(d);
        dim_factors_.push_back(f);
        if (slot < num_operands_)
          in_operand[f] = true;
        for (size_t j = 0; j < i; ++j) {
          leads_[dims[d][j]] = 1;
          if (std::ranges::find(before[f], dims[d][j]) == before[f].end())
            before[f].push_back(dims[d][j]);
        }
      }
      first_factor_.push_back(static_cast<uint32_t>(dim_factors_.size()));
    }
  };
  uint32_t slot = 0;
  for (const auto &dims : rule.operands)
    add_slot(dims, slot++);
  for (const auto &dims : rule.results)
    add_slot(dims, slot++);

  first_before_.push_back(0);
  for (uint32_t f = 0; f < num_factors_; ++f) {
    before_.insert(before_.end(), before[f].begin(), before[f].end());
    first_before_.push_back(static_cast<uint32_t>(before_.size()));
    broadcast_.push_back(num_operands_ > 0 && !in_operand[f]);
  }
}

} // namespace tw::partition
