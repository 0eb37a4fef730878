// SPDX-License-Identifier: Apache-2.0
// Array literals as bytes in storage order. What is allocated is bounded by the text: a splat holds one
// element, however large its type.
#include "import/literals.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "ops/element.hpp"

namespace tw::import {
namespace {

using graph::DType;
using graph::TensorType;

// Reads the elements of one literal. Element types share the walk over nested brackets.
class ElementReader {
public:
  ElementReader(Scanner &scanner, std::string_view body, const TensorType &type)
      : s_(scanner), at_(body.data()), end_(body.data() + body.size()), type_(type) {}

  // Appends the elements' storage; `splat` is set where one element stands for all.
  bool read(std::vector<std::byte> &bytes, bool &splat) {
    return ops::visit_dtype(type_.dtype,
                            [&](auto element) { return read_as<decltype(element)>(bytes, splat); });
  }

private:
  template <class E> bool read_as(std::vector<std::byte> &bytes, bool &splat) {
    skip_space();
    if (at_ != end_ && *at_ == '[') {
      const size_t count = static_cast<size_t>(type_.elements());
      if (count > static_cast<size_t>(end_ - at_)) // each takes a character at least
        return wrong("has fewer elements than its type {} says");
      bytes.reserve(count * sizeof(typename E::Storage));
      if (!read_list<E>(0, bytes))
        return false;
    } else {
      splat = true;
      if (!read_one<E>(bytes))
        return false;
    }
    skip_space();
    return at_ == end_ || expected("the end of the literal");
  }

  template <class E> bool read_list(size_t depth, std::vector<std::byte> &bytes) {
    if (depth == type_.rank())
      return read_one<E>(bytes);
    if (!take('['))
      return wrong("is not nested as deep as its type {}");
    for (int64_t i = 0; i < type_.dims[depth]; ++i) {
      if (i > 0 && !take(','))
        return wrong("has fewer elements than its type {} says");
      if (!read_list<E>(depth + 1, bytes))
        return false;
    }
    return take(']') || wrong("has more elements than its type {} says");
  }

  template <class E> bool read_one(std::vector<std::byte> &bytes) {
    using V = typename E::Value;
    typename E::Storage storage;
    if constexpr (ops::is_complex_value<V>) {
      using Part = typename V::value_type;
      Part re, im;
      if (!take('(') || !read_float<Part>(re) || !take(',') || !read_float<Part>(im) || !take(')'))
        return expected("a complex number such as (1.0, 2.0)");
      storage = V(re, im);
    } else if constexpr (std::is_same_v<V, bool>) {
      skip_space();
      bool value = take_word("true");
      int64_t number = 0;
      if (!value && !take_word("false")) {
        if (!read_int<int64_t>(number, 1))
          return false;
        value = number != 0;
      }
      storage = E::store(value);
    } else if constexpr (ops::is_int_value<V>) {
      V value{};
      if (!read_int<V>(value, E::bits))
        return false;
      storage = E::store(value);
    } else if constexpr (sizeof(typename E::Storage) >= 4) {
      if (!read_float<V>(storage))
        return false;
    } else {
      if (!read_small_float<E>(storage))
        return false;
    }
    const auto *raw = reinterpret_cast<const std::byte *>(&storage);
    bytes.insert(bytes.end(), raw, raw + sizeof(storage));
    return true;
  }

  // Signless types take what fits either as signed or as unsigned.
  template <class V> bool read_int(V &value, int bits) {
    skip_space();
    const char *start = at_;
    const bool negative = at_ != end_ && *at_ == '-';
    const char *digits = at_ + negative;
    const bool hex = end_ - digits > 2 && digits[0] == '0' && digits[1] == 'x';
    uint64_t magnitude = 0;
    if (take_word("true"))
      magnitude = 1;
    else if (take_word("false"))
      magnitude = 0;
    else {
      const auto [stop, error] = std::from_chars(digits + (hex ? 2 : 0), end_, magnitude, hex ? 16 : 10);
      if (stop == digits || error == std::errc::invalid_argument || (stop != end_ && *stop == '.'))
        return expected("an integer");
      const uint64_t all_ones = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
      const uint64_t limit = negative ? (std::is_signed_v<V> ? uint64_t{1} << (bits - 1) : 0) : all_ones;
      if (error != std::errc() || magnitude > limit)
        return s_.fail(
            "TW-103", start,
            fmt::format("{} does not fit the element type {}",
                        std::string_view(start, std::min<size_t>(static_cast<size_t>(stop - start), 40)),
                        graph::name(type_.dtype)));
      at_ = stop;
    }
    value = static_cast<V>(negative ? 0 - magnitude : magnitude);
    return true;
  }

