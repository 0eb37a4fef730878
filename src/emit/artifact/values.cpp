// SPDX-License-Identifier: Apache-2.0
// The first character of an attribute says which it is. VHLO says numbers of lists as arrays, and symbols as
// strings.
#include "emit/artifact/values.hpp"

#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "emit/artifact/module_text.hpp"
#include "import/attributes.hpp"
#include "import/bytecode/codes.hpp"
#include "import/literals.hpp"
#include "import/types.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;
using codes::BuiltinAttribute;
using codes::BuiltinType;
using codes::VhloAttribute;
using codes::VhloType;
using import::AttrText;
using import::Scanner;

namespace {

constexpr size_t kShort = 256;

// The code that a dialect has for a kind of attribute or type.
template <class Vhlo, class Builtin> Sink begin(Of of, Vhlo vhlo, Builtin builtin) {
  Sink to;
  to.number(of == Of::vhlo ? static_cast<uint64_t>(vhlo) : static_cast<uint64_t>(builtin));
  return to;
}
Sink begin(VhloAttribute code) { return begin(Of::vhlo, code, 0); }
std::string_view name_of(Of of) { return of == Of::vhlo ? "vhlo" : "builtin"; }

// The inside of `open`..`close`; empty where the text is not that.
std::string_view inside(std::string_view text, std::string_view open, std::string_view close) {
  if (text.size() < open.size() + close.size() || !text.starts_with(open) || !text.ends_with(close))
    return {};
  return text.substr(open.size(), text.size() - open.size() - close.size());
}

tl::unexpected<Error> taken(Scanner &s, std::string_view what) {
  s.fail_here(what, {});
  return tl::unexpected(s.take_error());
}

std::string shortened(std::string_view text) {
  return text.size() <= 100 ? std::string(text) : fmt::format("{}..", text.substr(0, 100));
}

// Booleans lie eight to a byte; where all are alike, one byte says it, with all its bits.
std::string packed(std::string_view bytes, size_t count) {
  if (bytes.size() == 1 && count > 1)
    return std::string(1, bytes[0] != 0 ? '\xff' : '\0');
  std::string all(count / 8 + (count % 8 != 0), '\0');
  for (size_t i = 0; i < count; ++i)
    if (bytes[i] != 0)
      all[i / 8] = static_cast<char>(all[i / 8] | 1 << (i % 8));
  return all;
}

// Integers of at most 64 bits, and reals by their bits.
void add_bits(uint64_t bits, size_t bytes, Sink &to) {
  if (bytes == 1)
    to.byte(static_cast<uint8_t>(bits));
  else
    to.signed_number(static_cast<int64_t>(bits));
}

bool is_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !import::is_word_char(text[word.size()]));
}

} // namespace

Result<uint32_t> Values::attribute(Of of, std::string_view text) {
  text = trim(text);
  Known &known = attributes_[static_cast<size_t>(of)];
  if (const auto at = known.find(text); at != known.end())
    return at->second;
  TW_ASSIGN(const uint32_t index, make_attribute(of, text));
  if (text.size() <= kShort)
    known.emplace(text, index);
  return index;
}

Result<uint32_t> Values::type(Of of, std::string_view text) {
  text = trim(text);
  Known &known = types_[static_cast<size_t>(of)];
  if (const auto at = known.find(text); at != known.end())
    return at->second;
  TW_ASSIGN(const uint32_t index, make_type(of, text));
  if (text.size() <= kShort)
    known.emplace(text, index);
  return index;
}

Result<uint32_t> Values::make_attribute(Of of, std::string_view text) {
  if (text.empty() || text == "unit") {
    if (of == Of::vhlo)
      need(kMixed); // VHLO has none of its own
    Sink to;
    to.number(static_cast<uint64_t>(BuiltinAttribute::kUnit));
    return tables_.attribute("builtin", to);
  }
  switch (text[0]) {
  case '"': {
    Scanner s(text, {}, 1);
    std::string_view raw;
    if (!s.string(raw) || !s.at_end())
      return not_written(fmt::format("the string {} has a type", shortened(text)));
    return string(of, import::unescape(raw));
  }
  case '[': return list(of, text);
  case '{': return entries(of, text);
  case '@': return symbol(of, text);
  case '#': return text.starts_with("#sdy") ? shardy(text) : stablehlo(text);
  case '(':
  case '!': {
    TW_ASSIGN(const uint32_t held, type(of, text));
    Sink to = begin(of, VhloAttribute::kType, BuiltinAttribute::kType);
    to.number(held);
    return tables_.attribute(name_of(of), to);
  }
  default: return import::is_word_start(text[0]) ? word(of, text) : number(of, text);
  }
}

