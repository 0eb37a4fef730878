// SPDX-License-Identifier: Apache-2.0
// Dictionaries of MLIR as names and values.
#include "ops/call_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "base/utf8.hpp"
#include "ops/attributes.hpp"

namespace tw::ops {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Where the string that begins at `at` ends: behind its closing quote.
size_t skip_string(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at + 1, text.size());
}

std::string unescape(std::string_view raw) {
  std::string out;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 >= raw.size()) {
      out += raw[i];
      continue;
    }
    const char c = raw[++i];
    if (i + 1 < raw.size() && is_hex(c) && is_hex(raw[i + 1])) {
      unsigned byte = 0;
      std::from_chars(&raw[i], &raw[i] + 2, byte, 16);
      out += static_cast<char>(byte);
      ++i;
    } else {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return out;
}

// Without the quotes of a string; one that does not end has the first only.
std::string_view unquoted(std::string_view text) {
  if (!text.starts_with('"'))
    return text;
  text.remove_prefix(1);
  text.remove_suffix(text.ends_with('"') ? 1 : 0);
  return text;
}

// Calls back for each part of a list, between commas that stand in no brackets and no string.
template <class Each> void for_each_item(std::string_view list, Each &&each) {
  size_t begin = 0, depth = 0;
  for (size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '"' && at < list.size())
      at = skip_string(list, at) - 1;
    else if (std::string_view("[{(<").find(c) != std::string_view::npos)
      ++depth;
    else if (std::string_view("]})>").find(c) != std::string_view::npos)
      depth -= depth > 0 && !(c == '>' && list[at - 1] == '-');
    else if (c == ',' && (depth == 0 || at == list.size())) {
      if (const auto item = trim(list.substr(begin, at - begin)); !item.empty())
        each(item);
      begin = at + 1;
    }
  }
}

// What stands between the two characters that a text begins and ends with.
std::optional<std::string_view> inside(std::string_view text, char open, char close) {
  if (text.size() < 2 || text.front() != open || text.back() != close)
    return {};
  return text.substr(1, text.size() - 2);
}

template <class T> std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// `1 : i32` is the number; its type says whether it is one with a fraction.
struct Typed {
  std::string_view value, type;
  explicit Typed(std::string_view text)
      : value(trim(text.substr(0, text.find(':')))),
        type(text.find(':') == text.npos ? std::string_view() : trim(text.substr(text.find(':') + 1))) {}
  bool is_float() const { return type.starts_with('f') || type.starts_with("bf"); }
};

std::optional<std::vector<int64_t>> integers(std::string_view text) {
  std::optional<std::string_view> items = inside(text, '[', ']');
  if (!items && text.starts_with("array<i") && text.ends_with('>')) {
    const size_t colon = std::min(text.find(':'), text.size() - 2);
    items = text.substr(colon + 1, text.size() - colon - 2);
  }
  if (!items)
    return {};
  std::vector<int64_t> values;
  bool all = true;
  for_each_item(*items, [&](std::string_view item) {
    const Typed typed(item);
    const auto value = number<int64_t>(typed.value);
    all = all && value && !typed.is_float();
    values.push_back(value.value_or(0));
  });
  return all ? std::optional(std::move(values)) : std::nullopt;
}

// Of `array<i64: 1, 2>`.
std::string_view type_of_list(std::string_view text) {
  constexpr std::string_view kBegin = "array<";
  return text.starts_with(kBegin) ? trim(text.substr(kBegin.size(), text.find_first_of(":>") - kBegin.size()))
                                  : std::string_view();
}

CallAttribute attribute(std::string name, std::string_view text) {
  if (text.empty() || text == "unit" || text == "true" || text == "false")
    return {std::move(name), AttrKind::boolean, int64_t{text != "false"}, {}};
  if (text.front() == '"')
    return {std::move(name), AttrKind::string, unescape(unquoted(text.substr(0, skip_string(text, 0)))), {}};
  if (auto list = integers(text))
    return {std::move(name), AttrKind::ints, std::move(*list), std::string(type_of_list(text))};
  const Typed typed(text);
  if (const auto value = number<int64_t>(typed.value); value && !typed.is_float())
    return {std::move(name), AttrKind::integer, *value, std::string(typed.type)};
  if (const auto value = number<uint64_t>(typed.value);
      value && typed.type.starts_with("ui")) // 2^63 and more
    return {std::move(name), AttrKind::integer, static_cast<int64_t>(*value), std::string(typed.type)};
  if (const auto value = number<double>(typed.value))
    return {std::move(name), AttrKind::real, *value, std::string(typed.type)};
  return {std::move(name), AttrKind::string, std::string(text), {}};
}

void read(std::string_view dictionary, const std::string &before, std::vector<CallAttribute> &out) {
  for (const auto &[written, value] : dictionary_items(dictionary)) {
    const std::string name = before + unescape(written);
    if (inside(value, '{', '}'))
      read(value, name + ".", out);
    else
      out.push_back(attribute(name, value));
  }
}

