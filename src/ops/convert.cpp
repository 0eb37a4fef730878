// SPDX-License-Identifier: Apache-2.0
// convert, reduce_precision and bitcast_convert: element types changed by value, by precision, by bits.
#include "ops/convert.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"
#include "ops/linear.hpp"
#include "ops/strided.hpp"

namespace tw::ops::convert_ops {
namespace {

// Pairs of these are converted by a loop of their own, everything else in two steps through one of them.
constexpr TypeSet kDirect = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i1,
                             DType::s8,  DType::s16, DType::s32, DType::s64,  DType::u8,
                             DType::u16, DType::u32, DType::u64, DType::c64,  DType::c128};

// An integer as a double that rounds to any narrower float as the integer itself would: 53 bits, the last one
// sticky.
template <class V> double rounded_to_odd(V value) {
  uint64_t magnitude = value < 0 ? uint64_t(0) - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (const int excess = std::bit_width(magnitude) - 53; excess > 0) {
    const uint64_t lost = magnitude & ((uint64_t(1) << excess) - 1);
    magnitude = (magnitude >> excess | (lost != 0 ? 1 : 0)) << excess;
  }
  const auto exact = static_cast<double>(magnitude);
  return value < 0 ? -exact : exact;
}

template <class E, class R> typename R::Storage convert_one(typename E::Value value) {
  using V = typename E::Value;
  using W = typename R::Value;
  if constexpr (is_complex_value<W>) {
    if constexpr (is_complex_value<V>)
      return R::store(W(value));
    else
      return R::store(W(static_cast<typename W::value_type>(value)));
  } else if constexpr (is_complex_value<V>) { // the imaginary part is dropped, whatever comes out
    using Part = Element<E::dtype == DType::c64 ? DType::f32 : DType::f64>;
    return convert_one<Part, R>(value.real());
  } else if constexpr (std::is_same_v<W, bool>) {
    return R::store(value != V(0));
  } else if constexpr (is_int_value<W> && std::is_floating_point_v<V>) {
    return R::store(saturate<R>(value));
  } else if constexpr (requires { R::format; } && std::is_same_v<V, double>) {
    return static_cast<typename R::Storage>(encode(R::format, value));
  } else if constexpr (requires { R::format; } && is_int_value<V> && sizeof(V) >= 4) {
    return static_cast<typename R::Storage>(encode(R::format, rounded_to_odd(value)));
  } else {
    return R::store(static_cast<W>(value));
  }
}

// The type through which a pair that has no loop of its own goes; the pair's own source type where it has
// one.
template <class E, class R> constexpr DType middle() {
  constexpr bool float_source = kFloats.has(E::dtype) || kComplex.has(E::dtype);
  if constexpr (E::dtype == R::dtype || (kDirect.has(E::dtype) && kDirect.has(R::dtype)))
    return E::dtype;
  else if constexpr (!kDirect.has(E::dtype)) // 8-bit floats and sub-byte integers widen exactly
    return kFloats.has(E::dtype) ? DType::f32 : kSignedInts.has(E::dtype) ? DType::s8 : DType::u8;
  else
    return float_source || kFloats.has(R::dtype) ? DType::f64 : DType::s64;
}

template <class E, class R> void block(const void *const *in, void *out, int64_t n) {
  constexpr DType via = middle<E, R>();
  const auto *x = static_cast<const typename E::Storage *>(in[0]);
  auto *y = static_cast<typename R::Storage *>(out);
  if constexpr (via == E::dtype || via == R::dtype) {
    TW_INDEPENDENT_LOOP
    for (int64_t i = 0; i < n; ++i)
      y[i] = convert_one<E, R>(E::load(x[i]));
  } else {
    using M = Element<via>;
    typename M::Storage values[elementwise::kChunk];
    for (int64_t from = 0; from < n; from += elementwise::kChunk) {
      const int64_t m = std::min(elementwise::kChunk, n - from);
      const void *first = x + from, *second = values;
      block<E, M>(&first, values, m);
      block<M, R>(&second, y + from, m);
    }
  }
}

Result<std::vector<graph::TensorType>> infer_convert(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  if (from.dims != to.dims)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} but the result is {}: shapes differ", graph::to_short_text(from),
                            graph::to_short_text(to)));
  return std::vector<graph::TensorType>{to};
}

BlockFn convert_fn(const OpView &op) { return convert_block(op.operands[0]->dtype, op.results[0]->dtype); }

// Sums pass where every float has the same value in the wider type; rounding each summand is not rounding the
// sum.
bool convert_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  const DType from = op.operands[0]->dtype, to = op.results[0]->dtype;
  return graph::is_float(from) && (to == DType::f64 || (to == DType::f32 && from != DType::f64)) &&
         linear::sums<0b1>(op, partial, kind);
}

