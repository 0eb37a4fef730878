// SPDX-License-Identifier: Apache-2.0
// Comparison of what was computed with what a test program expects.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/ref/references.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::check_reference {
namespace {

constexpr int64_t kDefaultUlps = 3;
constexpr double kDefaultTolerance = 1e-3;

// Elements in order of their values: the codes of floats are sign and magnitude.
template <class S> int64_t rank_of(S code) {
  using U = std::make_unsigned_t<S>;
  constexpr U sign = U(1) << (sizeof(U) * 8 - 1);
  const auto bits = static_cast<U>(code);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

template <class F> auto bits_of(F value) {
  if constexpr (sizeof(F) == 8)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (sizeof(F) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return value; // narrow floats are stored as their codes
}

// How far apart two floats of one type lie, counted in representable values; both NaN are equal.
struct Close {
  int64_t min_ulps, max_ulps;
  template <class Code, class V> bool operator()(Code x, Code y, V a, V b) const {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b))
      return a == b;
    int64_t distance = 0;
    if (__builtin_sub_overflow(rank_of(x), rank_of(y), &distance))
      return false;
    distance = std::abs(distance);
    return distance >= min_ulps && distance <= max_ulps;
  }
};

struct AlmostEqual {
  double tolerance;
  template <class Code, class V> bool operator()(Code, Code, V a, V b) const {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  }
};

struct Equal {
  template <class Code, class V> bool operator()(Code x, Code y, V, V) const { return x == y; }
};

template <class E, class Holds>
bool holds_for(const Holds &holds, typename E::Storage x, typename E::Storage y) {
  using V = typename E::Value;
  if constexpr (is_complex_value<V>)
    return holds(bits_of(x.real()), bits_of(y.real()), x.real(), y.real()) &&
           holds(bits_of(x.imag()), bits_of(y.imag()), x.imag(), y.imag());
  else if constexpr (std::is_integral_v<V>)
    return x == y;
  else
    return holds(bits_of(x), bits_of(y), E::load(x), E::load(y));
}

template <class E> std::string show(typename E::Storage x) {
  const auto value = E::load(x);
  if constexpr (is_complex_value<typename E::Value>)
    return fmt::format("({}, {})", value.real(), value.imag());
  else
    return fmt::format("{}", value);
}

std::string index_text(const Buffer &buffer, int64_t flat) {
  std::vector<int64_t> index(buffer.extent.size());
  for (size_t d = index.size(); d-- > 0; flat /= buffer.extent[d])
    index[d] = buffer.offset[d] + flat % buffer.extent[d];
  return fmt::format("[{}]", fmt::join(index, ","));
}

template <class Holds> Status compare(const KernelArgs &args, const Holds &holds) {
  const Buffer &actual = args.operands[0], &expected = args.operands[1];
  return visit_dtype(actual.dtype, [&](auto element) -> Status {
    using E = decltype(element);
    const auto *x = static_cast<const typename E::Storage *>(actual.data);
    const auto *y = static_cast<const typename E::Storage *>(expected.data);
    int64_t wrong = 0, first = 0;
    const int64_t n = actual.elements();
    for (int64_t i = 0; i < n; ++i)
      if (!holds_for<E>(holds, x[i], y[i])) {
        first = wrong == 0 ? i : first;
        ++wrong;
      }
    if (wrong == 0)
      return {};
    return fail(
        Code::failed_precondition, "TW-251",
        fmt::format("{} of {} elements differ from what is expected, first element {}: {}, expected {}",
                    wrong, n, index_text(actual, first), show<E>(x[first]), show<E>(y[first])));
  });
}

} // namespace

References references() {
  static const Reference all[] = {
      {"check.expect_almost_eq",
       [](const KernelArgs &args) { return compare(args, AlmostEqual{args.op.real(0, kDefaultTolerance)}); }},
      {"check.expect_close",
       [](const KernelArgs &args) {
         return compare(args, Close{args.op.integer(1, 0), args.op.integer(0, kDefaultUlps)});
       }},
      {"check.expect_eq", [](const KernelArgs &args) { return compare(args, Equal{}); }},
  };
  return all;
}

} // namespace tw::kernels::ref::check_reference