// `dense<[1, 0]> : tensor<2xindex>`: dimensions, the one whose neighbours lie side by side first.
std::string layout_in_front(std::string_view layout, int64_t count) {
  const size_t open = layout.find('<'), close = layout.find('>');
  if (!layout.starts_with("dense<") || close == layout.npos)
    return std::string(layout);
  std::string_view list = trim(layout.substr(open + 1, close - open - 1));
  list = inside(list, '[', ']').value_or(list);
  std::vector<int64_t> order;
  for_each_item(list,
                [&](std::string_view item) { order.push_back(number<int64_t>(item).value_or(0) + count); });
  for (int64_t d = count; d-- > 0;)
    order.push_back(d);
  return fmt::format("dense<[{}]> : tensor<{}xindex>", fmt::join(order, ", "), order.size());
}

// Bytes that make no UTF-8 are escapes, since the text around them is.
std::string quoted(std::string_view text) {
  const unsigned char most = find_not_utf8(text) == std::string_view::npos ? 0xff : 0x7e;
  std::string out = "\"";
  for (const char c : text)
    if (const auto byte = static_cast<unsigned char>(c);
        c == '"' || c == '\\' || byte < ' ' || byte == 0x7f || byte > most)
      out += fmt::format("\\{:02X}", byte);
    else
      out += c;
  return out + '"';
}

std::string value_text(const CallAttribute &a) {
  switch (a.kind) {
  case AttrKind::real:
    return fmt::format("{} : {}", std::get<double>(a.value), a.type.empty() ? "f64" : a.type);
  case AttrKind::string: return quoted(std::get<std::string>(a.value));
  case AttrKind::ints: {
    const std::string items = fmt::format("{}", fmt::join(std::get<std::vector<int64_t>>(a.value), ", "));
    return a.type.empty() ? "[" + items + "]" : fmt::format("array<{}: {}>", a.type, items);
  }
  case AttrKind::boolean: return std::get<int64_t>(a.value) ? "true" : "false";
  default: {
    const int64_t value = std::get<int64_t>(a.value);
    return a.type.empty()             ? fmt::format("{}", value)
           : a.type.starts_with("ui") ? fmt::format("{} : {}", static_cast<uint64_t>(value), a.type)
                                      : fmt::format("{} : {}", value, a.type);
  }
  }
}

} // namespace

std::vector<DictionaryItem> dictionary_items(std::string_view dictionary) {
  std::vector<DictionaryItem> items;
  for_each_item(inside(trim(dictionary), '{', '}').value_or(dictionary), [&](std::string_view item) {
    const size_t name_end = item.front() == '"' ? skip_string(item, 0) : item.find_first_of("= \t\r\n");
    const std::string_view written = item.substr(0, name_end);
    std::string_view value = trim(item.substr(written.size()));
    if (value.starts_with('='))
      value = trim(value.substr(1));
    items.push_back({unquoted(written), value});
  });
  return items;
}

bool is_call_property(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "api_version",     "backend_config",  "call_target_name",       "called_computations",
      "has_side_effect", "operand_layouts", "output_operand_aliases", "result_layouts"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool is_made_once(const OpView &call) {
  const auto items = dictionary_items(call.string(slot::custom_call::attributes));
  return std::ranges::find(items, "tw.once", &DictionaryItem::name) != items.end();
}

std::string with_dims_in_front(std::string_view dictionary, int64_t count, const Tokens &tokens) {
  std::map<std::string, std::string, std::less<>> all; // in the order of names, as MLIR has them
  int64_t in_front = count;
  for (const auto &[name, value] : dictionary_items(dictionary)) {
    std::string &changed = all[std::string(name)] = value;
    if (name == kDimsInFront)
      in_front += number<int64_t>(Typed(value).value).value_or(0);
    const auto layouts = inside(value, '[', ']');
    if (!layouts || (name != "operand_layouts" && name != "result_layouts"))
      continue;
    const std::vector<bool> &is_token = name == "operand_layouts" ? tokens.operands : tokens.results;
    std::vector<std::string> more;
    for_each_item(*layouts, [&](std::string_view layout) {
      const bool has_dims = more.size() >= is_token.size() || !is_token[more.size()];
      more.push_back(has_dims ? layout_in_front(layout, count) : std::string(layout));
    });
    changed = fmt::format("[{}]", fmt::join(more, ", "));
  }
  if (in_front > 0)
    all[std::string(kDimsInFront)] = fmt::format("{} : i64", in_front);
  std::string text;
  for (const auto &[name, value] : all)
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "{" : ", ", name, value);
  return text.empty() ? text : text + "}";
}

std::vector<CallAttribute> read_attributes(std::string_view dictionary) {
  std::vector<CallAttribute> attributes;
  read(dictionary, "", attributes);
  return attributes;
}

std::vector<CallAttribute> call_attributes(const OpView &call) {
  auto attributes = read_attributes(call.string(slot::custom_call::attributes));
  if (call.has(slot::custom_call::backend_config))
    attributes.push_back({"backend_config",
                          AttrKind::string,
                          std::string(call.string(slot::custom_call::backend_config)),
                          {}});
  return attributes;
}

std::string attributes_text(std::span<const CallAttribute> attributes) {
  std::string text = "{";
  for (const CallAttribute &a : attributes)
    text += fmt::format("{}{} = {}", text.size() == 1 ? "" : ", ", quoted(a.name), value_text(a));
  return text + "}";
}

} // namespace tw::ops