OpDef convert() {
  OpDef def{"stablehlo.convert", "Elements as another type, by value. Spec: convert.", 1, 1, 1, {},
            kElementwise};
  def.flags |= kCheap | kSourceOfSources;
  def.infer = infer_convert;
  def.rule = elementwise_rule;
  def.reference = [](const KernelArgs &args) { return run_block(args, convert_fn(args.op)); };
  def.block = convert_fn;
  def.linear = convert_is_linear;
  return def;
}

// Rounds to a float of e exponent and m mantissa bits, without subnormals, and back. Without mantissa bits
// there is no NaN, only infinity.
double with_precision(double value, int64_t exponent_bits, int64_t mantissa_bits) {
  if (std::isnan(value) && mantissa_bits == 0)
    return std::numeric_limits<double>::infinity();
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent); // in [0.5, 1)
  double rounded = std::nearbyint(std::ldexp(fraction, static_cast<int>(mantissa_bits) + 1));
  if (mantissa_bits == 0 &&
      std::fabs(fraction) == 0.75) // of two powers of two the one whose exponent is even as it is stored
    rounded = std::copysign(exponent % 2 == 0 ? 1 : 2, fraction);
  const double result = std::ldexp(rounded, exponent - static_cast<int>(mantissa_bits) - 1);
  (void)std::frexp(result, &exponent);
  const int64_t bias = (int64_t(1) << (exponent_bits - 1)) - 1;
  if (exponent - 1 > bias)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return exponent - 1 < 1 - bias ? std::copysign(0.0, value) : result;
}

Result<std::vector<graph::TensorType>> infer_reduce_precision(const OpView &op) {
  const int64_t e = op.integer(slot::reduce_precision::exponent_bits),
                m = op.integer(slot::reduce_precision::mantissa_bits);
  if (e < 1 || e > 32 || m < 0 || m > 64)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("exponent_bits is {} and mantissa_bits {}: at least one exponent bit, and no "
                            "more than a float has",
                            e, m));
  TW_ASSIGN(graph::TensorType type, infer_same_operands(op, kFloats));
  return std::vector<graph::TensorType>{std::move(type)};
}

Status reduce_precision_kernel(const KernelArgs &args) {
  const int64_t e = args.op.integer(slot::reduce_precision::exponent_bits),
                m = args.op.integer(slot::reduce_precision::mantissa_bits);
  visit_dtype(args.results[0].dtype, [&]<class E>(E) {
    if constexpr (kFloats.has(E::dtype)) {
      const auto *x = static_cast<const typename E::Storage *>(args.operands[0].data);
      auto *y = static_cast<typename E::Storage *>(args.results[0].data);
      for (int64_t i = 0; i < args.results[0].elements(); ++i)
        y[i] = convert_one<Element<DType::f64>, E>(with_precision(static_cast<double>(E::load(x[i])), e, m));
    }
  });
  return {};
}

OpDef reduce_precision() {
  OpDef def{"stablehlo.reduce_precision",
            "Rounded to fewer exponent and mantissa bits, type unchanged. Spec: reduce_precision.",
            1,
            1,
            1,
            {{"exponent_bits", AttrKind::integer, true, "exponent bits kept"},
             {"mantissa_bits", AttrKind::integer, true, "mantissa bits kept"}}};
  def.infer = infer_reduce_precision;
  def.rule = elementwise_rule;
  def.reference = reduce_precision_kernel;
  return def;
}

int bits_of(DType dtype) {
  return visit_dtype(dtype, []<class E>(E) { return E::bits; });
}

// Elements of less than a byte lie alone in theirs, with the rest of it as their type wants it.
bool fills_bytes(DType dtype) { return bits_of(dtype) == 8 * static_cast<int>(graph::byte_size(dtype)); }

// A narrower type brings one more, minor dimension; a wider one takes it away.
Result<std::vector<graph::TensorType>> infer_bitcast(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  const int wide = bits_of(from.dtype), narrow = bits_of(to.dtype);
  graph::Shape expected = from.dims;
  bool fits = wide > 0 && narrow > 0 && std::max(wide, narrow) % std::min(wide, narrow) == 0;
  if (fits && wide > narrow) {
    expected.push_back(wide / narrow);
  } else if (fits && wide < narrow) {
    fits = !expected.empty() && expected.back() == narrow / wide;
    if (fits)
      expected.pop_back();
  }
  if (!fits || to.dims != expected)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {}, {} bits an element, and cannot become {}, {} bits an element",
                            graph::to_short_text(from), wide, graph::to_short_text(to), narrow));
  return std::vector<graph::TensorType>{to};
}

