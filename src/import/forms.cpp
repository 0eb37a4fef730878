// SPDX-License-Identifier: Apache-2.0
// The pretty forms of ops, after the op's name: each fills an OpText as the generic form would.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

// How pretty forms abbreviate attribute names.
struct Rename {
  std::string_view op, written, name;
};
constexpr Rename kRenames[] = {
    {"stablehlo.broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.concatenate", "dim", "dimension"},
    {"stablehlo.dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.dynamic_iota", "dim", "iota_dimension"},
    {"stablehlo.dynamic_slice", "sizes", "slice_sizes"},
    {"stablehlo.einsum", "config", "einsum_config"},
    {"stablehlo.fft", "length", "fft_length"},
    {"stablehlo.fft", "type", "fft_type"},
    {"stablehlo.get_dimension_size", "dim", "dimension"},
    {"stablehlo.iota", "dim", "iota_dimension"},
    {"stablehlo.pad", "high", "edge_padding_high"},
    {"stablehlo.pad", "interior", "interior_padding"},
    {"stablehlo.pad", "low", "edge_padding_low"},
    {"stablehlo.reverse", "dims", "dimensions"},
    {"stablehlo.rng", "distribution", "rng_distribution"},
    {"stablehlo.rng_bit_generator", "algorithm", "rng_algorithm"},
    {"stablehlo.set_dimension_size", "dim", "dimension"},
    {"stablehlo.transpose", "dims", "permutation"},
    {"stablehlo.unary_einsum", "config", "einsum_config"},
};

// `precision` and the pairs `a = [0] x [1]` mean the same wherever they occur.
struct Pair {
  std::string_view written, left, right;
};
constexpr Pair kPairs[] = {
    {"batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions"},
    {"contracting_dims", "lhs_contracting_dimensions", "rhs_contracting_dimensions"},
};

std::string_view full_name(std::string_view op, std::string_view written) {
  if (written == "precision")
    return "precision_config";
  for (const Rename &r : kRenames)
    if (r.op == op && r.written == written)
      return r.name;
  return written;
}

} // namespace

std::string_view short_name(std::string_view op, std::string_view attribute) {
  if (attribute == "precision_config")
    return "precision";
  for (const Rename &r : kRenames)
    if (r.op == op && r.name == attribute)
      return r.written;
  return attribute;
}

std::string_view short_pair(std::string_view attribute) {
  for (const Pair &pair : kPairs)
    if (pair.left == attribute)
      return pair.written;
  return {};
}

bool BodyReader::read_attr_dict(OpText &op) { return s_.peek() != '{' || parse_dict(s_, op.attrs); }

// key = value, or key = [..] x [..]
bool BodyReader::read_pretty_attr(OpText &op) {
  const std::string_view key = s_.word();
  if (key.empty())
    return s_.fail_here("an attribute such as dims = [0]", {});
  if (!s_.expect('=', "after the name of an attribute"))
    return false;
  std::string_view value, other;
  if (!s_.skip_term(value))
    return false;
  for (const Pair &pair : kPairs)
    if (pair.written == key) {
      if (!s_.expect('x', "between the dimensions of both operands") || !s_.skip_term(other))
        return false;
      op.attrs.push_back({pair.left, value, nullptr});
      op.attrs.push_back({pair.right, other, nullptr});
      return true;
    }
  if (key == "format" && op.name == "stablehlo.reduce_precision") { // e5m10
    const size_t m = value.find('m');
    if (!value.starts_with('e') || m == std::string_view::npos)
      return s_.fail("TW-105", value.data(), "expected a format such as e5m10");
    op.attrs.push_back({"exponent_bits", value.substr(1, m - 1), nullptr});
    op.attrs.push_back({"mantissa_bits", value.substr(m + 1), nullptr});
    return true;
  }
  op.attrs.push_back({full_name(op.name, key), value, nullptr});
  return true;
}

// The type of the parts of complex numbers; other types stay.
graph::TypeId BodyReader::real_part(graph::TypeId type) {
  graph::TensorType t = c_.builder.graph().type_at(type);
  t.dtype = t.dtype == graph::DType::c64    ? graph::DType::f32
            : t.dtype == graph::DType::c128 ? graph::DType::f64
                                            : t.dtype;
  return c_.builder.type(t);
}

