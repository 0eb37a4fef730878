// SPDX-License-Identifier: Apache-2.0
// tw_builder.h: calls of the host's code.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "capi/builder.hpp"
#include "ops/call_attributes.hpp"

using namespace tw;
using namespace tw::capi;
using ops::OpKind;

namespace {

// A call's own attributes by their names, all others as the text of a dictionary.
Result<graph::Attrs> call_slots(const ops::OpDef &def, const char *target, std::span<const tw_attr_t> attrs) {
  static constexpr ops::AttrKind kinds[] = {ops::AttrKind::integer, ops::AttrKind::real,
                                            ops::AttrKind::string, ops::AttrKind::ints};
  std::vector<ops::NamedAttr> own = {{"call_target_name", std::string(target)}};
  std::vector<ops::CallAttribute> others;
  for (size_t i = 0; i < attrs.size(); ++i) {
    TW_ASSIGN(auto value, attr_value(attrs.data(), i));
    const tw_attr_t &attr = attrs[i];
    const std::string_view name = attr.name, type = attr.element_type ? attr.element_type : "";
    if (!std::ranges::all_of(type, [](unsigned char c) { return std::isalnum(c) != 0; }))
      return fail(
          Code::invalid_argument, "TW-706",
          fmt::format("attrs[{}].element_type is \"{}\": expected an element type, as in \"ui64\"", i, type));
    if (name == "has_side_effect" || name == "api_version" ||
        (name == "backend_config" && attr.kind == TW_ATTR_STRING))
      own.emplace_back(name, std::move(value));
    else
      others.push_back({attr.name, attr.kind == TW_ATTR_BOOLEAN ? ops::AttrKind::boolean : kinds[attr.kind],
                        std::move(value), std::string(type)});
  }
  if (!others.empty())
    own.emplace_back("attributes", ops::attributes_text(others));
  return ops::check_attrs(def, own);
}

} // namespace

void tw_builder_custom_calls(tw_builder_t *b, const tw_custom_calls_t *calls) {
  step(b, "tw_builder_custom_calls", [&]() -> Result<ValueId> {
    TW_TRY(require(calls, "calls"));
    b->custom_calls = calls->calls;
    return TW_NO_VALUE;
  });
}

tw_value_t tw_builder_custom_call(tw_builder_t *b, const char *target, const tw_value_t *operands,
                                  size_t num_operands, const tw_type_t *results, size_t num_results,
                                  const tw_attr_t *attrs, size_t num_attrs, tw_value_t *out_results) {
  return step(b, "tw_builder_custom_call", [&]() -> Result<ValueId> {
    TW_TRY(require_text(target, "target"));
    if (num_operands)
      TW_TRY(require(operands, "operands"));
    if (num_attrs)
      TW_TRY(require(attrs, "attrs"));
    TW_TRY(check_values(b, {operands, num_operands}));
    TW_ASSIGN(const auto read, read_types(results, num_results, "results"));
    std::vector<graph::TypeId> types;
    for (const graph::TensorType &type : read)
      types.push_back(b->graph.type(type));
    const auto code = ops::code_of(OpKind::custom_call);
    TW_ASSIGN(auto slots, call_slots(ops::op_def(code), target, {attrs, num_attrs}));
    TW_ASSIGN(const auto id,
              ops::add(b->graph, code, {operands, num_operands}, std::move(slots), types, 0, {}));
    const ValueId first = num_results ? b->graph.graph().result(id, 0) : TW_NO_VALUE;
    if (out_results != nullptr)
      write_results(b, first, out_results, num_results);
    return first;
  });
}
