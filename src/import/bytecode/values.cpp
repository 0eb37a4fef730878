// SPDX-License-Identifier: Apache-2.0
// What attributes and types are made of, and the walk from one to those that it holds.
#include "import/bytecode/values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "import/bytecode/codes.hpp"
#include "import/scanner.hpp"

namespace tw::import::bytecode {

namespace {

constexpr uint32_t kMaxHeld = 64;     // depth of attributes in attributes
constexpr uint32_t kTypes = 1u << 31; // in places_
// Attributes may hold one another many times over: their text is bounded by this and the artifact's size.
constexpr size_t kMinText = size_t{8} << 20, kMaxText = size_t{1} << 30, kTextPerByte = 8;

constexpr Encoding kEncodings[] = {
    {"builtin", builtin_attribute, builtin_type},
    {"chlo", chlo_attribute, nullptr},
    {"sdy", sdy_attribute, nullptr},
    {"stablehlo", stablehlo_attribute, stablehlo_type},
    {"vhlo", vhlo_attribute, vhlo_type},
};

bool is_printable(char c) { return c >= ' ' && c < 0x7f; }

// Whether a text that comes from outside is one value: brackets and quotes fit, and nothing ends early.
bool is_one_value(std::string_view text) {
  Scanner scanner(text, {}, 0);
  std::string_view value, type;
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= ' '; }) &&
         scanner.skip_term(value) && (!scanner.accept(':') || scanner.skip_term(type)) && scanner.at_end();
}

} // namespace

std::string_view Arena::add(std::string_view text) {
  if (text.size() >= capacity_ - size_)
    return {};
  char *at = text_.get() + size_;
  std::copy(text.begin(), text.end(), at);
  at[text.size()] = '\0';
  size_ += text.size() + 1;
  return {at, text.size()};
}

Values::Values(const Artifact &artifact, Fault &fault)
    : artifact_(artifact), fault_(fault),
      arena_(std::min(kMaxText, kMinText + kTextPerByte * artifact.bytes.size())),
      attributes_(artifact.attributes.size()), types_(artifact.types.size()) {}

std::string_view Values::attribute(uint32_t index) {
  const Known &known = attributes_[index];
  return known.text != nullptr ? std::string_view(known.text, known.size) : decode(index, false);
}

std::string_view Values::type(uint32_t index) {
  const Known &known = types_[index];
  return known.text != nullptr ? std::string_view(known.text, known.size) : decode(index, true);
}

std::string_view Values::string(uint32_t index) {
  attribute(index);
  if (attributes_[index].kind == Kind::string)
    return attributes_[index].string;
  artifact_.reader(artifact_.attributes[index].part, "an attribute", fault_)
      .fail(fmt::format("attribute {} is no string, where a name is expected", index));
  return {};
}

std::string_view Values::decode(uint32_t index, bool is_type) {
  const Artifact::Entry &entry = (is_type ? artifact_.types : artifact_.attributes)[index];
  Bytes from = artifact_.reader(entry.part, is_type ? "a type" : "an attribute", fault_);
  Known &known = (is_type ? types_ : attributes_)[index]; // the tables do not grow
  if (fault_.failed())
    return {};
  if (known.open || depth_ == kMaxHeld) {
    from.fail(known.open ? fmt::format("{} {} holds itself", is_type ? "type" : "attribute", index)
                         : fmt::format("attributes are nested deeper than {}", kMaxHeld));
    return {};
  }
  known.open = true;
  ++depth_;
  const std::string_view dialect = artifact_.dialects[entry.dialect].name;
  const auto encoding = std::ranges::find(kEncodings, dialect, &Encoding::dialect);
  const bool is_known =
      encoding != std::end(kEncodings) && (is_type ? encoding->type : encoding->attribute) != nullptr;
  std::string text;
  const Kind outer = std::exchange(kind_, Kind::other); // of the attribute that holds this one
  const std::string_view outer_string = string_;
  bool ok = false;
  if (!entry.encoded)
    ok = decode_text(from, text);
  else if (is_known)
    ok = (is_type ? encoding->type : encoding->attribute)(*this, from, text);
  else
    from.fail(fmt::format("how the dialect '{}' encodes {} is not known", shown(dialect),
                          is_type ? "types" : "attributes"),
              "TW-121");
  if (ok && !from.at_end())
    from.fail(fmt::format("{} bytes are left of {} {}", from.left(), is_type ? "type" : "attribute", index));
  --depth_;
  known.open = false;
  if (fault_.failed())
    return {};
  const std::string_view kept = arena_.add(text);
  if (kept.data() == nullptr) {
    from.fail("the attributes of this artifact stand for too much text");
    return {};
  }
  known = {kept.data(), static_cast<uint32_t>(kept.size()), kind_, false,
           kind_ == Kind::string ? string_ : std::string_view()};
  kind_ = outer;
  string_ = outer_string;
  places_.emplace_back(kept.data(), is_type ? index | kTypes : index);
  return kept;
}

// The text that the dialect prints, where it has no encoding.
bool Values::decode_text(Bytes &from, std::string &to) {
  const std::string_view text = from.zero_terminated();
  if (fault_.failed())
    return false;
  if (!is_one_value(text))
    return from.fail(fmt::format("the text \"{}\" is no attribute or type", shown(text.substr(0, 80))));
  to = text;
  return true;
}

