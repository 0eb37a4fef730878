// SPDX-License-Identifier: Apache-2.0
// Kinds say how most attributes are spelled; what StableHLO wraps in a type of its own or puts into one
// structure is listed here.
#include "emit/stablehlo/attributes.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/spelling.hpp"
#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"

namespace tw::emit::stablehlo {

namespace slot = ops::slot;
using graph::AttrValue;

namespace {

// #stablehlo<precision DEFAULT>: names out of a list.
constexpr std::pair<std::string_view, std::string_view> kEnums[] = {
    {"comparison_direction", "comparison_direction"},
    {"compare_type", "comparison_type"},
    {"fft_type", "fft_type"},
    {"precision_config", "precision"},
    {"rng_algorithm", "rng_algorithm"},
    {"rng_distribution", "rng_distribution"},
    {"transpose_a", "transpose"},
};

// Integers of 32 bits; the others have 64.
constexpr std::string_view kShortIntegers[] = {"api_version", "exponent_bits", "mantissa_bits"};

// Attributes that stand in one structure: #stablehlo.gather<offset_dims = [0], ...>.
struct Structure {
  std::string_view op, attribute, name;
  size_t first, count; // its slots
};
constexpr Structure kStructures[] = {
    {"stablehlo.dot_general", "dot_dimension_numbers", "dot", slot::dot_general::lhs_batching_dimensions, 4},
    {"stablehlo.gather", "dimension_numbers", "gather", slot::gather::offset_dims, 6},
    {"stablehlo.scatter", "scatter_dimension_numbers", "scatter", slot::scatter::update_window_dims, 6},
};

std::string enum_text(std::string_view kind, std::string_view text) {
  if (!text.starts_with('['))
    return fmt::format("#stablehlo<{} {}>", kind, text);
  std::vector<std::string> items;
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view item = rest.substr(0, comma);
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    items.push_back(fmt::format("#stablehlo<{} {}>", kind, item));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string string_text(std::string_view attribute, std::string_view text) {
  for (const auto &[name, kind] : kEnums)
    if (name == attribute)
      return enum_text(kind, text);
  if (attribute == "algorithm" && text.starts_with('<'))
    return fmt::format("#stablehlo.dot_algorithm{}", text);
  return text.starts_with('#') ? std::string(text) : loops::quoted(text);
}

std::string ints_text(std::string_view attribute, const std::vector<int64_t> &list) {
  if (attribute == "padding") {
    std::vector<std::string> pairs;
    for (size_t i = 0; i + 1 < list.size(); i += 2)
      pairs.push_back(fmt::format("[{}, {}]", list[i], list[i + 1]));
    return pairs.empty()
               ? "dense<> : tensor<0x2xi64>"
               : fmt::format("dense<[{}]> : tensor<{}x2xi64>", fmt::join(pairs, ", "), pairs.size());
  }
  if (attribute == "window_reversal") {
    std::vector<std::string_view> words;
    for (const int64_t n : list)
      words.push_back(n != 0 ? "true" : "false");
    return words.empty() ? "array<i1>" : fmt::format("array<i1: {}>", fmt::join(words, ", "));
  }
  return array_text(list);
}

std::string value_text(const graph::Graph &graph, const ops::AttrSpec &spec, const AttrValue &value) {
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value))
    return ints_text(spec.name, *list);
  if (const auto *text = std::get_if<std::string>(&value))
    return string_text(spec.name, *text);
  if (const auto *n = std::get_if<int64_t>(&value)) {
    if (spec.kind == ops::AttrKind::boolean)
      return *n != 0 ? "true" : "false";
    const bool narrow = std::ranges::find(kShortIntegers, spec.name) != std::end(kShortIntegers);
    return fmt::format("{} : i{}", *n, narrow ? 32 : 64);
  }
  if (const auto *x = std::get_if<double>(&value))
    return loops::real_text(*x);
  const graph::ConstantId id = std::get<graph::ConstantId>(value);
  return fmt::format("{} : {}", loops::literal(graph, id),
                     graph::to_text(graph.type_at(graph.constant(id).type)));
}

// Empty lists and zeros are left out, as StableHLO prints them.
std::string structure_text(const Structure &s, const ops::OpDef &def, const graph::Attrs &attrs) {
  std::vector<std::string> fields;
  for (size_t i = s.first; i < s.first + s.count; ++i) {
    if (const auto *list = std::get_if<std::vector<int64_t>>(&attrs[i]); list != nullptr && !list->empty())
      fields.push_back(fmt::format("{} = [{}]", def.attrs[i].name, fmt::join(*list, ", ")));
    else if (const auto *n = std::get_if<int64_t>(&attrs[i]); n != nullptr && *n != 0)
      fields.push_back(fmt::format("{} = {}", def.attrs[i].name, *n));
  }
  return fmt::format("{} = #stablehlo.{}<{}>", s.attribute, s.name, fmt::join(fields, ", "));
}

// #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
std::string convolution_text(const graph::Attrs &attrs) {
  constexpr std::array<std::string_view, 3> kLetters = {"bf", "io", "bf"};
  std::array<std::string, 3> all;
  for (size_t side = 0; side < all.size(); ++side) {
    const auto &dims = std::get<std::vector<int64_t>>(attrs[slot::convolution::lhs_dimensions + side]);
    std::vector<std::string> labels(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
      labels[static_cast<size_t>(dims[i])] =
          i < 2 ? std::string(1, kLetters[side][i]) : fmt::format("{}", i - 2);
    all[side] = fmt::format("[{}]", fmt::join(labels, ", "));
  }
  return fmt::format("dimension_numbers = #stablehlo.conv<{}x{}->{}>", all[0], all[1], all[2]);
}

// A call of foreign code: all that it says as it is written.
Dictionaries call_dictionaries(const graph::Graph &graph, const ops::OpDef &def, const graph::Attrs &attrs) {
  std::vector<std::string> fields, others;
  for (size_t i = 0; i < slot::custom_call::attributes; ++i)
    if (const auto *text = std::get_if<std::string>(&attrs[i]))
      fields.push_back(fmt::format("{} = {}", def.attrs[i].name, loops::quoted(*text)));
    else if (attrs[i].index() != 0)
      fields.push_back(fmt::format("{} = {}", def.attrs[i].name, value_text(graph, def.attrs[i], attrs[i])));
  const auto *text = std::get_if<std::string>(&attrs[slot::custom_call::attributes]);
  for (const auto &[name, value] : ops::dictionary_items(text != nullptr ? std::string_view(*text) : ""))
    if (ops::is_call_property(name))
      fields.push_back(fmt::format("{} = {}", name, value));
    else
      others.push_back(fmt::format("\"{}\"{}{}", name, value.empty() ? "" : " = ", value));
  return {fmt::format("{}", fmt::join(fields, ", ")),
          others.empty() ? "" : fmt::format(" {{{}}}", fmt::join(others, ", "))};
}

} // namespace

std::string array_text(std::span<const int64_t> list) {
  return list.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(list, ", "));
}

