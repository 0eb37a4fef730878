// SPDX-License-Identifier: Apache-2.0
// Attributes that hold several are taken apart, then what is not said gets its default.
#include "emit/artifact/op_attributes.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/trim.hpp"
#include "emit/artifact/values.hpp"
#include "import/bytecode/codes.hpp"
#include "import/scanner.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;
using codes::VhloOp;
using import::AttrText;
using import::Scanner;

namespace {

// Attributes that hold the fields of codes::kFields.
struct Structure {
  std::string_view op, attribute, fields;
};
constexpr Structure kStructures[] = {
    {"stablehlo.convolution", "dimension_numbers", "conv"},
    {"stablehlo.dot_general", "dot_dimension_numbers", "dot"},
    {"stablehlo.dynamic_conv", "dimension_numbers", "conv"},
    {"stablehlo.dynamic_gather", "dimension_numbers", "gather"},
    {"stablehlo.gather", "dimension_numbers", "gather"},
    {"stablehlo.scatter", "scatter_dimension_numbers", "scatter"},
};

// Defaults that our schemas know too; of any op where it is empty. Those of kPerWindow are one for each
// dimension of a window.
constexpr codes::Default kSchemaDefaults[] = {
    {"", "has_side_effect", "false"},
    {"", "indices_are_sorted", "false"},
    {"", "is_stable", "false"},
    {"", "lower", "false"},
    {"", "operand_layouts", "[]"},
    {"", "precision_config", "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"},
    {"", "result_layouts", "[]"},
    {"", "unique_indices", "false"},
};
struct PerWindow {
  std::string_view attribute, element, type;
};
constexpr PerWindow kPerWindow[] = {
    {"base_dilations", "1", "i64"}, {"lhs_dilation", "1", "i64"},     {"padding", "[0, 0]", "x2xi64"},
    {"rhs_dilation", "1", "i64"},   {"window_dilations", "1", "i64"}, {"window_reversal", "false", "i1"},
    {"window_strides", "1", "i64"},
};

// Ops that may have several operands from a version on only.
constexpr std::string_view kVariadic[] = {"all_gather", "all_reduce", "all_to_all"};
constexpr int kSinceVariadic = 105, kSinceDictionary = 103, kSinceCompositeRegions = 114, kOldest = 100;

const Said *find(const std::vector<Said> &all, std::string_view name) {
  const auto at = std::ranges::find(all, name, &Said::name);
  return at == all.end() ? nullptr : &*at;
}

std::string ints(std::string_view list) { // "[0, 1]"
  const std::string_view items = trim(list.substr(1, list.size() - 2));
  return items.empty() ? "array<i64>" : fmt::format("array<i64: {}>", items);
}

// [b, 0, 1, f] of a convolution: which dimension has each label.
bool read_labels(Scanner &s, std::string_view first, std::string_view second, std::vector<Said> &said,
                 std::array<std::string_view, 3> names) {
  std::vector<std::string_view> labels;
  if (!import::parse_items(s, labels))
    return false;
  std::vector<size_t> spatial(labels.size() < 2 ? 0 : labels.size() - 2, labels.size());
  const auto single = [&](std::string_view name, std::string_view letter) {
    const auto at = std::ranges::find(labels, letter);
    if (at != labels.end())
      said.push_back({name, fmt::format("{} : i64", at - labels.begin())});
    return at != labels.end();
  };
  for (size_t i = 0; i < labels.size(); ++i) {
    size_t number = 0;
    const std::string_view label = labels[i];
    if (label == first || label == second)
      continue;
    if (std::from_chars(label.data(), label.data() + label.size(), number).ec != std::errc() ||
        number >= spatial.size())
      return s.fail_here("the labels of a convolution", {});
    spatial[number] = i;
  }
  said.push_back({names[2], ints(fmt::format("[{}]", fmt::join(spatial, ", ")))});
  return (single(names[0], first) && single(names[1], second)) ||
         s.fail_here("the labels of a convolution", {});
}

// #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
Status take_convolution(std::string_view text, std::vector<Said> &said) {
  Scanner s(text, {}, 1);
  const auto &n = codes::kConvolution;
  if (s.accept("#stablehlo.conv") && s.accept('<') && read_labels(s, "b", "f", said, {n[0], n[1], n[2]}) &&
      s.accept('x') && read_labels(s, "i", "o", said, {n[3], n[4], n[5]}) && s.accept("->") &&
      read_labels(s, "b", "f", said, {n[6], n[7], n[8]}) && s.accept('>'))
    return {};
  s.fail_here("#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>", {});
  return tl::unexpected(s.take_error());
}

Status take_structure(const Structure &structure, std::string_view text, std::vector<Said> &said) {
  if (structure.fields == "conv" && text.find("<raw") == text.npos)
    return take_convolution(text, said);
  Scanner s(text, {}, 1);
  std::vector<AttrText> fields;
  if (!import::parse_struct(s, text, fields))
    return tl::unexpected(s.take_error());
  std::string_view names =
      std::ranges::find(codes::kFields, structure.fields, &codes::Fields::attribute)->names;
  while (!names.empty()) {
    std::string_view name = codes::take_name(names);
    const bool list = name.ends_with("[]");
    name.remove_suffix(list ? 2 : 0);
    const auto field = std::ranges::find(fields, name, &AttrText::name);
    const std::string_view value = field == fields.end() ? (list ? "[]" : "0") : field->raw;
    said.push_back({name, list ? ints(value) : fmt::format("{} : i64", value)});
  }
  return {};
}

// #stablehlo.dot_algorithm<lhs_precision_type = tf32, ..>
Status take_algorithm(std::string_view text, std::vector<Said> &said) {
  Scanner s(text, {}, 1);
  std::vector<AttrText> fields;
  if (!import::parse_struct(s, text, fields))
    return tl::unexpected(s.take_error());
  for (const AttrText &field : fields)
    said.push_back({field.name, import::is_digit(field.raw.front()) ? fmt::format("{} : i64", field.raw)
                                                                    : std::string(field.raw)});
  return {};
}

// #stablehlo.channel_handle<handle = 1, type = 0>
Status take_channel(std::string_view op, std::string_view text, std::vector<Said> &said) {
  Scanner s(text, {}, 1);
  std::vector<AttrText> fields;
  if (!import::parse_struct(s, text, fields))
    return tl::unexpected(s.take_error());
  for (const AttrText &field : fields)
    if (field.name == "handle")
      said.push_back({"channel_id", fmt::format("{} : i64", field.raw)});
    else if (op == "stablehlo.send" || op == "stablehlo.recv")
      said.push_back({"channel_type", fmt::format("{} : i64", field.raw)});
  return {};
}

// What is said of an op, each attribute for itself.
Status take_apart(const TextOp &op, std::vector<Said> &said) {
  for (const AttrText &attr : op.attributes) {
    const auto structure = std::ranges::find_if(
        kStructures, [&](const Structure &s) { return s.op == op.name && s.attribute == attr.name; });
    if (structure != std::end(kStructures)) {
      TW_TRY(take_structure(*structure, attr.raw, said));
    } else if (op.name == "stablehlo.dot_general" && attr.name == "algorithm") {
      TW_TRY(take_algorithm(attr.raw, said));
    } else if (attr.name == "channel_handle") {
      TW_TRY(take_channel(op.name, attr.raw, said));
    } else if (attr.name == "use_global_device_ids" || attr.name == "has_dynamic_root") {
      said.push_back({attr.name, "true"});
    } else {
      said.push_back({attr.name, std::string(attr.raw)});
    }
  }
  return {};
}

// Dimensions of the window of an op.
size_t window_rank(const std::vector<Said> &said) {
  for (const std::string_view name : {"input_spatial_dimensions", "window_dimensions"})
    if (const Said *dims = find(said, name); dims != nullptr && dims->value.find(':') != std::string::npos)
      return static_cast<size_t>(std::ranges::count(dims->value, ',')) + 1;
  return 0;
}

std::string per_window(const PerWindow &row, size_t rank) {
  const std::vector<std::string_view> elements(rank, row.element);
  const std::string_view between = row.type.starts_with('x') ? "" : "x";
  return fmt::format("dense<{}> : tensor<{}{}{}>",
                     rank == 0 ? "" : fmt::format("[{}]", fmt::join(elements, ", ")), rank, between,
                     row.type);
}

// What an attribute says that nobody states; empty where somebody must.
std::string default_of(std::string_view op, std::string_view attribute, const std::vector<Said> &said) {
  if (attribute == "backend_config")
    if (const Said *version = find(said, "api_version");
        version != nullptr && version->value.starts_with('4'))
      return "{}";
  const auto is_it = [&](const codes::Default &d) {
    return d.attribute == attribute && (d.op.empty() || d.op == op);
  };
  for (const std::span<const codes::Default> table :
       {std::span<const codes::Default>(codes::kDefaults), std::span<const codes::Default>(kSchemaDefaults)})
    if (const auto known = std::ranges::find_if(table, is_it); known != table.end())
      return known->value == "dense<> *" ? "dense<> : tensor<0xi64>"
             : known->value == "0 : *"   ? "0 : i32"
                                         : std::string(known->value);
  for (const PerWindow &row : kPerWindow)
    if (row.attribute == attribute)
      return per_window(row, window_rank(said));
  for (const codes::Group &group : codes::kGroups) // an algorithm that nobody asks for
    if (group.op == op && group.name == "algorithm" &&
        std::ranges::find(group.parts, attribute) != group.parts.end())
      return "none";
  return {};
}

bool has(const VhloOp &form, std::string_view attribute) {
  std::string_view names = form.attributes;
  while (!names.empty())
    if (codes::take_name(names) == attribute)
      return true;
  return false;
}

// Whether it may be left out: it says what a form without it means.
bool says_nothing(std::string_view op, const Said &one, const std::vector<Said> &all) {
  return one.value == default_of(op, one.name, all) || one.value == "array<i64>";
}

} // namespace

