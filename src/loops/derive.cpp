// SPDX-License-Identifier: Apache-2.0
// From cut dimensions to loops of an op's rule.
#include "loops/derive.hpp"

#include <algorithm>

#include "ops/registry.hpp"
#include "partition/projection.hpp"

namespace tw::loops {

using partition::kAny;
using partition::NestEntry;
using sharding::SplitRule;

namespace {

int64_t tiles_of(const Plan &plan, std::span<const NestEntry> nest, ops::FactorId factor) {
  int64_t tiles = 1;
  for (const NestEntry &e : nest)
    if (e.factor == factor)
      tiles *= plan.mesh().size(e.axis);
  return tiles;
}

bool covered(const Plan &plan, std::span<const NestEntry> nest, ops::FactorId factor, int64_t size) {
  partition::SplitId split = 0;
  for (const NestEntry &e : nest)
    if (e.factor == factor)
      split = e.split;
  return tiles_of(plan, nest, factor) == size && plan.split(split) == SplitRule{};
}

} // namespace

std::optional<Meaning> derive(const Plan &plan, NodeId n, std::span<const NestEntry> outer,
                              sharding::AxisId axis, std::span<const Evidence> evidence) {
  const ops::Rule &rule = plan.rule(n);
  std::optional<Meaning> found;
  for (const Evidence &e : evidence) {
    const ops::DimFactors &factors = e.of_result ? rule.results[e.port][e.dim] : rule.operands[e.port][e.dim];
    partition::FactorPlace place;
    for (const ops::FactorId f : factors)
      place.minor *= std::max<int64_t>(rule.factors[f].size, 1);
    size_t i = 0;
    for (; i < factors.size(); ++i) {
      place.size = rule.factors[factors[i]].size;
      place.minor /= std::max<int64_t>(place.size, 1);
      if (factors.size() == 1 || !covered(plan, outer, factors[i], place.size))
        break;
      place.major *= place.size;
    }
    if (i == factors.size() || (found && found->factor != factors[i]))
      return std::nullopt;
    if (found)
      continue;
    const int64_t tiles = tiles_of(plan, outer, factors[i]) * plan.mesh().size(axis);
    auto cut = partition::to_factor(e.rule, place, tiles);
    if (!cut)
      return std::nullopt;
    found = Meaning{factors[i], std::move(*cut)};
  }
  return found ? found : Meaning{kAny, {}};
}

std::vector<DimLoop> dim_loops(const Plan &plan, NodeId n) {
  const ops::Rule &rule = plan.rule(n);
  const auto &dims = rule.results.empty() ? rule.operands[0] : rule.results[0];
  std::vector<DimLoop> loops;
  for (const NestEntry &e : plan.nest(n)) {
    const auto dim = std::ranges::find(dims, ops::DimFactors{e.factor});
    loops.push_back({e.axis, e.factor == kAny ? DimLoop::kWhole : static_cast<uint32_t>(dim - dims.begin()),
                     plan.split(e.split)});
  }
  return loops;
}

Status set_dim_loops(Plan &plan, NodeId n, std::span<const DimLoop> loops) {
  const ops::Rule &rule = plan.rule(n);
  const auto &dims = rule.results.empty() ? rule.operands[0] : rule.results[0];
  for (const DimLoop &loop : loops)
    if (loop.dim == DimLoop::kWhole)
      TW_TRY(plan.set(n, loop.axis, kAny));
    else
      TW_TRY(plan.set(n, loop.axis, dims[loop.dim][0], &loop.rule));
  return {};
}

std::vector<DimLoop> implied_of_argument(const Plan &plan, size_t argument) {
  const graph::OpId op = plan.graph().arguments()[argument];
  const graph::ValueId v = plan.graph().result(op);
  std::optional<std::vector<DimLoop>> common;
  plan.flow().each_reader(v, [&](const partition::Port &reader) {
    if (plan.is_op(reader.node) && ops::is(plan.graph(), reader.node, ops::OpKind::result))
      return; // it is where the argument is
    std::vector<DimLoop> loops;
    for (const NestEntry &e : plan.nest(reader.node))
      if (auto cut = plan.operand_cut(reader.node, reader.index, e.axis))
        loops.push_back({e.axis, cut->dim, std::move(cut->rule)});
    if (!common)
      common = std::move(loops);
    else if (*common != loops)
      common->clear();
  });
  return common.value_or(std::vector<DimLoop>());
}

bool follows_readers(const Plan &plan, size_t argument) {
  const graph::OpId op = plan.graph().arguments()[argument];
  const NodeId pin = plan.pin_of(plan.graph().result(op)); // its loops stand behind the argument's own
  return (pin == graph::kNone || plan.nest(pin).empty()) &&
         dim_loops(plan, op) == implied_of_argument(plan, argument);
}

std::vector<DimLoop> implied_of_result(const Plan &plan, size_t result) {
  const graph::ValueId v = plan.graph().operands(plan.graph().results()[result])[0];
  const partition::Port maker = plan.flow().maker(v);
  const NodeId pin = plan.pin_of(v);
  const NodeId n = pin == graph::kNone ? maker.node : pin;
  std::vector<DimLoop> loops;
  if (n == graph::kNone)
    return loops;
  for (const NestEntry &e : plan.nest(n))
    if (auto cut = plan.result_cut(n, n == pin ? 0 : maker.index, e.axis))
      loops.push_back({e.axis, cut->dim, std::move(cut->rule)});
  return loops;
}

} // namespace tw::loops
