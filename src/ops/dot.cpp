// SPDX-License-Identifier: Apache-2.0
// dot_general: contractions of two arrays over any dimensions, with batch dimensions; matrix products are one
// case.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/dot_sides.hpp"
#include "ops/linear.hpp"
#include "ops/products.hpp"

namespace tw::ops::dot_ops {
namespace {

namespace slots = slot::dot_general;

Status check_side(const OpView &op, size_t operand, const DotSide &side) {
  const graph::TensorType &type = *op.operands[operand];
  std::vector<bool> taken(type.rank());
  for (auto list : {side.batch, side.contracting})
    for (int64_t d : list) {
      if (d < 0 || d >= static_cast<int64_t>(type.rank()) || taken[static_cast<size_t>(d)])
        return fail(
            Code::invalid_argument, "TW-245",
            fmt::format("batching [{}] and contracting [{}] must name different dimensions of operand {}, {}",
                        fmt::join(side.batch, ", "), fmt::join(side.contracting, ", "), operand,
                        graph::to_short_text(type)));
      taken[static_cast<size_t>(d)] = true;
    }
  return {};
}

Status check_pairs(const OpView &op, std::span<const int64_t> l, std::span<const int64_t> r,
                   const char *what) {
  if (l.size() != r.size())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 has {} {} dimensions, operand 1 has {}", l.size(), what, r.size()));
  for (size_t i = 0; i < l.size(); ++i) {
    const int64_t a = op.operands[0]->dims[static_cast<size_t>(l[i])],
                  b = op.operands[1]->dims[static_cast<size_t>(r[i])];
    if (a != b)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} dimension {} of operand 0, {}, has size {}, but its partner, dimension {} "
                              "of operand 1, {}, has size {}",
                              what, l[i], graph::to_short_text(*op.operands[0]), a, r[i],
                              graph::to_short_text(*op.operands[1]), b));
  }
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const DotSide lhs = dot_side(op, 0), rhs = dot_side(op, 1);
  TW_TRY(check_side(op, 0, lhs));
  TW_TRY(check_side(op, 1, rhs));
  TW_TRY(check_pairs(op, lhs.batch, rhs.batch, "batching"));
  TW_TRY(check_pairs(op, lhs.contracting, rhs.contracting, "contracting"));
  graph::TensorType type;
  TW_ASSIGN(type.dtype, product_dtype(op));
  for (int64_t d : lhs.batch)
    type.dims.push_back(op.operands[0]->dims[static_cast<size_t>(d)]);
  for (int64_t d : lhs.free)
    type.dims.push_back(op.operands[0]->dims[static_cast<size_t>(d)]);
  for (int64_t d : rhs.free)
    type.dims.push_back(op.operands[1]->dims[static_cast<size_t>(d)]);
  return std::vector<graph::TensorType>{std::move(type)};
}

Rule rule(const OpView &op) {
  const DotSide lhs = dot_side(op, 0), rhs = dot_side(op, 1);
  RuleBuilder rule(op);
  size_t out = 0;
  for (size_t i = 0; i < lhs.batch.size(); ++i) {
    const FactorId f = rule.pass(op.results[0]->dims[out]);
    rule.in(0, static_cast<size_t>(lhs.batch[i]), f)
        .in(1, static_cast<size_t>(rhs.batch[i]), f)
        .out(0, out++, f);
  }
  for (size_t operand : {size_t(0), size_t(1)})
    for (int64_t d : operand == 0 ? lhs.free : rhs.free) {
      const FactorId f = rule.pass(op.results[0]->dims[out]);
      rule.in(operand, static_cast<size_t>(d), f).out(0, out++, f);
    }
  const auto kind =
      op.results[0]->dtype == graph::DType::i1 ? sharding::Reduction::lor : sharding::Reduction::sum;
  for (size_t i = 0; i < lhs.contracting.size(); ++i) {
    const FactorId f = rule.reduce(op.operands[0]->dims[static_cast<size_t>(lhs.contracting[i])], kind);
    rule.in(0, static_cast<size_t>(lhs.contracting[i]), f).in(1, static_cast<size_t>(rhs.contracting[i]), f);
  }
  return rule.build();
}

Cost cost(const OpView &op) {
  Cost cost;
  cost.flops = 2.0 * static_cast<double>(op.results[0]->elements());
  for (int64_t d : op.ints(slots::lhs_contracting_dimensions))
    cost.flops *= static_cast<double>(op.operands[0]->dims[static_cast<size_t>(d)]);
  cost.bytes_read =
      static_cast<double>(op.operands[0]->bytes()) + static_cast<double>(op.operands[1]->bytes());
  cost.bytes_written = static_cast<double>(op.results[0]->bytes());
  return cost;
}

OpDef dot_general() {
  OpDef def{
      "stablehlo.dot_general",
      "Sums of products over contracting dimensions, for each index of the batching ones. Spec: dot_general.",
      2,
      2,
      1,
      {{"lhs_batching_dimensions", AttrKind::ints, false,
        "dimensions of operand 0 that are kept as one with operand 1's", AttrDims::paired},
       {"rhs_batching_dimensions", AttrKind::ints, false, "their partners in operand 1", AttrDims::paired},
       {"lhs_contracting_dimensions", AttrKind::ints, false, "dimensions of operand 0 that are summed over",
        AttrDims::named},
       {"rhs_contracting_dimensions", AttrKind::ints, false, "their partners in operand 1", AttrDims::named},
       {"precision_config", AttrKind::string, false,
        "precision asked for, as text; all our kernels meet HIGHEST"},
       {"algorithm", AttrKind::string, false, "algorithm asked for, as text"}}};
  def.flags |= kPlaceless | kBatches;
  def.kind = OpKind::dot;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([b,i,k],[b,k,j])->([b,i,j]) k:sum";
  def.cost = cost;
  def.linear = linear::product;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {dot_general()};
  return defs;
}

} // namespace tw::ops::dot_ops
