// SPDX-License-Identifier: Apache-2.0
// VHLO's attributes and types of every version, written as StableHLO's.
#include <algorithm>

#include <fmt/format.h>

#include "import/bytecode/codes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

namespace {

using Kind = Values::Kind;

bool append_axis(Values &v, Bytes &from, std::string &to) {
  to = "#stablehlo.axis_ref<name = ";
  if (!v.add_attribute(from, to))
    return false;
  if (from.number() != 0 && (to += ", sub_axis_info = ", !v.add_attribute(from, to)))
    return false;
  to += '>';
  return true;
}

bool append_mesh(Values &v, Bytes &from, std::string &to) {
  to = "#stablehlo.mesh<axes = ";
  if (!v.add_attribute(from, to))
    return false;
  bool given = false;
  const uint64_t ids = from.number_with_flag(given);
  if (given) {
    const uint32_t index = from.checked_index(ids, v.artifact().attributes.size(), "attribute");
    if (v.fault().failed())
      return false;
    to.append(", device_ids = ").append(v.attribute(index));
  }
  to += '>';
  return !v.fault().failed();
}

// !quant.uniform<i8:f32, 0.5:3>: only its name matters, since it is not supported.
bool append_quantized(Values &v, Bytes &from, std::string &to) {
  from.number(); // flags
  to = "!quant.uniform<";
  if (!v.add_type(from, to))
    return false;
  to += ':';
  if (!v.add_type(from, to))
    return false;
  to += '>';
  from.stop();
  return true;
}

} // namespace

bool vhlo_attribute(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  std::string type;
  using enum VhloAttribute;
  switch (static_cast<VhloAttribute>(code)) {
  case kArray: return around("[", v.add_attributes(from, to), "]", to);
  case kBoolean: to = from.number() != 0 ? "true" : "false"; return !v.fault().failed();
  case kComparisonDirection: return append_choice(from, "comparison_direction", to);
  case kComparisonType: return append_choice(from, "comparison_type", to);
  case kApiVersion: to = fmt::format("{} : i32", from.number()); return !v.fault().failed();
  case kDictionary: return v.add_entries(from, to);
  case kFftType: return append_choice(from, "fft_type", to);
  case kFloat: return v.add_type(from, type) && v.add_real(from, type, to);
  case kInteger: return v.add_type(from, type) && v.add_integer(from, type, to);
  case kOutputOperandAlias: return append_alias(v, from, to);
  case kPrecision: return append_choice(from, "precision", to);
  case kRngAlgorithm: return append_choice(from, "rng_algorithm", to);
  case kRngDistribution: return append_choice(from, "rng_distribution", to);
  case kString: {
    const std::string_view text = v.string_at(from);
    append_quoted(text, to);
    v.set_string(text);
    return !v.fault().failed();
  }
  case kTensor: {
    if (!v.add_type(from, type))
      return false;
    const std::string_view bytes = from.take(from.number());
    return !v.fault().failed() && v.add_array(type, bytes, to);
  }
  case kTranspose: return append_choice(from, "transpose", to);
  case kType: return v.add_type(from, to);
  case kTypeExtensions: return around("#stablehlo.bounds<", v.add_numbers(from, to), ">", to);
  case kResultAccuracyMode: return append_choice(from, "result_accuracy_mode", to);
  case kResultAccuracy: return append_accuracy(v, from, to);
  case kSubAxisInfo: {
    const int64_t before = from.signed_number(), size = from.signed_number();
    to = fmt::format("#stablehlo.sub_axis_info<pre_size = {}, size = {}>", before, size);
    return !v.fault().failed();
  }
  case kAxisRef: return append_axis(v, from, to);
  case kReplicaGroupMeshAxes:
    to = "mesh = ";
    return around("#stablehlo.replica_group_mesh_axes<",
                  v.add_attribute(from, to) && (to += ", axes = ", v.add_attribute(from, to)), ">", to);
  case kMeshAxis:
    if (!v.add_attribute(from, to))
      return false;
    to = fmt::format("#stablehlo.mesh_axis<name = {}, size = {}>", to, from.signed_number());
    return !v.fault().failed();
  case kMesh: return append_mesh(v, from, to);
  default: break;
  }
  return from.fail(fmt::format("attribute code {} of the dialect vhlo is not known", code), "TW-121");
}

bool vhlo_type(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  if (v.fault().failed())
    return false;
  if (const auto plain = std::ranges::find(kPlainTypes, code, &PlainType::code);
      plain != std::end(kPlainTypes)) {
    to = plain->name;
    return true;
  }
  using enum VhloType;
  switch (static_cast<VhloType>(code)) {
  case kComplex: return around("complex<", v.add_type(from, to), ">", to);
  case kFunction:
    return around("(", v.add_types(from, to), ") -> (", to) && v.add_types(from, to) && (to += ')', true);
  case kRankedTensor: return append_shaped(v, from, "tensor", false, to);
  case kRankedTensorWithEncoding: return append_shaped(v, from, "tensor", true, to);
  case kTuple: return around("tuple<", v.add_types(from, to), ">", to);
  case kQuantized:
  case kQuantizedPerAxis: return append_quantized(v, from, to);
  case kUnrankedTensor: return around("tensor<*x", v.add_type(from, to), ">", to);
  case kRankedBuffer: return append_shaped(v, from, "memref", false, to);
  case kFuture: return around("!stablehlo.future<", v.add_types(from, to), ">", to);
  default: break;
  }
  return from.fail(fmt::format("type code {} of the dialect vhlo is not known", code), "TW-121");
}

} // namespace tw::import::bytecode
