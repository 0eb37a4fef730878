// SPDX-License-Identifier: Apache-2.0
// Old and new spellings of attribute values: 1 : i64, true, dense<[0, 1]> : tensor<2xi64>, array<i64: 0, 1>,
// [0, 1], #stablehlo<kind VALUE>.
#include "import/attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "ops/element.hpp"

namespace tw::import {
namespace {

constexpr uint32_t kMaxListDepth = 8;
constexpr size_t kMaxInts = size_t{1} << 20; // of one attribute; larger ones are no shape-like list

} // namespace

bool parse_static(Scanner &s, int64_t &value) {
  const char *at = s.here();
  if (!s.integer(value))
    return false;
  return value != kOperand ||
         s.fail("TW-105", at,
                fmt::format("{} stands for an operand in the attributes of an op, and is no number of this "
                            "list: write the operand, such as %a",
                            value));
}

bool parse_dict(Scanner &s, std::vector<AttrText> &attrs) {
  if (!s.expect('{', "before attributes"))
    return false;
  if (s.accept('}'))
    return true;
  do {
    AttrText attr;
    if (s.peek() == '"') {
      if (!s.string(attr.name))
        return false;
    } else if (attr.name = s.word(); attr.name.empty()) {
      return s.fail_here("an attribute name", {});
    }
    attr.raw = {s.cursor().at, s.cursor().at};
    if (s.accept('=') && !s.skip_value(attr.raw))
      return false;
    attrs.push_back(attr);
  } while (s.accept(','));
  return s.expect('}', "after attributes");
}

bool parse_items(Scanner &s, std::vector<std::string_view> &items) {
  if (!s.expect('[', "before a list"))
    return false;
  if (s.accept(']'))
    return true;
  do {
    if (!s.skip_value(items.emplace_back()))
      return false;
  } while (s.accept(','));
  return s.expect(']', "after a list");
}

bool parse_struct(Scanner &s, std::string_view raw, std::vector<AttrText> &fields) {
  const Cursor back = s.cursor();
  s.seek({raw.data(), back.line, raw.data()});
  if (!s.accept('#') || s.suffix().empty() || !s.expect('<', "before the fields of this attribute"))
    return s.fail_here("an attribute such as #stablehlo.gather<offset_dims = [0]>", {});
  if (s.accept('>')) {
    s.seek(back);
    return true;
  }
  s.accept("raw"); // dimension numbers of a convolution that have no short form
  do {
    AttrText field;
    if (field.name = s.word(); field.name.empty())
      return s.fail_here("the name of a field", {});
    field.raw = {s.cursor().at, s.cursor().at};
    if (s.accept('=') && !s.skip_value(field.raw))
      return false;
    fields.push_back(field);
  } while (s.accept(','));
  const bool ok = s.expect('>', "after the fields of this attribute");
  s.seek(back);
  return ok;
}

std::string plain_text(std::string_view raw) {
  raw = trim(raw);
  if (raw.size() >= 2 && raw.front() == '"' && raw.back() == '"')
    return unescape(raw.substr(1, raw.size() - 2));
  if (raw.starts_with('@'))
    return plain_text(raw.substr(1));
  if (raw.starts_with('#') && raw.ends_with('>')) {
    const std::string_view inner = trim(raw.substr(raw.find('<') + 1, raw.size() - raw.find('<') - 2));
    const size_t space = inner.rfind(' ');
    if (inner.find_first_of("=<[{,") == std::string_view::npos)
      return std::string(space == std::string_view::npos ? inner : inner.substr(space + 1));
  }
  if (raw.starts_with('[') &&
      raw.find('#') != std::string_view::npos) { // [#stablehlo<precision DEFAULT>, ...]
    std::string list = "[";
    for (std::string_view rest = raw.substr(1, raw.size() - 2); !rest.empty();) {
      const size_t comma = rest.find(',');
      list.append(list.size() > 1 ? ", " : "").append(plain_text(rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return list.append("]");
  }
  return std::string(raw);
}

// Reads with the scanner standing on `raw`, checks that all of it was used, and puts the scanner back.
template <class Read> bool AttributeReader::inside(std::string_view raw, Read &&read) {
  const Cursor back = s_.cursor();
  s_.seek({raw.data(), back.line, raw.data()});
  const char *end = s_.set_end(raw.data() + raw.size());
  const bool ok = read() && (s_.at_end() || s_.fail("TW-105", s_.here(),
                                                    "unexpected text after the value of this attribute"));
  s_.set_end(end);
  s_.seek(back);
  return ok;
}

bool AttributeReader::resolve(std::string_view &raw) {
  for (int depth = 0; raw.starts_with('#') && raw.find('<') == std::string_view::npos; ++depth) {
    const auto alias = aliases_.find(raw.substr(1));
    if (alias == aliases_.end() || depth == 32)
      return s_.fail("TW-105", raw.data(), fmt::format("the attribute alias {} is not defined", raw));
    const Cursor back = s_.cursor();
    s_.seek(alias->second);
    std::string_view value, type;
    if (!s_.skip_term(value) || (s_.accept(':') && !s_.skip_term(type)))
      return false;
    raw = {value.data(), static_cast<size_t>(s_.cursor().at - value.data())};
    s_.seek(back);
  }
  return true;
}

bool AttributeReader::read(ops::AttrKind kind, const AttrText &attr, graph::AttrValue &value) {
  using ops::AttrKind;
  if (attr.ints) {
    if (kind == AttrKind::integer)
      value = attr.ints->front();
    else
      value = *attr.ints;
    return true;
  }
  std::string_view raw = attr.raw;
  if (raw.empty()) { // a unit attribute says yes
    if (kind == AttrKind::boolean)
      return value = int64_t{1}, true;
    return s_.fail("TW-105", raw.data(),
                   fmt::format("expected '=' and a value for the attribute {}", attr.name));
  }
  if (!resolve(raw))
    return false;
  switch (kind) {
  case AttrKind::integer:
  case AttrKind::boolean: {
    int64_t number = 0;
    if (!read_int(raw, number))
      return false;
    value = kind == AttrKind::boolean ? int64_t{number != 0} : number;
    return true;
  }
  case AttrKind::real: {
    double number = 0;
    if (!read_real(raw, number))
      return false;
    value = number;
    return true;
  }
  case AttrKind::string: value = plain_text(raw); return true;
  case AttrKind::ints: {
    std::vector<int64_t> list;
    if (!read_ints(raw, list))
      return false;
    value = std::move(list);
    return true;
  }
  case AttrKind::constant: return read_constant(raw, value);
  }
  return false;
}

bool AttributeReader::read_scalar(int64_t &value) {
  if (s_.accept("true"))
    value = 1;
  else if (s_.accept("false"))
    value = 0;
  else if (!s_.integer(value))
    return false;
  std::string_view type;
  return !s_.accept(':') || s_.skip_term(type);
}

bool AttributeReader::read_int(std::string_view raw, int64_t &value) {
  if (raw.starts_with("dense")) {
    std::vector<int64_t> list;
    if (!read_ints(raw, list))
      return false;
    if (list.size() != 1)
      return s_.fail("TW-105", raw.data(), fmt::format("expected one integer, found {}", list.size()));
    value = list[0];
    return true;
  }
  return inside(raw, [&] { return read_scalar(value); });
}

bool AttributeReader::read_list(std::vector<int64_t> &values, uint32_t depth) {
  if (s_.peek() != '[')
    return read_scalar(values.emplace_back());
  if (depth == kMaxListDepth)
    return s_.fail("TW-105", s_.here(), "this list is nested too deep");
  s_.accept('[');
  if (s_.accept(']'))
    return true;
  do {
    if (!read_list(values, depth + 1))
      return false;
  } while (s_.accept(','));
  return s_.expect(']', "after a list of integers");
}

bool AttributeReader::read_ints(std::string_view raw, std::vector<int64_t> &values) {
  return inside(raw, [&] {
    if (s_.looking_at("dense"))
      return read_dense_ints(values);
    if (!s_.accept("array"))
      return read_list(values, 0);
    if (!s_.expect('<', "after array") || s_.word().empty()) // array<i64: 1, 2>
      return s_.fail_here("an element type", "in array<i64: 1, 2>");
    if (s_.accept(':')) {
      do {
        if (!read_scalar(values.emplace_back()))
          return false;
      } while (s_.accept(','));
    }
    return s_.expect('>', "after a list of integers");
  });
}

bool AttributeReader::read_dense_ints(std::vector<int64_t> &values) {
  const char *at = s_.here();
  graph::Constant constant;
  bool elided = false;
  if (!literals_.parse(constant, elided))
    return false;
  if (elided)
    return s_.fail("TW-105", at, "the exporter left out the numbers of an attribute");
  const graph::TensorType type = b_.graph().type_at(constant.type);
  if (!graph::is_int(type.dtype) && type.dtype != graph::DType::i1)
    return s_.fail("TW-105", at, fmt::format("expected integers, found {}", graph::to_text(type)));
  const auto count = static_cast<size_t>(type.elements());
  if (count > kMaxInts)
    return s_.fail("TW-105", at,
                   fmt::format("a list of {} integers is longer than any attribute of an op", count));
  values.resize(count);
  ops::visit_dtype(type.dtype, [&](auto element) {
    using Storage = typename decltype(element)::Storage;
    if constexpr (std::is_integral_v<Storage>)
      for (size_t i = 0; i < count; ++i) {
        Storage storage;
        std::memcpy(&storage, constant.bytes->data() + (constant.splat ? 0 : i * sizeof(Storage)),
                    sizeof(Storage));
        values[i] = static_cast<int64_t>(storage);
      }
  });
  return true;
}

bool AttributeReader::read_real(std::string_view raw, double &value) {
  return inside(raw, [&] {
    std::string_view digits, type;
    if (!s_.number(digits) || (s_.accept(':') && !s_.skip_term(type)))
      return false;
    const bool negative = digits.starts_with('-');
    const std::string_view unsigned_digits =
        digits.substr(digits.starts_with('-') || digits.starts_with('+'));
    if (unsigned_digits.starts_with("0x")) { // a bit pattern
      uint64_t bits = 0;
      std::from_chars(unsigned_digits.data() + 2, unsigned_digits.data() + unsigned_digits.size(), bits, 16);
      value = type == "f32" ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                            : std::bit_cast<double>(bits);
      return true;
    }
    const auto [stop, error] =
        std::from_chars(unsigned_digits.data(), unsigned_digits.data() + unsigned_digits.size(), value);
    if (error == std::errc::invalid_argument || stop != unsigned_digits.data() + unsigned_digits.size())
      return s_.fail("TW-105", digits.data(), "expected a number");
    if (type == "f32")
      value = static_cast<double>(static_cast<float>(value));
    value = negative ? -value : value;
    return true;
  });
}

bool AttributeReader::read_constant(std::string_view raw, graph::AttrValue &value) {
  graph::Constant constant;
  bool elided = false;
  if (!inside(raw, [&] { return literals_.parse(constant, elided); }))
    return false;
  elided_ = elided_ || elided;
  value = b_.constant(std::move(constant));
  return true;
}

} // namespace tw::import
