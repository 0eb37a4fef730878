// SPDX-License-Identifier: Apache-2.0
// Numbers, and arrays of them, as MLIR prints them.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

namespace {

using Kind = Values::Kind;

constexpr size_t kListed = 64; // elements of an array that are written out

// Bits of an integer type, and whether it has a sign; 0 bits of others.
unsigned integer_bits(std::string_view type, bool &is_signed) {
  is_signed = !type.starts_with('u');
  if (type == "index")
    return 64;
  if (type.starts_with('u') || type.starts_with('s'))
    type.remove_prefix(1);
  unsigned bits = 0;
  if (!type.starts_with('i') ||
      std::from_chars(type.data() + 1, type.data() + type.size(), bits).ptr != type.data() + type.size())
    return 0;
  return bits;
}

unsigned real_bits(std::string_view type) {
  if (type == "f64")
    return 64;
  if (type == "f32" || type == "tf32")
    return type == "f32" ? 32 : 19;
  if (type == "f16" || type == "bf16")
    return 16;
  if (type.starts_with("f8"))
    return 8;
  return type.starts_with("f6") ? 6 : type.starts_with("f4") ? 4 : 0;
}

std::string integer_text(uint64_t value, unsigned bits, bool is_signed) {
  if (bits == 1)
    return (value & 1) != 0 ? "true" : "false";
  if (bits < 64) {
    value &= (uint64_t{1} << bits) - 1;
    if (is_signed && (value >> (bits - 1)) != 0)
      value |= ~uint64_t{0} << bits;
  }
  return is_signed ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

// Seven digits where they are the number, as many as it takes where they are not, bits where it is none.
template <class F> std::string real_text(F value) {
  if (!std::isfinite(value))
    return fmt::format("0x{:0{}X}",
                       std::bit_cast<std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>>(value),
                       sizeof(F) * 2);
  std::string text = fmt::format("{:.6e}", value);
  F back{};
  std::from_chars(text.data(), text.data() + text.size(), back);
  if (back == value)
    return text;
  text = fmt::format("{:.{}g}", value, sizeof(F) == 4 ? 9 : 17);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  else if (const size_t e = text.find('e'); e != std::string::npos && text.find('.') == std::string::npos)
    text.insert(e, ".0");
  return text;
}

struct Shape {
  std::vector<int64_t> dims;
  std::string_view element;
  size_t count = 1; // of elements; an artifact may say any number
};

// Of "tensor<2x3xf32>"; what has no static shape is an error.
std::optional<Shape> shape_of(std::string_view type) {
  const size_t open = type.find('<');
  if (open == std::string_view::npos || !type.ends_with('>') ||
      (!type.starts_with("tensor") && !type.starts_with("vector")))
    return std::nullopt;
  Shape shape;
  std::string_view rest = type.substr(open + 1, type.size() - open - 2);
  while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
    int64_t dim = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), dim);
    const auto digits = static_cast<size_t>(stop - rest.data());
    if (error != std::errc() || digits >= rest.size() || *stop != 'x')
      return std::nullopt;
    shape.dims.push_back(dim);
    if (__builtin_mul_overflow(shape.count, static_cast<size_t>(dim), &shape.count))
      return std::nullopt;
    rest.remove_prefix(digits + 1);
  }
  shape.element = rest;
  return rest.empty() || rest[0] == '?' || rest[0] == '*' ? std::nullopt : std::optional(shape);
}

void append_nested(const Shape &shape, size_t dim, size_t &next, const std::vector<std::string> &texts,
                   std::string &to) {
  if (dim == shape.dims.size()) {
    to += texts[next++];
    return;
  }
  to += '[';
  for (int64_t i = 0; i < shape.dims[dim]; ++i) {
    to += i == 0 ? "" : ", ";
    append_nested(shape, dim + 1, next, texts, to);
  }
  to += ']';
}

// Whole numbers are written out, where they are few.
bool is_listed(const Shape &shape, unsigned bits, size_t bytes) {
  const size_t width = bits <= 8 ? 1 : bits / 8;
  return bits != 0 && bits <= 64 && shape.count <= kListed && shape.dims.size() <= 8 &&
         (bytes == width || bytes == shape.count * width);
}

} // namespace

