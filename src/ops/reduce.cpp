// SPDX-License-Identifier: Apache-2.0
// reduce: arrays folded along dimensions by a region, one array or several together.
//
// A region that is no known reduction, such as that of argmax, may be split along the outermost dimension:
// regions associate, so partial values are folded by the region in the order of the tiles, which keeps what
// it does on ties. A tile of another dimension is no run of the elements: it may be split where the region
// minds no order.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/plain_cost.hpp"
#include "ops/reduction.hpp"
#include "ops/symmetry.hpp"

namespace tw::ops::reduce_ops {
namespace {

// The region's element types may be wider than the operands'; results have the region's.
Status check_region(const OpView &op, size_t n) {
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != 2 * n || region.yields.size() != n)
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region takes {} values and gives {}, expected {} and {} for {} arrays",
                            region.args.size(), region.yields.size(), 2 * n, n, n));
  for (graph::ValueId v : region.args)
    if (op.graph.type(v).rank() != 0)
      return fail(Code::invalid_argument, "TW-248",
                  fmt::format("its region takes {}: its values must be scalars",
                              graph::to_short_text(op.graph.type(v))));
  for (size_t i = 0; i < n; ++i) {
    const graph::DType yields = op.graph.type(region.yields[i]).dtype;
    if (op.graph.type(region.args[i]).dtype != yields || op.graph.type(region.args[n + i]).dtype != yields)
      return fail(
          Code::invalid_argument, "TW-248",
          fmt::format("its region combines {} and {} to {} for array {}: they must be one element type",
                      graph::name(op.graph.type(region.args[i]).dtype),
                      graph::name(op.graph.type(region.args[n + i]).dtype), graph::name(yields), i));
  }
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const size_t n = op.operands.size() / 2;
  if (op.operands.size() != 2 * n)
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("takes as many initial values as arrays, has {} operands", 2 * n + 1));
  const graph::TensorType &first = *op.operands[0];
  const auto dims = op.ints(slot::reduce::dimensions);
  std::vector<bool> taken(first.rank());
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(first.rank()) || taken[static_cast<size_t>(d)])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimensions [{}] must name different dimensions of operand 0, {}",
                              fmt::join(dims, ", "), graph::to_short_text(first)));
    taken[static_cast<size_t>(d)] = true;
  }
  TW_TRY(check_region(op, n));
  std::vector<graph::TensorType> results;
  for (size_t i = 0; i < n; ++i) {
    const graph::TensorType &array = *op.operands[i], &init = *op.operands[n + i];
    if (array.dims != first.dims)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {} but operand 0 is {}: shapes differ", i,
                              graph::to_short_text(array), graph::to_short_text(first)));
    if (init.rank() != 0 || init.dtype != array.dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {}, the initial value of {}, is {}: expected a scalar {}", n + i,
                              graph::to_short_text(array), graph::to_short_text(init),
                              graph::name(array.dtype)));
    graph::TensorType result{op.graph.type(op.graph.region(op.regions[0]).yields[i]).dtype, {}};
    for (size_t d = 0; d < first.rank(); ++d)
      if (!taken[d])
        result.dims.push_back(first.dims[d]);
    results.push_back(std::move(result));
  }
  return results;
}

Rule rule(const OpView &op) {
  const size_t n = op.operands.size() / 2;
  const auto kind = reduction_of(op);
  RuleBuilder rule(op);
  bool folds = !kind && op.operands.size() <= 64;
  const bool in_order = folds && op.ints(slot::reduce::dimensions).size() > 1 &&
                        symmetry_of(op.graph, op.regions[0]) == Symmetry::none;
  size_t kept = 0;
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t size = op.operands[0]->dims[d];
    const bool reduced = is_reduced(op, d);
    const FactorId f = !reduced ? rule.pass(size)
                       : kind   ? rule.reduce(size, *kind)
                       : folds  ? rule.reduce(size, sharding::Reduction::region)
                                : rule.whole(size);
    folds = folds && (!in_order || !reduced || size == 1); // the elements of a tile follow each other
    for (size_t i = 0; i < n; ++i) {
      rule.in(i, d, f);
      if (!reduced)
        rule.out(i, kept, f);
    }
    kept += !reduced;
  }
  for (size_t i = 0; i < n && op.operands.size() <= 64; ++i)
    rule.init_operand(n + i);
  return rule.build();
}

Cost cost(const OpView &op) {
  Cost cost = plain_cost(op);
  cost.flops = 0;
  for (const graph::TensorType *t : op.operands)
    cost.flops += static_cast<double>(t->elements());
  return cost;
}

// What reduces in the way in which the operand's partial values combine; the initial value enters once.
bool is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return partial == 0b1 && op.operands.size() == 2 && reduction_of(op.graph, op.regions[0]) == kind;
}

OpDef reduce() {
  OpDef def{"stablehlo.reduce",
            "Folds arrays along dimensions by a region, starting from initial values. Spec: reduce.",
            2,
            -1,
            -1,
            {{"dimensions", AttrKind::ints, true, "the dimensions folded away", AttrDims::named}},
            0,
            1};
  def.flags |= kPlaceless;
  def.kind = OpKind::reduce;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([i,k],[])->([i]) k:sum";
  def.cost = cost;
  def.linear = is_linear;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {reduce()};
  return defs;
}

} // namespace tw::ops::reduce_ops
