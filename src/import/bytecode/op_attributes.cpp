// SPDX-License-Identifier: Apache-2.0
// VHLO states every attribute, each for itself. StableHLO leaves out those that have their default, holds
// some together, and knows symbols and attributes that only their name says.
#include <algorithm>

#include <fmt/format.h>

#include "import/bytecode/program.hpp"
#include "import/bytecode/vhlo_ops.hpp"
#include "import/scanner.hpp"

namespace tw::import::bytecode {

namespace {

bool is_default(const OpName &name, std::string_view attribute, std::string_view value) {
  return std::ranges::any_of(kDefaults, [&](const Default &d) {
    return d.attribute == attribute && (d.op.empty() || d.op == name.name) &&
           (d.value.ends_with('*') ? value.starts_with(d.value.substr(0, d.value.size() - 1))
                                   : value == d.value);
  });
}

// 1 of "1 : i64"; an array keeps its type.
std::string_view without_type(std::string_view number) {
  return number.starts_with("dense") ? number : number.substr(0, number.find(" : "));
}

std::string_view value_of(Values &values, const std::vector<Given> &given, std::string_view name) {
  const auto at = std::ranges::find(given, name, &Given::name);
  return at == given.end() ? std::string_view() : values.attribute(at->value);
}

// @f of "f", [@f, @g] of ["f", "g"].
bool append_symbols(std::string_view text, std::string &to) {
  Scanner scanner(text, {}, 0);
  std::vector<std::string_view> items(1, text);
  const bool list = text.starts_with('[');
  if (list && (items.clear(), !parse_items(scanner, items)))
    return false;
  to += list ? "[" : "";
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].size() < 2 || !items[i].starts_with('"') || !items[i].ends_with('"'))
      return false;
    to += i == 0 ? "@" : ", @";
    append_name(unescape(items[i].substr(1, items[i].size() - 2)), to);
  }
  to += list ? "]" : "";
  return true;
}

bool keep(Values &values, std::string_view name, const std::string &text, std::vector<AttrText> &attrs) {
  const std::string_view kept = values.arena().add(text);
  if (kept.data() == nullptr)
    return values.fault().fail("TW-120", "the attributes of this artifact stand for too much text", "");
  attrs.push_back({name, kept, nullptr});
  return true;
}

// Whether the attribute is a part of one that stands for several; `attrs` gets that one with its first part.
bool take_group(Values &values, const OpName &name, std::string_view attribute,
                const std::vector<Given> &given, std::vector<AttrText> &attrs, bool &ok) {
  for (const Group &group : kGroups) {
    const auto part = std::ranges::find(group.parts, attribute);
    if (group.op != name.name || part == group.parts.end() || attribute.empty())
      continue;
    const std::string_view first = value_of(values, given, group.parts[0]);
    if (part != group.parts.begin() || first == "none")
      return true;
    std::string text(group.open);
    for (const std::string_view one : group.parts)
      if (!one.empty())
        fmt::format_to(std::back_inserter(text), "{}{} = {}", one == group.parts[0] ? "" : ", ", one,
                       without_type(value_of(values, given, one)));
    ok = keep(values, group.name, text.append(group.close), attrs);
    return true;
  }
  return false;
}

} // namespace

std::string_view attribute_text(Values &values, uint32_t index) {
  const std::string_view text = values.attribute(index);
  return values.kind(index) == Values::Kind::unit ? text.substr(0, 0) : text;
}

bool vhlo_attributes(Values &values, const OpName &name, std::vector<Given> &given,
                     std::vector<AttrText> &attrs) {
  const bool no_layouts =
      value_of(values, given, "operand_layouts") == "[]" && value_of(values, given, "result_layouts") == "[]";
  for (const Given &attr : given) {
    const std::string_view text = attribute_text(values, attr.value);
    if (values.fault().failed())
      return false;
    bool ok = true;
    if (is_default(name, attr.name, text) ||
        (no_layouts && (attr.name == "operand_layouts" || attr.name == "result_layouts")) ||
        take_group(values, name, attr.name, given, attrs, ok) || attr.name == "channel_type") {
      if (!ok)
        return false;
    } else if (attr.name == "use_global_device_ids" || attr.name == "has_dynamic_root") {
      attrs.push_back({attr.name, text.substr(0, 0), nullptr});
    } else if (attr.name == "channel_id") {
      const std::string_view type = value_of(values, given, "channel_type");
      if (!keep(values, "channel_handle",
                fmt::format("#stablehlo.channel_handle<handle = {}, type = {}>", without_type(text),
                            type.empty() ? "0" : without_type(type)),
                attrs))
        return false;
    } else if (attr.name == "callee" || attr.name == "decomposition" || attr.name == "called_computations") {
      std::string symbols;
      if (!append_symbols(text, symbols))
        return values.fault().fail("TW-120", fmt::format("{} of {} is no name", attr.name, name.name),
                                   values.place_of(text.data()));
      if (!keep(values, attr.name, symbols, attrs))
        return false;
    } else {
      attrs.push_back({attr.name, text, nullptr});
    }
  }
  return !values.fault().failed();
}

} // namespace tw::import::bytecode