// What a list of types without an arrow says depends on how many there are.
bool BodyReader::read_types(OpText &op) {
  if (!s_.expect(':', "before the type of an op"))
    return false;
  const char *at = s_.here();
  if (s_.peek() == '(') {
    const bool ok = c_.types.parse_function(op.operand_types, op.result_types);
    op.types = {at, static_cast<size_t>(s_.cursor().at - at)};
    flatten_types(op);
    return ok;
  }
  std::vector<graph::TypeId> types;
  if (!c_.types.parse_list(types))
    return false;
  op.types = {at, static_cast<size_t>(s_.cursor().at - at)};
  if (s_.accept("->")) { // chlo: T, U -> V
    op.operand_types = std::move(types);
    const bool ok = c_.types.parse_outputs(op.result_types);
    flatten_types(op);
    return ok;
  }
  if (std::ranges::any_of(types, TypeParser::is_tuple)) {
    op.tuple_results = types;
    types = c_.types.flat(types);
  }
  const size_t n = op.operands.size();
  const bool no_results = op.code != graph::OpCode(-1) && ops::op_def(op.code).num_results == 0;
  if (op.name == "stablehlo.select" && types.size() == 2 && n == 3)
    op.operand_types = {types[0], types[1], types[1]}, op.result_types = {types[1]};
  else if (op.name == "stablehlo.complex" && types.size() == 1)
    op.operand_types.assign(n, real_part(types[0])), op.result_types = types;
  else if (types.size() == 1)
    op.operand_types.assign(n, types[0]), op.result_types = types;
  else if (types.size() == n)
    op.operand_types = types, op.result_types = types;
  else
    return s_.fail("TW-110", at, fmt::format("{}: {} types for {} operands", op.name, types.size(), n));
  if (no_results)
    op.result_types.clear();
  return true;
}

// %a, %b, key = value, key = value {attrs} : types. Operands may stand in parentheses.
bool BodyReader::form_default(OpText &op) {
  const bool parentheses = s_.accept('(');
  if (s_.peek() == '{' && !parse_dict(s_, op.attrs)) // optimization_barrier may have its attributes here
    return false;
  if (!read_operands(op))
    return false;
  while (is_word_start(s_.peek())) {
    if (!read_pretty_attr(op))
      return false;
    s_.accept(',');
  }
  if (parentheses && !s_.expect(')', "after the operands"))
    return false;
  return read_attr_dict(op) && read_types(op);
}

// return %a, %b : T, U
bool BodyReader::form_return(OpText &op) {
  if (!read_operands(op) || !read_attr_dict(op))
    return false;
  untyped_return_ = op.name == "func.return" && s_.peek() != ':';
  if (!op.operands.empty() && !untyped_return_)
    return read_types(op);
  for (const graph::ValueId v : op.operands)
    op.operand_types.push_back(c_.local.type(v));
  return true;
}

// compare  LT, %a, %b,  FLOAT : (T, T) -> U
bool BodyReader::form_compare(OpText &op) {
  std::string_view direction = s_.word();
  if (direction.empty() || !s_.expect(',', "after the direction of a comparison"))
    return s_.fail_here("a direction such as LT", {});
  op.attrs.push_back({"comparison_direction", direction, nullptr});
  if (!read_operands(op))
    return false;
  if (const std::string_view type = s_.word(); !type.empty())
    op.attrs.push_back({"compare_type", type, nullptr});
  return read_attr_dict(op) && read_types(op);
}

// constant dense<..> : T, constant {attrs} dense<..> : T, constant() <{value = ..}> : () -> T
bool BodyReader::form_constant(OpText &op) {
  if (s_.peek() == '(')
    return read_generic(op);
  if (!read_attr_dict(op))
    return false;
  const char *start = s_.here();
  std::string_view literal;
  if (!s_.skip_term(literal) || !s_.expect(':', "between an array literal and its type") ||
      !c_.types.parse(op.result_types.emplace_back()))
    return false;
  op.attrs.push_back({"value", {start, static_cast<size_t>(s_.cursor().at - start)}, nullptr});
  return true;
}

