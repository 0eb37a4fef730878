// SPDX-License-Identifier: Apache-2.0
// Counter-based pseudo-random numbers: element i of a stream is a hash of (seed, stream, i), so no order of
// filling matters.
#include "runtime/fill.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "ops/element.hpp"
#include "ops/strided.hpp"

namespace tw::runtime {
namespace {

enum class Kind { zeros, ones, iota, uniform, normal, randint };
struct Pattern {
  Kind kind;
  double a = 0, b = 0; // the numbers in parentheses
  double scale = 1;
};

std::optional<double> number(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// The least and the largest number of an integer type.
std::pair<double, double> integers(graph::DType dtype) {
  if (dtype == graph::DType::i1)
    return {0, 1};
  const std::string_view name = graph::name(dtype);
  int bits = 0;
  std::from_chars(name.data() + name.find_first_of("0123456789"), name.data() + name.size(), bits);
  return graph::is_unsigned_int(dtype) ? std::pair(0.0, std::ldexp(1.0, bits) - 1)
                                       : std::pair(-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1);
}

// A number of a type. Those of an integer type wrap around as far as 64 bits go; what lies outside is the
// nearest of those.
template <class Value> Value number_of(double x) {
  if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    if (std::abs(x) < 0x1p63)
      return static_cast<Value>(static_cast<int64_t>(x));
    if (x > 0)
      return static_cast<Value>(x < 0x1p64 ? static_cast<uint64_t>(x) : std::numeric_limits<uint64_t>::max());
    return std::numeric_limits<Value>::min();
  } else {
    return static_cast<Value>(x);
  }
}

Result<Pattern> parse(std::string_view text, graph::DType dtype) {
  const bool rounds = graph::is_float(dtype) || graph::is_complex(dtype);
  if (text == "default" && dtype == graph::DType::f8e8m0fnu) // has no negative numbers
    return Pattern{Kind::uniform, 0.25, 4};
  if (text == "default" && dtype == graph::DType::f4e2m1fn) // has little below 1
    return Pattern{Kind::normal, 0, 1};
  if (text == "default")
    return rounds ? Pattern{Kind::normal, 0, 1, 0.125}
                  : Pattern{Kind::randint, 0, dtype == graph::DType::i1 ? 2.0 : 8.0};
  if (text == "zeros")
    return Pattern{Kind::zeros};
  if (text == "ones")
    return Pattern{Kind::ones};
  if (text == "iota")
    return Pattern{Kind::iota};
  static constexpr std::pair<std::string_view, Kind> calls[] = {
      {"uniform(", Kind::uniform}, {"normal(", Kind::normal}, {"randint(", Kind::randint}};
  for (const auto &[name, kind] : calls) {
    if (!text.starts_with(name) || !text.ends_with(")"))
      continue;
    const auto inside = text.substr(name.size(), text.size() - name.size() - 1);
    const auto comma = inside.find(',');
    const auto a = number(inside.substr(0, comma));
    const auto b = comma == std::string_view::npos ? std::nullopt : number(inside.substr(comma + 1));
    if (!a || !b)
      break;
    const auto refused = [&](std::string_view why) {
      return fail(Code::invalid_argument, "TW-660", fmt::format("fill \"{}\": {}", text, why));
    };
    if (!std::isfinite(*a) || !std::isfinite(*b))
      return refused("expected finite numbers");
    if (kind == Kind::randint && !(*a < *b))
      return refused("the lower bound must be below the upper one");
    if (kind == Kind::uniform && *a > *b)
      return refused("the lower bound must not be above the upper one");
    if (kind == Kind::normal && *b < 0)
      return refused("a standard deviation is not below 0");
    if (kind == Kind::randint && (std::floor(*a) != *a || std::floor(*b) != *b))
      return refused("expected whole numbers");
    if (kind != Kind::normal && !rounds) {
      const auto [least, most] = integers(dtype);
      if (*a < least || *b > most + (kind == Kind::randint ? 1 : 0))
        return refused(fmt::format("{} holds {} to {}", graph::name(dtype), least, most));
    }
    if (kind == Kind::randint && std::max(std::abs(*a), std::abs(*b)) > 0x1p53)
      return refused("expected bounds of no more than 2^53");
    return Pattern{kind, *a, *b};
  }
  return fail(Code::invalid_argument, "TW-661",
              fmt::format("fill \"{}\" is none of zeros, ones, iota, uniform(lo,hi), normal(mean,std), "
                          "randint(lo,hi), default",
                          text));
}

// In [0, 1), 53 bits.
double unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

double draw(const Pattern &p, uint64_t key, int64_t i) {
  const uint64_t bits = hash_mix(key, static_cast<uint64_t>(i));
  switch (p.kind) {
  case Kind::zeros: return 0;
  case Kind::ones: return 1;
  case Kind::iota: return static_cast<double>(i);
  case Kind::uniform: return p.a + (p.b - p.a) * unit(bits);
  case Kind::randint: return std::floor(p.a + (p.b - p.a) * unit(bits));
  case Kind::normal: break;
  }
  const double u = 1 - unit(bits), v = unit(hash_mix(bits, 1)); // Box and Muller
  return p.scale * (p.a + p.b * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
}

} // namespace

Status fill(const TensorView &tensor, std::string_view pattern, uint64_t seed, uint64_t stream) {
  const std::vector<int64_t> begin(tensor.dims.size(), 0);
  return fill_part(tensor, tensor.dims, begin, pattern, seed, stream);
}

Status fill_part(const TensorView &part, std::span<const int64_t> whole, std::span<const int64_t> offset,
                 std::string_view pattern, uint64_t seed, uint64_t stream) {
  TW_ASSIGN(const Pattern p, parse(pattern, part.dtype));
  const uint64_t key = hash_mix(seed, stream);
  const auto strides = ops::dense_strides(whole);
  const size_t rank = whole.size();
  const int64_t run = rank == 0 ? 1 : part.dims[rank - 1], rows = run == 0 ? 0 : part.elements() / run;
  ops::visit_dtype(part.dtype, [&](auto element) {
    using E = decltype(element);
    using Value = typename E::Value;
    auto *out = static_cast<typename E::Storage *>(part.data);
    for (int64_t row = 0; row < rows; ++row) {
      int64_t first = rank == 0 ? 0 : offset[rank - 1]; // of the row, in the whole array
      for (size_t d = rank < 2 ? 0 : rank - 1, rest = static_cast<size_t>(row); d-- > 0;) {
        first += (offset[d] + static_cast<int64_t>(rest) % part.dims[d]) * strides[d];
        rest /= static_cast<size_t>(part.dims[d]);
      }
      for (int64_t i = first; i < first + run; ++i, ++out) {
        if constexpr (requires(Value v) { v.real(); }) {
          using Part = typename Value::value_type;
          const bool both = p.kind == Kind::normal; // else the real part is the number, as of a real element
          *out = E::store(Value(static_cast<Part>(draw(p, key, both ? 2 * i : i)),
                                static_cast<Part>(both ? draw(p, key, 2 * i + 1) : 0)));
        } else {
          *out = E::store(number_of<Value>(draw(p, key, i)));
        }
      }
    }
  });
  return {};
}

} // namespace tw::runtime