  // A hexadecimal "number" of a float type is its bit pattern.
  bool read_bits(uint64_t &pattern, size_t bits) {
    const char *start = at_;
    const auto [stop, error] = std::from_chars(at_ + 2, end_, pattern, 16);
    if (stop == at_ + 2)
      return expected("hexadecimal digits");
    if (error != std::errc() || (bits < 64 && pattern >> bits != 0))
      return s_.fail(
          "TW-103", start,
          fmt::format("this bit pattern is wider than the {} bits of {}", bits, graph::name(type_.dtype)));
    at_ = stop;
    return true;
  }

  bool at_bits() {
    skip_space();
    return end_ - at_ > 2 && at_[0] == '0' && at_[1] == 'x';
  }

  bool read_double(double &value) {
    skip_space();
    const char *start = at_;
    const bool plus = at_ != end_ && *at_ == '+';
    const auto [stop, error] = std::from_chars(at_ + plus, end_, value);
    // from_chars reads "inf" and "nan" too, which MLIR writes as bit patterns.
    if (stop == at_ + plus || error == std::errc::invalid_argument)
      return expected("a number");
    if (error == std::errc::result_out_of_range) { // too small or too large: the C locale's reader rounds it
      const std::string text(start, stop);
      value = std::strtod(text.c_str(), nullptr);
    }
    at_ = stop;
    return true;
  }

  template <class F> bool read_float(F &value) {
    if (at_bits()) {
      uint64_t pattern = 0;
      if (!read_bits(pattern, sizeof(F) * 8))
        return false;
      std::memcpy(&value, &pattern, sizeof(F));
      return true;
    }
    double wide = 0;
    if (!read_double(wide))
      return false;
    value = static_cast<F>(wide);
    return true;
  }

  template <class E> bool read_small_float(typename E::Storage &storage) {
    if (at_bits()) {
      uint64_t pattern = 0;
      if (!read_bits(pattern, sizeof(storage) * 8))
        return false;
      storage = static_cast<typename E::Storage>(pattern);
      return true;
    }
    double wide = 0;
    if (!read_double(wide))
      return false;
    storage = static_cast<typename E::Storage>(encode(E::format, wide));
    return true;
  }

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == end_ || *at_ != c)
      return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }
  bool expected(std::string_view what) {
    return s_.fail("TW-103", at_, fmt::format("expected {} of type {}", what, graph::name(type_.dtype)));
  }
  bool wrong(fmt::format_string<std::string> what) {
    return s_.fail("TW-103", at_, "the literal " + fmt::format(what, graph::to_text(type_)));
  }

  Scanner &s_;
  const char *at_, *end_;
  const TensorType &type_;
};

constexpr int8_t hex_value(char c) {
  if (c >= '0' && c <= '9')
    return static_cast<int8_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<int8_t>(lower - 'a' + 10) : int8_t{-1};
}

bool decode_hex(std::string_view digits, std::vector<std::byte> &bytes) {
  bytes.resize(digits.size() / 2);
  int bad = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_value(digits[2 * i]), low = hex_value(digits[2 * i + 1]);
    bad |= high | low;
    bytes[i] = static_cast<std::byte>((high << 4) | (low & 15));
  }
  return bad >= 0 && digits.size() % 2 == 0;
}

} // namespace

bool LiteralParser::parse(graph::Constant &constant, bool &elided) {
  elided = false;
  const char *start = s_.here();
  const bool resource = s_.accept("dense_resource");
  if (!resource && !s_.accept("dense")) {
    if (!s_.accept("opaque"))
      return s_.fail_here("an array literal such as dense<0.0>", {});
    elided = true; // opaque<"elided_large_const", "0xDEADBEEF">
  }
  if (s_.peek() != '<')
    return s_.fail_here("'<'", "after dense");
  std::string_view body;
  if (!s_.skip_term(body) || !s_.expect(':', "between an array literal and its type") ||
      !types_.parse(constant.type))
    return false;
  body = body.substr(1, body.size() - 2);
  const TensorType type = b_.graph().type_at(constant.type);
  if (type.dtype == DType::token)
    return s_.fail("TW-103", start, "a token has no literal");
  if (resource) {
    if (body.starts_with('"') && body.ends_with('"') && body.size() > 1)
      body = body.substr(1, body.size() - 2);
    if (const auto number = find_numbers(body)) {
      const std::string_view raw = (*numbers_)[*number];
      auto bytes = std::make_shared<std::vector<std::byte>>(raw.size());
      std::memcpy(bytes->data(), raw.data(), raw.size());
      return parse_bytes(std::move(bytes), start, type, constant);
    }
    elided = body == "__elided__";
    if (!elided) {
      const auto blob = resources_.find(body);
      if (blob == resources_.end())
        return s_.fail("TW-103", body.data(), fmt::format("the resource '{}' is not in this text", body));
      std::string_view hex = blob->second;
      if (!hex.starts_with("0x") || hex.size() < 10) // four bytes of alignment come first
        return s_.fail("TW-103", hex.data(),
                       "a resource must be \"0x\" and hexadecimal digits, its alignment first");
      return parse_hex(hex.substr(10), hex.data(), type, constant);
    }
  }
  elided = elided || body == "__elided__" || body == "\"__elided__\"";
  if (elided) {
    constant.splat = true;
    constant.bytes = std::make_shared<const std::vector<std::byte>>(graph::byte_size(type.dtype));
    return true;
  }
  return parse_elements(body, type, constant);
}

