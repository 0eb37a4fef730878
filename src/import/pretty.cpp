// SPDX-License-Identifier: Apache-2.0
// Parts that pretty forms share, and the form that most ops have.
#include "import/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/registry.hpp"

namespace tw::import {

namespace {

// How pretty forms abbreviate attribute names of ops that become others; the rest say so themselves.
struct Rename {
  std::string_view op, written, name;
};
constexpr Rename kRenames[] = {
    {"stablehlo.dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.dynamic_iota", "dim", "iota_dimension"},
    {"stablehlo.einsum", "config", "einsum_config"},
    {"stablehlo.get_dimension_size", "dim", "dimension"},
    {"stablehlo.set_dimension_size", "dim", "dimension"},
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
  if (const auto code = ops::find_op(op))
    for (const ops::AttrSpec &spec : ops::op_def(*code).attrs)
      if (spec.written != nullptr && written == spec.written)
        return spec.name;
  for (const Rename &r : kRenames)
    if (r.op == op && r.written == written)
      return r.name;
  return written;
}

// The type of the parts of complex numbers; other types stay.
graph::TypeId real_part(Reader &r, graph::TypeId type) {
  graph::TensorType t = r.c.builder.graph().type_at(type);
  t.dtype = t.dtype == graph::DType::c64    ? graph::DType::f32
            : t.dtype == graph::DType::c128 ? graph::DType::f64
                                            : t.dtype;
  return r.c.builder.type(t);
}

} // namespace

std::string_view short_name(const ops::AttrSpec &attribute) {
  if (std::string_view(attribute.name) == "precision_config")
    return "precision";
  return attribute.written != nullptr ? attribute.written : attribute.name;
}

std::string_view short_pair(std::string_view attribute) {
  for (const Pair &pair : kPairs)
    if (pair.left == attribute)
      return pair.written;
  return {};
}

bool Reader::read_attr_dict(OpText &op) { return s.peek() != '{' || parse_dict(s, op.attrs); }

// key = value, or key = [..] x [..]
bool Reader::read_pretty_attr(OpText &op) {
  const std::string_view key = s.word();
  if (key.empty())
    return s.fail_here("an attribute such as dims = [0]", {});
  if (!s.expect('=', "after the name of an attribute"))
    return false;
  std::string_view value, other;
  if (!s.skip_term(value))
    return false;
  for (const Pair &pair : kPairs)
    if (pair.written == key) {
      if (!s.expect('x', "between the dimensions of both operands") || !s.skip_term(other))
        return false;
      op.attrs.push_back({pair.left, value, nullptr});
      op.attrs.push_back({pair.right, other, nullptr});
      return true;
    }
  if (key == "format" && op.name == "stablehlo.reduce_precision") { // e5m10
    const size_t m = value.find('m');
    if (!value.starts_with('e') || m == std::string_view::npos)
      return s.fail("TW-105", value.data(), "expected a format such as e5m10");
    op.attrs.push_back({"exponent_bits", value.substr(1, m - 1), nullptr});
    op.attrs.push_back({"mantissa_bits", value.substr(m + 1), nullptr});
    return true;
  }
  op.attrs.push_back({full_name(op.name, key), value, nullptr});
  return true;
}

// What a list of types without an arrow says depends on how many there are.
bool Reader::read_types(OpText &op) {
  if (!s.expect(':', "before the type of an op"))
    return false;
  const char *at = s.here();
  if (s.peek() == '(') {
    const bool ok = c.types.parse_function(op.operand_types, op.result_types);
    op.types = {at, static_cast<size_t>(s.cursor().at - at)};
    flatten_types(op);
    return ok;
  }
  std::vector<graph::TypeId> types;
  if (!c.types.parse_list(types))
    return false;
  op.types = {at, static_cast<size_t>(s.cursor().at - at)};
  if (s.accept("->")) { // chlo: T, U -> V
    op.operand_types = std::move(types);
    const bool ok = c.types.parse_outputs(op.result_types);
    flatten_types(op);
    return ok;
  }
  if (std::ranges::any_of(types, TypeParser::is_tuple)) {
    op.tuple_results = types;
    types = c.types.flat(types);
  }
  const size_t n = op.operands.size();
  const bool no_results = op.code != graph::OpCode(-1) && ops::op_def(op.code).num_results == 0;
  if (op.name == "stablehlo.select" && types.size() == 2 && n == 3)
    op.operand_types = {types[0], types[1], types[1]}, op.result_types = {types[1]};
  else if (op.name == "stablehlo.complex" && types.size() == 1)
    op.operand_types.assign(n, real_part(*this, types[0])), op.result_types = types;
  else if (types.size() == 1)
    op.operand_types.assign(n, types[0]), op.result_types = types;
  else if (types.size() == n)
    op.operand_types = types, op.result_types = types;
  else
    return s.fail("TW-110", at, fmt::format("{}: {} types for {} operands", op.name, types.size(), n));
  if (no_results)
    op.result_types.clear();
  return true;
}

bool Reader::read_attr(const OpText &op, std::string_view name, int64_t &value) {
  const AttrText *attr = op.find_attr(name);
  if (!attr || attr->raw.empty())
    return s.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  return c.attributes.read_int(attr->raw, value);
}

bool Reader::read_attr(const OpText &op, std::string_view name, double &value) {
  const AttrText *attr = op.find_attr(name);
  if (!attr || attr->raw.empty())
    return s.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  graph::AttrValue read;
  if (!c.attributes.read(ops::AttrKind::real, *attr, read))
    return false;
  value = std::get<double>(read);
  return true;
}

// %a, %b, key = value, key = value {attrs} : types. Operands may stand in parentheses.
bool form_default(Reader &r, OpText &op) {
  const bool parentheses = r.s.accept('(');
  if (r.s.peek() == '{' && !parse_dict(r.s, op.attrs)) // optimization_barrier may have its attributes here
    return false;
  if (!r.read_operands(op))
    return false;
  while (is_word_start(r.s.peek())) {
    if (!r.read_pretty_attr(op))
      return false;
    r.s.accept(',');
  }
  if (parentheses && !r.s.expect(')', "after the operands"))
    return false;
  return r.read_attr_dict(op) && r.read_types(op);
}

bool lower_op(Reader &r, OpText &op) { return r.emit(op); }

} // namespace tw::import
