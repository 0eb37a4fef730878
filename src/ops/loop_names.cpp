// SPDX-License-Identifier: Apache-2.0
// Names follow the rule: a dimension of a result is a tile, a reduced factor the reduction.
#include "ops/loop_names.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::ops {

std::string_view reduction_word(sharding::Reduction kind) {
  switch (kind) {
  case sharding::Reduction::prod: return "product";
  case sharding::Reduction::land: return "and";
  case sharding::Reduction::lor: return "or";
  case sharding::Reduction::lxor: return "xor";
  default: return sharding::name(kind);
  }
}

std::vector<NamedLoop> loop_names(const Rule &rule) {
  std::vector<NamedLoop> named;
  const auto known = [&](const std::vector<FactorId> &factors) {
    return std::ranges::any_of(named, [&](const NamedLoop &l) { return l.factors == factors; });
  };
  for (size_t r = 0; r < rule.results.size(); ++r)
    for (size_t d = 0; d < rule.results[r].size(); ++d) {
      std::vector<FactorId> factors = rule.results[r][d];
      std::erase_if(factors, [&](FactorId f) { return rule.factors[f].kind != FactorKind::pass; });
      if (!factors.empty() && !known(factors))
        named.push_back(
            {r == 0 ? fmt::format("tile-{}", d) : fmt::format("tile-{}-of-{}", d, r), std::move(factors)});
    }
  const auto like = [&](const Factor &f) {
    return std::ranges::count_if(rule.factors, [&](const Factor &other) {
      return other.kind == FactorKind::reduce && other.reduction == f.reduction;
    });
  };
  std::vector<sharding::Reduction> met;
  for (size_t f = 0; f < rule.factors.size(); ++f) {
    const Factor &factor = rule.factors[f];
    if (factor.kind != FactorKind::reduce)
      continue;
    const std::string_view word = reduction_word(factor.reduction);
    named.push_back({like(factor) == 1
                         ? std::string(word)
                         : fmt::format("{}-{}", word, std::ranges::count(met, factor.reduction)),
                     {static_cast<FactorId>(f)}});
    met.push_back(factor.reduction);
  }
  return named;
}

bool is_matrix_product(const Rule &rule) {
  const auto &in = rule.operands;
  if (in.size() != 2 || rule.results.size() != 1 || rule.results[0].size() != 2 || in[0].size() != 2 ||
      in[1].size() != 2)
    return false;
  const auto &out = rule.results[0];
  const auto sums = [&](const DimFactors &dim) {
    return dim.size() == 1 && rule.factors[dim[0]].kind == FactorKind::reduce &&
           rule.factors[dim[0]].reduction == sharding::Reduction::sum;
  };
  return in[0][0] == out[0] && in[1][1] == out[1] && in[0][1] == in[1][0] && sums(in[0][1]);
}

} // namespace tw::ops
