// SPDX-License-Identifier: Apache-2.0
// tensor: arrays made of numbers, numbers taken out of arrays, other shapes of an array, and parts of one.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/implied.hpp"
#include "import/local_code.hpp"

namespace tw::import::tensor_dialect {

using graph::TensorType;
using graph::ValueId;

namespace {

const TensorType &result_type(Reader &r, const OpText &op) {
  return r.c.builder.graph().type_at(op.result_types[0]);
}

// Operands are counted, and there is one result.
bool expect_operands(Reader &r, const OpText &op, size_t count) {
  return (op.operands.size() == count && op.result_types.size() == 1) ||
         r.s.fail("TW-110", op.at,
                  fmt::format("{}: {} operands and {} results, and {} operands and one result are expected",
                              op.name, op.operands.size(), op.result_types.size(), count));
}

// [%i, 0, 2] of a pretty form: numbers, and operands that stand for some of them.
bool read_list(Reader &r, OpText &op, std::vector<int64_t> &numbers) {
  numbers.clear();
  if (!r.s.expect('[', "before a list of numbers"))
    return false;
  if (r.s.accept(']'))
    return true;
  do {
    if (r.s.peek() == '%') {
      numbers.push_back(kOperand);
      if (!r.read_operand(op))
        return false;
    } else if (!parse_static(r.s, numbers.emplace_back())) {
      return false;
    }
  } while (r.s.accept(','));
  return r.s.expect(']', "after a list of numbers");
}

// ---- empty, splat, from_elements, cast: the default form, or types of results alone

// tensor.empty() : T, tensor.from_elements %a, %b : T, tensor.splat %a : T, tensor.cast %a : T to U
bool form_made(Reader &r, OpText &op) {
  const bool parentheses = r.s.accept('(');
  if (!r.read_operands(op) || (parentheses && !r.s.expect(')', "after the operands")) ||
      !r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op") ||
      !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  if (r.s.accept("to")) {
    op.operand_types = op.result_types;
    op.result_types.clear();
    return r.c.types.parse(op.result_types.emplace_back());
  }
  for (const ValueId v : op.operands)
    op.operand_types.push_back(r.c.local.type(v));
  return true;
}

// What it holds is not defined: zeros here.
bool lower_empty(Reader &r, OpText &op) {
  Implied implied(r.c, op);
  return expect_operands(r, op, 0) && bind_implied(r, op, implied, implied.number(result_type(r, op), 0));
}

bool lower_splat(Reader &r, OpText &op) {
  Implied implied(r.c, op);
  return expect_operands(r, op, 1) && r.emitter.check_operand_types(op) &&
         bind_implied(r, op, implied, implied.broadcast(op.operands[0], {}, result_type(r, op).dims));
}

bool lower_from_elements(Reader &r, OpText &op) {
  if (op.result_types.size() != 1 || !r.emitter.check_operand_types(op))
    return false;
  const TensorType type = result_type(r, op);
  if (type.elements() != std::ssize(op.operands) || op.operands.empty())
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} numbers for {}", op.name, op.operands.size(), graph::to_text(type)));
  Implied implied(r.c, op);
  std::vector<ValueId> rows;
  for (const ValueId v : op.operands)
    rows.push_back(implied.add("stablehlo.reshape", {v}, {}, TensorType{type.dtype, {1}}));
  const ValueId row =
      rows.size() == 1 ? rows[0] : implied.add("stablehlo.concatenate", rows, {{"dimension", int64_t{0}}});
  return bind_implied(r, op, implied, implied.add("stablehlo.reshape", {row}, {}, type));
}

bool lower_cast(Reader &r, OpText &op) {
  return expect_operands(r, op, 1) && r.emitter.check_operand_types(op) && r.stand_for(op, op.operands);
}

// ---- extract and insert: one number

// tensor.extract %t[%i, %j] : T
bool form_extract(Reader &r, OpText &op) {
  std::vector<int64_t> at;
  if (!r.read_operand(op) || !read_list(r, op, at) || !r.read_attr_dict(op) ||
      !r.s.expect(':', "before the type of an op") || !r.c.types.parse(op.operand_types.emplace_back()))
    return false;
  TensorType element = r.c.builder.graph().type_at(op.operand_types[0]);
  element.dims.clear();
  op.result_types = {r.c.builder.type(element)};
  for (size_t i = 1; i < op.operands.size(); ++i)
    op.operand_types.push_back(r.c.local.type(op.operands[i]));
  return true;
}

// tensor.insert %x into %t[%i, %j] : T
bool form_insert(Reader &r, OpText &op) {
  std::vector<int64_t> at;
  if (!r.read_operand(op) || !r.s.expect("into", "before the array of tensor.insert") ||
      !r.read_operand(op) || !read_list(r, op, at) || !r.read_attr_dict(op) ||
      !r.s.expect(':', "before the type of an op") || !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  for (const ValueId v : op.operands)
    op.operand_types.push_back(r.c.local.type(v));
  return true;
}

bool check_place(Reader &r, const OpText &op, const TensorType &type, size_t places) {
  return places == type.rank() ||
         r.s.fail("TW-110", op.at, fmt::format("{}: {} places in {}", op.name, places, graph::to_text(type)));
}

bool lower_extract(Reader &r, OpText &op) {
  if (op.operands.empty() || op.result_types.size() != 1 || !r.emitter.check_operand_types(op))
    return false;
  const TensorType type = r.c.type_of(op.operands[0]);
  if (!check_place(r, op, type, op.operands.size() - 1))
    return false;
  Implied implied(r.c, op);
  ValueId v = op.operands[0];
  if (type.rank() > 0)
    v = implied.add("stablehlo.dynamic_slice", op.operands,
                    {{"slice_sizes", std::vector<int64_t>(type.rank(), 1)}});
  return bind_implied(r, op, implied, implied.add("stablehlo.reshape", {v}, {}, TensorType{type.dtype, {}}));
}

bool lower_insert(Reader &r, OpText &op) {
  if (op.operands.size() < 2 || op.result_types.size() != 1 || !r.emitter.check_operand_types(op))
    return false;
  const TensorType type = r.c.type_of(op.operands[1]);
  if (!check_place(r, op, type, op.operands.size() - 2))
    return false;
  Implied implied(r.c, op);
  std::vector<ValueId> operands = op.operands;
  std::swap(operands[0], operands[1]);
  operands[1] = implied.add("stablehlo.reshape", {operands[1]}, {},
                            TensorType{type.dtype, graph::Shape(type.rank(), 1)});
  return bind_implied(r, op, implied,
                      type.rank() == 0 ? operands[1]
                                       : implied.add("stablehlo.dynamic_update_slice", operands));
}

// ---- expand_shape and collapse_shape: dimensions split or merged

// tensor.collapse_shape %a [[0, 1], [2]] : T into U, tensor.expand_shape %a [[0, 1]] output_shape [2, 3] : T
// into U
bool form_reshape(Reader &r, OpText &op) {
  std::string_view groups;
  std::vector<int64_t> sizes;
  if (!r.read_operand(op) || !r.s.skip_term(groups))
    return false;
  op.attrs.push_back({"reassociation", groups, nullptr});
  if (r.s.accept("output_shape") && !read_list(r, op, sizes))
    return false;
  if (!r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op") ||
      !r.c.types.parse(op.operand_types.emplace_back()) || !r.s.expect("into", "between types") ||
      !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  op.operands.resize(1); // the types are static, so sizes say nothing new
  op.operand_at.resize(1);
  return true;
}

// Each dimension of the shorter type is the product of its group of the longer one.
bool lower_reshape(Reader &r, OpText &op) {
  const AttrText *groups = op.find_attr("reassociation");
  op.operands.resize(std::min<size_t>(op.operands.size(), 1));
  op.operand_types.resize(op.operands.size());
  if (!expect_operands(r, op, 1) || !r.emitter.check_operand_types(op))
    return false;
  const TensorType type = r.c.type_of(op.operands[0]), made = result_type(r, op);
  const bool expands = op.name == "tensor.expand_shape";
  const graph::Shape &longer = expands ? made.dims : type.dims, &shorter = expands ? type.dims : made.dims;
  std::vector<std::string_view> items;
  if (groups != nullptr) {
    const Cursor back = r.s.cursor();
    r.s.seek({groups->raw.data(), back.line, groups->raw.data()});
    if (!parse_items(r.s, items))
      return false;
    r.s.seek(back);
  }
  bool fits = groups != nullptr && items.size() == shorter.size();
  size_t next = 0;
  for (size_t d = 0; fits && d < items.size(); ++d) {
    std::vector<int64_t> members;
    if (!r.c.attributes.read_ints(items[d], members))
      return false;
    int64_t size = 1;
    for (const int64_t member : members) {
      fits = fits && member == static_cast<int64_t>(next) && next < longer.size();
      size *= fits ? longer[next++] : 1;
    }
    fits = fits && size == shorter[d];
  }
  fits = fits && (next == longer.size() || (items.empty() && made.elements() == type.elements()));
  if (!fits)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} does not become {} by these groups of dimensions", op.name,
                                graph::to_text(type), graph::to_text(made)));
  Implied implied(r.c, op);
  return bind_implied(r, op, implied, implied.add("stablehlo.reshape", op.operands, {}, made));
}

// ---- extract_slice and insert_slice: a box with offsets, sizes and strides

struct Window {
  std::vector<int64_t> offsets, sizes, strides;
  std::vector<ValueId> dynamic; // of the offsets that are operands
};

// The lists behind the arrays; lists of the generic form are attributes.
bool read_window(Reader &r, OpText &op, size_t arrays, Window &window) {
  struct List {
    const char *name;
    std::vector<int64_t> *numbers;
  };
  for (const List &list : {List{"static_offsets", &window.offsets}, List{"static_sizes", &window.sizes},
                           List{"static_strides", &window.strides}}) {
    const AttrText *attr = op.find_attr(list.name);
    if (attr == nullptr)
      return r.s.fail("TW-105", op.at, fmt::format("{}: {} is missing", op.name, list.name));
    if (attr->ints != nullptr)
      *list.numbers = *attr->ints;
    else if (!r.c.attributes.read_ints(attr->raw, *list.numbers))
      return false;
  }
  if (std::ranges::count(window.sizes, kOperand) + std::ranges::count(window.strides, kOperand) != 0)
    return r.unsupported(op.at, fmt::format("{} with sizes or strides that are operands", op.name));
  const auto dynamic = std::ranges::count(window.offsets, kOperand);
  if (std::ssize(op.operands) != static_cast<int64_t>(arrays) + dynamic)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} offsets are operands, and there are {}", op.name, dynamic,
                                op.operands.size() - arrays));
  window.dynamic.assign(op.operands.begin() + static_cast<std::ptrdiff_t>(arrays), op.operands.end());
  return true;
}