uint32_t Values::string(Of of, std::string_view text) {
  Sink to = begin(of, VhloAttribute::kString, BuiltinAttribute::kString);
  to.number(tables_.string(text));
  return tables_.attribute(name_of(of), to);
}

uint32_t Values::unknown_location() {
  Sink to;
  to.number(static_cast<uint64_t>(BuiltinAttribute::kUnknown));
  return tables_.attribute("builtin", to);
}

Result<uint32_t> Values::api_version(std::string_view text) {
  uint64_t version = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), version).ec != std::errc())
    return not_written(fmt::format("api_version is {}", text));
  Sink to = begin(VhloAttribute::kApiVersion);
  to.number(version);
  return tables_.attribute("vhlo", to);
}

Result<uint32_t> Values::list(Of of, std::string_view text) {
  Scanner s(text, {}, 1);
  std::vector<std::string_view> items;
  if (!import::parse_items(s, items) || !s.at_end())
    return taken(s, "a list");
  std::vector<uint32_t> all;
  for (const std::string_view item : items) {
    TW_ASSIGN(const uint32_t index, attribute(of, item));
    all.push_back(index);
  }
  Sink to = begin(of, VhloAttribute::kArray, BuiltinAttribute::kArray);
  to.numbers(all);
  return tables_.attribute(name_of(of), to);
}

uint32_t Values::dictionary(std::vector<std::pair<std::string, uint32_t>> given) {
  std::ranges::sort(given);
  Sink to;
  to.number(static_cast<uint64_t>(BuiltinAttribute::kDictionary));
  to.number(given.size());
  for (const auto &[name, value] : given) {
    to.number(string(Of::builtin, name));
    to.number(value);
  }
  return tables_.attribute("builtin", to);
}

Result<uint32_t> Values::entries(Of of, std::string_view text) {
  Scanner s(text, {}, 1);
  std::vector<AttrText> said;
  if (!import::parse_dict(s, said) || !s.at_end())
    return taken(s, "attributes");
  std::vector<std::pair<std::string, uint32_t>> all;
  for (const AttrText &one : said) {
    TW_ASSIGN(const uint32_t value, attribute(of, one.raw));
    all.emplace_back(import::unescape(one.name), value);
  }
  if (of == Of::builtin)
    return dictionary(std::move(all));
  std::ranges::sort(all);
  Sink to = begin(VhloAttribute::kDictionary);
  to.number(all.size());
  for (const auto &[name, value] : all) {
    to.number(string(Of::vhlo, name));
    to.number(value);
  }
  return tables_.attribute("vhlo", to);
}

Result<uint32_t> Values::symbol(Of of, std::string_view text) {
  Scanner s(text, {}, 1);
  std::string_view raw;
  if (!s.symbol(raw) || !s.at_end())
    return not_written(fmt::format("{} is no name of a function", shortened(text)));
  const uint32_t name = string(of, import::unescape(raw));
  if (of == Of::vhlo)
    return name;
  Sink to;
  to.number(static_cast<uint64_t>(BuiltinAttribute::kSymbol));
  to.number(name);
  return tables_.attribute("builtin", to);
}

// Read as an array of one: `1 : i32`, `0.5 : f32`; without a type i64 and f64.
Result<uint32_t> Values::number(Of of, std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view value = trim(text.substr(0, colon));
  const bool whole = value.starts_with("0x") || value.find_first_of(".eE") == value.npos;
  const std::string_view of_type = colon != text.npos ? trim(text.substr(colon + 1)) : whole ? "i64" : "f64";
  TW_ASSIGN(const graph::Constant read, literal(fmt::format("dense<{}> : tensor<{}>", value, of_type)));
  const graph::DType dtype = builder_.graph().type_at(read.type).dtype;
  if (dtype == graph::DType::i1)
    return attribute(of, (*read.bytes)[0] != std::byte{0} ? "true" : "false");
  uint64_t bits = 0;
  if (read.bytes->size() > sizeof bits)
    return not_written(fmt::format("{} is no single number", shortened(text)));
  std::memcpy(&bits, read.bytes->data(), read.bytes->size());
  TW_ASSIGN(const uint32_t held, type(of, of_type));
  Sink to = graph::is_float(dtype) ? begin(of, VhloAttribute::kFloat, BuiltinAttribute::kFloat)
                                   : begin(of, VhloAttribute::kInteger, BuiltinAttribute::kInteger);
  to.number(held);
  add_bits(bits, read.bytes->size(), to);
  return tables_.attribute(name_of(of), to);
}

