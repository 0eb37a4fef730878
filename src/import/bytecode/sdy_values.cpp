// SPDX-License-Identifier: Apache-2.0
// Shardy's attributes, codes 0 to 17. Parts of shardings are written as they stand inside of them.
#include <fmt/format.h>

#include "import/bytecode/codes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

namespace {

constexpr std::string_view kShardingName = "#sdy.sharding", kMeshName = "#sdy.";

// A list of attributes, without what each has around it when it stands alone.
bool append_list(Values &v, Bytes &from, std::string &to, std::string_view name = {},
                 std::string_view behind = {}) {
  const size_t count = from.count("attributes");
  for (size_t i = 0; i < count; ++i) {
    const uint32_t index = v.attribute_index(from);
    if (v.fault().failed())
      return false;
    std::string_view text = v.attribute(index);
    if (text.starts_with(name))
      text.remove_prefix(name.size());
    if (text.ends_with(behind))
      text.remove_suffix(behind.size());
    to.append(i == 0 ? "" : ", ").append(text);
  }
  return !v.fault().failed();
}

// , replicated={"x"}
bool append_axes(Values &v, Bytes &from, std::string_view word, std::string &to) {
  std::string axes;
  if (!append_list(v, from, axes))
    return false;
  if (!axes.empty())
    fmt::format_to(std::back_inserter(to), ", {}={{{}}}", word, axes);
  return true;
}

// #sdy.sharding<@mesh, [{"x"}, {?}], replicated={"y"}, unreduced={"z"}>
bool append_sharding(Values &v, Bytes &from, bool unreduced, bool reduction, std::string &to) {
  const uint32_t mesh = v.attribute_index(from);
  if (v.fault().failed())
    return false;
  std::string_view named = v.attribute(mesh);
  if (named.starts_with(kMeshName)) // written out in place
    named.remove_prefix(kMeshName.size());
  to.append(kShardingName).append("<").append(named).append(", [");
  if (!append_list(v, from, to))
    return false;
  to += ']';
  if (!append_axes(v, from, "replicated", to))
    return false;
  if (unreduced) {
    std::string axes;
    if (!append_list(v, from, axes))
      return false;
    static constexpr std::string_view kKinds[] = {"", "max", "min"};
    const int64_t kind = reduction ? from.signed_number() : 0;
    if (kind < 0 || kind > 2)
      return from.fail(fmt::format("a reduction of kind {} is not known", kind), "TW-121");
    if (!axes.empty())
      fmt::format_to(std::back_inserter(to), ", unreduced={}{{{}}}", kKinds[kind], axes);
  }
  to += '>';
  return !v.fault().failed();
}

// i, j, .., z, z_1, z_2, ..
bool append_factor(Bytes &from, int64_t factor, std::string &to) {
  constexpr int64_t kLetters = 'z' - 'i' + 1, kMost = 1 << 20;
  if (factor < 0 || factor > kMost)
    return from.fail(fmt::format("a rule has no factor {}", factor));
  if (factor < kLetters)
    to += static_cast<char>('i' + factor);
  else
    fmt::format_to(std::back_inserter(to), "z_{}", factor - kLetters + 1);
  return true;
}

bool append_factors(Bytes &from, std::string_view between, std::string &to) {
  const size_t count = from.count("factors");
  for (size_t i = 0; i < count; ++i) {
    to += i == 0 ? "" : between;
    if (!append_factor(from, from.signed_number(), to))
      return false;
  }
  return !from.fault().failed();
}

// <([i, k], [k, j])->([i, j]) {i=4, j=8, k=2} reduction={k}, custom>
bool append_rule(Values &v, Bytes &from, std::string &to) {
  std::string sizes;
  const size_t count = from.count("factors");
  for (size_t i = 0; i < count; ++i) {
    sizes += i == 0 ? " {" : ", ";
    const int64_t size = from.signed_number();
    if (!append_factor(from, static_cast<int64_t>(i), sizes))
      return false;
    fmt::format_to(std::back_inserter(sizes), "={}", size);
  }
  sizes += sizes.empty() ? "" : "}";
  to += "#sdy.op_sharding_rule<(";
  if (!append_list(v, from, to))
    return false;
  to += ")->(";
  if (!append_list(v, from, to))
    return false;
  to.append(")").append(sizes);
  for (const std::string_view kind :
       {"reduction", "need_replication", "permutation", "blocked_propagation"}) {
    std::string factors;
    if (!append_factors(from, ", ", factors))
      return false;
    if (!factors.empty())
      fmt::format_to(std::back_inserter(to), " {}={{{}}}", kind, factors);
  }
  to += from.byte() != 0 ? ", custom>" : ">";
  return !v.fault().failed();
}

bool append_sdy_mesh(Values &v, Bytes &from, std::string &to) {
  to = "#sdy.mesh<[";
  if (!append_list(v, from, to))
    return false;
  to += ']';
  std::string ids;
  if (!v.add_numbers(from, ids))
    return false;
  if (!ids.empty())
    fmt::format_to(std::back_inserter(to), ", device_ids=[{}]", ids);
  to += '>';
  return true;
}

// "x", or "x":(1)2 of a part.
bool append_axis_ref(Values &v, Bytes &from, std::string &to) {
  if (!v.add_string(from, to))
    return false;
  bool has_part = false;
  const uint64_t part = from.number_with_flag(has_part);
  if (!has_part)
    return !v.fault().failed();
  const uint32_t index = from.checked_index(part, v.artifact().attributes.size(), "attribute");
  if (v.fault().failed())
    return false;
  to.append(":").append(v.attribute(index));
  return !v.fault().failed();
}

bool append_dimension(Values &v, Bytes &from, std::string &to) {
  to = "{";
  if (!append_list(v, from, to))
    return false;
  if (from.byte() == 0)
    to += to.size() == 1 ? "?" : ", ?";
  to += '}';
  bool has_priority = false;
  if (const uint64_t priority = from.number_with_flag(has_priority); has_priority)
    fmt::format_to(std::back_inserter(to), "p{}", priority);
  return !v.fault().failed();
}

} // namespace