Dictionaries dictionaries(const graph::Graph &graph, const ops::OpDef &def, const graph::Attrs &attrs) {
  const std::string_view op = def.name;
  if (def.kind == ops::OpKind::custom_call)
    return call_dictionaries(graph, def, attrs);
  Dictionaries text;
  std::vector<std::string> fields;
  size_t skip_to = 0;
  for (size_t i = 0; i < def.attrs.size(); ++i) {
    const auto *structure =
        std::ranges::find_if(kStructures, [&](const Structure &s) { return s.op == op && s.first == i; });
    if (structure != std::end(kStructures) && attrs.size() > i) {
      fields.push_back(structure_text(*structure, def, attrs));
      skip_to = i + structure->count;
    } else if (op == "stablehlo.convolution" && i == slot::convolution::lhs_dimensions) {
      fields.push_back(convolution_text(attrs));
      skip_to = slot::convolution::result_dimensions + 1;
    }
    if (i < skip_to || i >= attrs.size() || attrs[i].index() == 0)
      continue;
    if (op == "stablehlo.rng" && i == slot::rng::stream) // ours
      text.others = fmt::format(" {{stream = {} : i64}}", std::get<int64_t>(attrs[i]));
    else
      fields.push_back(fmt::format("{} = {}", def.attrs[i].name, value_text(graph, def.attrs[i], attrs[i])));
  }
  text.properties = fmt::format("{}", fmt::join(fields, ", "));
  return text;
}

void add_attribute(Dictionaries &said, std::string_view attribute) {
  if (said.others.empty())
    said.others = fmt::format(" {{{}}}", attribute);
  else
    said.others.insert(said.others.size() - 1, fmt::format(", {}", attribute));
}

} // namespace tw::emit::stablehlo