// slice %x [0:4, 1:8:2] : (T) -> U
bool BodyReader::form_slice(OpText &op) {
  if (!read_operands(op))
    return false;
  const char *start = s_.here();
  if (!s_.expect('[', "before the ranges of a slice"))
    return false;
  for (auto &list : op.lists)
    list.clear();
  if (!s_.accept(']')) {
    do {
      int64_t first = 0, limit = 0, stride = 1;
      if (!s_.integer(first) || !s_.expect(':', "in the range of a slice") || !s_.integer(limit) ||
          (s_.accept(':') && !s_.integer(stride)))
        return false;
      op.lists[0].push_back(first);
      op.lists[1].push_back(limit);
      op.lists[2].push_back(stride);
    } while (s_.accept(','));
    if (!s_.expect(']', "after the ranges of a slice"))
      return false;
  }
  const std::string_view raw(start, static_cast<size_t>(s_.cursor().at - start));
  op.attrs.push_back({"start_indices", raw, &op.lists[0]});
  op.attrs.push_back({"limit_indices", raw, &op.lists[1]});
  op.attrs.push_back({"strides", raw, &op.lists[2]});
  return read_attr_dict(op) && read_types(op);
}

// custom_call @target(%a, %b) {attrs} : (T, U) -> V
bool BodyReader::form_custom_call(OpText &op) {
  std::string_view target;
  if (!s_.symbol(target) || !s_.expect('(', "before the operands") || !read_operands(op) ||
      !s_.expect(')', "after the operands"))
    return false;
  op.attrs.push_back({"call_target_name", target, nullptr});
  return read_attr_dict(op) && read_types(op);
}

// call @f(%a, %b) : (T, U) -> V
bool BodyReader::form_call(OpText &op) {
  const char *start = s_.here();
  std::string_view part;
  do {
    if (!s_.symbol(part))
      return false;
  } while (s_.accept("::"));
  op.attrs.push_back({"callee", {start, static_cast<size_t>(s_.cursor().at - start)}, nullptr});
  return s_.expect('(', "before the operands") && read_operands(op) && s_.expect(')', "after the operands") &&
         read_attr_dict(op) && read_types(op);
}

// composite "name" %a {composite_attributes = {..}, decomposition = @f} : (T) -> U
bool BodyReader::form_composite(OpText &op) {
  std::string_view name;
  if (!s_.string(name))
    return false;
  op.attrs.push_back({"name", name, nullptr});
  return read_operands(op) && read_attr_dict(op) && read_types(op);
}

// check.expect_eq_const %x, dense<..> : T
bool BodyReader::form_expect_const(OpText &op) {
  if (!read_operands(op))
    return false;
  while (is_word_start(s_.peek()) && !s_.looking_at("dense") && !s_.looking_at("dense_resource")) {
    if (!read_pretty_attr(op))
      return false;
    s_.accept(',');
  }
  const char *start = s_.here();
  std::string_view literal;
  if (!s_.skip_term(literal))
    return false;
  while (s_.accept(','))
    if (!read_pretty_attr(op))
      return false;
  if (!read_attr_dict(op) || !s_.expect(':', "between an array literal and its type") ||
      !c_.types.parse(op.operand_types.emplace_back()))
    return false;
  const char *end = s_.cursor().at;
  op.attrs.push_back({"value", {start, static_cast<size_t>(end - start)}, nullptr});
  return read_attr_dict(op);
}

const BodyReader::Kind &BodyReader::kind_of(std::string_view written) {
  if (const auto known = kinds_.find(written); known != kinds_.end())
    return known->second;
  Kind kind = resolve(written);
  if (kind.name.empty() && c_.options.allow_unknown && written.find('.') != std::string_view::npos)
    kind = {written, *ops::find_op("stablehlo.custom_call"), false, &BodyReader::form_unknown,
            &BodyReader::lower_unknown};
  return kinds_.emplace(written, kind).first->second;
}

} // namespace tw::import