// tensor.extract_slice %a[0, %i] [2, 3] [1, 1] : T to U, tensor.insert_slice %s into %a[..] [..] [..] : T
// into U
bool form_slice(Reader &r, OpText &op) {
  const bool inserts = op.name == "tensor.insert_slice";
  if (!r.read_operand(op) ||
      (inserts && (!r.s.expect("into", "before the array of tensor.insert_slice") || !r.read_operand(op))))
    return false;
  static constexpr std::string_view kNames[] = {"static_offsets", "static_sizes", "static_strides"};
  for (size_t i = 0; i < 3; ++i) {
    const char *at = r.s.here();
    if (!read_list(r, op, op.lists[i]))
      return false;
    op.attrs.push_back({kNames[i], std::string_view(at, 1), &op.lists[i]});
  }
  if (!r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op") ||
      !r.c.types.parse(op.operand_types.emplace_back()) ||
      !r.s.expect(inserts ? "into" : "to", "between types") ||
      !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  if (inserts)
    op.operand_types.push_back(op.result_types[0]);
  for (size_t i = op.operand_types.size(); i < op.operands.size(); ++i)
    op.operand_types.push_back(r.c.local.type(op.operands[i]));
  return true;
}

// The window lies in the array, and has the elements of the part, perhaps without dimensions of size 1.
bool check_window(Reader &r, const OpText &op, const Window &w, const TensorType &whole,
                  const TensorType &part) {
  bool fits =
      w.offsets.size() == whole.rank() && w.sizes.size() == whole.rank() && w.strides.size() == whole.rank();
  for (size_t d = 0; fits && d < whole.rank(); ++d) {
    const int64_t first = w.offsets[d] == kOperand ? 0 : w.offsets[d];
    fits = first >= 0 && w.sizes[d] >= 0 && w.strides[d] >= 1 && first <= whole.dims[d] &&
           (w.sizes[d] == 0 || (w.sizes[d] - 1) <= (whole.dims[d] - 1 - first) / w.strides[d]);
  }
  if (!fits)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: offsets, sizes [{}] and strides [{}] are no part of {}", op.name,
                                fmt::join(w.sizes, ", "), fmt::join(w.strides, ", "), graph::to_text(whole)));
  graph::Shape kept;
  size_t next = 0;
  for (const int64_t size : w.sizes) { // dimensions of size 1 may be left out
    if (next < part.rank() && part.dims[next] == size)
      ++next;
    else if (size != 1)
      next = part.rank() + 1;
  }
  return next == part.rank() || r.s.fail("TW-110", op.at,
                                         fmt::format("{}: a part of sizes [{}] is not {}", op.name,
                                                     fmt::join(w.sizes, ", "), graph::to_text(part)));
}