std::optional<size_t> LiteralParser::find_numbers(std::string_view key) const {
  constexpr std::string_view kBytes = "bytes_";
  size_t number = 0;
  if (numbers_ == nullptr || !key.starts_with(kBytes))
    return std::nullopt;
  std::from_chars(key.data() + kBytes.size(), key.data() + key.size(), number);
  return number < numbers_->size() ? std::optional(number) : std::nullopt;
}

bool LiteralParser::parse_elements(std::string_view body, const TensorType &type, graph::Constant &constant) {
  const size_t first = body.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && body[first] == '"') {
    std::string_view digits = body.substr(first + 1);
    digits = digits.substr(0, digits.find('"'));
    if (!digits.starts_with("0x"))
      return s_.fail("TW-103", body.data() + first, "expected \"0x\" and the bytes in hexadecimal digits");
    return parse_hex(digits.substr(2), body.data() + first, type, constant);
  }
  auto bytes = std::make_shared<std::vector<std::byte>>();
  if (first == std::string_view::npos) {
    if (type.elements() != 0)
      return s_.fail("TW-103", body.data(), fmt::format("an empty literal for {}", graph::to_text(type)));
  } else if (ElementReader reader(s_, body, type); !reader.read(*bytes, constant.splat)) {
    return false;
  }
  constant.splat = constant.splat || type.elements() == 1;
  constant.bytes = std::move(bytes);
  return true;
}

// Raw little-endian elements. Booleans are one byte each, or, in older prints, eight to a byte. One element
// alone is a splat.
bool LiteralParser::parse_hex(std::string_view digits, const char *at, const TensorType &type,
                              graph::Constant &constant) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  if (!decode_hex(digits, *bytes))
    return s_.fail("TW-103", at, "expected an even number of hexadecimal digits");
  return parse_bytes(std::move(bytes), at, type, constant);
}

bool LiteralParser::parse_bytes(std::shared_ptr<std::vector<std::byte>> bytes, const char *at,
                                const TensorType &type, graph::Constant &constant) {
  const auto count = static_cast<size_t>(type.elements());
  const size_t width = graph::byte_size(type.dtype);
  const bool packed =
      type.dtype == DType::i1 && bytes->size() != count && bytes->size() == count / 8 + (count % 8 != 0);
  if (packed) {
    std::vector<std::byte> unpacked(count);
    for (size_t i = 0; i < count; ++i)
      unpacked[i] = ((*bytes)[i / 8] >> (i % 8)) & std::byte{1};
    *bytes = std::move(unpacked);
  } else if (bytes->size() != count * width && bytes->size() != width) {
    return s_.fail("TW-103", at,
                   fmt::format("{} bytes of data for {}, which has {}", bytes->size(), graph::to_text(type),
                               count * width));
  }
  constant.splat = bytes->size() == width && count != 0;
  if (count == 0)
    bytes->clear();
  // Narrow types have one spelling in storage.
  ops::visit_dtype(type.dtype, [&](auto element) {
    using E = decltype(element);
    if constexpr (requires { E::format; })
      for (std::byte &b : *bytes)
        b &= static_cast<std::byte>(E::bits < 8 ? (1 << E::bits) - 1 : 0xff);
    else if constexpr (sizeof(typename E::Storage) == 1 && E::bits < 8)
      for (std::byte &b : *bytes)
        b = static_cast<std::byte>(E::store(static_cast<typename E::Value>(static_cast<uint8_t>(b))));
  });
  constant.bytes = std::move(bytes);
  return true;
}

} // namespace tw::import
