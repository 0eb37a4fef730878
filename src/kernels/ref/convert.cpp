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
#include "ops/elementwise.hpp"

namespace tw::kernels::ref::convert_reference {
namespace {

// Elements of whole bytes that are no 8-bit floats: what others widen to, exactly, and narrow from.
constexpr TypeSet kPlain = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i1,
                            DType::s8,  DType::s16, DType::s32, DType::s64,  DType::u8,
                            DType::u16, DType::u32, DType::u64, DType::c64,  DType::c128};
constexpr TypeSet kHalves = {DType::f16, DType::bf16}; // computed in f32
constexpr TypeSet kWords = {DType::s8, DType::s16, DType::s32, DType::s64,
                            DType::u8, DType::u16, DType::u32, DType::u64};

// The type through which a pair goes, so that few pairs need a loop of their own: these give their own source
// or target type. The way through it gives the same bits as the pair's own loop would.
template <class E, class R> constexpr DType middle() {
  constexpr DType from = E::dtype, to = R::dtype;
  constexpr bool same = from == to || (kComplex.has(from) && kComplex.has(to));
  if constexpr (same)
    return from;
  else if constexpr (!kPlain.has(from))
    return kFloats.has(from) ? DType::f32 : kSignedInts.has(from) ? DType::s8 : DType::u8;
  else if constexpr (kWords.has(from) && E::bits == 64 && kFloats.has(to)) // f64 would round them, too
    return from;
  else if constexpr (!kPlain.has(to))
    return kFloats.has(from) || kComplex.has(from) || kFloats.has(to) ? DType::f64 : DType::s64;
  else if constexpr (kComplex.has(from) || kComplex.has(to))
    return part_of_complex(kComplex.has(from) ? from : to);
  else if constexpr (kHalves.has(from) && kWords.has(to))
    return DType::f32;
  else if constexpr (kWords.has(from) && kHalves.has(to))
    return E::bits < 32 ? DType::f32 : DType::f64;
  else
    return from;
}

template <class E, class R> void loop(const void *const *in, void *out, int64_t n) {
  const auto *x = static_cast<const typename E::Storage *>(in[0]);
  auto *y = static_cast<typename R::Storage *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i)
    y[i] = converted<E, R>(E::load(x[i]));
}

// Integers are extended or cut: of their signs only that of a narrower source matters.
template <class E>
using Unsigned = Element<E::bits == 8    ? DType::u8
                         : E::bits == 16 ? DType::u16
                         : E::bits == 32 ? DType::u32
                                         : DType::u64>;
template <class E, class R>
using Source = std::conditional_t<kWords.has(E::dtype) &&
                                      (R::dtype == DType::i1 || (kWords.has(R::dtype) && R::bits <= E::bits)),
                                  Unsigned<E>, E>;
template <class E, class R>
using Target = std::conditional_t<kWords.has(R::dtype) && (E::dtype == DType::i1 || kWords.has(E::dtype)),
                                  Unsigned<R>, R>;

struct Step {
  BlockFn convert;
  size_t size; // of an element read
};

void in_two_steps(Step first, Step second, size_t size, const void *const *in, void *out, int64_t n) {
  constexpr size_t kLargest = 16;
  alignas(kLargest) std::byte values[elementwise::kChunk * kLargest];
  const auto *x = static_cast<const std::byte *>(in[0]);
  auto *y = static_cast<std::byte *>(out);
  const void *const between = values;
  for (int64_t from = 0; from < n; from += elementwise::kChunk) {
    const int64_t m = std::min(elementwise::kChunk, n - from);
    const void *const some = x + static_cast<size_t>(from) * first.size;
    first.convert(&some, values, m);
    second.convert(&between, y + static_cast<size_t>(from) * size, m);
  }
}

template <class E, class R> BlockFn function();

template <class E, class R> void two_steps(const void *const *in, void *out, int64_t n) {
  using M = Element<middle<E, R>()>;
  in_two_steps({function<E, M>(), sizeof(typename E::Storage)},
               {function<M, R>(), sizeof(typename M::Storage)}, sizeof(typename R::Storage), in, out, n);
}

template <class E, class R> BlockFn function() {
  constexpr DType via = middle<E, R>();
  if constexpr (via != E::dtype && via != R::dtype)
    return two_steps<E, R>;
  else if constexpr (elementwise::kWide.has(E::dtype) && elementwise::kWide.has(R::dtype))
    return wide<loop<Source<E, R>, Target<E, R>>>();
  else
    return loop<Source<E, R>, Target<E, R>>;
}

BlockFn convert_fn(const OpView &op) { return convert_block(op.operands[0]->dtype, op.results[0]->dtype); }

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

// Bits of elements one behind the other, the low ones first, in memory that holds each element in bytes of
// its own.
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
    return visit_dtype(to, []<class R>(R) -> BlockFn { return convert_reference::function<E, R>(); });
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
