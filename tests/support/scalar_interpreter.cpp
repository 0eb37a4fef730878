// SPDX-License-Identifier: Apache-2.0
// A value is an integer or two doubles; each operation says what it makes of those for its type.
#include "support/scalar_interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

#include "base/small_float.hpp"
#include "kernels/ref/references.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw {

namespace {

using graph::DType;
using ops::ScalarOp;
__extension__ typedef __int128 Integer;
__extension__ typedef unsigned __int128 Bits;

struct Number {
  Integer integer = 0;   // i1 and integers
  double re = 0, im = 0; // floats and complex numbers, exact
  uint64_t code = 0;     // floats that an operand or a recast gave: NaN keeps its bits
};

bool is_whole(DType t) { return graph::is_int(t) || t == DType::i1; }

int width(DType t) {
  return ops::visit_dtype(t, []<class E>(E) { return E::bits; });
}

Integer wrapped(Integer v, DType t) {
  const int bits = width(t);
  const Bits mask = (Bits(1) << bits) - 1, low = static_cast<Bits>(v) & mask;
  const bool negative = graph::is_signed_int(t) && (low >> (bits - 1)) != 0;
  return negative ? static_cast<Integer>(low) - static_cast<Integer>(mask) - 1 : static_cast<Integer>(low);
}

Bits unsigned_bits(Integer v, DType t) { return static_cast<Bits>(v) & ((Bits(1) << width(t)) - 1); }

const SmallFloat *format_of(DType t) {
  return ops::visit_dtype(t, []<class E>(E) -> const SmallFloat * {
    if constexpr (requires { E::format; })
      return &E::format;
    else
      return nullptr;
  });
}

// The nearest of all numbers of a format, ties to the even code, by looking at each. Beyond the greatest one
// stands one more, at the distance of the last two: what is nearer to it overflows.
double nearest(const SmallFloat &f, long double value) {
  const bool negative = std::signbit(value) != 0;
  const long double magnitude = std::fabs(value);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(value)) // with its sign, which formats without NaN make a zero of
    return static_cast<double>(value);
  if (f.is_scale && (!std::isfinite(value) || value <= 0))
    return nan;
  const auto at = [&](uint32_t code) -> long double {
    if (code <= f.max_code)
      return decode(f, code);
    return f.is_scale ? 2 * decode(f, f.max_code) : 2 * decode(f, f.max_code) - decode(f, f.max_code - 1);
  };
  uint32_t low = 0, high = f.max_code + 1; // codes ascend with their values
  if (magnitude >= at(high)) {
    low = high;
  } else {
    while (low + 1 < high)
      (at((low + high) / 2) <= magnitude ? low : high) = (low + high) / 2;
    const long double middle = (at(low) + at(high)) / 2;
    if (magnitude > middle || (magnitude == middle && low % 2 != 0))
      low = high;
  }
  const bool all_finite = !f.is_scale && !f.unsigned_zero && f.max_code + 1 == 1u << (f.bits() - 1);
  if (low > f.max_code && !all_finite) {
    const double infinity = std::numeric_limits<double>::infinity();
    return f.has_infinity ? (negative ? -infinity : infinity) : nan;
  }
  low = std::min(low, f.max_code);
  const double found = decode(f, low);
  return negative && !(f.unsigned_zero && low == 0) ? -found : found;
}

double rounded(long double value, DType t) {
  if (t == DType::f64)
    return static_cast<double>(value);
  return t == DType::f32 ? static_cast<double>(static_cast<float>(value)) : nearest(*format_of(t), value);
}

Number load(DType t, const std::byte *at) {
  Number n;
  ops::visit_dtype(t, [&]<class E>(E) {
    typename E::Storage stored;
    std::memcpy(&stored, at, sizeof stored);
    std::memcpy(&n.code, at, std::min(sizeof stored, sizeof n.code));
    if constexpr (ops::is_complex_value<typename E::Value>)
      n.re = stored.real(), n.im = stored.imag();
    else if constexpr (ops::kFloats.has(E::dtype) && sizeof(stored) < 4)
      n.re = decode(E::format, stored);
    else if constexpr (ops::kFloats.has(E::dtype))
      n.re = static_cast<double>(stored);
    else
      n.integer = static_cast<Integer>(E::load(stored));
  });
  return n;
}