std::string Values::place_of(const char *text) const {
  const auto behind = std::ranges::upper_bound(places_, text, {}, [](const auto &p) { return p.first; });
  if (!arena_.holds(text) || behind == places_.begin())
    return {};
  const uint32_t index = std::prev(behind)->second;
  const bool is_type = (index & kTypes) != 0;
  const Known &known = (is_type ? types_ : attributes_)[index & ~kTypes];
  const Artifact::Entry &entry = (is_type ? artifact_.types : artifact_.attributes)[index & ~kTypes];
  return fmt::format("at byte {}, in {} {}: {}", entry.part.begin, is_type ? "type" : "attribute",
                     index & ~kTypes, shown(std::string_view(known.text, std::min(known.size, 100u))));
}

uint32_t Values::attribute_index(Bytes &from) { return from.index(attributes_.size(), "attribute"); }
uint32_t Values::type_index(Bytes &from) { return from.index(types_.size(), "type"); }

bool Values::add_attribute(Bytes &from, std::string &to, bool in_list) {
  const uint32_t index = attribute_index(from);
  if (fault_.failed())
    return false;
  std::string_view text = attribute(index);
  if (fault_.failed())
    return false;
  if (in_list && attributes_[index].kind == Kind::short_number)
    text = text.substr(0, text.find(" :"));
  to += text;
  return true;
}

bool Values::add_type(Bytes &from, std::string &to) {
  const uint32_t index = type_index(from);
  if (fault_.failed())
    return false;
  to += type(index);
  return !fault_.failed();
}

bool Values::add_attributes(Bytes &from, std::string &to) {
  const size_t count = from.count("attributes");
  for (size_t i = 0; i < count; ++i) {
    to += i == 0 ? "" : ", ";
    if (!add_attribute(from, to, true))
      return false;
  }
  return !fault_.failed();
}

bool Values::add_types(Bytes &from, std::string &to) {
  const size_t count = from.count("types");
  for (size_t i = 0; i < count; ++i) {
    to += i == 0 ? "" : ", ";
    if (!add_type(from, to))
      return false;
  }
  return !fault_.failed();
}

bool Values::add_numbers(Bytes &from, std::string &to) {
  const size_t count = from.count("numbers");
  for (size_t i = 0; i < count; ++i)
    fmt::format_to(std::back_inserter(to), "{}{}", i == 0 ? "" : ", ", from.signed_number());
  return !fault_.failed();
}

std::string_view Values::string_at(Bytes &from) {
  const uint32_t index = from.index(artifact_.strings.size(), "string");
  return fault_.failed() ? std::string_view() : artifact_.strings[index];
}

bool Values::add_string(Bytes &from, std::string &to) {
  append_quoted(string_at(from), to);
  return !fault_.failed();
}

bool Values::add_entries(Bytes &from, std::string &to) {
  const size_t count = from.count("attributes", 2);
  to += '{';
  for (size_t i = 0; i < count; ++i) {
    const uint32_t name = attribute_index(from), value = fault_.failed() ? 0 : attribute_index(from);
    if (fault_.failed())
      return false;
    const std::string_view key = string(name), text = attribute(value);
    if (fault_.failed())
      return false;
    to += i == 0 ? "" : ", ";
    append_name(key, to);
    if (attributes_[value].kind != Kind::unit)
      to.append(" = ").append(text);
  }
  to += '}';
  return !fault_.failed();
}

void append_quoted(std::string_view text, std::string &to) {
  to += '"';
  for (const char c : text)
    if (c == '\\')
      to += "\\\\";
    else if (is_printable(c) && c != '"')
      to += c;
    else
      fmt::format_to(std::back_inserter(to), "\\{:02X}", static_cast<unsigned char>(c));
  to += '"';
}

void append_name(std::string_view name, std::string &to) {
  if (!name.empty() && is_word_start(name[0]) && std::ranges::all_of(name, is_word_char))
    to += name;
  else
    append_quoted(name, to);
}

bool append_choice(Bytes &from, std::string_view attribute, std::string &to) {
  const uint64_t value = from.number();
  if (from.fault().failed())
    return false;
  const auto choice = std::ranges::find(kChoices, attribute, &Choice::attribute);
  if (value >= choice->names.size() || choice->names[value].empty())
    return from.fail(fmt::format("{} {} is not known", attribute, value), "TW-121");
  fmt::format_to(std::back_inserter(to), "#stablehlo<{} {}>", attribute, choice->names[value]);
  return true;
}

bool append_dims(Bytes &from, std::string &to) {
  constexpr int64_t kDynamic = INT64_MIN;
  const size_t count = from.count("dimensions");
  for (size_t i = 0; i < count; ++i)
    if (const int64_t dim = from.signed_number(); dim == kDynamic)
      to += "?x";
    else if (dim < 0)
      return from.fail(fmt::format("a dimension of {} elements", dim));
    else
      fmt::format_to(std::back_inserter(to), "{}x", dim);
  return !from.fault().failed();
}

bool append_shaped(Values &v, Bytes &from, std::string_view name, bool has_encoding, std::string &to) {
  std::string encoding;
  if (has_encoding && !v.add_attribute(from, encoding))
    return false;
  to.append(name).append("<");
  if (!append_dims(from, to) || !v.add_type(from, to))
    return false;
  if (has_encoding)
    to.append(", ").append(encoding);
  to += '>';
  return true;
}

bool around(std::string_view open, bool ok, std::string_view close, std::string &to) {
  to.insert(0, open);
  to += close;
  return ok;
}

} // namespace tw::import::bytecode
