// SPDX-License-Identifier: Apache-2.0
// Each region's values are numbered behind those of the regions around it; a region that takes nothing from
// outside begins again.
#include "import/bytecode/program.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "import/bytecode/codes.hpp"
#include "import/bytecode/vhlo_ops.hpp"

namespace tw::import::bytecode {

namespace {

constexpr uint32_t kMaxRegions = 200; // of regions
constexpr const char *kOpSection = "the ops";

// The names that texts have: of VHLO's own, and of functions.
std::string text_name(std::string_view vhlo) {
  const std::string_view name = vhlo.substr(0, vhlo.rfind("_v"));
  const bool function = name == "func" || name == "call" || name == "return";
  return fmt::format("{}.{}", function ? "func" : "stablehlo", name);
}

} // namespace

bool Program::read() {
  if (!read_names())
    return false;
  Bytes from = artifact_.reader(artifact_.ir, kOpSection, values_.fault());
  const size_t expected = artifact_.ir.size / kBytesOfOp;
  ops.reserve(expected);
  all_values.reserve(expected);
  operands.reserve(expected * 2);
  Scope scope;
  RegionRecord top{};
  regions.push_back(top);
  const bool ok = read_block(from, scope, top, 0);
  regions[0] = top;
  return ok && (from.at_end() || from.fail("bytes behind the last op"));
}

bool Program::read_names() {
  for (const Artifact::OpName &op : artifact_.ops) {
    const std::string_view dialect = artifact_.dialects[op.dialect].name;
    OpName name;
    name.registered = op.registered;
    name.vhlo = dialect == "vhlo";
    name.name = op.name.empty() ? std::string(dialect) : fmt::format("{}.{}", dialect, op.name);
    name.cast = name.name == "builtin.unrealized_conversion_cast";
    if (name.vhlo) {
      const auto known = std::ranges::find(kVhloOps, op.name, &VhloOp::name);
      name.known = known != std::end(kVhloOps);
      if (name.known) {
        name.name = text_name(op.name);
        name.properties = known->attributes;
      }
    }
    name.function = name.name == "func.func";
    name.constant = name.name == "stablehlo.constant";
    name.top_k = name.name == "chlo.top_k";
    name.loop = name.name == "stablehlo.while";
    names.push_back(std::move(name));
  }
  return true;
}

std::string Program::place_of(const OpRecord &op) const {
  return fmt::format("at byte {}, in {}, {}", op.at - artifact_.bytes.data(), kOpSection,
                     shown(names[op.name].name));
}

bool Program::read_block(Bytes &from, Scope &scope, RegionRecord &region, uint32_t depth) {
  bool has_arguments = false;
  const size_t count = from.checked_count(from.number_with_flag(has_arguments), "ops", 3);
  region.first_argument = static_cast<uint32_t>(arguments.size());
  if (has_arguments && !read_arguments(from, scope, region))
    return false;
  region.first_op = static_cast<uint32_t>(ops.size());
  for (size_t i = 0; i < count; ++i)
    if (!read_op(from, scope, depth))
      return false;
  region.end = static_cast<uint32_t>(ops.size());
  return !from.fault().failed();
}

bool Program::read_arguments(Bytes &from, Scope &scope, RegionRecord &region) {
  const size_t count = from.count("arguments");
  for (size_t i = 0; i < count; ++i) {
    const char *at = from.here();
    bool located = true;
    const uint64_t type =
        artifact_.format < kShortBlockArguments ? from.number() : from.number_with_flag(located);
    const uint32_t index = from.checked_index(type, artifact_.types.size(), "type");
    const uint32_t location = located ? from.index(artifact_.attributes.size(), "attribute") : kNoIndex;
    const auto value = static_cast<uint32_t>(all_values.size());
    all_values.push_back({index, value, {}});
    arguments.push_back({value, location, at});
    if (!define(from, scope, value))
      return false;
  }
  region.num_arguments = static_cast<uint32_t>(count);
  return artifact_.format < kUseListOrders || from.byte() == 0 || skip_use_lists(from, count);
}

bool Program::define(Bytes &from, Scope &scope, uint32_t value) {
  if (from.fault().failed())
    return false;
  if (scope.next == scope.end)
    return from.fail("more values than its region says");
  scope.values[scope.next++] = value;
  return true;
}

// In which order the uses of a value stand in a list: it says nothing of the program.
bool Program::skip_use_lists(Bytes &from, size_t values) {
  const size_t count = values > 1 ? from.count("orders of uses", 2) : 1;
  for (size_t i = 0; i < count; ++i) {
    if (values > 1)
      from.index(values, "value");
    bool pairs = false;
    const size_t uses = from.checked_count(from.number_with_flag(pairs), "uses");
    for (size_t use = 0; use < uses; ++use)
      from.number();
  }
  return !from.fault().failed();
}

bool Program::read_op(Bytes &from, Scope &scope, uint32_t depth) {
  OpRecord op{};
  op.at = from.here();
  op.name = from.index(names.size(), "name of an op");
  if (from.fault().failed())
    return false;
  const OpName &name = names[op.name];
  if (!name.known)
    return from.fail(
        fmt::format("the op '{}'{} is not known: VHLO is read up to version 1.20", shown(name.name),
                    artifact_.stablehlo
                        ? fmt::format(" of an artifact of StableHLO {}", to_text(*artifact_.stablehlo))
                        : std::string()),
        "TW-121");
  const uint8_t mask = from.byte();
  op.location = from.index(artifact_.attributes.size(), "attribute");
  if (!read_parts(from, scope, op, mask))
    return false;
  size_t region_count = 0;
  bool isolated = false;
  if ((mask & kRegions) != 0)
    region_count = from.checked_count(from.number_with_flag(isolated), "regions");
  if (from.fault().failed())
    return false;
  if (name.cast)
    return region_count == 0 ? define_cast(from, scope, op) : from.fail("a cast has no regions");
  op.first_result = static_cast<uint32_t>(all_values.size());
  op.num_results = static_cast<uint32_t>(types_.size());
  for (const uint32_t type : types_) {
    const auto value = static_cast<uint32_t>(all_values.size());
    all_values.push_back({type, op.first_result, {}});
    if (!define(from, scope, value))
      return false;
  }
  op.first_region = static_cast<uint32_t>(regions.size());
  op.num_regions = static_cast<uint32_t>(region_count);
  const auto id = static_cast<uint32_t>(ops.size());
  ops.push_back(op);
  if (region_count != 0) {
    if (depth == kMaxRegions)
      return from.fail(fmt::format("regions are nested deeper than {}", kMaxRegions), "TW-108");
    regions.resize(regions.size() + region_count);
    if (isolated && artifact_.format >= kIsolatedSections) {
      Artifact::Part part;
      if (read_section(from, part) != 4)
        return from.fail("regions of their own stand in no section");
      Bytes inner = artifact_.reader(part, kOpSection, from.fault());
      Scope own;
      if (!read_regions(inner, own, id, depth + 1))
        return false;
      if (!inner.at_end())
        return inner.fail("bytes behind the last region");
    } else {
      Scope own;
      if (!read_regions(from, isolated ? own : scope, id, depth + 1))
        return false;
    }
  }
  ops[id].next = static_cast<uint32_t>(ops.size());
  return true;
}

bool Program::read_parts(Bytes &from, Scope &scope, OpRecord &op, uint8_t mask) {
  types_.clear();
  const uint32_t dictionary =
      (mask & kAttributes) != 0 ? from.index(artifact_.attributes.size(), "attribute") : kNoIndex;
  uint32_t properties = kNoIndex;
  if ((mask & kHasProperties) != 0) {
    if (artifact_.format < kProperties)
      return from.fail(fmt::format("properties in version {} of the format", artifact_.format));
    properties = names[op.name].registered ? from.index(artifact_.properties.size(), "properties")
                                           : from.index(artifact_.attributes.size(), "attribute");
  }
  if (from.fault().failed() || !find_attributes(from, op, dictionary, properties))
    return false;
  if ((mask & kResults) != 0) {
    const size_t count = from.count("results");
    for (size_t i = 0; i < count; ++i)
      types_.push_back(from.index(artifact_.types.size(), "type"));
  }
  op.first_operand = static_cast<uint32_t>(operands.size());
  if ((mask & kOperands) != 0) {
    const size_t count = from.count("operands");
    op.num_operands = static_cast<uint32_t>(count);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t value = from.number();
      if (from.fault().failed())
        return false;
      if (value >= scope.values.size() || scope.values[value] == kNoIndex)
        return from.fail(fmt::format("operand {} of {}, the value {}, is not defined here", i,
                                     shown(names[op.name].name), value));
      operands.push_back(scope.values[value]);
    }
  }
  if ((mask & kSuccessors) != 0)
    return from.fail("branches between blocks are not supported", "TW-104");
  return (mask & kUseOrders) == 0 || artifact_.format < kUseListOrders || skip_use_lists(from, types_.size());
}