void store(const Number &n, DType t, std::byte *at) {
  ops::visit_dtype(t, [&]<class E>(E) {
    typename E::Storage stored;
    if constexpr (ops::is_complex_value<typename E::Value>) {
      using Part = typename E::Value::value_type;
      stored = {static_cast<Part>(n.re), static_cast<Part>(n.im)};
    } else if constexpr (ops::kFloats.has(E::dtype) && sizeof(stored) < 4) {
      stored = static_cast<typename E::Storage>(encode(E::format, n.re)); // which is a number of the format
    } else if constexpr (ops::kFloats.has(E::dtype)) {
      stored = static_cast<typename E::Storage>(n.re);
    } else {
      stored = static_cast<typename E::Storage>(n.integer);
    }
    std::memcpy(at, &stored, sizeof stored);
  });
}

Number converted(Number n, DType from, DType to) {
  if (graph::is_complex(from)) {
    if (!graph::is_complex(to))
      return converted({0, n.re, 0, 0}, ops::part_type(from), to);
    return {0, rounded(n.re, ops::part_type(to)), rounded(n.im, ops::part_type(to)), 0};
  }
  const long double value = is_whole(from) ? static_cast<long double>(n.integer) : n.re;
  if (to == DType::i1)
    return {value != 0 ? 1 : 0};
  if (!is_whole(to))
    return {0, rounded(value, ops::part_type(to)), 0, 0};
  if (is_whole(from))
    return {wrapped(n.integer, to)};
  const Integer last = graph::is_signed_int(to) ? (Integer(1) << (width(to) - 1)) - 1
                                                : (Integer(1) << width(to)) - 1,
                first = graph::is_signed_int(to) ? -last - 1 : 0;
  if (std::isnan(value))
    return {0};
  if (value >= static_cast<long double>(last) + 1)
    return {last};
  return {value <= static_cast<long double>(first) ? first : static_cast<Integer>(value)};
}

// The bits of a float as an integer, or back.
Number recast(Number n, DType from, DType to) {
  std::byte bytes[8] = {};
  if (is_whole(to)) {
    if (n.code != 0) // as it was stored
      return {static_cast<Integer>(n.code)};
    store(n, from, bytes);
    return load(to, bytes);
  }
  store(n, from, bytes);
  return load(to, bytes);
}

Integer power(Integer base, Integer exponent, DType t) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  Integer result = 1;
  for (int bit = 0; bit < 64; ++bit) { // from the highest bit of the exponent
    result = wrapped(static_cast<Integer>(static_cast<Bits>(result) * static_cast<Bits>(result)), t);
    if ((exponent >> (63 - bit) & 1) != 0)
      result = wrapped(static_cast<Integer>(static_cast<Bits>(result) * static_cast<Bits>(base)), t);
  }
  return result;
}

Integer whole_result(ScalarOp op, Integer a, Integer b, DType t) {
  const bool is_bool = t == DType::i1;
  const int bits = width(t);
  const Bits by = unsigned_bits(b, t);
  const bool out = by >= static_cast<Bits>(bits);
  switch (op) {
  case ScalarOp::add: return is_bool ? a | b : a + b;
  case ScalarOp::subtract: return a - b;
  case ScalarOp::multiply:
    return is_bool ? a & b : static_cast<Integer>(static_cast<Bits>(a) * static_cast<Bits>(b));
  case ScalarOp::divide: return b == 0 ? -1 : a / b;
  case ScalarOp::remainder: return b == 0 ? a : a % b;
  case ScalarOp::power: return power(a, b, t);
  case ScalarOp::negate: return -a;
  case ScalarOp::absolute: return a < 0 ? -a : a;
  case ScalarOp::maximum: return std::max(a, b);
  case ScalarOp::minimum: return std::min(a, b);
  case ScalarOp::bit_and: return a & b;
  case ScalarOp::bit_or: return a | b;
  case ScalarOp::bit_xor: return a ^ b;
  case ScalarOp::bit_not: return is_bool ? 1 - a : ~a;
  case ScalarOp::shift_left: return out ? 0 : static_cast<Integer>(unsigned_bits(a, t) << by);
  case ScalarOp::shift_right_logical: return out ? 0 : static_cast<Integer>(unsigned_bits(a, t) >> by);
  case ScalarOp::shift_right_arithmetic: {
    const bool highest = (unsigned_bits(a, t) >> (bits - 1) & 1) != 0;
    const Integer extended =
        static_cast<Integer>(unsigned_bits(a, t)) - (highest ? Integer(1) << bits : Integer(0));
    return extended >> (out ? bits - 1 : static_cast<int>(by));
  }
  case ScalarOp::population_count: {
    int count = 0;
    for (Bits left = unsigned_bits(a, t); left != 0; left >>= 1)
      count += static_cast<int>(left & 1);
    return count;
  }
  case ScalarOp::leading_zeros: {
    int count = bits;
    for (Bits left = unsigned_bits(a, t); left != 0; left >>= 1)
      --count;
    return count;
  }
  default: throw std::logic_error(ops::name(op));
  }
}