Rule bitcast_rule(const OpView &op) {
  RuleBuilder rule(op);
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  const size_t shared = std::min(from.rank(), to.rank());
  for (size_t d = 0; d < shared; ++d) {
    const FactorId f = rule.pass(from.dims[d]);
    rule.in(0, d, f).out(0, d, f);
  }
  if (from.rank() > shared)
    rule.whole_in(0, shared, from.dims[shared]);
  if (to.rank() > shared)
    rule.whole_out(0, shared, to.dims[shared]);
  return rule.build();
}

// Bits of elements one behind the other, the low ones first, in memory that holds each element in bytes of
// its own.
class BitStream {
public:
  BitStream(DType dtype, const void *data)
      : bytes_(static_cast<const uint8_t *>(data)), width_(bits_of(dtype)), size_(graph::byte_size(dtype)) {}
  bool operator[](int64_t bit) const {
    const int64_t element = bit / width_, within = bit % width_;
    return (bytes_[element * static_cast<int64_t>(size_) + within / 8] >> (within % 8) & 1) != 0;
  }

private:
  const uint8_t *bytes_;
  int64_t width_;
  size_t size_;
};

template <class R> void recast(const BitStream &bits, void *out, int64_t n) {
  auto *y = static_cast<typename R::Storage *>(out);
  for (int64_t i = 0; i < n; ++i) {
    std::array<uint8_t, sizeof(typename R::Storage)> bytes{};
    for (int b = 0; b < R::bits; ++b)
      if (bits[i * R::bits + b])
        bytes[static_cast<size_t>(b / 8)] |= static_cast<uint8_t>(1 << b % 8);
    std::memcpy(y + i, bytes.data(), bytes.size());
    if constexpr (R::bits < 8 && kSignedInts.has(R::dtype)) // stored with its sign extended
      y[i] = R::store(y[i]);
  }
}

Status bitcast_kernel(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  if (const int64_t n = in.elements(); n != 0 && has_same_bytes(in.dtype, out.dtype))
    std::memcpy(out.data, in.data, static_cast<size_t>(n) * graph::byte_size(in.dtype));
  else if (n != 0)
    visit_dtype(out.dtype,
                [&]<class R>(R) { recast<R>(BitStream(in.dtype, in.data), out.data, out.elements()); });
  return {};
}

OpDef bitcast_convert() {
  OpDef def{"stablehlo.bitcast_convert",
            "The same bits as elements of another type. Spec: bitcast_convert.",
            1,
            1,
            1,
            {},
            kRename};
  def.flags |= kOwnTypes | kBatches;
  def.infer = infer_bitcast;
  def.rule = bitcast_rule;
  def.cost = [](const OpView &) { return Cost{}; };
  def.reference = bitcast_kernel;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {bitcast_convert(), convert(), reduce_precision()};
  return defs;
}

} // namespace tw::ops::convert_ops

namespace tw::ops {

bool has_same_bytes(DType from, DType to) {
  return from == to || (convert_ops::fills_bytes(from) && convert_ops::fills_bytes(to));
}

BlockFn convert_block(DType from, DType to) {
  return visit_dtype(from, [to]<class E>(E) -> BlockFn {
    return visit_dtype(to, []<class R>(R) -> BlockFn {
      if constexpr (elementwise::kWide.has(E::dtype) && elementwise::kWide.has(R::dtype))
        return wide<convert_ops::block<E, R>>();
      else
        return convert_ops::block<E, R>;
    });
  });
}

std::vector<std::byte> packed(const Buffer &piece, std::span<const int64_t> order, DType type) {
  const std::vector<int64_t> steps = dense_strides(piece.extent);
  std::vector<int64_t> extent, strides;
  for (int64_t d : order) {
    extent.push_back(piece.extent[static_cast<size_t>(d)]);
    strides.push_back(steps[static_cast<size_t>(d)]);
  }
  const int64_t n = piece.elements();
  const size_t size = graph::byte_size(piece.dtype);
  std::vector<std::byte> ordered(static_cast<size_t>(n) * size);
  copy_strided(ordered.data(), dense_strides(extent), piece.data, strides, extent, size);
  if (type == piece.dtype)
    return ordered;
  std::vector<std::byte> converted(static_cast<size_t>(n) * graph::byte_size(type));
  const void *in = ordered.data();
  convert_block(piece.dtype, type)(&in, converted.data(), n);
  return converted;
}

} // namespace tw::ops
