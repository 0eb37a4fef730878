// SPDX-License-Identifier: Apache-2.0
// The call ApproxTopK, as jax.lax.approx_max_k writes it: arrays are sorted together by what a function says
// of two elements, and the first of them stay. Exact, which the call allows.
#include "import/dialects/stablehlo/ops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/trim.hpp"
#include "import/calls.hpp"
#include "ops/registry.hpp"

namespace tw::import {

namespace {

// An op at the place of the call, on values that are there.
OpText implied_op(const OpText &call, std::string_view name, std::vector<graph::ValueId> operands,
                  std::vector<graph::TypeId> types, std::vector<graph::TypeId> results) {
  OpText op;
  op.name = name;
  op.code = *ops::find_op(name);
  op.at = call.at;
  op.line = call.line;
  op.column = call.column;
  op.loc = call.loc;
  op.operand_at.assign(operands.size(), call.at);
  op.operand_def.assign(operands.size(), call.at);
  op.operands = std::move(operands);
  op.operand_types = std::move(types);
  op.result_types = std::move(results);
  return op;
}

// The dimension along which the call looks, of its backend_config.
bool read_dimension(Reader &r, const OpText &op, int64_t &dimension) {
  for (const char *name : {"mhlo.backend_config", "backend_config"}) {
    const AttrText *config = op.find_attr(name);
    if (config == nullptr || !config->raw.starts_with('{'))
      continue;
    std::vector<AttrText> own;
    if (!read_dictionary(r, config->raw, own))
      return false;
    for (const AttrText &attr : own)
      if (attr.name == "reduction_dim")
        return r.c.attributes.read_int(attr.raw, dimension);
  }
  return r.s.fail("TW-105", op.at,
                  "ApproxTopK: the attribute reduction_dim of its backend_config is missing");
}

// What says which of two elements comes first, as the region of a sort.
bool read_comparator(Reader &r, OpText &op, size_t arrays, graph::RegionId &region) {
  const AttrText *called = op.find_attr("called_computations");
  std::string_view callee = called == nullptr ? std::string_view() : trim(called->raw);
  if (callee.starts_with('[') && callee.ends_with(']'))
    callee = trim(callee.substr(1, callee.size() - 2));
  if (!callee.starts_with('@'))
    return r.s.fail("TW-105", op.at, "ApproxTopK: called_computations names no function");
  std::vector<graph::TypeId> types;
  for (size_t i = 0; i < arrays; ++i)
    types.insert(types.end(), 2, r.c.builder.type({r.c.type_of(op.operands[i]).dtype, {}}));
  region = r.c.builder.open_region(types);
  const std::vector<graph::ValueId> arguments = r.c.builder.graph().region(region).args;
  Signature signature;
  std::vector<graph::ValueId> outer = std::move(r.yields);
  if (!read_callee(r, op, callee, op.at, arguments, signature))
    return false;
  r.c.builder.close_region(r.yields);
  r.yields = std::move(outer);
  return true;
}

} // namespace

bool lower_approx_top_k(Reader &r, OpText &op) {
  const size_t arrays = op.operands.size() / 2; // and what they begin with, which an exact answer needs not
  if (!r.emitter.check_operand_types(op))
    return false;
  if (arrays == 0 || op.operands.size() % 2 != 0 || op.result_types.size() != arrays)
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("ApproxTopK: {} operands and {} results", op.operands.size(), op.result_types.size()));
  int64_t dimension = 0;
  graph::RegionId region = 0;
  if (!read_dimension(r, op, dimension) || !read_comparator(r, op, arrays, region))
    return false;
  const auto types =
      std::vector(op.operand_types.begin(), op.operand_types.begin() + static_cast<ptrdiff_t>(arrays));
  OpText sort =
      implied_op(op, "stablehlo.sort",
                 {op.operands.begin(), op.operands.begin() + static_cast<ptrdiff_t>(arrays)}, types, types);
  const std::string where = std::to_string(dimension);
  sort.attrs = {{"dimension", where, nullptr}, {"is_stable", "true", nullptr}};
  sort.regions = {region};
  graph::OpId sorted = 0;
  if (!r.emitter.add(sort, sorted))
    return false;
  std::vector<graph::ValueId> results;
  for (size_t i = 0; i < arrays; ++i) {
    const graph::Shape &dims = r.c.builder.graph().type_at(op.result_types[i]).dims;
    const auto list = [&](const auto &values) {
      return fmt::format("array<i64: {}>", fmt::join(values, ", "));
    };
    const std::string starts = list(std::vector<int64_t>(dims.size(), 0)), limits = list(dims),
                      strides = list(std::vector<int64_t>(dims.size(), 1));
    OpText slice =
        implied_op(op, "stablehlo.slice", {r.c.builder.graph().result(sorted, static_cast<uint32_t>(i))},
                   {types[i]}, {op.result_types[i]});
    slice.attrs = {{"start_indices", starts, nullptr},
                   {"limit_indices", limits, nullptr},
                   {"strides", strides, nullptr}};
    graph::OpId made = 0;
    if (!r.emitter.add(slice, made))
      return false;
    results.push_back(r.c.builder.graph().result(made));
  }
  return r.stand_for(op, results);
}

} // namespace tw::import