std::string_view vhlo_name(std::string_view op) {
  std::string_view name = op;
  if (op == "func.func" || op == "func.call" || op == "func.return")
    name.remove_prefix(5);
  else if (op.starts_with("stablehlo."))
    name.remove_prefix(10);
  else
    return {};
  const bool known = std::ranges::any_of(codes::kVhloOps, [&](const VhloOp &form) {
    return form.name.substr(0, form.name.rfind("_v")) == name;
  });
  return known ? name : std::string_view();
}

Result<VhloText> to_vhlo(const TextOp &op, int version, int &needed) {
  const std::string_view name = vhlo_name(op.name);
  std::vector<Said> said;
  TW_TRY(take_apart(op, said));
  std::vector<const VhloOp *> forms; // the oldest first
  for (const VhloOp &form : codes::kVhloOps)
    if (form.name.substr(0, form.name.rfind("_v")) == name && form.until >= kOldest)
      forms.push_back(&form);
  const auto is_property = [&](std::string_view attribute) {
    return std::ranges::any_of(forms, [&](const VhloOp *form) { return has(*form, attribute); });
  };
  // The first form that has all that is said.
  const auto fits = [&](const VhloOp *form) {
    return std::ranges::all_of(said, [&](const Said &one) {
      return has(*form, one.name) || !is_property(one.name) || says_nothing(op.name, one, said);
    });
  };
  const auto first = std::ranges::find_if(forms, fits);
  if (first == forms.end())
    return not_written("no form of it has all its attributes");
  needed = std::max<int>((*first)->since, kOldest);
  if (std::ranges::find(kVariadic, name) != std::end(kVariadic) && op.operands.size() > 1)
    needed = std::max(needed, kSinceVariadic);
  if (const Said *config = find(said, "backend_config"); config != nullptr && config->value.starts_with('{'))
    needed = std::max(needed, kSinceDictionary);
  if (name == "composite" && !op.regions.empty())
    needed = std::max(needed, kSinceCompositeRegions);
  version = std::max(version, needed);
  const auto form = std::ranges::find_if(
      forms, [&](const VhloOp *f) { return f->since <= version && version <= f->until; });
  if (form == forms.end())
    return not_written("no version has it");
  VhloText text{*form, {}, {}};
  std::string_view names = (*form)->attributes;
  while (!names.empty()) {
    const std::string_view attribute = codes::take_name(names);
    const Said *given = find(said, attribute);
    std::string value = given != nullptr ? given->value : default_of(op.name, attribute, said);
    if (value.empty())
      return not_written(fmt::format("its attribute {} is missing", attribute));
    text.properties.push_back({attribute, std::move(value)});
  }
  for (Said &one : said)
    if (!is_property(one.name))
      text.others.push_back(std::move(one));
  return text;
}

} // namespace tw::emit::artifact