template <class F> double float_result(ScalarOp op, F a, F b) {
  const F nan = std::numeric_limits<F>::quiet_NaN();
  switch (op) {
  case ScalarOp::add: return a + b;
  case ScalarOp::subtract: return a - b;
  case ScalarOp::multiply: return a * b;
  case ScalarOp::divide: return a / b;
  case ScalarOp::remainder: return std::fmod(a, b);
  case ScalarOp::negate: return -a;
  case ScalarOp::absolute: return std::fabs(a);
  case ScalarOp::maximum:
    return std::isnan(a) || std::isnan(b) ? nan : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
  case ScalarOp::minimum:
    return std::isnan(a) || std::isnan(b) ? nan : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
  case ScalarOp::square_root: return std::sqrt(a);
  case ScalarOp::floor: return std::floor(a);
  case ScalarOp::ceil: return std::ceil(a);
  case ScalarOp::round_away: return std::round(a);
  case ScalarOp::round_even: return std::nearbyint(a);
  default: throw std::logic_error(ops::name(op));
  }
}

template <class F> Number complex_result(ScalarOp op, Number p, Number q) {
  const std::complex<F> a(static_cast<F>(p.re), static_cast<F>(p.im)),
      b(static_cast<F>(q.re), static_cast<F>(q.im));
  const std::complex<F> value = op == ScalarOp::add        ? a + b
                                : op == ScalarOp::subtract ? a - b
                                : op == ScalarOp::multiply ? a * b
                                                           : -a;
  return {0, value.real(), value.imag(), 0};
}

bool compares(ScalarOp op, const Number &a, const Number &b, DType t) {
  if (graph::is_complex(t))
    return (op == ScalarOp::equal) == (a.re == b.re && a.im == b.im);
  const bool whole = is_whole(t);
  switch (op) {
  case ScalarOp::equal: return whole ? a.integer == b.integer : a.re == b.re;
  case ScalarOp::not_equal: return whole ? a.integer != b.integer : a.re != b.re;
  case ScalarOp::less: return whole ? a.integer < b.integer : a.re < b.re;
  default: return whole ? a.integer <= b.integer : a.re <= b.re;
  }
}

Number called(const ops::ScalarNode &node, std::span<const Number> args, std::span<const DType> types) {
  std::vector<std::array<std::byte, 16>> in(args.size());
  std::vector<const void *> pointers;
  for (size_t i = 0; i < args.size(); ++i) {
    store(args[i], types[i], in[i].data());
    pointers.push_back(in[i].data());
  }
  std::array<std::byte, 16> out{};
  host_block(node.function->op, types, node.dtype)(pointers.data(), out.data(), 1);
  return load(node.dtype, out.data());
}

Number computed(const ops::ScalarNode &node, std::span<const Number> args, std::span<const DType> types) {
  const DType t = node.dtype;
  const Number a = args.empty() ? Number() : args[0], b = args.size() > 1 ? args[1] : Number();
  switch (node.op) {
  case ScalarOp::literal:
    return is_whole(t) ? Number{static_cast<Integer>(node.literal)} : Number{0, node.literal, 0, 0};
  case ScalarOp::convert: return converted(a, types[0], t);
  case ScalarOp::recast: return recast(a, types[0], t);
  case ScalarOp::equal:
  case ScalarOp::not_equal:
  case ScalarOp::less:
  case ScalarOp::less_equal: return {compares(node.op, a, b, types[0]) ? 1 : 0};
  case ScalarOp::select: return a.integer != 0 ? b : args[2];
  case ScalarOp::real: return {0, a.re, 0, 0};
  case ScalarOp::imag: return {0, a.im, 0, 0};
  case ScalarOp::complex: return {0, a.re, b.re, 0};
  case ScalarOp::call: return called(node, args, types);
  default: break;
  }
  if (is_whole(t))
    return {wrapped(whole_result(node.op, a.integer, b.integer, t), t)};
  if (t == DType::c64)
    return complex_result<float>(node.op, a, b);
  if (t == DType::c128)
    return complex_result<double>(node.op, a, b);
  return {0,
          t == DType::f32 ? float_result(node.op, static_cast<float>(a.re), static_cast<float>(b.re))
                          : float_result(node.op, a.re, b.re),
          0, 0};
}

} // namespace

void interpret(const ops::Expression &expression, std::span<const std::byte *const> operands,
               std::byte *result) {
  std::vector<Number> values;
  for (const ops::ScalarNode &node : expression.nodes()) {
    std::vector<Number> args;
    std::vector<DType> types;
    for (const uint32_t a : node.args) {
      args.push_back(values[a]);
      types.push_back(expression.nodes()[a].dtype);
    }
    values.push_back(node.op == ScalarOp::operand ? load(node.dtype, operands[node.operand])
                                                  : computed(node, args, types));
  }
  store(values[expression.result()], expression.dtype(), result);
}