// Where dialects meet, values change the dialect of their type. Here they have one type in all of them.
bool Program::define_cast(Bytes &from, Scope &scope, const OpRecord &op) {
  if (types_.size() != op.num_operands)
    return from.fail(fmt::format("a cast of {} values to {}", op.num_operands, types_.size()));
  for (uint32_t i = 0; i < op.num_operands; ++i) {
    const uint32_t value = operands[op.first_operand + i];
    if (values_.type(all_values[value].type) != values_.type(types_[i]))
      return from.fail(
          fmt::format("a cast from {} to {}", values_.type(all_values[value].type), values_.type(types_[i])));
    if (!define(from, scope, value))
      return false;
  }
  operands.resize(op.first_operand);
  return true;
}

bool Program::read_regions(Bytes &from, Scope &scope, uint32_t op, uint32_t depth) {
  for (uint32_t i = 0; i < ops[op].num_regions; ++i) {
    RegionRecord region{};
    if (!read_region(from, scope, region, depth))
      return false;
    regions[ops[op].first_region + i] = region;
  }
  return true;
}

bool Program::read_region(Bytes &from, Scope &scope, RegionRecord &region, uint32_t depth) {
  const uint64_t blocks = from.number();
  region.empty = blocks == 0;
  region.first_op = region.end = static_cast<uint32_t>(ops.size());
  if (region.empty)
    return !from.fault().failed();
  if (blocks != 1)
    return from.fail("regions of several blocks are not supported", "TW-104");
  const size_t count = from.count("values");
  const size_t base = scope.values.size(), next = scope.next, end = scope.end;
  scope.values.resize(base + count, kNoIndex);
  scope.next = base;
  scope.end = base + count;
  if (!read_block(from, scope, region, depth))
    return false;
  scope.values.resize(base);
  scope.next = next;
  scope.end = end;
  return true;
}