bool sdy_attribute(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  using enum SdyAttribute;
  switch (static_cast<SdyAttribute>(code)) {
  case kManualAxes: return around("#sdy<manual_axes{", append_list(v, from, to), "}>", to);
  case kMeshAxis: {
    if (!v.add_string(from, to))
      return false;
    fmt::format_to(std::back_inserter(to), "={}", from.signed_number());
    return !v.fault().failed();
  }
  case kMesh: return append_sdy_mesh(v, from, to);
  case kSubAxis: {
    const int64_t before = from.signed_number(), size = from.signed_number();
    to = fmt::format("({}){}", before, size);
    return !v.fault().failed();
  }
  case kAxis: return append_axis_ref(v, from, to);
  case kDimension: return append_dimension(v, from, to);
  case kSharding: return append_sharding(v, from, false, false, to);
  case kShardingWithUnreduced: return append_sharding(v, from, true, false, to);
  case kShardingWithReduction: return append_sharding(v, from, true, true, to);
  case kShardings:
  case kShardingsWithUnreduced:
    return around("#sdy.sharding_per_value<[", append_list(v, from, to, kShardingName), "]>", to);
  case kDimensionFactors:
    if (!append_factors(from, {}, to))
      return false;
    to += to.empty() ? "*" : "";
    return true;
  case kFactors: return around("[", append_list(v, from, to), "]", to);
  case kRule: return append_rule(v, from, to);
  case kAxes: return around("#sdy<axis_ref_list{", append_list(v, from, to), "}>", to);
  case kAxesList:
    return around("#sdy<list_of_axis_ref_lists[", append_list(v, from, to, "#sdy<axis_ref_list", ">"), "]>",
                  to);
  case kAllToAll: {
    to = "{";
    if (!append_list(v, from, to))
      return false;
    const int64_t source = from.signed_number(), target = from.signed_number();
    fmt::format_to(std::back_inserter(to), "}}: {}->{}", source, target);
    return !v.fault().failed();
  }
  case kAllToAllList: return around("#sdy<all_to_all_param_list[", append_list(v, from, to), "]>", to);
  default: break;
  }
  return from.fail(fmt::format("attribute code {} of the dialect sdy is not known", code), "TW-121");
}

} // namespace tw::import::bytecode