// Where the window begins, as operands of dynamic_slice.
std::vector<ValueId> starts_of(Implied &implied, const Window &w) {
  std::vector<ValueId> starts;
  size_t next = 0;
  for (const int64_t offset : w.offsets) {
    const int64_t one[] = {offset};
    starts.push_back(offset == kOperand ? w.dynamic[next++] : implied.integers({graph::DType::s64, {}}, one));
  }
  return starts;
}

bool lower_extract_slice(Reader &r, OpText &op) {
  Window w;
  if (op.operands.empty() || op.result_types.size() != 1 || !r.emitter.check_operand_types(op) ||
      !read_window(r, op, 1, w))
    return false;
  const TensorType type = r.c.type_of(op.operands[0]), made = result_type(r, op);
  if (!check_window(r, op, w, type, made))
    return false;
  Implied implied(r.c, op);
  ValueId v = op.operands[0];
  std::vector<int64_t> first = w.offsets, last, spans;
  for (size_t d = 0; d < type.rank(); ++d)
    spans.push_back(w.sizes[d] == 0 ? 0 : (w.sizes[d] - 1) * w.strides[d] + 1);
  if (!w.dynamic.empty()) {
    std::vector<ValueId> operands = starts_of(implied, w);
    operands.insert(operands.begin(), v);
    v = implied.add("stablehlo.dynamic_slice", operands, {{"slice_sizes", spans}});
    first.assign(type.rank(), 0);
  }
  for (size_t d = 0; d < type.rank(); ++d)
    last.push_back(first[d] + spans[d]);
  if (w.dynamic.empty() || std::ranges::any_of(w.strides, [](int64_t s) { return s != 1; }))
    v = implied.add("stablehlo.slice", {v},
                    {{"start_indices", first}, {"limit_indices", last}, {"strides", w.strides}});
  return bind_implied(r, op, implied,
                      made.dims == graph::Shape(w.sizes) ? v
                                                         : implied.add("stablehlo.reshape", {v}, {}, made));
}

