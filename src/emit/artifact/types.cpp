// SPDX-License-Identifier: Apache-2.0
// Types of VHLO and of MLIR.
#include <charconv>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "emit/artifact/module_text.hpp"
#include "emit/artifact/values.hpp"
#include "import/bytecode/codes.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;
using codes::BuiltinType;
using codes::VhloType;

namespace {

tl::unexpected<Error> no_type(std::string_view text) {
  return not_written(fmt::format("the type {} has no form there", text.substr(0, 100)));
}

// MLIR's numbers: i32, ui8, si4.
bool add_integer_type(std::string_view text, Sink &to) {
  const uint64_t sign = text.starts_with("si") ? 1 : text.starts_with("ui") ? 2 : 0;
  text.remove_prefix(sign == 0 ? 0 : 1);
  uint64_t bits = 0;
  if (!text.starts_with('i') ||
      std::from_chars(text.data() + 1, text.data() + text.size(), bits).ptr != text.data() + text.size() ||
      bits == 0)
    return false;
  to.number(static_cast<uint64_t>(BuiltinType::kIntegerType));
  to.number(bits << 2 | sign);
  return true;
}

bool add_plain_type(std::string_view text, Sink &to) {
  static constexpr std::pair<std::string_view, BuiltinType> kTypes[] = {
      {"index", BuiltinType::kIndex}, {"bf16", BuiltinType::kBf16}, {"f16", BuiltinType::kF16},
      {"f32", BuiltinType::kF32},     {"f64", BuiltinType::kF64},   {"none", BuiltinType::kNone}};
  if (const auto at = std::ranges::find(kTypes, text, [](const auto &t) { return t.first; });
      at != std::end(kTypes)) {
    to.number(static_cast<uint64_t>(at->second));
    return true;
  }
  const auto narrow = std::ranges::find(codes::kNarrow, text);
  if (narrow == std::end(codes::kNarrow))
    return add_integer_type(text, to);
  to.number(static_cast<uint64_t>(BuiltinType::kTf32) +
            static_cast<uint64_t>(narrow - std::begin(codes::kNarrow)));
  return true;
}

// The inside of name<..>.
bool is_around(std::string_view text, std::string_view name, std::string_view &inside) {
  if (!text.starts_with(name) || !text.ends_with('>') || text.size() < name.size() + 2 ||
      text[name.size()] != '<')
    return false;
  inside = text.substr(name.size() + 1, text.size() - name.size() - 2);
  return true;
}

} // namespace

Result<uint32_t> Values::make_type(Of of, std::string_view text) {
  const std::string_view dialect = of == Of::vhlo ? "vhlo" : "builtin";
  std::string_view inside;
  Sink to;
  if (of == Of::vhlo) {
    if (const auto plain = std::ranges::find(codes::kPlainTypes, text, &codes::PlainType::name);
        plain != std::end(codes::kPlainTypes)) {
      need(plain->since);
      to.number(plain->code);
      return tables_.type(dialect, to);
    }
  } else if (text == "!stablehlo.token") {
    to.number(0);
    return tables_.type("stablehlo", to);
  } else if (add_plain_type(text, to)) {
    return tables_.type(dialect, to);
  }
  if (text.starts_with('('))
    return function(of, text);
  if (is_around(text, "tensor", inside))
    return tensor(of, inside);
  if (is_around(text, "complex", inside)) {
    TW_ASSIGN(const uint32_t element, type(of, inside));
    to.number(of == Of::vhlo ? static_cast<uint64_t>(VhloType::kComplex)
                             : static_cast<uint64_t>(BuiltinType::kComplex));
    to.number(element);
    return tables_.type(dialect, to);
  }
  if (is_around(text, "tuple", inside)) {
    TW_ASSIGN(const std::vector<uint32_t> held, types(of, inside));
    to.number(of == Of::vhlo ? static_cast<uint64_t>(VhloType::kTuple)
                             : static_cast<uint64_t>(BuiltinType::kTuple));
    to.numbers(held);
    return tables_.type(dialect, to);
  }
  return no_type(text);
}

Result<uint32_t> Values::tensor(Of of, std::string_view text) {
  std::vector<int64_t> dims;
  std::string_view rest = text;
  while (!rest.empty() && import::is_digit(rest[0])) {
    int64_t dim = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), dim);
    if (error != std::errc() || stop == rest.data() + rest.size() || *stop != 'x')
      return no_type(text);
    dims.push_back(dim);
    rest.remove_prefix(static_cast<size_t>(stop - rest.data()) + 1);
  }
  if (rest.find(',') != rest.npos || rest.starts_with('?') || rest.starts_with('*'))
    return no_type(text);
  TW_ASSIGN(const uint32_t element, type(of, rest));
  Sink to;
  to.number(of == Of::vhlo ? static_cast<uint64_t>(VhloType::kRankedTensor)
                           : static_cast<uint64_t>(BuiltinType::kTensor));
  to.signed_numbers(dims);
  to.number(element);
  return tables_.type(of == Of::vhlo ? "vhlo" : "builtin", to);
}

Result<std::vector<uint32_t>> Values::types(Of of, std::string_view text) {
  TW_ASSIGN(const std::vector<std::string_view> all, split_types(text));
  std::vector<uint32_t> found;
  for (const std::string_view one : all) {
    TW_ASSIGN(const uint32_t index, type(of, one));
    found.push_back(index);
  }
  return found;
}

Result<uint32_t> Values::function(Of of, std::string_view text) {
  TW_ASSIGN(const FunctionTypes parts, split_function_type(text));
  Sink to;
  to.number(of == Of::vhlo ? static_cast<uint64_t>(VhloType::kFunction)
                           : static_cast<uint64_t>(BuiltinType::kFunction));
  for (const auto *list : {&parts.inputs, &parts.outputs}) {
    std::vector<uint32_t> found;
    for (const std::string_view one : *list) {
      TW_ASSIGN(const uint32_t index, type(of, one));
      found.push_back(index);
    }
    to.numbers(found);
  }
  return tables_.type(of == Of::vhlo ? "vhlo" : "builtin", to);
}

} // namespace tw::emit::artifact