bool Values::add_integer(Bytes &from, std::string_view type, std::string &to) {
  bool is_signed = true;
  const unsigned bits = integer_bits(type, is_signed);
  if (bits == 0 || bits > 64)
    return from.fail(fmt::format("a whole number of type {}", type));
  const uint64_t value = bits <= 8 ? from.byte() : static_cast<uint64_t>(from.signed_number());
  to += integer_text(value, bits, is_signed);
  if (bits != 1)
    to.append(" : ").append(type);
  kind_ = type == "i64" ? Kind::short_number : Kind::other;
  return !fault_.failed();
}

bool Values::add_real(Bytes &from, std::string_view type, std::string &to) {
  const unsigned bits = real_bits(type);
  if (bits == 0)
    return from.fail(fmt::format("a number of type {}", type));
  const uint64_t value = bits <= 8 ? from.byte() : static_cast<uint64_t>(from.signed_number());
  if (bits == 64)
    to += real_text(std::bit_cast<double>(value));
  else if (bits == 32)
    to += real_text(std::bit_cast<float>(static_cast<uint32_t>(value)));
  else if (type == "bf16")
    to += real_text(std::bit_cast<float>(static_cast<uint32_t>(value) << 16));
  else
    fmt::format_to(std::back_inserter(to), "0x{:X}", value & ((uint64_t{1} << bits) - 1));
  to.append(" : ").append(type);
  kind_ = type == "f64" ? Kind::short_number : Kind::other;
  return !fault_.failed();
}

// Booleans may lie eight to a byte; a single byte with all bits set is one that all are.
bool Values::add_array(std::string_view type, std::string_view bytes, std::string &to) {
  const std::optional<Shape> shape = shape_of(type);
  const auto append_type = [&] { to.append(" : ").append(type); };
  if (!shape) { // whoever reads the type says what is wrong with it
    to += "dense<>";
    append_type();
    return true;
  }
  bool is_signed = true;
  const unsigned bits = integer_bits(shape->element, is_signed);
  const size_t packed = shape->count / 8 + (shape->count % 8 != 0);
  if (bits == 1 && bytes.size() == 1 && bytes[0] == '\xff') {
    bytes = unpacked_.emplace_back(1, '\1');
  } else if (bits == 1 && bytes.size() == packed && bytes.size() != shape->count) {
    std::string &all = unpacked_.emplace_back(shape->count, '\0');
    for (size_t i = 0; i < shape->count; ++i)
      all[i] = static_cast<char>((bytes[i / 8] >> (i % 8)) & 1);
    if (std::ranges::count(all, all[0]) == std::ssize(all))
      all.resize(1);
    bytes = all;
  }
  if (!is_listed(*shape, bits, bytes.size())) {
    fmt::format_to(std::back_inserter(to), "dense_resource<bytes_{}>", numbers_.size());
    numbers_.push_back(bytes);
    append_type();
    return true;
  }
  const size_t width = bits <= 8 ? 1 : bits / 8, count = bytes.size() / width;
  std::vector<std::string> texts(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * width, width);
    texts[i] = integer_text(value, bits, is_signed);
  }
  to += "dense<";
  size_t next = 0;
  if (shape->count != 0 && count == 1)
    to += texts[0];
  else if (shape->count != 0)
    append_nested(*shape, 0, next, texts, to);
  to += '>';
  append_type();
  return true;
}

// array<i64: 1, 2>
bool Values::add_number_list(Bytes &from, std::string &to) {
  std::string type;
  if (!add_type(from, type))
    return false;
  const uint64_t count = from.number();
  const std::string_view bytes = from.take(from.number());
  bool is_signed = true;
  const unsigned bits = integer_bits(type, is_signed), all = bits != 0 ? bits : real_bits(type);
  const size_t width = all <= 8 ? 1 : all / 8;
  if (fault_.failed())
    return false;
  if (all == 0 || all > 64 || count > bytes.size() || count * width != bytes.size())
    return from.fail(fmt::format("an array of {} {} in {} bytes", count, type, bytes.size()));
  to.append("array<").append(type);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * width, width);
    to += i == 0 ? ": " : ", ";
    if (bits != 0)
      to += integer_text(value, bits, is_signed);
    else if (bits == 0 && width == 8)
      to += real_text(std::bit_cast<double>(value));
    else if (type == "f32")
      to += real_text(std::bit_cast<float>(static_cast<uint32_t>(value)));
    else
      fmt::format_to(std::back_inserter(to), "0x{:0{}X}", value, width * 2);
  }
  to += '>';
  return true;
}

} // namespace tw::import::bytecode
