// SPDX-License-Identifier: Apache-2.0
// Element types changed by value, by precision, by bits.
#include "kernels/ref/convert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"
#include "ops/conversion.hpp"

namespace tw::kernels::ref::convert_reference {
namespace {

// Pairs of these are converted by a loop of their own, everything else in two
// steps through one of them.
constexpr TypeSet kDirect = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i1,
                             DType::s8,  DType::s16, DType::s32, DType::s64,  DType::u8,
                             DType::u16, DType::u32, DType::u64, DType::c64,  DType::c128};

// The type through which a pair that has no loop of its own goes; the pair's
// own source type where it has one.
template <class E, class R> constexpr DType middle() {
  constexpr bool float_source = kFloats.has(E::dtype) || kComplex.has(E::dtype);
  constexpr bool rounds_twice =
      is_int_value<typename E::Value> && E::bits == 64 && kFloats.has(R::dtype); // by f64
  if constexpr (E::dtype == R::dtype || rounds_twice || (kDirect.has(E::dtype) && kDirect.has(R::dtype)))
    return E::dtype;
  else if constexpr (!kDirect.has(E::dtype)) // 8-bit floats and sub-byte
                                             // integers widen exactly
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
      y[i] = converted<E, R>(E::load(x[i]));
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

BlockFn convert_fn(const OpView &op) { return convert_block(op.operands[0]->dtype, op.results[0]->dtype); }

// Rounds to a float of e exponent and m mantissa bits, without subnormals, and
// back. Without mantissa bits there is no NaN, only infinity.
double with_precision(double value, int64_t exponent_bits, int64_t mantissa_bits) {
  if (std::isnan(value) && mantissa_bits == 0)
    return std::numeric_limits<double>::infinity();
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent); // in [0.5, 1)
  double rounded = std::nearbyint(std::ldexp(fraction, static_cast<int>(mantissa_bits) + 1));
  if (mantissa_bits == 0 && std::fabs(fraction) == 0.75) // of two powers of two the one whose
                                                         // exponent is even as it is stored
    rounded = std::copysign(exponent % 2 == 0 ? 1 : 2, fraction);
  const double result = std::ldexp(rounded, exponent - static_cast<int>(mantissa_bits) - 1);
  (void)std::frexp(result, &exponent);
  const int64_t bias = (int64_t(1) << (exponent_bits - 1)) - 1;
  if (exponent - 1 > bias)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return exponent - 1 < 1 - bias ? std::copysign(0.0, value) : result;
}

Status reduce_precision_kernel(const KernelArgs &args) {
  const int64_t e = args.op.integer(slot::reduce_precision::exponent_bits),
                m = args.op.integer(slot::reduce_precision::mantissa_bits);
  visit_dtype(args.results[0].dtype, [&]<class E>(E) {
    if constexpr (kFloats.has(E::dtype)) {
      const auto *x = static_cast<const typename E::Storage *>(args.operands[0].data);
      auto *y = static_cast<typename E::Storage *>(args.results[0].data);
      for (int64_t i = 0; i < args.results[0].elements(); ++i)
        y[i] = converted<Element<DType::f64>, E>(with_precision(static_cast<double>(E::load(x[i])), e, m));
    }
  });
  return {};
}

// Bits of elements one behind the other, the low ones first, in memory that
// holds each element in bytes of its own.
class BitStream {
public:
  BitStream(DType dtype, const void *data)
      : bytes_(static_cast<const uint8_t *>(data)), width_(element_bits(dtype)),
        size_(graph::byte_size(dtype)) {}
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

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.bitcast_convert", bitcast_kernel},
      {"stablehlo.convert", nullptr, convert_fn},
      {"stablehlo.reduce_precision", reduce_precision_kernel},
  };
  return all;
}

} // namespace tw::kernels::ref::convert_reference

namespace tw::kernels::ref {

BlockFn convert_block(DType from, DType to) {
  return visit_dtype(from, [to]<class E>(E) -> BlockFn {
    return visit_dtype(to, []<class R>(R) -> BlockFn {
      if constexpr (elementwise::kWide.has(E::dtype) && elementwise::kWide.has(R::dtype))
        return wide<convert_reference::block<E, R>>();
      else
        return convert_reference::block<E, R>;
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

DType sum_type(DType result) { return kFloats.has(result) && result != DType::f64 ? DType::f32 : result; }

} // namespace tw::kernels::ref
