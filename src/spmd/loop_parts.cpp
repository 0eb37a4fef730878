// SPDX-License-Identifier: Apache-2.0
// A dimension of several loops is a number of several digits: a tile is whole blocks of the minor ones, or
// lies inside one.
#include "spmd/loop_parts.hpp"

#include <fmt/format.h>

namespace tw::spmd {

using sharding::Interval;

std::string LoopParts::add(const ops::DimFactors &factors, int64_t n, Interval held) {
  if (factors.empty())
    return held == Interval{0, n} || n == 0 ? "" : "it has no loop, so it must be whole";
  if (factors.size() == 1)
    return add_factor(factors[0], held);
  if (held.size() == 0) { // which of the factors is empty cannot be told
    empty_ = true;
    return "";
  }
  int64_t block = n, begin = held.begin, size = held.size();
  for (const ops::FactorId f : factors) {
    block /= rule_.factors[f].size;
    Interval part;
    if (size >= block) { // whole blocks; what is more minor is whole
      part = {begin / block, begin / block + size / block};
      if (begin % block != 0 || size % block != 0)
        return fmt::format("it cuts inside a block of {} elements", block);
      begin = 0;
      size = block;
    } else { // inside one block
      part = {begin / block, begin / block + 1};
      begin %= block;
      if (begin + size > block)
        return fmt::format("it crosses the edge of a block of {} elements", block);
    }
    if (std::string wrong = add_factor(f, part); !wrong.empty())
      return wrong;
  }
  return "";
}

std::string LoopParts::check(const ops::Window &window, Interval held) const {
  std::vector<Interval> parts;
  for (size_t f = 0; f < part_.size(); ++f)
    parts.push_back(known_[f] ? part_[f] : Interval{0, rule_.factors[f].size});
  const Interval needed = rule_.needed(window, parts);
  if (empty_ || needed.size() == 0 || (held.begin <= needed.begin && needed.end <= held.end))
    return "";
  return fmt::format("its windows reach over {}..{}", needed.begin, needed.end);
}

int64_t LoopParts::reduced_points() const {
  int64_t points = 1;
  for (size_t f = 0; f < part_.size(); ++f) {
    const ops::Factor &factor = rule_.factors[f];
    if (factor.kind != ops::FactorKind::reduce)
      continue;
    const Interval part = known_[f] ? part_[f] : Interval{0, factor.size};
    points *= factor.picked < 0 ? part.size() : part.begin <= factor.picked && factor.picked < part.end;
  }
  return empty_ ? 0 : points;
}

int64_t LoopParts::all_reduced_points(const ops::Rule &rule) {
  int64_t points = 1;
  for (const ops::Factor &factor : rule.factors)
    if (factor.kind == ops::FactorKind::reduce && factor.picked < 0)
      points *= factor.size;
  return points;
}

std::string LoopParts::add_factor(ops::FactorId f, Interval part) {
  const ops::Factor &factor = rule_.factors[f];
  if (factor.kind == ops::FactorKind::whole && part != Interval{0, factor.size})
    return "its loop must stay whole";
  if (part.size() == 0)
    empty_ = true;
  if (known_[f] && part != part_[f] && (part.size() != 0 || part_[f].size() != 0))
    return fmt::format("it is the part {}..{} of a loop of which another operand or result is {}..{}",
                       part.begin, part.end, part_[f].begin, part_[f].end);
  known_[f] = true;
  part_[f] = part;
  return "";
}

} // namespace tw::spmd
