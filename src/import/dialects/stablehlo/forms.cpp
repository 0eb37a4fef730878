// SPDX-License-Identifier: Apache-2.0
// Pretty forms of StableHLO that are not like most.
#include "import/dialects/stablehlo/ops.hpp"

namespace tw::import {

// compare  LT, %a, %b,  FLOAT : (T, T) -> U
bool form_compare(Reader &r, OpText &op) {
  std::string_view direction = r.s.word();
  if (direction.empty() || !r.s.expect(',', "after the direction of a comparison"))
    return r.s.fail_here("a direction such as LT", {});
  op.attrs.push_back({"comparison_direction", direction, nullptr});
  if (!r.read_operands(op))
    return false;
  if (const std::string_view type = r.s.word(); !type.empty())
    op.attrs.push_back({"compare_type", type, nullptr});
  return r.read_attr_dict(op) && r.read_types(op);
}

// constant dense<..> : T, constant {attrs} dense<..> : T, constant() <{value = ..}> : () -> T
bool form_constant(Reader &r, OpText &op) {
  if (r.s.peek() == '(')
    return r.read_generic(op);
  if (!r.read_attr_dict(op))
    return false;
  const char *start = r.s.here();
  std::string_view literal;
  if (!r.s.skip_term(literal) || !r.s.expect(':', "between an array literal and its type") ||
      !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  op.attrs.push_back({"value", {start, static_cast<size_t>(r.s.cursor().at - start)}, nullptr});
  return true;
}

// slice %x [0:4, 1:8:2] : (T) -> U
bool form_slice(Reader &r, OpText &op) {
  if (!r.read_operands(op))
    return false;
  const char *start = r.s.here();
  if (!r.s.expect('[', "before the ranges of a slice"))
    return false;
  for (auto &list : op.lists)
    list.clear();
  if (!r.s.accept(']')) {
    do {
      int64_t first = 0, limit = 0, stride = 1;
      if (!r.s.integer(first) || !r.s.expect(':', "in the range of a slice") || !r.s.integer(limit) ||
          (r.s.accept(':') && !r.s.integer(stride)))
        return false;
      op.lists[0].push_back(first);
      op.lists[1].push_back(limit);
      op.lists[2].push_back(stride);
    } while (r.s.accept(','));
    if (!r.s.expect(']', "after the ranges of a slice"))
      return false;
  }
  const std::string_view raw(start, static_cast<size_t>(r.s.cursor().at - start));
  op.attrs.push_back({"start_indices", raw, &op.lists[0]});
  op.attrs.push_back({"limit_indices", raw, &op.lists[1]});
  op.attrs.push_back({"strides", raw, &op.lists[2]});
  return r.read_attr_dict(op) && r.read_types(op);
}

// composite "name" %a {composite_attributes = {..}, decomposition = @f} : (T) -> U
bool form_composite(Reader &r, OpText &op) {
  std::string_view name;
  if (!r.s.string(name))
    return false;
  op.attrs.push_back({"name", name, nullptr});
  return r.read_operands(op) && r.read_attr_dict(op) && r.read_types(op);
}

// get_tuple_element %t[0] : (tuple<T, U>) -> T
bool form_tuple_element(Reader &r, OpText &op) {
  if (!r.read_operand(op) || !r.s.expect('[', "before the index of an element"))
    return false;
  const char *start = r.s.here();
  int64_t number = 0;
  if (!r.s.integer(number))
    return false;
  op.attrs.push_back({"index", {start, static_cast<size_t>(r.s.cursor().at - start)}, nullptr});
  return r.s.expect(']', "after the index of an element") && r.read_attr_dict(op) && r.read_types(op);
}

} // namespace tw::import