// With strides: the part is spread out over the array, and taken where it lies.
ValueId scatter_part(Implied &implied, ValueId part, ValueId into, const Window &w) {
  const TensorType type = implied.type(into), of_part = implied.type(part);
  std::vector<int64_t> low = w.offsets, high, interior;
  for (size_t d = 0; d < type.rank(); ++d) {
    const int64_t span = w.sizes[d] == 0 ? 0 : (w.sizes[d] - 1) * w.strides[d] + 1;
    interior.push_back(w.strides[d] - 1);
    high.push_back(type.dims[d] - low[d] - span);
  }
  const auto spread = [&](ValueId v, ValueId around) {
    return implied.add(
        "stablehlo.pad", {v, around},
        {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}});
  };
  const ValueId values = spread(part, implied.number({type.dtype, {}}, 0)),
                there = spread(implied.number({graph::DType::i1, of_part.dims}, 1),
                               implied.number({graph::DType::i1, {}}, 0));
  return implied.add("stablehlo.select", {there, values, into});
}

bool lower_insert_slice(Reader &r, OpText &op) {
  Window w;
  if (op.operands.size() < 2 || op.result_types.size() != 1 || !r.emitter.check_operand_types(op) ||
      !read_window(r, op, 2, w))
    return false;
  const TensorType part = r.c.type_of(op.operands[0]), type = r.c.type_of(op.operands[1]);
  if (!check_window(r, op, w, type, part))
    return false;
  Implied implied(r.c, op);
  const ValueId into = op.operands[1], v = implied.add("stablehlo.reshape", {op.operands[0]}, {},
                                                       TensorType{type.dtype, graph::Shape(w.sizes)});
  if (std::ranges::any_of(w.strides, [](int64_t s) { return s != 1; })) {
    if (!w.dynamic.empty())
      return r.unsupported(op.at, fmt::format("{} with strides and with offsets that are operands", op.name));
    return implied.ok() && bind_implied(r, op, implied, scatter_part(implied, v, into, w));
  }
  std::vector<ValueId> operands = starts_of(implied, w);
  operands.insert(operands.begin(), {into, v});
  return bind_implied(r, op, implied,
                      type.rank() == 0 ? v : implied.add("stablehlo.dynamic_update_slice", operands));
}

constexpr Syntax kSyntax[] = {
    {"tensor.cast", form_made, lower_cast},
    {"tensor.collapse_shape", form_reshape, lower_reshape},
    {"tensor.empty", form_made, lower_empty},
    {"tensor.expand_shape", form_reshape, lower_reshape},
    {"tensor.extract", form_extract, lower_extract},
    {"tensor.extract_slice", form_slice, lower_extract_slice},
    {"tensor.from_elements", form_made, lower_from_elements},
    {"tensor.insert", form_insert, lower_insert},
    {"tensor.insert_slice", form_slice, lower_insert_slice},
    {"tensor.splat", form_made, lower_splat},
};

} // namespace

Dialect dialect() { return {.syntax = kSyntax}; }

} // namespace tw::import::tensor_dialect