// true, dense<..> : T, array<i64: 1, 2>, or a type.
Result<uint32_t> Values::word(Of of, std::string_view text) {
  if (text == "true" || text == "false") {
    Sink to = begin(of, VhloAttribute::kBoolean, BuiltinAttribute::kInteger);
    if (of == Of::vhlo) {
      to.number(text == "true" ? 1 : 0);
    } else {
      TW_ASSIGN(const uint32_t held, type(of, "i1"));
      to.number(held);
      to.byte(text == "true" ? 1 : 0);
    }
    return tables_.attribute(name_of(of), to);
  }
  if (is_word(text, "array"))
    return array(of, text);
  if (is_word(text, "dense") || is_word(text, "dense_resource")) {
    TW_ASSIGN(const graph::Constant read, literal(text));
    const size_t colon = text.rfind(" : ");
    if (colon == text.npos)
      return not_written(fmt::format("{} has no type", shortened(text)));
    TW_ASSIGN(const uint32_t held, type(of, text.substr(colon + 3)));
    const graph::TensorType &shape = builder_.graph().type_at(read.type);
    const std::string_view bytes(reinterpret_cast<const char *>(read.bytes->data()), read.bytes->size());
    Sink to = begin(of, VhloAttribute::kTensor, BuiltinAttribute::kDense);
    to.number(held);
    to.blob(shape.dtype == graph::DType::i1 ? packed(bytes, static_cast<size_t>(shape.elements()))
                                            : std::string(bytes));
    return tables_.attribute(name_of(of), to);
  }
  TW_ASSIGN(const uint32_t held, type(of, text));
  Sink to = begin(of, VhloAttribute::kType, BuiltinAttribute::kType);
  to.number(held);
  return tables_.attribute(name_of(of), to);
}

Result<uint32_t> Values::array(Of of, std::string_view text) {
  const std::string_view all = inside(text, "array<", ">");
  const size_t colon = all.find(':');
  const std::string_view element = trim(all.substr(0, colon)),
                         numbers = colon == all.npos ? "" : all.substr(colon + 1);
  if (of != Of::vhlo || (element != "i64" && element != "i1"))
    return not_written(fmt::format("{} has no form in VHLO", shortened(text)));
  const auto count = numbers.empty() ? 0 : std::ranges::count(numbers, ',') + 1;
  return attribute(of, count == 0 ? fmt::format("dense<> : tensor<0x{}>", element)
                                  : fmt::format("dense<[{}]> : tensor<{}x{}>", numbers, count, element));
}

Result<graph::Constant> Values::literal(std::string_view text) {
  Scanner s(text, {}, 1);
  import::TypeParser types(s, builder_);
  import::LiteralParser literals(s, types, builder_);
  graph::Constant constant;
  bool elided = false;
  if (!literals.parse(constant, elided) || !s.at_end())
    return taken(s, "the end of a literal");
  if (elided)
    return not_written(fmt::format("the elements of {} are left out", shortened(text)));
  return constant;
}