ElementTypes::ElementTypes(std::span<const DType> operands, DType result) {
  for (const DType t : operands)
    types_.push_back({t, {}});
  types_.push_back({result, {}});
  for (const graph::TensorType &t : types_)
    pointers_.push_back(&t);
}

ops::OpView ElementTypes::view(const graph::Attrs &attrs) const {
  static const std::shared_ptr<const graph::Graph> empty = graph::GraphBuilder("empty", "").finish();
  const std::span all(pointers_);
  return {*empty, attrs, all.first(all.size() - 1), all.last(1), {}};
}

kernels::BlockFn host_block(const char *op, std::span<const DType> operands, DType result) {
  return kernels::ref::block_of(ops::op_def(*ops::find_op(op)), ElementTypes(operands, result).view({}));
}

bool same_element(DType dtype, const std::byte *a, const std::byte *b) {
  if (std::memcmp(a, b, graph::byte_size(dtype)) == 0)
    return true;
  if (is_whole(dtype))
    return false;
  const Number x = load(dtype, a), y = load(dtype, b);
  const auto same = [](double p, double q) {
    return std::isnan(p) ? std::isnan(q) : p == q && std::signbit(p) == std::signbit(q);
  };
  return same(x.re, y.re) && same(x.im, y.im);
}

namespace {

// Numbers at which narrower types round, overflow or underflow, and their neighbours.
std::vector<double> special_numbers() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> numbers = {0,    1,    2,      3,        0.5,     1.5,     2.5,      0.49999997,
                                 7,    31,   32,     63,       64,      127,     128,      255,
                                 256,  448,  464,    465,      32767,   32768,   65504,    65520,
                                 1e-3, 1e10, 0x1p31, 0x1p32,   0x1p63,  0x1p64,  0x1p-126, 0x1p-127,
                                 6.25, 7.75, 240,    0x1p-149, 0x1p127, 0x1p-24, 0x1p-25,  infinity};
  for (size_t i = numbers.size(); i-- > 0;)
    for (const double to : {-infinity, infinity})
      numbers.push_back(std::nextafter(numbers[i], to));
  for (size_t i = numbers.size(); i-- > 0;)
    numbers.push_back(-numbers[i]);
  numbers.push_back(std::numeric_limits<double>::quiet_NaN());
  numbers.push_back(std::numeric_limits<double>::max());
  return numbers;
}

std::vector<Integer> special_integers() {
  std::vector<Integer> integers;
  for (int bit = 0; bit < 64; ++bit)
    for (const Integer near : {-1, 0, 1}) {
      integers.push_back((Integer(1) << bit) + near);
      integers.push_back(-integers.back());
      integers.push_back((Integer(3) << bit) + near); // a tie of formats without mantissa
    }
  return integers;
}

// A number of moderate size: of drawn bits most are huge or tiny.
double moderate(std::mt19937_64 &random) {
  return std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                    -63 + static_cast<int>(random() % 8));
}

} // namespace

std::vector<std::byte> special_elements(DType dtype, uint64_t seed, size_t drawn) {
  std::vector<std::byte> all;
  std::mt19937_64 random(seed);
  const size_t size = graph::byte_size(dtype);
  const auto add = [&](const Number &n) {
    all.resize(all.size() + size);
    store(n, dtype, all.data() + all.size() - size);
  };
  if (width(dtype) <= 8) {
    for (int code = 0; code < 1 << width(dtype); ++code) {
      const auto stored = is_whole(dtype) ? static_cast<int>(wrapped(code, dtype)) : code;
      all.push_back(static_cast<std::byte>(stored));
    }
  } else if (is_whole(dtype)) {
    for (const Integer i : special_integers())
      add({wrapped(i, dtype)});
    for (size_t i = 0; i < drawn; ++i)
      add({wrapped(static_cast<Integer>(random() >> (random() % 64)), dtype)});
  } else {
    const DType part = ops::part_type(dtype);
    const std::vector<double> numbers = special_numbers();
    for (const double re : numbers)
      add({0, rounded(re, part),
           graph::is_complex(dtype) ? rounded(numbers[random() % numbers.size()], part) : 0, 0});
    for (size_t i = 0; i < drawn; ++i) {
      if (i % 2 == 0) {
        add({0, rounded(moderate(random), part), rounded(moderate(random), part), 0});
        continue;
      }
      for (size_t b = 0; b < size; ++b)
        all.push_back(static_cast<std::byte>(random()));
    }
  }
  return all;
}

} // namespace tw
