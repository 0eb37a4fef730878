// SPDX-License-Identifier: Apache-2.0
// dynamic_slice and dynamic_update_slice: a box of an array read or replaced, at indices known when running.
//
// A dimension along which the box moves may be split in the array: each device reads what it holds of the box
// and leaves zero bits elsewhere, so that the parts combine by `pick`, or replaces what it holds. Where the
// start is known, the box lies under a window: each device reads the part of it that its tile comes from, or
// needs the part of the update that lies in its tile.
#include <optional>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/linear.hpp"

namespace tw::ops::dynamic_slice_ops {
namespace {

// Start indices are one scalar per dimension of operand 0, all of one integer type.
Status check_starts(const OpView &op, size_t first) {
  const graph::TensorType &array = *op.operands[0];
  if (op.operands.size() - first != array.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} start indices for operand 0, {}", op.operands.size() - first,
                            graph::to_short_text(array)));
  for (size_t v = first; v < op.operands.size(); ++v)
    if (op.operands[v]->rank() != 0 || !graph::is_int(op.operands[v]->dtype) ||
        op.operands[v]->dtype != op.operands[first]->dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {}, a start index, is {}: expected scalars of one integer type", v,
                              graph::to_short_text(*op.operands[v])));
  return {};
}

Status check_box(const OpView &op, std::span<const int64_t> box) {
  const graph::TensorType &array = *op.operands[0];
  for (size_t d = 0; d < box.size(); ++d)
    if (box[d] < 0 || box[d] > array.dims[d])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimension {} of the slice has size {}, but operand 0 is {}", d, box[d],
                              graph::to_short_text(array)));
  return {};
}

Result<std::vector<graph::TensorType>> infer_slice(const OpView &op) {
  TW_TRY(check_starts(op, 1));
  const auto sizes = op.ints(slot::dynamic_slice::slice_sizes);
  if (sizes.size() != op.operands[0]->rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("slice_sizes has {} entries for operand 0, {}", sizes.size(),
                            graph::to_short_text(*op.operands[0])));
  TW_TRY(check_box(op, sizes));
  return std::vector<graph::TensorType>{{op.operands[0]->dtype, graph::Shape(sizes.begin(), sizes.end())}};
}

Result<std::vector<graph::TensorType>> infer_update(const OpView &op) {
  TW_TRY(check_starts(op, 2));
  const graph::TensorType &array = *op.operands[0], &update = *op.operands[1];
  if (update.dtype != array.dtype || update.rank() != array.rank())
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("operand 0 is {} but operand 1, the update, is {}: element types and ranks must agree",
                    graph::to_short_text(array), graph::to_short_text(update)));
  TW_TRY(check_box(op, update.dims));
  return std::vector<graph::TensorType>{array};
}

std::optional<int64_t> number(const KnownStarts &starts, size_t d) {
  return d < starts.size() && starts[d] ? std::optional(starts[d]->offset) : std::nullopt;
}

// A dimension that the box covers starts at 0.
Rule slice_rule_at(const OpView &op, const KnownStarts &starts) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d) {
    const int64_t from = op.operands[0]->dims[d], to = op.results[0]->dims[d];
    const auto start = number(starts, d);
    if (from == to || (start && to != 1)) {
      const FactorId f = rule.pass(to);
      rule.out(0, d, f);
      if (from == to)
        rule.in(0, d, f);
      else
        rule.slide({0, static_cast<uint32_t>(d), from, {{f, 1}}, *start, 1, {}}, 0);
    } else {
      rule.in(0, d, rule.pick(from, start.value_or(-1))).whole_out(0, d, to);
    }
  }
  return rule.build();
}

Rule update_rule_at(const OpView &op, const KnownStarts &starts) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d) {
    const int64_t array = op.operands[0]->dims[d], update = op.operands[1]->dims[d];
    const FactorId f = rule.pass(array);
    rule.in(0, d, f).out(0, d, f);
    if (array == update)
      rule.in(1, d, f);
    else if (const auto start = number(starts, d))
      rule.slide(written_window(1, d, update, f, array, *start), 0);
    else
      rule.whole_in(1, d, update);
  }
  return rule.build();
}

Rule slice_rule(const OpView &op) { return slice_rule_at(op, {}); }
Rule update_rule(const OpView &op) { return update_rule_at(op, {}); }

OpDef dynamic_slice() {
  OpDef def{"stablehlo.dynamic_slice",
            "A box of an array, at indices known when running and clamped to fit. Spec: dynamic_slice.",
            1,
            -1,
            1,
            {{"slice_sizes", AttrKind::ints, true, "size of the box, per dimension", AttrDims::extents,
              "sizes", true}}};
  def.kind = OpKind::dynamic_slice;
  def.infer = infer_slice;
  def.rule = slice_rule;
  def.rule_at = slice_rule_at;
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.results[0]->bytes()), static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b1>;
  return def;
}

OpDef dynamic_update_slice() {
  OpDef def{"stablehlo.dynamic_update_slice",
            "An array with a box replaced, at indices known when running and clamped to fit. Spec: "
            "dynamic_update_slice.",
            2,
            -1,
            1,
            {},
            kUpdate};
  def.kind = OpKind::dynamic_update_slice;
  def.infer = infer_update;
  def.rule = update_rule;
  def.rule_at = update_rule_at;
  def.mark_placed = [](const OpView &op, const Rule &rule, std::vector<bool> &placed) {
    for (size_t d = 0; d < op.operands[0]->rank(); ++d)
      if (op.operands[0]->dims[d] != op.operands[1]->dims[d])
        mark(rule.operands[0][d], placed);
  };
  def.cost = [](const OpView &op) {
    return Cost{0,
                static_cast<double>(op.operands[0]->bytes()) + static_cast<double>(op.operands[1]->bytes()),
                static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b11>;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {dynamic_slice(), dynamic_update_slice()};
  return defs;
}

} // namespace tw::ops::dynamic_slice_ops