// #stablehlo<precision HIGH>, #stablehlo.output_operand_alias<..>
Result<uint32_t> Values::stablehlo(std::string_view text) {
  static constexpr std::pair<std::string_view, VhloAttribute> kKinds[] = {
      {"comparison_direction", VhloAttribute::kComparisonDirection},
      {"comparison_type", VhloAttribute::kComparisonType},
      {"fft_type", VhloAttribute::kFftType},
      {"precision", VhloAttribute::kPrecision},
      {"result_accuracy_mode", VhloAttribute::kResultAccuracyMode},
      {"rng_algorithm", VhloAttribute::kRngAlgorithm},
      {"rng_distribution", VhloAttribute::kRngDistribution},
      {"transpose", VhloAttribute::kTranspose},
  };
  if (text.starts_with("#stablehlo.output_operand_alias<"))
    return alias(text);
  if (text.starts_with("#stablehlo.result_accuracy<"))
    return accuracy(text);
  // "precision HIGH", or "precision<HIGH" of the longer spelling.
  const bool is_long = text.starts_with("#stablehlo.");
  const std::string_view said = inside(text, is_long ? "#stablehlo." : "#stablehlo<", ">");
  const size_t space = std::min(said.find(is_long ? '<' : ' '), said.size());
  const auto kind =
      std::ranges::find(kKinds, said.substr(0, space), &std::pair<std::string_view, VhloAttribute>::first);
  const auto choice = std::ranges::find(codes::kChoices, said.substr(0, space), &codes::Choice::attribute);
  if (kind == std::end(kKinds) || choice == std::end(codes::kChoices))
    return not_written(fmt::format("the attribute {} has no form in VHLO", shortened(text)));
  const auto value = std::ranges::find(choice->names, trim(said.substr(std::min(space + 1, said.size()))));
  if (value == choice->names.end() || value->empty())
    return not_written(fmt::format("{} is no {}", shortened(text), choice->attribute));
  Sink to = begin(kind->second);
  to.number(static_cast<uint64_t>(value - choice->names.begin()));
  return tables_.attribute("vhlo", to);
}

Result<uint32_t> Values::alias(std::string_view text) {
  Scanner s(text, {}, 1);
  std::vector<AttrText> fields;
  if (!import::parse_struct(s, text, fields))
    return tl::unexpected(s.take_error());
  Sink to = begin(VhloAttribute::kOutputOperandAlias);
  std::string_view names =
      std::ranges::find(codes::kFields, "output_operand_alias", &codes::Fields::attribute)->names;
  while (!names.empty()) {
    std::string_view name = codes::take_name(names);
    const bool list = name.ends_with("[]");
    name.remove_suffix(list ? 2 : 0);
    const auto field = std::ranges::find(fields, name, &AttrText::name);
    std::vector<std::string_view> items;
    Scanner value(field == fields.end() ? std::string_view(list ? "[]" : "0") : field->raw, {}, 1);
    if (list && !import::parse_items(value, items))
      return tl::unexpected(value.take_error());
    std::vector<int64_t> numbers(list ? items.size() : 1);
    for (size_t i = 0; i < numbers.size(); ++i) {
      Scanner item(list ? items[i] : value.text(), {}, 1);
      if (!item.integer(numbers[i]))
        return tl::unexpected(item.take_error());
    }
    if (list)
      to.signed_numbers(numbers);
    else
      to.signed_number(numbers[0]);
  }
  return tables_.attribute("vhlo", to);
}

// #stablehlo.result_accuracy<atol = 0.0, .., mode = #stablehlo<result_accuracy_mode DEFAULT>>
Result<uint32_t> Values::accuracy(std::string_view text) {
  need(109);
  Scanner s(text, {}, 1);
  std::vector<AttrText> fields;
  if (!import::parse_struct(s, text, fields))
    return tl::unexpected(s.take_error());
  const auto value = [&](std::string_view name, std::string_view otherwise) {
    const auto field = std::ranges::find(fields, name, &AttrText::name);
    return field == fields.end() ? otherwise : field->raw;
  };
  const std::string_view mode = value("mode", "DEFAULT");
  TW_ASSIGN(const uint32_t held,
            attribute(Of::vhlo, mode.starts_with('#')
                                    ? std::string(mode)
                                    : fmt::format("#stablehlo<result_accuracy_mode {}>", mode)));
  Sink to = begin(VhloAttribute::kResultAccuracy);
  for (const std::string_view name : {"atol", "rtol"}) {
    TW_ASSIGN(const graph::Constant read,
              literal(fmt::format("dense<{}> : tensor<f64>", value(name, "0.0"))));
    uint64_t bits = 0;
    std::memcpy(&bits, read.bytes->data(), sizeof bits);
    add_bits(bits, sizeof bits, to);
  }
  Scanner ulps(value("ulps", "0"), {}, 1);
  int64_t number = 0;
  if (!ulps.integer(number))
    return tl::unexpected(ulps.take_error());
  to.signed_number(number);
  to.number(held);
  return tables_.attribute("vhlo", to);
}

} // namespace tw::emit::artifact
