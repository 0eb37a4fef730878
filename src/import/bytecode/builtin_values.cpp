// SPDX-License-Identifier: Apache-2.0
// MLIR's own attributes and types.
#include <iterator>

#include <fmt/format.h>

#include "import/bytecode/codes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

namespace {

using Kind = Values::Kind;

bool append_symbol(Values &v, Bytes &from, std::string &to) {
  const uint32_t name = v.attribute_index(from);
  if (v.fault().failed())
    return false;
  to += '@';
  append_name(v.string(name), to);
  return !v.fault().failed();
}

bool append_function(Values &v, Bytes &from, std::string &to) {
  to += '(';
  if (!v.add_types(from, to))
    return false;
  to += ") -> (";
  if (!v.add_types(from, to))
    return false;
  to += ')';
  return true;
}

} // namespace

bool builtin_attribute(Values &v, Bytes &from, std::string &to) {
  const uint64_t code = from.number();
  std::string type;
  using enum BuiltinAttribute;
  switch (const auto kind = static_cast<BuiltinAttribute>(code)) {
  case kArray: return around("[", v.add_attributes(from, to), "]", to);
  case kDictionary: return v.add_entries(from, to);
  case kString:
  case kTypedString: {
    const std::string_view text = v.string_at(from);
    append_quoted(text, to);
    if (kind == kTypedString && (to += " : ", !v.add_type(from, to)))
      return false;
    v.set_string(text);
    return !v.fault().failed();
  }
  case kSymbol: return append_symbol(v, from, to);
  case kNestedSymbol: {
    if (!append_symbol(v, from, to))
      return false;
    const size_t count = from.count("names");
    for (size_t i = 0; i < count; ++i) {
      to += "::";
      if (!v.add_attribute(from, to))
        return false;
    }
    return !v.fault().failed();
  }
  case kType: return v.add_type(from, to);
  case kUnit: to = "unit"; return v.set_kind(Kind::unit), true;
  case kInteger: return v.add_type(from, type) && v.add_integer(from, type, to);
  case kFloat: return v.add_type(from, type) && v.add_real(from, type, to);
  case kCallSite:
  case kFileLine:
  case kFused:
  case kFusedWithMetadata:
  case kName:
  case kUnknown:
  case kFileRange: // as a value it says nothing; ops ask for what it says (locations.hpp)
    to = "loc(unknown)";
    v.set_kind(Kind::location);
    from.stop();
    return true;
  case kResource: {
    if (!v.add_type(from, type))
      return false;
    const uint32_t index = from.index(v.artifact().resources.size(), "resource");
    if (v.fault().failed())
      return false;
    const Artifact::Resource &resource = v.artifact().resources[index];
    return resource.is_blob ? v.add_array(type, resource.blob, to)
                            : from.fail(fmt::format("the resource {} has no bytes", index));
  }
  case kDenseArray: return v.add_number_list(from, to);
  case kDense: {
    if (!v.add_type(from, type))
      return false;
    const std::string_view bytes = from.take(from.number());
    return !v.fault().failed() && v.add_array(type, bytes, to);
  }
  case kDistinct: return v.add_attribute(from, to);
  default: break;
  }
  return from.fail(fmt::format("attribute code {} of the dialect builtin is not read", code), "TW-121");
}

bool builtin_type(Values &v, Bytes &from, std::string &to) {
  static constexpr std::string_view kPlain[] = {{}, "index", {}, "bf16", "f16", "f32", "f64", "f80", "f128"};
  const uint64_t code = from.number();
  using enum BuiltinType;
  if (const uint64_t first = static_cast<uint64_t>(kTf32);
      code >= first && code - first < std::size(kNarrow)) {
    to = kNarrow[code - first];
    return true;
  }
  switch (static_cast<BuiltinType>(code)) {
  case kIntegerType: {
    const uint64_t value = from.number();
    if ((value & 3) == 3 || (value >> 2) > (uint64_t{1} << 24))
      return from.fail(fmt::format("an integer type of {} bits", value >> 2));
    to = fmt::format("{}i{}", (value & 3) == 1 ? "s" : (value & 3) == 2 ? "u" : "", value >> 2);
    return true;
  }
  case kIndex:
  case kBf16:
  case kF16:
  case kF32:
  case kF64:
  case kF80:
  case kF128: to = kPlain[code]; return true;
  case kFunction: return append_function(v, from, to);
  case kComplex: return around("complex<", v.add_type(from, to), ">", to);
  case kNone: to = "none"; return true;
  case kTensor: return append_shaped(v, from, "tensor", false, to);
  case kTensorWithEncoding: return append_shaped(v, from, "tensor", true, to);
  case kTuple: return around("tuple<", v.add_types(from, to), ">", to);
  case kUnrankedTensor: return around("tensor<*x", v.add_type(from, to), ">", to);
  case kMemRef:
  case kMemRefWithSpace:
  case kUnrankedMemRef:
  case kUnrankedMemRefWithSpace: to = "memref"; return from.stop(), true; // refused by its name
  case kVector:
  case kScalableVector: to = "vector"; return from.stop(), true;
  default: break;
  }
  return from.fail(fmt::format("type code {} of the dialect builtin is not read", code), "TW-121");
}

} // namespace tw::import::bytecode
