// SPDX-License-Identifier: Apache-2.0
// StableHLO's and CHLO's own attributes and types, which bytecode has where it is no portable artifact.
#include <algorithm>

#include <fmt/format.h>

#include "import/bytecode/codes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

namespace {

enum class StablehloAttribute : uint64_t {
  kChannel = 1,
  kComparisonDirection,
  kComparisonType,
  kConvolution,
  kDot,
  kFftType,
  kGather,
  kPrecision,
  kRngAlgorithm,
  kRngDistribution,
  kScatter,
  kTranspose,
  kBounds,
  kOutputOperandAlias,
  kAlgorithm,
  kAccuracyMode,
  kAccuracy,
};

bool append_fields(Values &v, Bytes &from, std::string_view name, std::string &to) {
  to.append("#stablehlo.").append(name);
  std::string_view before = name == "conv" ? "<raw " : "<";
  std::string_view names = std::ranges::find(kFields, name, &Fields::attribute)->names;
  while (!names.empty()) {
    std::string_view field = take_name(names);
    const bool list = field.ends_with("[]");
    field.remove_suffix(list ? 2 : 0);
    to.append(before).append(field).append(list ? " = [" : " = ");
    before = ", ";
    if (list && !v.add_numbers(from, to))
      return false;
    if (list)
      to += ']';
    else
      fmt::format_to(std::back_inserter(to), "{}", from.signed_number());
  }
  to += '>';
  return !v.fault().failed();
}

bool append_algorithm(Values &v, Bytes &from, std::string &to) {
  to = "#stablehlo.dot_algorithm<";
  for (const std::string_view field : {"lhs_precision_type", "rhs_precision_type", "accumulation_type"}) {
    to.append(field).append(" = ");
    if (!v.add_type(from, to))
      return false;
    to += ", ";
  }
  for (const std::string_view field :
       {"lhs_component_count", "rhs_component_count", "num_primitive_operations"})
    fmt::format_to(std::back_inserter(to), "{} = {}, ", field, from.signed_number());
  to.append("allow_imprecise_accumulation = ").append(from.number() != 0 ? "true>" : "false>");
  return !v.fault().failed();
}

} // namespace

bool append_accuracy(Values &v, Bytes &from, std::string &to) {
  to = "#stablehlo.result_accuracy<atol = ";
  std::string number;
  for (const std::string_view name : {"", ", rtol = "}) {
    number.clear();
    if (!v.add_real(from, "f64", number))
      return false;
    to.append(name).append(number.substr(0, number.find(" :")));
  }
  fmt::format_to(std::back_inserter(to), ", ulps = {}, mode = ", from.signed_number());
  if (!v.add_attribute(from, to))
    return false;
  to += '>';
  v.set_kind(Values::Kind::other);
  return true;
}

bool append_alias(Values &v, Bytes &from, std::string &to) {
  return append_fields(v, from, "output_operand_alias", to);
}

bool stablehlo_attribute(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  using enum StablehloAttribute;
  switch (static_cast<StablehloAttribute>(code)) {
  case kChannel: return append_fields(v, from, "channel_handle", to);
  case kComparisonDirection: return append_choice(from, "comparison_direction", to);
  case kComparisonType: return append_choice(from, "comparison_type", to);
  case kConvolution: return append_fields(v, from, "conv", to);
  case kDot: return append_fields(v, from, "dot", to);
  case kFftType: return append_choice(from, "fft_type", to);
  case kGather: return append_fields(v, from, "gather", to);
  case kPrecision: return append_choice(from, "precision", to);
  case kRngAlgorithm: return append_choice(from, "rng_algorithm", to);
  case kRngDistribution: return append_choice(from, "rng_distribution", to);
  case kScatter: return append_fields(v, from, "scatter", to);
  case kTranspose: return append_choice(from, "transpose", to);
  case kBounds: return around("#stablehlo.bounds<", v.add_numbers(from, to), ">", to);
  case kOutputOperandAlias: return append_alias(v, from, to);
  case kAlgorithm: return append_algorithm(v, from, to);
  case kAccuracyMode: return append_choice(from, "result_accuracy_mode", to);
  case kAccuracy: return append_accuracy(v, from, to);
  default: break;
  }
  return from.fail(fmt::format("attribute code {} of the dialect stablehlo is not read", code), "TW-121");
}

bool stablehlo_type(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  if (code == 0)
    return to = "!stablehlo.token", !v.fault().failed();
  if (code == 1)
    return around("!stablehlo.future<", v.add_types(from, to), ">", to);
  return from.fail(fmt::format("type code {} of the dialect stablehlo is not known", code), "TW-121");
}

bool chlo_attribute(Values &, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  if (code <= 1)
    return append_choice(from, code == 0 ? "comparison_direction" : "comparison_type", to);
  return from.fail(fmt::format("attribute code {} of the dialect chlo is not known", code), "TW-121");
}

} // namespace tw::import::bytecode