bool Program::find_attributes(Bytes &from, OpRecord &op, uint32_t dictionary, uint32_t properties) {
  const uint32_t key[] = {op.name, dictionary, properties};
  bool ok = true;
  op.attributes = table_.find_or_add(
      hash_bytes(key, sizeof key),
      [&](uint32_t i) {
        return lists_[i].name == op.name && lists_[i].dictionary == dictionary &&
               lists_[i].properties == properties;
      },
      [&] {
        const auto first = static_cast<uint32_t>(attrs_.size());
        ok = list_attributes(from, names[op.name], dictionary, properties);
        lists_.push_back({op.name, dictionary, properties, first,
                          static_cast<uint32_t>(attrs_.size()) - first,
                          static_cast<uint32_t>(functions_.size()) - 1});
        return static_cast<uint32_t>(lists_.size() - 1);
      });
  return ok;
}

bool Program::list_attributes(Bytes &from, const OpName &name, uint32_t dictionary, uint32_t properties) {
  std::vector<Given> given;
  std::vector<Values::Named> entries;
  if (properties != kNoIndex && !name.registered) {
    if (!values_.dictionary(properties, entries))
      return false;
  } else if (properties != kNoIndex) {
    Bytes part = artifact_.reader(artifact_.properties[properties], "the properties of an op", from.fault());
    Bytes counted = part;
    size_t count = 0;
    for (; !counted.at_end(); ++count)
      counted.number();
    std::string_view names_of = name.properties;
    if (!name.vhlo && !find_properties(name.name, count, names_of))
      return part.fail(fmt::format("{} properties of {} are not known", count, shown(name.name)), "TW-121");
    while (!names_of.empty()) {
      std::string_view one = take_name(names_of);
      const bool optional = one.ends_with('?');
      one.remove_suffix(optional ? 1 : 0);
      bool present = true;
      const uint64_t value = optional ? part.number_with_flag(present) : part.number();
      if (present)
        given.push_back({one, part.checked_index(value, artifact_.attributes.size(), "attribute")});
      if (from.fault().failed())
        return false;
    }
    if (!part.at_end())
      return part.fail(
          fmt::format("{} bytes are left of the properties of {}", part.left(), shown(name.name)));
  }
  if (dictionary != kNoIndex && !values_.dictionary(dictionary, entries))
    return false;
  for (const Values::Named &entry : entries)
    given.push_back({entry.name, entry.value});
  if (name.cast)
    return true;
  if (name.function)
    take_signature(given);
  if (name.vhlo)
    return vhlo_attributes(values_, name, given, attrs_);
  for (const Given &attr : given)
    attrs_.push_back({attr.name, attribute_text(values_, attr.value), nullptr});
  return !from.fault().failed();
}

void Program::take_signature(std::vector<Given> &given) {
  const auto take = [&](std::string_view name) {
    const auto at = std::ranges::find(given, name, &Given::name);
    if (at == given.end())
      return kNoIndex;
    const uint32_t value = at->value;
    given.erase(at);
    return value;
  };
  functions_.push_back({take("arg_attrs"), take("function_type"), take("res_attrs")});
}

} // namespace tw::import::bytecode
