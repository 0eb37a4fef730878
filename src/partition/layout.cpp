// SPDX-License-Identifier: Apache-2.0
// Derives distributed types from nests: a dimension carries the axes of its factors, those of the more major
// factor first and each factor's in nest order; a reduced factor leaves the result partial.
#include <algorithm>

#include "partition/plan.hpp"
#include "partition/projection.hpp"

namespace tw::partition {

using sharding::AxisId;
using sharding::SplitRule;

namespace {

// The places of a dimension's factors, major to minor.
template <class Visit> void each_place(const FlatRule &flat, uint32_t slot, uint32_t dim, Visit visit) {
  const auto factors = flat.factors(slot, dim);
  FactorPlace place;
  for (const ops::FactorId f : factors)
    place.minor *= std::max<int64_t>(flat.size(f), 1);
  for (const ops::FactorId f : factors) {
    place.size = flat.size(f);
    place.minor /= std::max<int64_t>(place.size, 1);
    if (!visit(f, place))
      return;
    place.major *= place.size;
  }
}

} // namespace

std::optional<Plan::AxisCut> Plan::axis_cut(NodeId n, uint32_t slot, uint32_t dim, AxisId axis) const {
  std::optional<AxisCut> found;
  int64_t before = 1;
  each_place(flat_rule(n), slot, dim, [&](ops::FactorId f, const FactorPlace &place) {
    int64_t tiles = 1;
    for (const NestEntry &e : nest(n)) {
      if (e.factor != f)
        continue;
      tiles *= mesh_.size(e.axis);
      if (e.axis == axis) {
        found = AxisCut{before, place.major == 1, to_dimension(splits_[e.split], place, tiles)};
        return false;
      }
      before *= mesh_.size(e.axis);
    }
    return true;
  });
  return found;
}

std::optional<Plan::Cut> Plan::cut(NodeId n, uint32_t slot, AxisId axis) const {
  const NestEntry *e = entry(n, axis);
  const uint8_t dim = e == nullptr || e->factor == kAny ? kNoDim : flat_rule(n).dim_of(slot, e->factor);
  if (dim == kNoDim)
    return std::nullopt;
  AxisCut found = *axis_cut(n, slot, dim, axis);
  return Cut{dim, found.before, std::move(found.rule)};
}

std::optional<Plan::Cut> Plan::operand_cut(NodeId n, uint32_t operand, AxisId axis) const {
  std::optional<Cut> found = cut(n, flat_rule(n).operand_slot(operand), axis);
  if (found && rule(n).window(operand, found->dim) != nullptr)
    found.reset();
  return found;
}

std::optional<Plan::Cut> Plan::result_cut(NodeId n, uint32_t result, AxisId axis) const {
  return cut(n, flat_rule(n).result_slot(result), axis);
}

sharding::Sharding Plan::layout(NodeId n, uint32_t slot, size_t rank, std::span<const NestEntry> nest) const {
  sharding::Sharding made = sharding::Sharding::replicated(rank);
  if (nest.empty())
    return made;
  const FlatRule &flat = flat_rule(n);
  for (uint32_t d = 0; d < rank; ++d)
    each_place(flat, slot, d, [&](ops::FactorId f, const FactorPlace &place) {
      int64_t tiles = 1;
      SplitId split = 0;
      for (const NestEntry &e : nest)
        if (e.factor == f) {
          tiles *= mesh_.size(e.axis);
          split = e.split;
          made.dims[d].axes.push_back(e.axis);
        }
      if (tiles > 1 || split != 0)
        made.dims[d].rule = to_dimension(splits_[split], place, tiles);
      return true;
    });
  return made;
}

sharding::DimSharding Plan::window_layout(NodeId n, const ops::Window &window,
                                          std::span<const NestEntry> nest) const {
  const ops::Rule &of = rule(n);
  std::vector<sharding::Interval> parts;
  for (const ops::Factor &factor : of.factors)
    parts.push_back({0, factor.size});
  sharding::DimSharding made;
  struct Cut {
    ops::FactorId factor;
    int64_t tiles;
    const SplitRule *rule;
  };
  std::vector<Cut> cuts; // those of the term named first are outermost
  int64_t all = 1;
  for (const ops::Window::Term &term : window.terms) {
    Cut cut{term.factor, 1, &splits_[0]};
    for (const NestEntry &e : nest)
      if (e.factor == term.factor) {
        cut.tiles *= mesh_.size(e.axis);
        cut.rule = &splits_[e.split];
        made.axes.push_back(e.axis);
      }
    all *= cut.tiles;
    cuts.push_back(cut);
  }
  if (made.axes.empty())
    return made;
  std::vector<sharding::Interval> spans;
  for (int64_t t = 0; t < all; ++t) {
    int64_t rest = t;
    for (size_t i = cuts.size(); i-- > 0; rest /= cuts[i].tiles)
      parts[cuts[i].factor] =
          sharding::tile(*cuts[i].rule, of.factors[cuts[i].factor].size, cuts[i].tiles, rest % cuts[i].tiles);
    spans.push_back(of.needed(window, parts));
  }
  made.rule = sharding::make_spans(spans, window.size);
  return made;
}

sharding::Sharding Plan::result_sharding(NodeId n, uint32_t result) const {
  return result_sharding(n, result, nest(n));
}

sharding::Sharding Plan::result_sharding(NodeId n, uint32_t result, std::span<const NestEntry> nest) const {
  const ops::Rule &of = rule(n);
  sharding::Sharding made = layout(n, flat_rule(n).result_slot(result), of.results[result].size(), nest);
  for (const NestEntry &e : nest)
    if (e.factor != kAny && of.factors[e.factor].kind == ops::FactorKind::reduce)
      made.partial.push_back({e.axis, of.factors[e.factor].reduction});
  std::ranges::sort(made.partial, {}, &sharding::Partial::axis);
  return made;
}

sharding::Sharding Plan::operand_sharding(NodeId n, uint32_t operand) const {
  return operand_sharding(n, operand, nest(n));
}

sharding::Sharding Plan::operand_sharding(NodeId n, uint32_t operand, std::span<const NestEntry> nest) const {
  if (has_fixed_layout(n))
    for (size_t i = 0; i < graph_->results().size(); ++i)
      if (graph_->results()[i] == n)
        return *result_layout(i);
  const ops::Rule &of = rule(n);
  sharding::Sharding needed =
      layout(n, flat_rule(n).operand_slot(operand), of.operands[operand].size(), nest);
  for (const ops::Window &window : of.windows)
    if (window.operand == operand)
      needed.dims[window.dim] = window_layout(n, window, nest);
  return needed;
}

void Plan::pin_result_layout(size_t result, sharding::Sharding layout) {
  const NodeId n = graph_->results()[result];
  result_layouts_.push_back({result, std::move(layout), static_cast<ActionId>(actions_.size() - 1)});
  roles_[n] |= kFixedRole;
  nests_.refuse(n);
  log_.push_back(kLogLayout);
}

const Plan::ResultLayout *Plan::find_result_layout(size_t result) const {
  for (size_t i = result_layouts_.size(); i-- > 0;)
    if (result_layouts_[i].result == result)
      return &result_layouts_[i];
  return nullptr;
}

const sharding::Sharding *Plan::result_layout(size_t result) const {
  const ResultLayout *asked = find_result_layout(result);
  return asked != nullptr ? &asked->layout : nullptr;
}

std::optional<ActionId> Plan::result_action(size_t result) const {
  const ResultLayout *asked = find_result_layout(result);
  return asked != nullptr && asked->action < actions_.size() ? std::optional(asked->action) : std::nullopt;
}

} // namespace tw::partition
