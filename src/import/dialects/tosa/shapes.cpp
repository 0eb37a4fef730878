// SPDX-License-Identifier: Apache-2.0
// tosa's ops that move elements to other places. Shapes are attributes, or constants among the operands.
#include "import/dialects/tosa/ops.hpp"

#include <fmt/format.h>

#include "import/local_code.hpp"

namespace tw::import::tosa {

using graph::TensorType;
using graph::ValueId;
using Ints = std::vector<int64_t>;

bool form_shaped(Reader &r, OpText &op) {
  if (op.generic)
    return r.read_generic(op);
  if (!r.read_operands(op) || !r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op"))
    return false;
  std::string_view skipped;
  if (r.s.accept('(')) {
    do {
      const size_t i = op.operand_types.size();
      if (r.s.accept("!tosa.shape")) {
        if (!r.s.skip_term(skipped))
          return false;
        op.operand_types.push_back(i < op.operands.size() ? r.c.local.type(op.operands[i]) : graph::kNone);
      } else if (!r.c.types.parse(op.operand_types.emplace_back())) {
        return false;
      }
    } while (r.s.accept(','));
    if (!r.s.expect(')', "after the operand types"))
      return false;
  } else if (!r.c.types.parse(op.operand_types.emplace_back())) {
    return false;
  }
  return r.s.expect("->", "between types") && r.c.types.parse(op.result_types.emplace_back());
}

namespace {

// What an attribute of this name says, else the operand at this place: `count` integers.
bool read_shape(Reader &r, const OpText &op, std::string_view name, size_t operand, size_t count,
                Ints &list) {
  if (const AttrText *attr = op.find_attr(name)) {
    if (!r.c.attributes.read_ints(attr->raw, list))
      return false;
  } else if (operand < op.operands.size()) {
    const auto known = fold_integers(r.c.builder.graph(), op.operands[operand]);
    if (!known)
      return r.s.fail("TW-105", op.operand_at[operand],
                      fmt::format("{}: constants must decide its {}", op.name, name));
    list = *known;
  } else {
    return r.s.fail("TW-105", op.at, fmt::format("{}: {} is missing", op.name, name));
  }
  return list.size() == count ||
         r.s.fail("TW-105", op.at,
                  fmt::format("{}: {} has {} entries, expected {}", op.name, name, list.size(), count));
}

bool read_axis(Reader &r, const OpText &op, int64_t &axis) {
  const size_t rank = r.c.type_of(op.operands[0]).rank();
  return r.read_attr(op, "axis", axis) &&
         ((axis >= 0 && axis < static_cast<int64_t>(rank)) ||
          r.s.fail("TW-105", op.at,
                   fmt::format("{}: axis is {}, and the operand has {} dimensions", op.name, axis, rank)));
}

bool lower_concat(Reader &r, OpText &op) {
  int64_t axis = 0;
  if (!begin(r, op, 1, SIZE_MAX) || !read_axis(r, op, axis))
    return false;
  Implied implied(r.c, op);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.concatenate", op.operands, {{"dimension", axis}}));
}

bool lower_reverse(Reader &r, OpText &op) {
  int64_t axis = 0;
  if (!begin(r, op, 1, 1) || !read_axis(r, op, axis))
    return false;
  Implied implied(r.c, op);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.reverse", op.operands, {{"dimensions", Ints{axis}}}));
}

bool lower_slice(Reader &r, OpText &op) {
  Ints start, size;
  if (!begin(r, op, 1, 3))
    return false;
  const size_t rank = r.c.type_of(op.operands[0]).rank();
  if (!read_shape(r, op, "start", 1, rank, start) || !read_shape(r, op, "size", 2, rank, size))
    return false;
  for (size_t d = 0; d < rank; ++d)
    if (__builtin_add_overflow(size[d], start[d], &size[d]))
      return r.s.fail("TW-105", op.at,
                      fmt::format("{}: start and size of dimension {} add up to more than 2^63", op.name, d));
  Implied implied(r.c, op);
  return bind_implied(
      r, op, implied,
      implied.add("stablehlo.slice", {op.operands[0]},
                  {{"start_indices", start}, {"limit_indices", size}, {"strides", Ints(rank, 1)}}));
}

// Pairs of what is put before and behind each dimension; a zero where nothing says with what.
bool lower_pad(Reader &r, OpText &op) {
  Ints padding;
  if (!begin(r, op, 1, 3))
    return false;
  const TensorType array = r.c.type_of(op.operands[0]);
  if (!read_shape(r, op, "padding", 1, 2 * array.rank(), padding))
    return false;
  Ints low, high;
  for (size_t d = 0; d < array.rank(); ++d) {
    low.push_back(padding[2 * d]);
    high.push_back(padding[2 * d + 1]);
  }
  Implied implied(r.c, op);
  const ValueId with = op.operands.size() == 3 ? implied.add("stablehlo.reshape", {op.operands[2]}, {},
                                                             TensorType{array.dtype, {}})
                                               : implied.number({array.dtype, {}}, 0);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.pad", {op.operands[0], with},
                                  {{"edge_padding_low", low},
                                   {"edge_padding_high", high},
                                   {"interior_padding", Ints(array.rank(), 0)}}));
}

// A dimension repeated so often: a new one in front of it, which is merged with it.
bool lower_tile(Reader &r, OpText &op) {
  Ints multiples;
  if (!begin(r, op, 1, 2))
    return false;
  const TensorType array = r.c.type_of(op.operands[0]), made = result_type(r, op);
  if (!read_shape(r, op, "multiples", 1, array.rank(), multiples))
    return false;
  Ints dims;
  graph::Shape apart;
  for (size_t d = 0; d < array.rank(); ++d) {
    if (multiples[d] < 0)
      return r.s.fail("TW-105", op.at, fmt::format("{}: dimension {} {} times", op.name, d, multiples[d]));
    apart.push_back(multiples[d]);
    dims.push_back(static_cast<int64_t>(apart.size()));
    apart.push_back(array.dims[d]);
  }
  Implied implied(r.c, op);
  const ValueId repeated = implied.broadcast(op.operands[0], dims, apart);
  return bind_implied(r, op, implied, implied.add("stablehlo.reshape", {repeated}, {}, made));
}

constexpr Syntax kSyntax[] = {
    {"tosa.concat", form_default, lower_concat},   {"tosa.pad", form_shaped, lower_pad, true},
    {"tosa.reverse", form_default, lower_reverse}, {"tosa.slice", form_shaped, lower_slice, true},
    {"tosa.tile", form_shaped, lower_tile, true},
};

} // namespace

const Syntax *find_shape_op(std::string_view name) {
  for (const Syntax &row : kSyntax)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace tw::import::tosa
