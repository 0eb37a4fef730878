// SPDX-License-Identifier: Apache-2.0
// Ops that take as operands what their namesakes have as attributes: slices, paddings and sizes. Shapes are
// static here, so these must be constants; they become attributes.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/implied.hpp"
#include "ops/registry.hpp"

namespace tw::import {

namespace {

// An op, what it becomes, and the attributes that its last operands become, in order.
struct Folding {
  std::string_view written, name;
  std::vector<std::string_view> attrs;
};

const std::vector<Folding> &foldings() {
  static const std::vector<Folding> list = {
      {"stablehlo.dynamic_conv", "stablehlo.convolution", {"padding"}},
      {"stablehlo.dynamic_gather", "stablehlo.gather", {"slice_sizes"}},
      {"stablehlo.dynamic_pad",
       "stablehlo.pad",
       {"edge_padding_low", "edge_padding_high", "interior_padding"}},
      {"stablehlo.real_dynamic_slice", "stablehlo.slice", {"start_indices", "limit_indices", "strides"}},
  };
  return list;
}

} // namespace

bool lower_folded(Reader &r, OpText &op) {
  const auto folding = std::ranges::find(foldings(), op.name, [](const Folding &f) { return f.written; });
  const size_t count = folding->attrs.size();
  if (!r.emitter.check_operand_types(op))
    return false;
  if (op.operands.size() <= count)
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("{} takes more than {} operands, has {}", op.name, count, op.operands.size()));
  const size_t first = op.operands.size() - count;
  for (size_t i = 0; i < count; ++i) {
    auto values = fold_integers(r.c.builder.graph(), op.operands[first + i]);
    if (!values)
      return r.unsupported(op.operand_at[first + i],
                           fmt::format("{}: its operand {} must be constant, since shapes are static: export "
                                       "the program with static shapes",
                                       op.name, folding->attrs[i]));
    op.folded[i] = std::move(*values);
    op.attrs.push_back({folding->attrs[i], std::string_view(op.at, 0), &op.folded[i]});
  }
  op.operands.resize(first);
  op.operand_at.resize(first);
  op.operand_types.resize(first);
  const auto code = ops::find_op(folding->name);
  if (!code)
    return r.fail_unknown(op.name, op.at);
  op.code = *code;
  op.name = ops::op_def(op.code).name;
  return folding->name == "stablehlo.convolution" ? lower_convolution(r, op) : r.emit(op);
}

// A number that the operand's type says.
bool lower_dimension_size(Reader &r, OpText &op) {
  int64_t dim = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "dimension", dim))
    return false;
  if (op.operands.size() != 1 || op.result_types.size() != 1)
    return r.s.fail("TW-110", op.at, fmt::format("{} takes one operand and gives one result", op.name));
  const graph::TensorType type = r.c.type_of(op.operands[0]);
  if (dim < 0 || dim >= static_cast<int64_t>(type.rank()))
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} has no dimension {}", op.name, graph::to_text(type), dim));
  Implied implied(r.c, op);
  const int64_t size[] = {type.dims[static_cast<size_t>(dim)]};
  const graph::ValueId value = implied.integers({graph::DType::s32, {}}, size);
  return implied.ok() && r.stand_for(op, {value});
}

// Sizes cannot change, so only the size that is there already may be set.
bool lower_set_dimension_size(Reader &r, OpText &op) {
  int64_t dim = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "dimension", dim))
    return false;
  if (op.operands.size() != 2)
    return r.s.fail("TW-110", op.at, fmt::format("{} takes 2 operands, has {}", op.name, op.operands.size()));
  const graph::TensorType type = r.c.type_of(op.operands[0]);
  const auto size = fold_integers(r.c.builder.graph(), op.operands[1]);
  if (!size || size->size() != 1 || dim < 0 || dim >= static_cast<int64_t>(type.rank()) ||
      (*size)[0] != type.dims[static_cast<size_t>(dim)])
    return r.unsupported(
        op.operand_at[1],
        fmt::format("{}: only the size that a dimension has may be set, since shapes are static: "
                    "export the program with static shapes",
                    op.name));
  return r.stand_for(op, {op.operands[0]});
}

} // namespace tw::import
